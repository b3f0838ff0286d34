"""The player `cheat[:EXACT_TRICKS]`, which looks into all hands: a yardstick of what perfect information is worth.

It is `pimc` with the true state for its only world, so what the others do in its play-outs they do by what they see,
and the exact solver takes over with at most EXACT_TRICKS cards in hand. Not a fair opponent, and labelled so.
"""

from __future__ import annotations

import numpy as np

from agents.search.pimc import Judge, numbers
from trickenv.engine.players import CheatingPlayer
from trickenv.engine.spec import Game
from trickenv.engine.view import Views

FORM = "cheat[:EXACT_TRICKS] (sees all hands)"
EXACT = 6  # EXACT_TRICKS where none are given


class PeekingPlayer(CheatingPlayer):
    """Takes what is best in the true state (see the module). Has no luck."""

    def __init__(self, game: Game, exact: int = EXACT) -> None:
        self.name = f"cheat:{exact}"
        self._judge = Judge(game, exact)

    def act_open(self, views: Views, states: np.ndarray) -> np.ndarray:
        """(n,) int64: a legal action for each view; states: (n,) full states."""
        actions = np.empty(len(views), np.int64)
        for r in range(len(views)):
            one = slice(r, r + 1)
            actions[r] = self._judge.choose(views.states[one], int(views.seats[r]), views.masks[r], [states[one]])
        return actions


def make_cheat(game: Game, argument: str) -> PeekingPlayer:
    """The player `cheat[:EXACT_TRICKS]`. Raises ValueError for a wrong argument."""
    return PeekingPlayer(game, *numbers(argument, FORM, 1)) if argument else PeekingPlayer(game)
