"""The player `pimc:WORLDS[:EXACT_TRICKS]`, perfect-information Monte Carlo, for every decision of every game.

It draws worlds, full states that fit what the seat knows, tries each legal action in every one of them, and takes the
action with the best mean. In a world the deal is played on by rules of thumb, every seat by what it would see there;
with at most EXACT_TRICKS cards in hand the exact solver says what the action is worth with all hands open. Actions are
compared by what the deal pays (reward `deal_points`), under the solver by the margin of the deal's points.

The worlds depend on the player's seed and on what the seat sees, and on nothing else.
"""

from __future__ import annotations

import zlib

import numpy as np

from agents.search import playout, solver
from trickenv.cards import bit, count, lowest
from trickenv.engine.players import Player
from trickenv.engine.rules import allies, card_action, card_points, step, stronger
from trickenv.engine.spec import Game
from trickenv.engine.view import Views
from trickenv.engine.worlds import SHAKES, fill_worlds
from trickenv.jit import jit
from trickenv.state import gone

FORM = "pimc:WORLDS[:EXACT_TRICKS]"
EXACT = 5  # EXACT_TRICKS where none are given


@jit
def choose_action(view, seat, mask, seed, exact, worlds, scratch, room, totals):
    """Best action of a seat by its censored state view[0].

    exact: at most so many cards in hand are solved; worlds: (n,) records and scratch: (2,) records, overwritten;
    totals: (actions,) float64, overwritten with sums over the worlds, minus infinity for what was not tried.
    """
    tried = np.zeros_like(mask)
    playing = one_of_equals(view[0], seat, mask, tried)
    if playout.only(tried) >= 0:
        return playout.first(tried)
    drawn = fill_worlds(view, seat, seed, worlds, SHAKES)
    return judge(seat, playing, exact, worlds[:drawn], scratch, room, tried, totals)


@jit
def judge(seat, playing, exact, worlds, scratch, room, tried, totals):
    """The action with the highest total over some worlds, the first of equals; tried: those to look at."""
    totals[:] = -np.inf
    solving = playing and len(worlds) > 0 and count(worlds[0].hands[seat]) <= exact and all_dealt(worlds[0])
    for w in range(len(worlds)):
        if solving:
            add_exact(worlds[w : w + 1], seat, room, tried, totals)
        else:
            add_playouts(worlds[w], seat, tried, scratch, totals)
    best = -1
    for action in range(len(tried)):
        if tried[action] and (best < 0 or totals[action] > totals[best]):
            best = action
    return best


@jit
def choose_open(states, seat, mask, exact, scratch, room, totals):
    """Best action by the true state states[0], which is the only world there is."""
    tried = np.zeros_like(mask)
    playing = one_of_equals(states[0], seat, mask, tried)
    if playout.only(tried) >= 0:
        return playout.first(tried)
    return judge(seat, playing, exact, states, scratch, room, tried, totals)


@jit
def one_of_equals(s, seat, mask, tried):
    """Mark the legal actions in `tried`, of cards that are as good as each other only the weakest.

    Returns whether the seat is to play a card.
    """
    others = ~gone(s) & ~s.hands[seat]
    for q in range(s.rules.seats):
        if s.trick[q] >= 0:
            others |= bit(s.trick[q])
    tried[:] = mask
    playing = False
    cards = s.hands[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if mask[card_action(s, card)]:
            playing = True
            rest = cards & stronger(s, card)
            following = lowest(rest) if rest else card
            between = others & stronger(s, card) & ~stronger(s, following)
            same = following != card and between == 0 and card_points(s, card) == card_points(s, following)
            if same and mask[card_action(s, following)]:
                tried[card_action(s, following)] = 2
    for action in range(len(tried)):
        if tried[action] == 2:
            tried[action] = 0
    return playing


@jit
def all_dealt(s):
    """Whether all cards that a seat does not see lie in hands, so that none is to be drawn; a true state: always."""
    hidden = 0
    for p in range(len(s.hands), len(s.holds)):
        hidden += s.holds[p]
    return hidden == 0


@jit
def add_exact(world, seat, room, tried, totals):
    """Add the margins of the deal's points after each action in one world; takes back what the solver leaves out."""
    valued = np.zeros_like(tried)
    values = np.empty(len(tried), np.int64)
    unit = solver.solve_actions(room, world, allies(world[0], seat), valued, values)
    for action in range(len(tried)):
        tried[action] &= valued[action]
        if tried[action]:
            before = 0.0 if totals[action] == -np.inf else totals[action]
            totals[action] = before + values[action] / unit


@jit
def add_playouts(world, seat, tried, scratch, totals):
    """Add what the deal pays after each action in one world, played on by rules of thumb."""
    mask = np.empty_like(tried)
    for action in range(len(tried)):
        if tried[action]:
            scratch[0] = world
            s = scratch[0]
            deals = s.deals
            step(s, action)
            playout.play_on(s, scratch[1:2], mask)
            before = 0.0 if totals[action] == -np.inf else totals[action]
            totals[action] = before + playout.outcome(s, deals, seat)


class PimcPlayer(Player):
    """Takes the action that is best on average over drawn worlds (see the module)."""

    def __init__(self, game: Game, worlds: int, exact: int = EXACT) -> None:
        playout.prepare(game)
        self.name = f"pimc:{worlds}:{exact}"
        self._exact = exact
        self._worlds, self._scratch = game.tables(worlds), game.tables(2)
        self._room = solver.space(game)
        self.totals = np.zeros(game.num_actions)  # of the latest decision, by action
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Set the seed that the worlds are drawn from, together with what the seat sees."""
        self._seed = seed

    def act_batch(self, views: Views) -> np.ndarray:
        """(n,) int64: a legal action for each view."""
        actions = np.empty(len(views), np.int64)
        for r in range(len(views)):
            view = views.states[r : r + 1]
            actions[r] = choose_action(
                view, int(views.seats[r]), views.masks[r], view_seed(view, self._seed), self._exact, self._worlds,
                self._scratch, self._room, self.totals,
            )  # fmt: skip
        return actions


def view_seed(view: np.ndarray, seed: int) -> int:
    """Seed for the luck of one decision, from what is seen: (1,) censored state."""
    return zlib.crc32(view.tobytes(), seed & 0xFFFFFFFF)


def numbers(text: str, form: str, most: int) -> list[int]:
    """The whole numbers of a player's argument. Raises ValueError with the form."""
    parts = text.split(":")
    if not 1 <= len(parts) <= most or not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"a player {form} needs whole numbers in its places, not {text!r}")
    if int(parts[0]) < 1:
        raise ValueError(f"a player {form} needs 1 or more in its first place, not {parts[0]}")
    return [int(part) for part in parts]


def make_pimc(game: Game, argument: str) -> PimcPlayer:
    """The player `pimc:WORLDS[:EXACT_TRICKS]`. Raises ValueError for a wrong argument."""
    return PimcPlayer(game, *numbers(argument, FORM, 2))
