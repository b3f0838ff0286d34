"""The player `cheat[:EXACT_TRICKS]`, which looks into all hands: a yardstick of what perfect information is worth.

It is `pimc` with the true state for its only world, so what the others do in its play-outs they do by what they see,
and the exact solver takes over with at most EXACT_TRICKS cards in hand. Not a fair opponent, and labelled so.
"""

from __future__ import annotations

import numpy as np

from agents.search import playout, solver
from agents.search.pimc import choose_open, numbers
from trickenv.engine.players import CheatingPlayer
from trickenv.engine.spec import Game
from trickenv.engine.view import Views

FORM = "cheat[:EXACT_TRICKS] (sees all hands)"
EXACT = 6  # EXACT_TRICKS where none are given


class PeekingPlayer(CheatingPlayer):
    """Takes what is best in the true state (see the module). Has no luck."""

    def __init__(self, game: Game, exact: int = EXACT) -> None:
        playout.prepare(game)
        self.name = f"cheat:{exact}"
        self._exact = exact
        self._scratch, self._room = game.tables(2), solver.space(game)
        self.totals = np.zeros(game.num_actions)  # of the latest decision, by action

    def act_open(self, views: Views, states: np.ndarray) -> np.ndarray:
        """(n,) int64: a legal action for each view; states: (n,) full states."""
        actions = np.empty(len(views), np.int64)
        for r in range(len(views)):
            actions[r] = choose_open(
                states[r : r + 1], int(views.seats[r]), views.masks[r], self._exact, self._scratch, self._room,
                self.totals,
            )  # fmt: skip
        return actions


def make_cheat(game: Game, argument: str) -> PeekingPlayer:
    """The player `cheat[:EXACT_TRICKS]`. Raises ValueError for a wrong argument."""
    return PeekingPlayer(game, *numbers(argument, FORM, 1)) if argument else PeekingPlayer(game)
