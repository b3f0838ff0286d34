"""What a player gets to see: a censored state with its observation and mask, for one seat or for many at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trickenv.engine.batch import look_rows
from trickenv.engine.spec import Game
from trickenv.engine.worlds import draw_worlds


@dataclass(frozen=True)
class View:
    """One seat's view of one table.

    state: the censored state, (1,) record array element; hidden hands are empty, `may_hold` and `holds` say what they
    may hold. observation: (size,) float32. mask: (actions,) int8, zero unless the seat is on turn. history: (seat,
    action text) of every decision of the match so far, None where the action is hidden from the seat.
    """

    game: Game
    seat: int
    states: np.ndarray
    observation: np.ndarray
    mask: np.ndarray
    history: list[tuple[int, str | None]] = field(default_factory=list)

    @property
    def state(self) -> Any:
        """The censored state itself."""
        return self.states[0]

    @property
    def legal(self) -> np.ndarray:
        """Numbers of the legal actions, ascending."""
        return np.flatnonzero(self.mask)

    def alone(self) -> Views:
        """This view as a batch of one."""
        return Views(self.game, np.array([self.seat]), self.states, self.observation[None], self.mask[None])

    def worlds(self, n: int, seed: int = 0) -> np.ndarray:
        """(n,) full states drawn from all that fit what the seat knows (see `trickenv.engine.worlds`)."""
        return draw_worlds(self.states, self.seat, n, seed)


@dataclass(frozen=True)
class Views:
    """Views of many tables in one: seats (n,), states (n,) censored, observations (n, size), masks (n, actions)."""

    game: Game
    seats: np.ndarray
    states: np.ndarray
    observations: np.ndarray
    masks: np.ndarray

    @classmethod
    def space(cls, game: Game, n: int) -> Views:
        """Room for n views, to be filled by `look`."""
        return cls(
            game,
            np.full(n, -1, np.int64),
            game.tables(n),
            np.zeros((n, game.observation_size), np.float32),
            np.zeros((n, game.num_actions), np.int8),
        )

    def look(self, tables: np.ndarray, rows: np.ndarray, seats: np.ndarray) -> Views:
        """Views of `seats` (-1: on turn) at `rows` of the tables, written into this room; valid until the next look."""
        n = len(rows)
        room = Views(self.game, self.seats[:n], self.states[:n], self.observations[:n], self.masks[:n])
        room.seats[:] = np.where(seats < 0, tables["turn"][rows], seats)
        look_rows(tables, rows, room.seats, room.states, room.observations, room.masks)
        return room

    def __len__(self) -> int:
        return len(self.seats)

    def __getitem__(self, row: int) -> View:
        one = slice(row, row + 1)
        return View(self.game, int(self.seats[row]), self.states[one], self.observations[row], self.masks[row])
