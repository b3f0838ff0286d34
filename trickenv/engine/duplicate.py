"""Duplicate deals: the same packs with the seats changed round, so that luck of the cards cancels out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trickenv.engine.arena import play_out
from trickenv.engine.episode import blank_tables, episode
from trickenv.engine.players import Player
from trickenv.engine.spec import Game
from trickenv.options import Options
from trickenv.state import side

NORMAL = 1.959964  # half width of a 95 % interval, in standard errors


@dataclass(frozen=True)
class Estimate:
    """A mean over blocks with half the width of its 95 % interval (nan for a single block)."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.half:.3f}"


@dataclass(frozen=True)
class Result:
    """How an agent did against opponents.

    margin: points per deal of its side, less the mean of the other sides. deviation: standard deviation of that margin
    over single deals. won: share of the deals won, a shared first place counting in parts. blocks: packs played;
    deals: how often they were played in all.
    """

    margin: Estimate
    deviation: float
    won: Estimate
    blocks: int
    deals: int

    @property
    def in_deviations(self) -> float:
        """The margin in standard deviations of one deal, 0 where no deal differs from another."""
        return self.margin.mean / self.deviation if self.deviation else 0.0


def seatings(game: Game, rules: Options) -> list[tuple[int, ...]]:
    """The agent's seats in each playing of a block: one seat after another, or one pair of partners after the other."""
    state: Any = game.blank(rules)[0]
    game.module.start(state, 0)
    seats = range(rules.seats)  # type: ignore[attr-defined]
    sides = [int(side(state, seat)) for seat in seats]
    return [tuple(seat for seat in seats if sides[seat] == k) for k in dict.fromkeys(sides)]


def duel(
    game: Game, rules: Options, agent: Player, opponents: Player | Sequence[Player], blocks: int = 1000, seed: int = 0
) -> Result:
    """Play `blocks` packs, each once with the agent on every side.

    opponents: one player for all other seats, or one for each, in the order of play from the agent's first seat on.
    Raises ValueError for fewer than 1 block or a wrong number of opponents.
    """
    if blocks < 1:
        raise ValueError(f"blocks must be 1 or more, not {blocks}")
    sides = seatings(game, rules)
    total = sum(len(own) for own in sides)
    others = total - len(sides[0])
    against = [opponents] * others if isinstance(opponents, Player) else list(opponents)
    if len(against) != others:
        raise ValueError(f"{others} seats are left for opponents, not {len(against)}")
    paid = episode(game, rules, length="deal", reward="deal_points")
    blank = blank_tables(game, rules, "zero")
    margins, shares = np.zeros((len(sides), blocks)), np.zeros((len(sides), blocks))
    for k, own in enumerate(sides):
        rest = iter(against)
        turned = [(own[0] + i) % total for i in range(total)]
        seating = {seat: agent if seat in own else next(rest) for seat in turned}
        points, _ = play_out(game, blank, paid, [seating[seat] for seat in range(total)], blocks, seed)
        margins[k] = points[:, own[0]]
        shares[k] = _share_won(points, [own[0] for own in sides], k)
    return Result(estimate(margins.mean(0)), float(margins.std()), estimate(shares.mean(0)), blocks, margins.size)


def _share_won(points: np.ndarray, firsts: list[int], own: int) -> np.ndarray:
    """(n,) part of each deal won by side `own`; firsts: a seat of every side."""
    best = np.isclose(points[:, firsts], points[:, firsts].max(1, keepdims=True))
    return best[:, own] / best.sum(1)


def estimate(values: np.ndarray) -> Estimate:
    """Mean of independent values with half its 95 % interval."""
    half = NORMAL * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return Estimate(float(values.mean()), float(half))
