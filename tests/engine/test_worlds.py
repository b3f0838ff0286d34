"""Worlds are drawn from exactly those that fit, and evenly: against plain enumeration of small cases."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from trickenv.engine.table import Table
from trickenv.engine.worlds import LINK, SHAKES, fill_worlds


def late_deal() -> Table:
    """Trionfo, seat 0 to lead with three cards each; seat 1 is void in coppe, seat 2 has shown S1."""
    table = Table("trionfo", seed=0)
    deck, states = table.game.module.DECK, table.states
    hands = ["D4 D5 D6", "B4 B5 S4", "C4 S1 B6", "C5 S5 B7"]
    rest = [c for c in deck.names if c not in " ".join(hands)]
    states["hands"][0, :4] = [deck.cards(h) for h in hands]
    states["seen"][0, :4] = [deck.cards(rest[k::4][:7]) for k in range(4)]
    states["captured"][0, 0] = deck.cards(rest)
    states["lacks"][0, 1] = deck.cards("C4 C5")
    states["shown"][0] = 0
    states["shown"][0, 2] = deck.cards("S1")
    states["phase"], states["leader"], states["turn"], states["trick_no"], states["trump"] = 7, 0, 0, 7, 3
    states["points"][0, 0] = 32 - 3 - 0
    return table


def enumerate_worlds(table: Table, also: Any = None) -> set[tuple[int, ...]]:
    """All ways to deal the hidden cards that fit the voids and the shown card, by trying every order."""
    deck = table.game.module.DECK
    hidden = deck.list(int(sum(table.states["hands"][0, 1:4])))
    found = set()
    for order in permutations(hidden):
        hands = [set(order[:3]), set(order[3:6]), set(order[6:])]
        void = not hands[0] & {deck.card("C4"), deck.card("C5")}
        if void and deck.card("S1") in hands[1] and (also is None or also(hands)):
            found.add(tuple(sum(1 << c for c in h) for h in hands))
    return found


def chi_square(counts: Counter, worlds: set) -> float:
    expected = sum(counts.values()) / len(worlds)
    return sum((counts[w] - expected) ** 2 / expected for w in worlds)


@pytest.mark.parametrize("promise", [False, True])
def test_worlds_are_uniform_over_all_that_fit(promise: bool) -> None:
    """Chi-square within five standard deviations; with a promised suit (striscio of seat 3) that `fits` must watch."""
    table = late_deal()
    deck = table.game.module.DECK
    also = None
    if promise:
        spades = {deck.card("S4"), deck.card("S5")}
        table.states["keeps"][0, 3] = deck.cards("S4 S5")
        also = lambda hands: hands[2] & spades  # noqa: E731
    worlds = enumerate_worlds(table, also)
    drawn = table.view(0).worlds(200 * len(worlds), seed=4)
    counts = Counter(tuple(int(h) for h in w.hands[1:4]) for w in drawn)
    assert set(counts) == worlds
    freedom = len(worlds) - 1
    assert abs(chi_square(counts, worlds) - freedom) < 5 * np.sqrt(2 * freedom)


def test_a_chain_of_worlds_is_uniform_too() -> None:
    """Every fourth of a chain, so that they hardly depend on each other; chi-square as above."""
    table = late_deal()
    table.states["keeps"][0, 3] = table.game.module.DECK.cards("S4 S5")
    spades = {table.game.module.DECK.card("S4"), table.game.module.DECK.card("S5")}
    worlds = enumerate_worlds(table, lambda hands: hands[2] & spades)
    view = table.view(0)
    chain = np.zeros(800 * len(worlds), view.states.dtype)
    assert fill_worlds(view.states, 0, 4, chain, SHAKES, LINK) == len(chain)
    counts = Counter(tuple(int(h) for h in w.hands[1:4]) for w in chain[::4])
    assert set(counts) == worlds
    freedom = len(worlds) - 1
    assert abs(chi_square(counts, worlds) - freedom) < 5 * np.sqrt(2 * freedom)


def test_without_shaking_worlds_are_not_uniform() -> None:
    """The test above can fail: the first assignment alone, tightest cards first, is visibly uneven."""
    table = late_deal()
    table.states["keeps"][0, 3] = table.game.module.DECK.cards("S4 S5")
    worlds = enumerate_worlds(table)
    view = table.view(0)
    drawn = np.zeros(200 * len(worlds), view.states.dtype)
    fill_worlds(view.states, 0, 4, drawn, 0)
    counts = Counter(tuple(int(h) for h in w.hands[1:4]) for w in drawn)
    assert chi_square(counts, worlds) > 2 * len(worlds)


def test_same_seed_same_worlds() -> None:
    view = Table("trionfo", seed=3).view()
    assert view.worlds(5, seed=1).tobytes() == view.worlds(5, seed=1).tobytes()
    assert view.worlds(5, seed=1).tobytes() != view.worlds(5, seed=2).tobytes()


def test_worlds_do_not_know_the_packs_to_come() -> None:
    table = Table("trionfo", seed=3)
    assert table.state.rng not in table.view().worlds(50)["rng"]


def test_an_impossible_state_is_named() -> None:
    table = late_deal()
    table.states["lacks"][0, 1:4] = table.game.module.DECK.cards("C4")
    with pytest.raises(ValueError, match="no deal of the hidden cards fits what seat 0 knows"):
        table.view(0).worlds(1)
