"""The player `ismcts:SIMULATIONS`, information-set Monte Carlo tree search, for every decision of every game.

Single observer (Cowling, Powley, Whitehouse 2012): one tree whose nodes are lines of actions as the searching seat
could see them; every simulation draws a world, goes down the tree by the actions that are legal in that world, adds one
node, plays the deal on by rules of thumb and adds what it pays every seat to the nodes that it came through. At a node
the seat on turn takes the action with the best mean plus EXPLORE * sqrt(log(times available) / times tried), the means
brought to 0..1 by the least and the most that any deal of the search paid. The action tried most often is taken.

The luck depends on the player's seed and on what the seat sees, and on nothing else.
"""

from __future__ import annotations

import numpy as np

from agents.search import playout
from agents.search.pimc import numbers, view_seed
from trickenv.engine.batch import first_action, only_action
from trickenv.engine.players import Player
from trickenv.engine.rng import advance, below, from_seed
from trickenv.engine.rules import legal, step
from trickenv.engine.spec import Game
from trickenv.engine.view import View
from trickenv.engine.worlds import SHAKES, fill_worlds
from trickenv.jit import jit

FORM = "ismcts:SIMULATIONS"
EXPLORE = 0.7
BATCH = 8  # worlds drawn at a time


def tree_type() -> np.dtype:
    """Record of one node; node 0 is the root."""
    node = [
        ("child", np.int32),  # first of the nodes below, 0 = none
        ("sibling", np.int32),  # next node below the same one, 0 = none
        ("action", np.int32),  # that leads here
        ("mover", np.int32),  # seat that takes it
        ("visits", np.int32),  # simulations that came through
        ("available", np.int32),  # simulations in which the action was legal where it could be taken
        ("total", np.float64),  # sum of what these paid the mover
    ]
    return np.dtype((np.record, np.dtype(node, align=True)))


@jit
def choose_action(view, seat, mask, seed, tree, path, worlds, scratch):
    """Action of a seat that was tried most often; view: (1,) censored state.

    tree: room for one node more than simulations. path: room for the nodes of one deal, worlds and scratch: records.
    """
    chosen = only_action(mask)
    if chosen >= 0:
        return chosen
    tree[0].child = tree[0].visits = 0
    rng = from_seed(seed)
    used = 1
    span = np.array([np.inf, -np.inf])
    moves = np.zeros_like(mask)
    for i in range(len(tree) - 1):
        rng = advance(rng)
        if i % len(worlds) == 0 and fill_worlds(view, seat, below(rng, 1 << 31), worlds, SHAKES) == 0:
            break
        scratch[0] = worlds[i % len(worlds)]
        used, rng = simulate(tree, used, scratch, path, span, moves, rng)
    best = 0
    node = tree[0].child
    while node:
        more = best == 0 or tree[node].visits > tree[best].visits
        if more or (tree[node].visits == tree[best].visits and tree[node].action < tree[best].action):
            best = node
        node = tree[node].sibling
    return tree[best].action if best else first_action(mask)


@jit
def simulate(tree, used, scratch, path, span, moves, rng):
    """One simulation in the world scratch[0]; returns the number of nodes in use and the generator."""
    s = scratch[0]
    deals = s.deals
    node = depth = 0
    grown = False
    while s.turn >= 0 and not grown:
        legal(s, moves)
        seat = s.turn
        best, untried = descend(tree, node, moves, span)
        if untried:
            rng = advance(rng)
            action = pick_untried(moves, below(rng, untried))
            tree[used].action, tree[used].mover = action, seat
            tree[used].sibling, tree[node].child = tree[node].child, used
            tree[used].child = tree[used].visits = 0
            tree[used].available = 1
            tree[used].total = 0.0
            best = used
            used += 1
            grown = True
        path[depth] = node = best
        depth += 1
        step(s, tree[node].action)
    playout.play_on(s, scratch[1:2], moves)
    for d in range(depth):
        paid = playout.outcome(s, deals, tree[path[d]].mover)
        span[0], span[1] = min(span[0], paid), max(span[1], paid)
        tree[path[d]].visits += 1
        tree[path[d]].total += paid
    return used, rng


@jit
def descend(tree, node, moves, span):
    """Node below this one to go to, and number of legal actions that have none; marks those that have one with 2."""
    best = 0
    most = -np.inf
    scale = 1.0 / (span[1] - span[0]) if span[1] > span[0] else 1.0
    child = tree[node].child
    while child:
        if moves[tree[child].action]:
            moves[tree[child].action] = 2
            tree[child].available += 1
            visits = tree[child].visits
            value = (tree[child].total / visits - span[0]) * scale
            value += EXPLORE * np.sqrt(np.log(tree[child].available) / visits)
            if value > most:
                best, most = child, value
        child = tree[child].sibling
    untried = 0
    for action in range(len(moves)):
        untried += moves[action] == 1
    return best, untried


@jit
def pick_untried(moves, left):
    """The legal action without a node that comes after `left` others."""
    for action in range(len(moves)):
        if moves[action] == 1:
            if left == 0:
                return action
            left -= 1
    return -1


class IsmctsPlayer(Player):
    """Takes the action that its tree search tried most often (see the module)."""

    def __init__(self, game: Game, simulations: int) -> None:
        playout.prepare(game)
        self.name = f"ismcts:{simulations}"
        self._tree = np.zeros(simulations + 1, tree_type())
        self._path = np.zeros(game.module.LONGEST_DEAL + 1, np.int64)
        self._worlds, self._scratch = game.tables(BATCH), game.tables(2)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Set the seed that the luck is made from, together with what the seat sees."""
        self._seed = seed

    def act(self, view: View) -> int:
        """Number of a legal action."""
        seed = view_seed(view.states, self._seed)
        return int(
            choose_action(view.states, view.seat, view.mask, seed, self._tree, self._path, self._worlds, self._scratch)
        )


def make_ismcts(game: Game, argument: str) -> IsmctsPlayer:
    """The player `ismcts:SIMULATIONS`. Raises ValueError for a wrong argument."""
    return IsmctsPlayer(game, *numbers(argument, FORM, 1))
