"""Players: whoever chooses actions. They receive views, never states, and are known by one string everywhere.

A string is a name, or `name:argument`. Packages add their own with `register`; `random` is always there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from trickenv.engine.batch import pick_rows
from trickenv.engine.spec import Game
from trickenv.engine.view import View, Views
from trickenv.options import unknown


class Player:
    """Base of all players: override `act`, or `act_batch` where many views at once are faster.

    name: the string that makes this player.
    """

    name = "player"

    def reset(self, seed: int) -> None:
        """Start the player's own luck anew; players without luck ignore it."""

    def act(self, view: View) -> int:
        """Number of a legal action for one view."""
        return int(self.act_batch(view.alone())[0])

    def act_batch(self, views: Views) -> np.ndarray:
        """(n,) int64: a legal action for each view."""
        return np.array([self.act(views[i]) for i in range(len(views))], np.int64)

    def __repr__(self) -> str:
        return f"<player {self.name}>"


class CheatingPlayer(Player):
    """A player that is given the true states, all hands open: a yardstick, never a fair opponent. Override `act_open`.

    Its name begins with `cheat`. Only `decide` and `decide_one` give states away.
    """

    def act_open(self, views: Views, states: np.ndarray) -> np.ndarray:
        """(n,) int64: a legal action for each view; states: (n,) full states."""
        raise NotImplementedError

    def act_batch(self, views: Views) -> np.ndarray:
        """Raises ValueError: views are not enough."""
        raise ValueError(f"player {self.name!r} looks into all hands: it plays only where true states are given to it")


def decide(who: Player, views: Views, tables: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(n,) int64: what a player does at `rows` of the tables, whose views it gets; cheating players get the tables."""
    return who.act_open(views, tables[rows]) if isinstance(who, CheatingPlayer) else who.act_batch(views)


def decide_one(who: Player, view: View, states: np.ndarray) -> int:
    """What a player does at one table, whose view it gets; a cheating player gets the table, (1,) states."""
    return int(who.act_open(view.alone(), states.copy())[0]) if isinstance(who, CheatingPlayer) else who.act(view)


class RandomPlayer(Player):
    """Uniform over the kinds of action that are legal, then within the kind, so that rare kinds are not drowned."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start the luck anew."""
        self._luck = np.random.default_rng(seed)

    def act_batch(self, views: Views) -> np.ndarray:
        """(n,) int64 random legal actions."""
        actions = np.empty(len(views), np.int64)
        words = self._luck.integers(0, 1 << 63, len(views), dtype=np.uint64)
        pick_rows(views.masks, views.game.kinds, words, actions)
        return actions


Factory = Callable[[Game, str], Player]  # game and argument ("" for none); raises ValueError with a sentence
_factories: dict[str, tuple[Factory, str]] = {}


def register(name: str, factory: Factory, form: str) -> None:
    """Make a kind of player known by name; form: how its string is written, for messages, such as `ppo:PATH`."""
    _factories[name] = (factory, form)


def known_players() -> list[str]:
    """How the strings of all known players are written."""
    return [form for _, form in _factories.values()]


def player(text: str | Player, game: Game) -> Player:
    """The player that a string names. Raises ValueError listing the known ones.

    A Player is returned as it is.
    """
    if isinstance(text, Player):
        return text
    name, _, argument = text.partition(":")
    if name not in _factories:
        hint = "" if len(_factories) > 1 else "; `import agents`, from a checkout, adds more"
        raise ValueError(unknown("player", text, known_players()) + hint)
    return _factories[name][0](game, argument)


def _random(game: Game, argument: str) -> Player:
    if argument:
        raise ValueError(f"player 'random' takes no argument, not {argument!r}")
    return RandomPlayer()


register("random", _random, "random")
