"""Rule-of-thumb players, one module per game: `choose_rows(states, seats, masks, actions)`, compiled."""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType

import numpy as np

from trickenv.engine.players import Player
from trickenv.engine.spec import Game
from trickenv.engine.view import Views


class HeuristicPlayer(Player):
    """Plays by the rules of thumb of its game. Has no luck: the same view always gives the same action."""

    name = "heuristic"

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def act_batch(self, views: Views) -> np.ndarray:
        """(n,) int64: a legal action for each view."""
        actions = np.empty(len(views), np.int64)
        self._module.choose_rows(views.states, views.seats, views.masks, actions)
        return actions


def make_heuristic(game: Game, argument: str) -> HeuristicPlayer:
    """The player `heuristic` of a game. Raises ValueError for an argument, or where there are no rules of thumb."""
    if argument:
        raise ValueError(f"player 'heuristic' takes no argument, not {argument!r}")
    module = load(game)
    if module is None:
        raise ValueError(f"there is no player 'heuristic' for {game.name}: agents/heuristics/{game.name}.py is missing")
    return HeuristicPlayer(module)


def load(game: Game) -> ModuleType | None:
    """The rules of thumb of a game, None if there are none: compiled `choose(s, seat, mask)` and `choose_rows`."""
    name = f"agents.heuristics.{game.name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
