"""Suits relabelled for the network: only names change."""

from __future__ import annotations

import numpy as np

from agents.policy import PolicyPlayer
from trickenv.engine.spec import game
from trickenv.envs.sb3 import TablesVecEnv
from trickenv.envs.suits import TrumpFirst
from trickenv.envs.vector import Tables

TRIONFO = game("trionfo")
HAND, TRUMP, LED = (TRIONFO.module.OBSERVATION[name] for name in ("hand", "trump", "led"))


def test_trumps_take_the_first_place() -> None:
    tables = Tables("trionfo", tables=64)
    now = tables.reset(5)
    luck = np.random.default_rng(1)
    for _ in range(9):
        now = tables.step((luck.random(now.masks.shape) * now.masks).argmax(1)).next
    relabel = TrumpFirst(TRIONFO)
    trumps = tables.states["trump"].astype(int)
    assert set(trumps) == {0, 1, 2, 3}
    np.testing.assert_array_equal(relabel.trumps(now.observations), trumps)
    seen, masks = relabel.observations(now.observations, trumps), relabel.actions(now.masks, trumps)
    np.testing.assert_array_equal(seen[:, TRUMP.start : TRUMP.stop], np.eye(4, dtype=np.float32)[np.zeros(64, int)])
    for row, trump in enumerate(trumps):
        hand = now.observations[row, HAND.start : HAND.stop].reshape(4, 10)
        order = {0: trump, trump: 0}
        wanted = hand[[order.get(suit, suit) for suit in range(4)]]
        np.testing.assert_array_equal(seen[row, HAND.start : HAND.stop].reshape(4, 10), wanted)
        for action in np.flatnonzero(masks[row]):
            assert now.masks[row, relabel.numbers(np.array([action]), trumps[[row]])[0]]
    np.testing.assert_array_equal(relabel.observations(seen, trumps), now.observations)
    np.testing.assert_array_equal(relabel.actions(masks, trumps), now.masks)


def test_before_trumps_are_named_nothing_changes() -> None:
    tables = Tables("trionfo", tables=16)
    now = tables.reset(5)
    relabel = TrumpFirst(TRIONFO)
    trumps = relabel.trumps(now.observations)
    assert not trumps.any()
    np.testing.assert_array_equal(relabel.observations(now.observations, trumps), now.observations)


def test_the_relabelled_environment_is_the_same_game() -> None:
    plain = TablesVecEnv("trionfo", num_envs=32, seed=6)
    other = TablesVecEnv("trionfo", num_envs=32, seed=6, suits="trump_first")
    relabel = TrumpFirst(TRIONFO)
    before, changed = np.asarray(plain.reset()), other.reset()
    luck = np.random.default_rng(0)
    for _ in range(60):
        trumps = relabel.trumps(before)
        np.testing.assert_array_equal(relabel.observations(before, trumps), changed)
        np.testing.assert_array_equal(relabel.actions(plain.action_masks(), trumps), other.action_masks())
        actions = (luck.random(plain.action_masks().shape) * plain.action_masks()).argmax(1)
        after, rewards, dones, _ = plain.step(actions)
        before = np.asarray(after)
        changed, same_rewards, same_dones, _ = other.step(relabel.numbers(actions, trumps))
        np.testing.assert_array_equal(rewards, same_rewards)
        np.testing.assert_array_equal(dones, same_dones)


def test_a_player_answers_in_real_suits() -> None:
    """A network that likes nothing but the first suit's cards, so relabelled, plays trumps when it can."""
    weights = {
        "trunk.0.weight": np.zeros((1, TRIONFO.observation_size), np.float32),
        "trunk.0.bias": np.ones(1, np.float32),
        "action.weight": np.zeros((TRIONFO.num_actions, 1), np.float32),
        "action.bias": np.array([1.0] * 10 + [0.0] * (TRIONFO.num_actions - 10), np.float32),
    }
    agent = PolicyPlayer(weights, relabel=TrumpFirst(TRIONFO))
    tables = Tables("trionfo", tables=32)
    now = tables.reset(3)
    now = tables.step(40 + np.arange(32) % 4).next  # suits named in turn
    trumped = 0
    for _ in range(40):
        views = tables.look(tables.rows)
        actions = agent.act_batch(views)
        for row in np.flatnonzero(tables.states["phase"] == TRIONFO.module.Phase.play):
            trump = int(tables.states["trump"][row])
            if now.masks[row, 10 * trump : 10 * trump + 10].any():
                assert actions[row] // 10 == trump
                trumped += trump > 0
        now = tables.step(actions).next
    assert trumped > 100
