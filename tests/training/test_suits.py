"""Suits relabelled for the network: only names change."""

from __future__ import annotations

import numpy as np
import pytest

from agents.policy import PolicyPlayer
from trickenv.engine.spec import game
from trickenv.envs.sb3 import TablesVecEnv
from trickenv.envs.suits import CANONICAL, SUIT_ORDERS, TRUMP_FIRST, Relabel
from trickenv.envs.vector import Tables
from trickenv.games import GAMES

TRIONFO = game("trionfo")
HAND, TRUMP, LED, OUT = (TRIONFO.module.OBSERVATION[name] for name in ("hand", "trump", "led", "out"))
both_orders = pytest.mark.parametrize("order", SUIT_ORDERS[1:])


def later_tables(name: str, steps: int) -> Tables:
    """64 tables after so many steps of random play."""
    tables = Tables(name, tables=64)
    now = tables.reset(5)
    luck = np.random.default_rng(1)
    for _ in range(steps):
        now = tables.step((luck.random(now.masks.shape) * now.masks).argmax(1)).next
    return tables


def by_suit(rows: np.ndarray, block: object) -> np.ndarray:
    """(n, 4, entries of a suit) of a block."""
    return rows[:, block.start : block.stop].reshape(len(rows), 4, -1)  # type: ignore[attr-defined]


def wanted_order(order: str, trump: int, led: int, hand: np.ndarray, out: np.ndarray) -> list[int]:
    """The real suit in each place, spelled out; hand: (4, 10); out: (4,) unseen cards of each suit."""
    if order == TRUMP_FIRST:
        return [{0: trump, trump: 0}.get(suit, suit) for suit in range(4)]

    def rank(suit: int) -> tuple:
        own = [r for r in range(10) if hand[suit][r]]
        return suit != trump, suit != led, -len(own), [-r for r in reversed(own)], -out[suit]

    return sorted(range(4), key=rank)


@both_orders
@pytest.mark.parametrize("steps", [9, 10, 30])
def test_suits_come_in_the_order_that_is_told(order: str, steps: int) -> None:
    tables = later_tables("trionfo", steps)
    now = tables.look(tables.rows)
    relabel = Relabel(TRIONFO, order)
    orders = relabel.orders(now.observations)
    seen, masks = relabel.observations(now.observations, orders), relabel.actions(now.masks, orders)
    hands, outs = by_suit(now.observations, HAND), by_suit(now.observations, OUT)[:, :, 0]
    for row, s in enumerate(tables.states):
        trump, led = (by_suit(now.observations, block)[row, :, 0] for block in (TRUMP, LED))
        assert trump.argmax() == int(s["trump"])
        led_suit = int(led.argmax()) if led.any() else -1
        places = wanted_order(order, int(trump.argmax()), led_suit, hands[row], outs[row])
        for block in (HAND, TRUMP, LED, OUT):
            found = by_suit(seen, block)[row]
            np.testing.assert_array_equal(found, by_suit(now.observations, block)[row][places])
        legal = {places.index(a // 10) * 10 + a % 10 for a in np.flatnonzero(now.masks[row]).tolist() if a < 40}
        assert {a for a in np.flatnonzero(masks[row]).tolist() if a < 40} == legal
    assert set(tables.states["trump"].tolist()) == {0, 1, 2, 3}
    np.testing.assert_array_equal(by_suit(seen, TRUMP)[:, 0, 0], 1)


@both_orders
@pytest.mark.parametrize("name", GAMES)
def test_there_and_back(name: str, order: str) -> None:
    """Masks and numbers of actions come back as they were; nothing outside of the blocks by suit changes."""
    tables = later_tables(name, 12)
    now, played = tables.look(tables.rows), tables.game
    relabel = Relabel(played, order)
    orders = relabel.orders(now.observations)
    assert len(set(orders.tolist())) > 1
    masks = relabel.actions(now.masks, orders)
    np.testing.assert_array_equal(relabel.real_actions(masks, orders), now.masks)
    first = masks.argmax(1)
    assert now.masks[np.arange(64), relabel.real_numbers(first, orders)].all()
    np.testing.assert_array_equal(relabel.numbers(relabel.real_numbers(first, orders), orders), first)
    seen = relabel.observations(now.observations, orders)
    for block in played.module.OBSERVATION:
        part, same = (rows[:, block.start : block.stop] for rows in (seen, now.observations))
        np.testing.assert_array_equal(
            part if not block.unit else np.sort(part), same if not block.unit else np.sort(same)
        )


def test_positions_that_differ_in_the_names_of_suits_only_look_the_same() -> None:
    """All cards with suits renamed, whoever holds them: the canonical observation stays, but for full ties."""
    tables = later_tables("trionfo", 14)
    now = tables.look(tables.rows)
    relabel = Relabel(TRIONFO, CANONICAL)
    shown = relabel.observations(now.observations, relabel.orders(now.observations))
    renamed = relabel.observations(now.observations, np.full(64, 17))
    again = relabel.observations(renamed, relabel.orders(renamed))
    same = (again == shown).all(1)
    hands, out = by_suit(now.observations, HAND), by_suit(now.observations, OUT)
    suits = np.concatenate([hands, out, by_suit(now.observations, LED), by_suit(now.observations, TRUMP)], 2)
    tied = np.array([len(np.unique(row, axis=0)) < 4 for row in suits])
    assert same[~tied].all()
    assert (~tied).sum() > 40


def test_before_trumps_are_named_trump_first_changes_nothing() -> None:
    tables = Tables("trionfo", tables=16)
    now = tables.reset(5)
    relabel = Relabel(TRIONFO, TRUMP_FIRST)
    assert not by_suit(now.observations, TRUMP).any()
    seen = relabel.observations(now.observations, relabel.orders(now.observations))
    np.testing.assert_array_equal(seen, now.observations)


@both_orders
def test_the_relabelled_environment_is_the_same_game(order: str) -> None:
    plain = TablesVecEnv("trionfo", num_envs=32, seed=6)
    other = TablesVecEnv("trionfo", num_envs=32, seed=6, suits=order)
    relabel = Relabel(TRIONFO, order)
    before, changed = np.asarray(plain.reset()), other.reset()
    luck = np.random.default_rng(0)
    for _ in range(60):
        orders = relabel.orders(before)
        np.testing.assert_array_equal(relabel.observations(before, orders), changed)
        np.testing.assert_array_equal(relabel.actions(plain.action_masks(), orders), other.action_masks())
        actions = (luck.random(plain.action_masks().shape) * plain.action_masks()).argmax(1)
        mine = other.said(actions)
        np.testing.assert_array_equal(other.meant(mine), actions)
        after, rewards, dones, _ = plain.step(actions)
        before = np.asarray(after)
        changed, same_rewards, same_dones, _ = other.step(mine)
        np.testing.assert_array_equal(rewards, same_rewards)
        np.testing.assert_array_equal(dones, same_dones)


@both_orders
def test_a_player_answers_in_real_suits(order: str) -> None:
    """A network that likes nothing but the first suit's cards, so relabelled, plays trumps when it can."""
    weights = {
        "trunk.0.weight": np.zeros((1, TRIONFO.observation_size), np.float32),
        "trunk.0.bias": np.ones(1, np.float32),
        "action.weight": np.zeros((TRIONFO.num_actions, 1), np.float32),
        "action.bias": np.array([1.0] * 10 + [0.0] * (TRIONFO.num_actions - 10), np.float32),
    }
    agent = PolicyPlayer(weights, relabel=Relabel(TRIONFO, order))
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


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown order to relabel suits by 'as_dealt'"):
        Relabel(TRIONFO, "as_dealt")
