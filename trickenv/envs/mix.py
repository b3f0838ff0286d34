"""Whom the learner meets in each episode: itself, past selves, players by name, each with its share."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from trickenv.engine.duplicate import seatings
from trickenv.engine.players import Player, player
from trickenv.engine.spec import Game
from trickenv.options import Options

LEARNER = -1  # in `Learners.who`: the caller plays this seat
SELF, PAST = "self", "past"


class Mix:
    """Draws the opponents of an episode; in one with others, one side learns and they sit in all other seats.

    shares: of the episodes, by name: "self" (all seats learn), "past" (a past self, given to `remember`; the current
    one while there is none), or any player. Shares count in proportion.
    Raises ValueError for shares that are not above 0 or an unknown player.

    players: who may sit at a table, by the number that `Learners.who` holds. drawn: those of them that are past selves
    to be drawn from, oldest first; one that is dropped plays its episodes to the end.
    """

    def __init__(self, game: Game, rules: Options, shares: Mapping[str, float]) -> None:
        if not shares or not all(share > 0 for share in shares.values()):
            raise ValueError(f"opponents must have shares above 0, not {dict(shares)}")
        self.names = list(shares)
        self.shares = np.array([shares[name] for name in self.names]) / sum(shares.values())
        self.players: list[Player] = []
        self._index: dict[str, int] = {}
        for name in self.names:
            if name not in (SELF, PAST):
                self._index[name] = len(self.players)
                self.players.append(player(name, game))
        self.named = len(self.players)
        self.drawn: list[int] = []
        seats = int(rules.seats)  # type: ignore[attr-defined]
        sides = seatings(game, rules)
        self._others = np.array([[seat not in side for seat in range(seats)] for side in sides])

    def seat(self, episodes: int, luck: np.random.Generator) -> np.ndarray:
        """(episodes, seats) int64: who sits where, LEARNER or index into `players`."""
        which = luck.choice(len(self.names), episodes, p=self.shares)
        others = self._others[luck.integers(0, len(self._others), episodes)]
        ages = luck.random(episodes)
        opponents = np.full(episodes, LEARNER)
        for k, name in enumerate(self.names):
            if name in self._index:
                opponents[which == k] = self._index[name]
            elif name == PAST and self.drawn:
                opponents[which == k] = np.array(self.drawn)[(ages[which == k] * len(self.drawn)).astype(np.int64)]
        return np.where(others, opponents[:, None], LEARNER)

    def remember(self, past: Player, most: int, who: np.ndarray) -> None:
        """Take a past self into the pool of `most`, in the place of the oldest; who: where the players sit now."""
        self.drawn = self.drawn[-(most - 1) :] if most > 1 else []
        taken = {*range(self.named), *self.drawn, *np.unique(who).tolist()}
        free = next(k for k in range(len(self.players) + 1) if k not in taken)
        self.players[free : free + 1] = [past]
        self.drawn.append(free)
