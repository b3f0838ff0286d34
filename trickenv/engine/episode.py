"""What an episode is: a deal or a match, how it pays, where its scores begin. Checked here for every environment."""

from __future__ import annotations

from typing import Any

import numpy as np

from trickenv.engine.batch import REWARDS, Episode
from trickenv.engine.spec import Game
from trickenv.options import Options, unknown
from trickenv.state import sides

DECK_SPACE = 64  # scratch for any pack


def episode(
    game: Game,
    rules: Options,
    *,
    length: str = "match",
    reward: str = "deal_points",
    scores: str | list[int] | tuple[int, ...] = "zero",
    max_deals: int | None = None,
    first_dealer: int | None = None,
    by_hand: bool = False,
) -> Episode:
    """The kernels' form of an episode.

    length: "match", or "deal" for one scored deal. reward: "deal_points" (change of score), "trick_points" (points of
    the deal, after every trick) or "match" (+1 for a winner, -1 for the others at its end); the first two count the
    own side less the mean of the other sides. scores: "zero", "drawn", or one number for each side. max_deals: scored
    deals after which a match is cut off. first_dealer: a seat, drawn by default.
    Raises ValueError with a sentence for a wrong name or number, or for a reward that would give a secret away.
    """
    if length not in ("match", "deal"):
        raise ValueError(unknown("episode", length, ("match", "deal")))
    if reward not in REWARDS:
        raise ValueError(unknown("reward", reward, REWARDS))
    if reward not in rules.rewards():
        raise ValueError(
            f"reward {reward!r} would give the secret partner away; use one of {', '.join(rules.rewards())}"
        )
    if reward == "match" and length == "deal":
        raise ValueError("reward 'match' is paid at the end of a match: it does not go with episode 'deal'")
    if max_deals is not None and max_deals < 1:
        raise ValueError(f"max_deals must be 1 or more, or None for no limit, not {max_deals}")
    seats = rules.seats  # type: ignore[attr-defined]
    if first_dealer is not None and not 0 <= first_dealer < seats:
        raise ValueError(f"first_dealer must be a seat from 0 to {seats - 1}, not {first_dealer}")
    if isinstance(scores, str) and scores not in ("zero", "drawn"):
        raise ValueError(f"scores must be 'zero', 'drawn' or one number for each side, not {scores!r}")
    return Episode(
        match=int(length == "match"),
        max_deals=max_deals or 0,
        reward=REWARDS.index(reward),
        point_unit=game.module.POINT_UNIT,
        scores={"zero": 0, "drawn": 1}[scores] if isinstance(scores, str) else 2,
        dealer=-1 if first_dealer is None else first_dealer,
        by_hand=int(by_hand),
    )


def blank_tables(game: Game, rules: Options, scores: str | list[int] | tuple[int, ...]) -> np.ndarray:
    """(1,) states with the options and any given scores. Raises ValueError for a wrong number of scores."""
    blank = game.blank(rules)
    if not isinstance(scores, str):
        wanted = sides_of(game, rules)
        if len(scores) != wanted:
            raise ValueError(f"scores must hold one number for each of the {wanted} sides, not {len(scores)}")
        blank["scores"][0, :wanted] = scores
    return blank


def sides_of(game: Game, rules: Options) -> int:
    """Number of sides that these options make."""
    state: Any = game.blank(rules)
    game.module.start(state[0], 0)
    return int(sides(state[0]))
