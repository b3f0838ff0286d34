"""The player `pimc:WORLDS[:EXACT_TRICKS]`, perfect-information Monte Carlo, for every decision of every game.

It draws worlds, full states that fit what the seat knows and in which the others are likely to have played as they
did (see `likely`), tries the legal actions in every one of them, and takes the action with the best mean, unless that
is too little above what the rules of thumb would have done. In a world the deal is played on by rules of thumb, every
seat by what it would see there, and an action is worth what the deal pays (reward `deal_points`). Worlds are drawn in
parts of PART at most; after each, actions that are clearly behind are given up, until one is left or ROUNDS times
WORLDS are drawn.

With at most EXACT_TRICKS cards in hand, where deals pay points, the exact solver has half of the say: rules of thumb
take the others for weaker than they may be, the solver takes all for knowing what none can know. WORLDS are drawn then.
A world that it cannot solve within POSITIONS is left to the rules of thumb, so that no move takes long.

The worlds depend on the player's seed and on what the seat sees, and on nothing else.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

import numpy as np

from agents.search import likely, playout, solver
from trickenv.cards import bit, lowest
from trickenv.engine.players import Player
from trickenv.engine.rules import card_action, card_points, pays_points, stronger
from trickenv.engine.spec import Game
from trickenv.engine.view import View
from trickenv.jit import jit
from trickenv.state import gone

FORM = "pimc:WORLDS[:EXACT_TRICKS]"
ROUNDS = 2  # times WORLDS worlds, at most
PART = 20  # worlds, at most, between two looks at what is behind
BEHIND = 2.0  # see `drop_behind`
CAUTION = 1.0  # see `preferred`
EXACT = 5  # EXACT_TRICKS where none are given
POSITIONS = 1 << 16  # that the solver may look at in one world


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
def play_actions(worlds, seat, tried, scratch, values):
    """What the deal pays a seat after each action in each world, played on by rules of thumb; (worlds, actions)."""
    mask = np.empty_like(tried)
    for w in range(len(worlds)):
        playout.try_actions(worlds[w], seat, tried, scratch, mask, values[w])


@jit
def look_over(view, seat, mask, tried):
    """Mark the actions worth trying; returns (whether a card is to be played, what the rules of thumb would do)."""
    playing = one_of_equals(view[0], seat, mask, tried)
    usual = playout.choose(view[0], seat, mask)
    tried[usual] = 1
    return playing, usual


@jit
def drop_behind(values, usual, tried):
    """Give up, in `tried`, the actions clearly behind the best one; values: (worlds, actions), two worlds at least.

    Clearly: by more than BEHIND standard errors of the difference, or never different from the best one. Returns how
    many are left.
    """
    leader = -1
    most = -np.inf
    for action in range(len(tried)):
        if tried[action]:
            mean = values[:, action].mean()
            if mean > most or (mean == most and action == usual):
                leader, most = action, mean
    left = 0
    for action in range(len(tried)):
        if tried[action] and action != leader:
            behind, error = difference(values, leader, action)
            if behind > BEHIND * error or (behind == 0 and error == 0):
                tried[action] = 0
        left += tried[action]
    return left


@jit
def difference(values, a, b):
    """Mean of action a less action b over the worlds, and its standard error."""
    n = len(values)
    mean = (values[:, a] - values[:, b]).mean()
    squares = 0.0
    for w in range(n):
        squares += (values[w, a] - values[w, b] - mean) ** 2
    return mean, np.sqrt(squares / (n * max(1, n - 1)))


@jit
def preferred(values, usual, tried):
    """The best of the actions still in `tried`; values: (worlds, actions).

    Few worlds are a weak witness against the rules of thumb: an action must beat theirs, where it has a value, by more
    than CAUTION standard errors of the difference.
    """
    best = -1
    most = 0.0 if tried[usual] else -np.inf
    for action in range(len(tried)):
        if tried[action]:
            if tried[usual]:
                value, error = difference(values, action, usual)
                value -= CAUTION * error
            else:
                value = values[:, action].mean()
            if value > most:
                best, most = action, value
    return best if best >= 0 else usual


class Judge:
    """Compares the actions of a seat over given worlds.

    exact: with so many cards in hand at most worlds are solved; enough: so many of them.
    """

    def __init__(self, game: Game, exact: int, enough: int = 1) -> None:
        playout.prepare(game)
        self.exact, self.enough = exact, enough
        self._scratch = game.tables(2)
        self._room = solver.space(game)
        self._tried = np.zeros(game.num_actions, np.int8)

    def choose(self, view: np.ndarray, seat: int, mask: np.ndarray, draws: Iterable[np.ndarray]) -> int:
        """The best action of a seat; view: (1,) its censored state; draws: (n,) worlds each, taken while it is open."""
        tried = self._tried
        playing, usual = look_over(view, seat, mask, tried)
        if tried.sum() == 1:
            return usual
        solved = playing and self._solvable(view, seat)
        found = np.zeros((0, len(mask)))
        for worlds in draws:
            found = np.concatenate([found, self._worth(worlds, seat, solved)])
            if solved and len(found) >= self.enough:
                break
            if len(found) > 1 and drop_behind(found, usual, tried) == 1:
                break
        return int(preferred(found, usual, tried))

    def _worth(self, worlds: np.ndarray, seat: int, solved: bool) -> np.ndarray:
        """(worlds, actions) what the tried actions are worth; gives up those that the solver has no worth for."""
        values = np.zeros((len(worlds), len(self._tried)))
        if solved:
            solver.solve_actions(self._room, worlds, 0, self._tried, values, POSITIONS)
        paid = np.zeros_like(values)
        play_actions(worlds, seat, self._tried, self._scratch, paid)
        if not solved:
            return paid
        return np.where(np.isnan(values).any(1, keepdims=True), paid, (values + paid) / 2)

    def _solvable(self, view: np.ndarray, seat: int) -> bool:
        cards, places = int(view["hands"][0, seat]).bit_count(), view["hands"].shape[1]
        return cards <= self.exact and pays_points(view[0]) and not view["holds"][0, places:].any()


class PimcPlayer(Player):
    """Takes the action that is best on average over drawn worlds (see the module)."""

    def __init__(self, game: Game, worlds: int, exact: int = EXACT) -> None:
        self.name = f"pimc:{worlds}:{exact}"
        self._judge = Judge(game, exact, worlds)
        parts = -(-worlds // PART)
        self._parts = ROUNDS * parts
        self._worlds = game.tables(-(-worlds // parts))
        self._pool = game.tables(likely.MOST * len(self._worlds))
        self._scratch, self._mask = game.tables(2), np.zeros(game.num_actions, np.int8)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Set the seed that the worlds are drawn from, together with what the seat sees."""
        self._seed = seed

    def act(self, view: View) -> int:
        """Number of a legal action."""
        return self._judge.choose(view.states, view.seat, view.mask, self._draws(view))

    def _draws(self, view: View) -> Iterator[np.ndarray]:
        seed = view_seed(view.states, self._seed)
        for k in range(self._parts):
            room = self._worlds, self._pool, self._scratch, self._mask
            yield self._worlds[: likely.fill_likely(view.states, view.seat, seed + k, *room)]


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
