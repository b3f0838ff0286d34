"""Cloning: the network learns to do what a player does, and the critic how its deals end."""

from __future__ import annotations

import numpy as np
import torch
from trained import small

from agents.fast_policy import weights_of
from agents.policy import PolicyPlayer, relabel_for
from experiments.learning import clone, new_env, new_model, show, watch
from trickenv.engine.duplicate import duel
from trickenv.engine.players import player
from trickenv.engine.spec import game
from trickenv.envs.sb3 import SeatChains

TRIONFO = game("trionfo")
WISH = {"player": "heuristic", "decisions": 40_000, "batch": 256, "passes": 2, "learning_rate": [0.003, 0.0005]}


def test_a_buffer_is_filled_with_what_the_teacher_does() -> None:
    config = small()
    model, env, teacher = new_model(config), new_env(config, {"self": 1.0}), player("heuristic", TRIONFO)
    buffer = SeatChains(48, env.observation_space, env.action_space, "cpu", 1.0, 1.0, n_envs=16)
    watch(buffer, env, model.policy)
    env.seed(5)
    show(teacher, env, buffer, model.policy)
    again = new_env(config, {"self": 1.0})
    again.seed(5)
    again.reset()
    play = again.learners
    for step in range(48):
        views = play.tables.look(play.tables.rows, play.seats)
        actions = again.meant(teacher.act_batch(views))
        np.testing.assert_array_equal(buffer.actions[step, :, 0], actions)
        assert again.action_masks()[np.arange(16), actions].all()
        again.step(actions)


def test_a_clone_plays_like_its_teacher_and_its_critic_knows_how_deals_end() -> None:
    config = small(clone=WISH, tables=64)
    model = new_model(config)
    parts = list(clone(config, model))
    assert parts == [64 * 48 * k for k in range(1, len(parts) + 1)]
    assert parts[-2] < 40_000 <= parts[-1]
    agent = PolicyPlayer(weights_of(model.policy), relabel=relabel_for(TRIONFO, config.suits))
    against = duel(TRIONFO, TRIONFO.rules("four"), agent, player("random", TRIONFO), 300, seed=9)
    assert against.in_deviations > 0.5  # an untrained network stands at 0
    env = new_env(config, {"self": 1.0})
    buffer = SeatChains(48, env.observation_space, env.action_space, "cpu", 1.0, 1.0, n_envs=64)
    watch(buffer, env, model.policy)
    env.seed(77)
    show(player("heuristic", TRIONFO), env, buffer, model.policy)
    returns, values = buffer.returns[buffer.whole], buffer.values[buffer.whole]
    assert 1 - np.var(returns - values) / np.var(returns) > 0.3
    assert not model.policy.optimizer.state  # PPO begins with moments of its own


def test_cloning_goes_on_where_it_was_left() -> None:
    config = small(clone=WISH | {"decisions": 3000})
    whole, first = new_model(config), new_model(config)
    list(clone(config, whole))
    steps = clone(config, first)
    done = [next(steps), next(steps)][-1]
    second = new_model(config)
    second.policy.load_state_dict(first.policy.state_dict())
    second.policy.optimizer.load_state_dict(first.policy.optimizer.state_dict())
    list(clone(config, second, done))
    for a, b in zip(whole.policy.parameters(), second.policy.parameters(), strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=0)
