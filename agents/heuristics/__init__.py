"""Rule-of-thumb players, one module per game: `choose(s, seat, mask)`, compiled."""

from __future__ import annotations

import importlib
import importlib.util
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from trickenv.engine.players import Player
from trickenv.engine.spec import Game
from trickenv.engine.view import Views
from trickenv.jit import generic, jit, register


@partial(generic, part="heuristics")
def choose(s, seat, mask) -> Any:
    """A legal action for a seat that is on turn, from its censored state; always the same in the same state."""


@jit
def choose_rows(states, seats, masks, actions):
    """Choose at many tables: states (n,) censored, seats (n,), masks (n, actions); actions (n,) int64, overwritten."""
    for r in range(len(states)):
        actions[r] = choose(states[r], seats[r], masks[r])


class HeuristicPlayer(Player):
    """Plays by the rules of thumb of its game. Has no luck: the same view always gives the same action."""

    name = "heuristic"

    def act_batch(self, views: Views) -> np.ndarray:
        """(n,) int64: a legal action for each view."""
        actions = np.empty(len(views), np.int64)
        choose_rows(views.states, views.seats, views.masks, actions)
        return actions


def make_heuristic(game: Game, argument: str) -> HeuristicPlayer:
    """The player `heuristic` of a game. Raises ValueError for an argument, or where there are no rules of thumb."""
    if argument:
        raise ValueError(f"player 'heuristic' takes no argument, not {argument!r}")
    module = load(game)
    if module is None:
        raise ValueError(f"there is no player 'heuristic' for {game.name}: agents/heuristics/{game.name}.py is missing")
    register(module, game.module.STATE, part="heuristics")
    return HeuristicPlayer()


def load(game: Game) -> ModuleType | None:
    """The rules of thumb of a game, None if there are none: a compiled `choose(s, seat, mask)`."""
    name = f"agents.heuristics.{game.name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
