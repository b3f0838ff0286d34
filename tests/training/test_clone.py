"""Cloning: the network learns to do what a player does, and the critic how its deals end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from trained import small

from agents.fast_policy import weights_of
from agents.policy import PolicyPlayer, relabel_for
from experiments.cloning import Lessons, clone, worth_error
from experiments.learning import new_env, new_model
from trickenv.engine.duplicate import duel
from trickenv.engine.players import player
from trickenv.engine.spec import game
from trickenv.envs.sb3 import SeatChains

TRIONFO = game("trionfo")
WISH = {"player": "heuristic", "decisions": 40_000, "batch": 256, "passes": 2, "learning_rate": [0.003, 0.0005]}


def lessons(**more: Any) -> Lessons:
    """Lessons of a small config, played once."""
    config = small(clone=WISH | more, tables=64)
    found = Lessons(config, new_model(config))
    found.play()
    return found


def test_lessons_hold_what_the_teacher_does() -> None:
    found, teacher = lessons(), player("heuristic", TRIONFO)
    np.random.seed(3)
    found.play()
    np.random.seed(3)
    again = new_env(small(tables=64), {"self": 1.0})
    again.seed(int(np.random.randint(1 << 62, dtype=np.int64)))
    again.reset()
    play = again.learners
    for step in range(48):
        views = play.tables.look(play.tables.rows, play.seats)
        actions = again.said(teacher.act_batch(views))
        np.testing.assert_array_equal(found.buffer.actions[step, :, 0], actions)
        assert again.action_masks()[np.arange(64), actions].all()
        again.step(actions)


def test_a_share_of_the_moves_may_be_the_policys_own() -> None:
    """The same packs, half of the moves an untrained policy's: about a quarter to a half of the first ones differ."""
    first = []
    for own in (0.0, 0.5):
        found = lessons()
        found.own = own
        np.random.seed(4)
        found.play()
        first.append(found.buffer.actions[0, :, 0])
    assert 5 < (first[0] != first[1]).sum() < 45


def test_worths_are_what_the_deals_pay_after_each_action() -> None:
    """Played on by the rules of thumb, the teacher's own move leads to the very result of the deal it plays."""
    found = lessons(learn="playouts")
    buffer, worths = found.buffer, found.worths
    assert worths is not None
    closed = buffer.action_masks.reshape(worths.shape) == 0
    assert (worths[closed] == 0).all()
    assert np.ptp(worths, 2).max() > 0.2  # points of a deal x 0.2
    paid = paid_by_end(buffer)
    steps, rows = np.nonzero(np.isfinite(paid))
    actions = buffer.actions[steps, rows, 0].astype(int)
    assert len(steps) > 1000
    np.testing.assert_allclose(worths[steps, rows, actions], paid[steps, rows], atol=1e-5)


def paid_by_end(buffer: SeatChains) -> np.ndarray:
    """(steps, rows) what the mover of each choice was paid until the end of its deal, nan where the end is missing."""
    assert buffer.paid is not None
    found = np.zeros(buffer.whole.shape)
    for row in range(found.shape[1]):
        to_come = np.full(buffer.paid.shape[2], np.nan)
        for step in range(len(found) - 1, -1, -1):
            to_come = buffer.paid[step, row] + (0 if buffer.ended[step, row] else to_come)
            found[step, row] = to_come[buffer.seats[step, row]]
    return found


def test_logits_that_are_worths_over_temperature_have_no_error() -> None:
    masks = torch.tensor([[1, 1, 0, 1], [0, 1, 1, 0]])
    worths = torch.tensor([[0.3, -0.1, 0.0, 0.2], [0.0, 1.0, 0.5, 0.0]])
    logits = torch.where(masks == 1, worths / 0.05 + 7.0, -1e8)  # a constant by row makes no difference
    assert float(worth_error(logits, worths, masks, 0.05)) < 1e-6
    logits[0, 0] += 1.0
    assert float(worth_error(logits, worths, masks, 0.05)) > 0.005


@pytest.mark.parametrize("learn", ["moves", "playouts"])
def test_a_clone_plays_like_its_teacher_and_its_critic_knows_how_deals_end(learn: str) -> None:
    config = small(clone=WISH | {"learn": learn}, tables=64)
    model = new_model(config)
    parts = list(clone(Lessons(config, model)))
    assert parts == [64 * 48 * k for k in range(1, len(parts) + 1)]
    assert parts[-2] < 40_000 <= parts[-1]
    agent = PolicyPlayer(weights_of(model.policy), relabel=relabel_for(TRIONFO, config.suits))
    against = duel(TRIONFO, TRIONFO.rules("four"), agent, player("random", TRIONFO), 300, seed=9)
    assert against.in_deviations > 0.3  # an untrained network stands at 0
    found = Lessons(config, model)
    np.random.seed(5)
    found.play()
    returns, values = found.buffer.returns[found.buffer.whole], found.buffer.values[found.buffer.whole]
    assert 1 - np.var(returns - values) / np.var(returns) > 0.3
    assert not model.policy.optimizer.state  # PPO begins with moments of its own


def test_cloning_goes_on_where_it_was_left() -> None:
    config = small(clone=WISH | {"decisions": 3000})
    whole, first = new_model(config), new_model(config)
    list(clone(Lessons(config, whole)))
    steps = clone(Lessons(config, first))
    done = [next(steps), next(steps)][-1]
    second = new_model(config)
    second.policy.load_state_dict(first.policy.state_dict())
    second.policy.optimizer.load_state_dict(first.policy.optimizer.state_dict())
    list(clone(Lessons(config, second), done))
    for a, b in zip(whole.policy.parameters(), second.policy.parameters(), strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=0)
