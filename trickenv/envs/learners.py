"""Thousands of tables per call at which some seats learn and players by name sit in the others.

The Gymnasium and Stable-Baselines3 environments are made of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from trickenv.engine.batch import RUNNING, TERMINATED
from trickenv.engine.players import Player, decide, player
from trickenv.envs.mix import LEARNER, Mix
from trickenv.envs.tables import Tables

_KEPT = ("who", "seats", "movers", "rewards", "status", "_early")  # arrays of Learners that go into a saved state


class Learners:
    """Tables at which some seats learn and given players sit in the others, who move inside `step`.

    seat: the learner's seat, None for one drawn anew in each episode, or "all". opponents: one player (text or
    Player) for all other seats, or one for each, in the order of play from the learner on; with seat "all" a mapping
    from names to shares of the episodes, see `Mix`. skip_forced: carry out forced moves unasked, so that every choice
    is free.

    Attributes after `reset` and `step`, all (n, ...) and overwritten by the next step: seats (to choose), observations,
    masks; movers: the seats whose actions the step carried out; rewards (n, seats) float32: what was paid since;
    status; final_rows and final_observations: tables whose episode has ended, and what their mover then saw.
    Rewards paid in an episode before its first choice come with the next step.
    """

    def __init__(
        self,
        tables: Tables,
        seat: int | str | None = "all",
        opponents: str | Player | Sequence[str | Player] | Mapping[str, float] = "random",
        skip_forced: bool = False,
    ) -> None:
        if seat not in ("all", None) and not (isinstance(seat, int) and 0 <= seat < tables.seats):
            raise ValueError(
                f"seat must be 0 to {tables.seats - 1}, None to draw one each episode, or 'all', not {seat!r}"
            )
        self.tables, self.seat, self.skip_forced = tables, seat, skip_forced
        self.players: list[Player] = []
        self.mix: Mix | None = None
        if isinstance(opponents, Mapping):
            if seat != "all":
                raise ValueError("shares of opponents go with seat 'all'")
            self.mix = Mix(tables.game, tables.rules, opponents)
            self.players = self.mix.players
        else:
            self.order = self._order(opponents)
        n, known = len(tables), tables.game
        self.who = np.full((n, tables.seats), LEARNER)
        self.seats = np.zeros(n, np.int64)
        self.movers = np.zeros(n, np.int64)
        self.observations = np.zeros((n, known.observation_size), np.float32)
        self.masks = np.zeros((n, known.num_actions), np.int8)
        self.rewards = np.zeros((n, tables.seats), np.float32)
        self.status = np.zeros(n, np.int64)
        self._early = np.zeros_like(self.rewards)

    def _order(self, opponents: str | Player | Sequence[str | Player]) -> np.ndarray:
        """(seats,) index into `players` by distance from the learner; equal texts are one player, asked once a step."""
        if self.seat == "all":
            return np.full(self.tables.seats, LEARNER)
        others = self.tables.seats - 1
        named = [opponents] * others if isinstance(opponents, str | Player) else list(opponents)
        if len(named) != others:
            raise ValueError(
                f"opponents must be one player, or one for each of the {others} other seats, not {len(named)}"
            )
        unique = list(dict.fromkeys(named))
        self.players = [player(who, self.tables.game) for who in unique]
        return np.array([LEARNER] + [unique.index(who) for who in named])

    def reset(self, seed: int) -> None:
        """Start an episode at every table; the seed also starts the luck of seats and players."""
        self.reseed(seed)
        self.tables.seed(seed)
        self.status[:] = TERMINATED  # what is paid before the first choice counts as early
        self.rewards[:] = self._early[:] = 0
        self._seat_down(self.tables.rows)
        self._play_on(*self._ask(self.tables.rows))
        self.status[:] = RUNNING

    def reseed(self, seed: int) -> None:
        """Start the luck of seats and players anew, and only that."""
        self._luck = np.random.default_rng(seed)
        for k, who in enumerate(self.players):
            who.reset(seed + k)

    def state(self) -> dict[str, np.ndarray]:
        """Everything that `restore` needs to go on from here, but for the luck of seats and players; copies."""
        kept = {name: getattr(self, name).copy() for name in _KEPT}
        return kept | {"tables": np.frombuffer(self.tables.states.tobytes(), np.uint8).copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where `state` was taken, at tables of the same game and number. Raises ValueError if they are not."""
        if len(state["tables"]) != self.tables.states.nbytes:
            raise ValueError(f"the state is not one of {len(self.tables)} tables of {self.tables.game.name}")
        self.tables.states[:] = np.frombuffer(bytes(state["tables"]), self.tables.states.dtype)
        for name in _KEPT:
            getattr(self, name)[:] = state[name]
        views = self.tables.look(self.tables.rows, self.seats)
        self.observations[:], self.masks[:] = views.observations, views.masks
        self._end([], [])

    def step(self, actions: np.ndarray) -> None:
        """Carry out the learners' actions and play on until a learner has a choice at every table.

        Raises IllegalAction, naming table and rule, before anything has changed.
        """
        actions = self.tables.checked(actions, self.masks)
        self.movers[:] = self.seats
        self.rewards[:] = self._early
        self._early[:] = 0
        self.status[:] = RUNNING
        self._play_on(self.tables.rows, actions)

    def _play_on(self, rows: np.ndarray, actions: np.ndarray) -> None:
        final_rows, final = [], []
        while len(rows):
            rewards, status = self.tables.advance(rows, actions)
            late = self.status[rows] != RUNNING  # in an episode that began within this step
            self.rewards[rows[~late]] += rewards[~late]
            self._early[rows[late]] += rewards[late]
            ended = rows[status != RUNNING]
            if len(ended):
                first = rows[(status != RUNNING) & ~late]
                self.status[first] = status[(status != RUNNING) & ~late]
                final_rows.append(first)
                final.append(self.tables.look(first, self.movers[first]).observations.copy())
                self._seat_down(ended)
            rows, actions = self._ask(rows)
        self._end(final_rows, final)

    def _end(self, final_rows: list[np.ndarray], final: list[np.ndarray]) -> None:
        self.final_rows = np.concatenate(final_rows) if final_rows else np.zeros(0, np.int64)
        self.final_observations = (
            np.concatenate(final) if final else np.zeros((0, self.observations.shape[1]), np.float32)
        )

    def _seat_down(self, rows: np.ndarray) -> None:
        """Start an episode at some tables, and say who plays where in it."""
        self.tables.restart(rows)
        self._early[rows] = 0
        if self.mix:
            self.who[rows] = self.mix.seat(len(rows), self._luck)
        elif self.seat != "all":
            seats = self.tables.seats
            learners = self._luck.integers(0, seats, len(rows)) if self.seat is None else np.full(len(rows), self.seat)
            self.who[rows] = self.order[(np.arange(seats) - learners[:, None]) % seats]

    def _ask(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Show the learners on turn their choices; (rows, actions) of the tables where somebody else moves."""
        turns = self.tables.states["turn"][rows].astype(np.int64)
        who = self.who[rows, turns]
        actions = np.full(len(rows), -1)
        mine = np.flatnonzero(who == LEARNER)
        if len(mine):
            views = self.tables.look(rows[mine], turns[mine])
            forced = np.flatnonzero(views.masks.sum(1) == 1) if self.skip_forced else np.zeros(0, np.int64)
            actions[mine[forced]] = views.masks[forced].argmax(1)
            self.seats[rows[mine]], self.masks[rows[mine]] = turns[mine], views.masks
            self.observations[rows[mine]] = views.observations
        for k, other in enumerate(self.players):
            theirs = np.flatnonzero(who == k)
            if len(theirs):
                views = self.tables.look(rows[theirs], turns[theirs])
                actions[theirs] = decide(other, views, self.tables.states, rows[theirs])
        moved = np.flatnonzero(actions >= 0)
        return rows[moved], actions[moved]
