"""How a search plays on to the end of a deal: by the rules of thumb of the game, or greedily where it has none."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

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


@jit
def try_actions(s, seat, tried, scratch, mask, values):
    """What the deal pays a seat on turn after each action marked in `tried`, played on from a full state.

    values: (actions,) float64, those tried are overwritten. scratch: (2,) records; mask: (actions,) int8, scratch.
    """
    for action in range(len(tried)):
        if tried[action]:
            scratch[0] = s
            child = scratch[0]
            deals = child.deals
            step(child, action)
            play_on(child, scratch[1:2], mask)
            values[action] = outcome(child, deals, seat)


@jit
def try_rows(tables, rows, masks, scratch, values):
    """`try_actions` for the seats on turn at some tables; masks and values, overwritten: (rows, actions)."""
    mask = np.empty_like(masks[0])
    values[:] = 0
    for r in range(len(rows)):
        s = tables[rows[r]]
        try_actions(s, s.turn, masks[r], scratch, mask, values[r])
