"""Invariants of Trionfo that the rules page lists (B.a.4), over random deals."""

from __future__ import annotations

import numpy as np
import pytest

from trickenv.engine import batch
from trickenv.engine.episode import DECK_SPACE, episode
from trickenv.engine.spec import game
from trickenv.engine.table import Table
from trickenv.games import trionfo


def deltas(preset: str, seats: int, tables: int = 400, **options: object) -> tuple[np.ndarray, np.ndarray]:
    """(deals, sides) changes of score and cricche declared, of one random deal each."""
    g = game("trionfo")
    rules = g.rules(preset, **options)
    deal = episode(g, rules, length="deal")
    states, rows, deck = g.tables(tables), np.arange(tables), np.zeros(DECK_SPACE, np.int64)
    batch.seed_rows(states, 1)
    batch.reset_rows(states, rows, g.blank(rules), deal, deck)
    luck = np.random.default_rng(0)
    for row in rows:
        status = np.zeros(1, np.int64)
        mask, pay = np.zeros(g.num_actions, np.int8), np.zeros((1, g.max_seats), np.float32)
        while status[0] == 0:
            g.module.legal(states[row], mask)
            action = np.array([luck.choice(np.flatnonzero(mask))])
            batch.step_rows(states, rows[row : row + 1], action, deal, deck, pay, status)
    count = np.array([[int(c).bit_count() for c in s] for s in states["cricche"]]).sum(axis=1)
    return states["delta"][:, :seats], count


@pytest.mark.parametrize(
    ("preset", "sides", "sums"), [("four", 2, {11}), ("three", 3, {10, 11}), ("five", 5, {9, 10, 11})]
)
def test_sums_of_the_floors(preset: str, sides: int, sums: set[int]) -> None:
    change, cricche = deltas(preset, sides, 150)
    assert set(change.sum(axis=1) - 3 * cricche) <= sums


def test_partner_games_pay_zero_sum() -> None:
    for preset in ("five_socio", "imola_five"):
        change, _ = deltas(preset, 5, 60)
        assert (change.sum(axis=1) == 0).all()
        assert set(np.abs(change).max(axis=1)) <= {2, 4}


def test_a_match_sums_to_eleven_a_deal() -> None:
    """77 points after seven deals without a cricca (scenario R25 of the rules page)."""
    table = Table("trionfo", "four", seed=5, target=1000, max_deals=7, cricca_scope="none")
    luck = np.random.default_rng(1)
    while not table.over:
        table.step(int(luck.choice(table.legal_actions())))
    assert sum(table.scores) == 77


def test_hands_and_thirds() -> None:
    assert trionfo.thirds(trionfo.PACK) == 32
    assert [trionfo.DECK.names[c] for c in range(9, -1, -1)] == ["C" + r for r in "3 2 1 10 9 8 7 6 5 4".split()]


@pytest.mark.parametrize("packet", [1, 5])
def test_dealing_in_packets(packet: int) -> None:
    """Forehand gets the first card, or the first five."""
    pack = list(trionfo.DECK.names)
    table = Table("trionfo", decks=[pack], first_dealer=0, deal_packet=packet)
    first = trionfo.DECK.list(int(table.states["hands"][0, 1]))
    wanted = pack[0::4] if packet == 1 else pack[0:5] + pack[20:25]
    assert sorted(trionfo.DECK.names[c] for c in first) == sorted(wanted)
