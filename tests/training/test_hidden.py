"""The critic that sees all hands: what it gets is where the cards lie, and the actor gets none of it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback
from trained import small

from experiments.learning import new_model
from trickenv.envs.sb3 import TablesVecEnv
from trickenv.games import GAMES

PRESETS = [("trionfo", "four"), ("trionfo", "five_socio"), ("trijumf", "two"), ("truf", "method1"), ("hiljadu", None)]


def random_actions(env: TablesVecEnv, luck: np.random.Generator) -> np.ndarray:
    return (luck.random(env.action_masks().shape) * env.action_masks()).argmax(1)


def text_hand(planes: np.ndarray) -> int:
    """A plane of cards as a set."""
    return sum(1 << int(card) for card in np.flatnonzero(planes))


def test_the_list_of_presets_has_every_game() -> None:
    assert {name for name, _ in PRESETS} == set(GAMES)


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_hidden_planes_are_the_other_hands_and_the_cards_elsewhere(name: str, preset: str | None) -> None:
    env = TablesVecEnv(name, preset, num_envs=8, seed=2)
    env.reset()
    play, luck = env.learners, np.random.default_rng(0)
    deck, most, seats = play.tables.game.module.DECK.size, play.tables.game.max_seats, play.tables.seats
    elsewhere = 0
    for _ in range(70):
        hidden = env.hidden().reshape(8, most, deck)
        for row, s in enumerate(play.tables.states):
            own = int(play.seats[row])
            for k in range(1, most):
                hand = int(s["hands"][(own + k) % seats]) if k < seats else 0
                assert text_hand(hidden[row, k - 1]) == hand
            rest = text_hand(hidden[row, -1])
            if name == "hiljadu":
                assert rest == (int(s["talon"]) if s["attacker"] < 0 else 0)
            if name == "trijumf":
                assert rest == sum(1 << int(card) for card in s["stock"][: s["stock_left"]])
            elsewhere += rest != 0
        env.step(random_actions(env, luck))
    assert (elsewhere > 0) == (name != "trionfo")


def test_hidden_planes_are_relabelled_as_the_observation_is() -> None:
    plain, first = (TablesVecEnv("trionfo", num_envs=16, seed=5, suits=suits) for suits in ("as_dealt", "trump_first"))
    plain.reset()
    first.reset()
    block = plain.learners.tables.game.module.OBSERVATION["trump"]
    luck = np.random.default_rng(1)
    changed = 0
    for _ in range(40):
        trumps = plain.latest()[:, block.start : block.stop].argmax(1)
        wanted = plain.hidden().reshape(16, 5, 4, 10).copy()
        for row, trump in enumerate(trumps):
            wanted[row][:, [0, trump]] = wanted[row][:, [trump, 0]]
        np.testing.assert_array_equal(first.hidden().reshape(wanted.shape), wanted)
        changed += int((trumps > 0).sum())
        actions = random_actions(plain, luck)
        first.step(first.meant(actions))
        plain.step(actions)
    assert changed > 100


def test_the_buffer_keeps_what_was_hidden_at_each_decision_and_values_it() -> None:
    model = new_model(small())
    env, policy = model.env, model.policy
    shown: list[np.ndarray] = []

    class Noting(BaseCallback):
        def _on_rollout_start(self) -> None:
            shown.append(env.hidden())  # type: ignore[union-attr]

        def _on_step(self) -> bool:
            shown.append(env.hidden())  # type: ignore[union-attr]
            return True

        def _on_rollout_end(self) -> None:
            buffer = self.model.rollout_buffer  # type: ignore[attr-defined]
            np.testing.assert_array_equal(buffer.hidden, shown[:-1])
            both = np.concatenate([buffer.observations[7], shown[7]], 1, dtype=np.float32)
            with torch.no_grad():
                np.testing.assert_allclose(buffer.values[7], policy.critic_values(torch.as_tensor(both))[:, 0])

    model.learn(16 * 48, callback=Noting())
    assert len(shown) == 49


def test_the_actor_does_not_see_what_the_critic_sees() -> None:
    model = new_model(small())
    observations = torch.as_tensor(model.env.reset())  # type: ignore[union-attr,arg-type]
    hidden = torch.as_tensor(model.env.hidden(), dtype=torch.float32)  # type: ignore[union-attr]
    actions = torch.zeros(len(observations))
    values, logs, _ = model.policy.evaluate_actions(torch.cat([observations, hidden], 1), actions)
    others, same, _ = model.policy.evaluate_actions(torch.cat([observations, 1 - hidden], 1), actions)
    torch.testing.assert_close(logs, same)
    assert (values != others).all()
    _, zeros, _ = model.policy(observations)
    assert not zeros.any()
    logs.sum().backward()
    assert all(p.grad is None for p in model.policy.critic.parameters())  # type: ignore[union-attr]


def test_a_public_critic_is_a_head_on_the_trunk() -> None:
    model = new_model(small(critic="public"))
    assert model.policy.critic is None
    observations = torch.as_tensor(model.env.reset())  # type: ignore[union-attr,arg-type]
    _, values, _ = model.policy(observations)
    torch.testing.assert_close(values, model.policy.predict_values(observations))
    assert values.any()
    model.learn(16 * 48)


def test_playing_needs_no_hidden_vector() -> None:
    model = new_model(small())
    observations = model.env.reset()  # type: ignore[union-attr]
    masks = model.env.action_masks()  # type: ignore[union-attr]
    chosen, _ = model.predict(observations, action_masks=masks)  # type: ignore[arg-type]
    assert masks[np.arange(16), chosen].all()
