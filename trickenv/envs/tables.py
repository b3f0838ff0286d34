"""Thousands of tables per call at which the caller plays every seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from trickenv.engine import batch
from trickenv.engine.batch import RUNNING, TERMINATED, TRUNCATED
from trickenv.engine.episode import DECK_SPACE, blank_tables
from trickenv.engine.episode import episode as rules_of_episode
from trickenv.engine.spec import game
from trickenv.engine.table import IllegalAction, explain
from trickenv.engine.view import Views


class Choices(NamedTuple):
    """What the seats on turn see, one table a row; arrays of the caller's own."""

    seats: np.ndarray  # (n,) int64: seat on turn
    observations: np.ndarray  # (n, size) float32
    masks: np.ndarray  # (n, actions) int8


class Step(NamedTuple):
    """What a step brought, one table a row, and the next choices; arrays of the caller's own.

    A table whose episode has ended has started the next one already; `rewards` are those of the ended one.
    """

    next: Choices
    rewards: np.ndarray  # (n, seats) float32: what each seat was paid
    terminated: np.ndarray  # (n,) bool
    truncated: np.ndarray  # (n,) bool


class Tables:
    """Many tables of one game at which the caller plays every seat.

    name: the game. preset and options: as for `Game.rules`. tables: their number. episode ("deal" or "match"), reward,
    scores, max_deals, first_dealer: as for `engine.episode.episode`. Raises ValueError with a sentence for wrong ones.
    """

    def __init__(
        self,
        name: str,
        preset: str | None = None,
        *,
        tables: int,
        episode: str = "deal",
        reward: str = "deal_points",
        scores: str | Sequence[int] = "zero",
        max_deals: int | None = None,
        first_dealer: int | None = None,
        **options: Any,
    ) -> None:
        if tables < 1:
            raise ValueError(f"tables must be 1 or more, not {tables}")
        self.game = game(name)
        self.rules = self.game.rules(preset, **options)
        self.seats: int = self.rules.seats  # type: ignore[attr-defined]
        given = scores if isinstance(scores, str) else list(scores)
        self.episode = rules_of_episode(
            self.game, self.rules,
            length=episode, reward=reward, scores=given, max_deals=max_deals, first_dealer=first_dealer,
        )  # fmt: skip
        self.states = self.game.tables(tables)
        self.rows = np.arange(tables)
        self._blanks = blank_tables(self.game, self.rules, given)
        self._room = Views.space(self.game, tables)
        self._deck = np.zeros(DECK_SPACE, np.int64)
        self._rewards = np.zeros((tables, self.game.max_seats), np.float32)
        self._status = np.zeros(tables, np.int64)
        self._choices: Choices | None = None

    def __len__(self) -> int:
        return len(self.states)

    def reset(self, seed: int = 0) -> Choices:
        """Start an episode at every table; table i has the packs of seed + i."""
        self.seed(seed)
        self.restart(self.rows)
        return self._choose()

    def step(self, actions: np.ndarray) -> Step:
        """Carry out the action of the seat on turn at every table; actions: (n,) integers.

        Raises IllegalAction, naming table and rule, before anything has changed.
        """
        if self._choices is None:
            raise ValueError("call reset before step")
        actions = self.checked(actions, self._choices.masks)
        rewards, status = self.advance(self.rows, actions)
        self.restart(np.flatnonzero(status != RUNNING))
        return Step(self._choose(), rewards.copy(), status == TERMINATED, status == TRUNCATED)

    def _choose(self) -> Choices:
        views = self.look(self.rows)
        self._choices = Choices(views.seats.copy(), views.observations.copy(), views.masks)
        return self._choices._replace(masks=views.masks.copy())

    # The rest serves environments: nothing is checked, and the arrays returned are valid until the next call.

    def seed(self, seed: int) -> None:
        """Give table i the packs of seed + i, from the next restart on."""
        batch.seed_rows(self.states, seed)

    def restart(self, rows: np.ndarray) -> None:
        """Start a new episode at some tables."""
        batch.reset_rows(self.states, rows, self._blanks, self.episode, self._deck)

    def advance(self, rows: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Carry out legal actions at some tables: (rewards (rows, seats) float32, status (rows,))."""
        rewards, status = self._rewards[: len(rows)], self._status[: len(rows)]
        batch.step_rows(self.states, rows, actions, self.episode, self._deck, rewards, status)
        return rewards[:, : self.seats], status

    def look(self, rows: np.ndarray, seats: np.ndarray | None = None) -> Views:
        """What `seats` (by default those on turn) see at some tables."""
        seats = np.full(len(rows), -1) if seats is None else seats
        return self._room.look(self.states, rows, seats)

    def checked(self, actions: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """(n,) int64 legal actions. Raises ValueError for another shape, IllegalAction naming table and rule."""
        actions = np.asarray(actions)
        if actions.shape != (len(self),) or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(
                f"step takes {len(self)} whole numbers, one action a table, not {actions.dtype}{actions.shape}"
            )
        inside = (actions >= 0) & (actions < masks.shape[1])
        wrong = np.flatnonzero(~inside | (masks[self.rows, np.where(inside, actions, 0)] == 0))
        if len(wrong):
            row = int(wrong[0])
            raise IllegalAction(f"table {row}: {explain(self.game, self.states[row], int(actions[row]))}")
        return actions.astype(np.int64)
