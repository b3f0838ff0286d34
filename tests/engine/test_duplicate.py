"""Duplicate deals, in every preset: luck cancels out, and a better player shows."""

from __future__ import annotations

import numpy as np
import pytest
from common import Lowest, every_preset

from trickenv.engine.duplicate import duel, seatings
from trickenv.engine.spec import game


@every_preset
def test_a_player_against_itself_draws_exactly(name: str, preset: str) -> None:
    g = game(name)
    result = duel(g, g.rules(preset), Lowest(), Lowest(), blocks=12, seed=3)
    sides = len(seatings(g, g.rules(preset)))
    assert result.margin.mean == pytest.approx(0, abs=1e-6)
    assert result.margin.half == pytest.approx(0, abs=1e-6)
    assert result.won.mean == pytest.approx(1 / sides)
    assert result.deals == 12 * sides


@every_preset
def test_seatings_put_the_agent_in_every_seat_once(name: str, preset: str) -> None:
    g = game(name)
    seats = [seat for own in seatings(g, g.rules(preset)) for seat in own]
    assert sorted(seats) == list(range(g.rules(preset).plain()["seats"]))


def test_wrong_numbers_get_a_sentence() -> None:
    g = game("trionfo")
    with pytest.raises(ValueError, match="blocks must be 1 or more"):
        duel(g, g.rules(), Lowest(), Lowest(), blocks=0)
    with pytest.raises(ValueError, match="2 seats are left for opponents, not 1"):
        duel(g, g.rules(), Lowest(), [Lowest()], blocks=1)
    assert np.isnan(duel(g, g.rules(), Lowest(), Lowest(), blocks=1).margin.half)
