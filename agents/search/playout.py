"""How a search plays on to the end of a deal: by the rules of thumb of the game, or greedily where it has none."""

from __future__ import annotations

from functools import partial
from typing import Any

from agents import heuristics
from agents.search import greedy
from trickenv.engine.batch import margin, only_action
from trickenv.engine.rules import censor, legal, possible, step
from trickenv.engine.spec import Game
from trickenv.jit import generic, jit, register


@partial(generic, part="playout")
def choose(s, seat, mask) -> Any:
    """A legal action for a seat that is on turn, from its censored state; no luck but what is made from the state."""


def prepare(game: Game) -> None:
    """Make the way to play on known to the compiled searches of a game."""
    register(heuristics.load(game) or greedy, game.module.STATE, part="playout")


@jit
def play_on(s, view, mask):
    """Play a full state to the end of its deal, every seat by what it sees; view: scratch record, mask: scratch."""
    while s.turn >= 0:
        legal(s, mask)
        action = only_action(mask)
        if action < 0:
            seat = s.turn
            view[0] = s
            v = view[0]
            censor(v, seat)
            possible(v, seat)
            action = choose(v, seat, mask)
        step(s, action)


@jit
def outcome(s, deals, seat):
    """What a finished deal pays a seat, as reward `deal_points` does; deals: number scored before it. Void: 0."""
    return margin(s, s.delta, seat) if s.deals > deals else 0.0
