"""Random play by kinds, and players by name."""

from __future__ import annotations

import numpy as np
import pytest

from trickenv.engine import batch
from trickenv.engine.arena import play_out
from trickenv.engine.episode import blank_tables, episode
from trickenv.engine.players import RandomPlayer, known_players, player
from trickenv.engine.spec import game


def test_kinds_first_then_actions_within_the_kind() -> None:
    """One signal of three, one pass, eight cards: each kind a third, each card a twenty-fourth."""
    kinds = np.array([0] * 8 + [1] * 3 + [2])
    mask = np.array([1] * 8 + [0, 1, 0] + [1], np.int8)
    actions = np.zeros(60_000, np.int64)
    batch.pick_rows(np.tile(mask, (60_000, 1)), kinds, np.arange(60_000, dtype=np.uint64), actions)
    share = np.bincount(actions, minlength=12) / 60_000
    assert share[8] == share[10] == 0
    assert share[9] == pytest.approx(1 / 3, abs=0.01)
    assert share[11] == pytest.approx(1 / 3, abs=0.01)
    assert share[:8] == pytest.approx(np.full(8, 1 / 24), abs=0.004)


def test_players_repeat_by_seed_and_pay_is_zero_sum_between_sides() -> None:
    g = game("trionfo")
    rules = g.rules("four")
    deal = episode(g, rules, length="deal")
    results = []
    for _ in range(2):
        seating = [RandomPlayer(1), RandomPlayer(2)] * 2
        results.append(play_out(g, blank_tables(g, rules, "zero"), deal, seating, 50, seed=9))
    totals, states = results[0]
    assert totals.tobytes() == results[1][0].tobytes()
    assert states.tobytes() == results[1][1].tobytes()
    assert np.allclose(totals[:, 0] + totals[:, 1], 0)
    assert np.allclose(totals[:, 0], totals[:, 2])
    assert (states["deals"] == 1).all()


def test_unknown_players_are_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown player 'rndom' \(did you mean 'random'\?\); known: .*random"):
        player("rndom", game("trionfo"))
    assert "random" in known_players()
