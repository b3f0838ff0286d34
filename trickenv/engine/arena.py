"""Many tables played to the end of their episodes by given players, one batch of views per player and step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from trickenv.engine import batch
from trickenv.engine.batch import Episode
from trickenv.engine.episode import DECK_SPACE
from trickenv.engine.players import Player, decide
from trickenv.engine.spec import Game
from trickenv.engine.view import Views


def play_out(
    game: Game,
    blanks: np.ndarray,
    episode: Episode,
    seating: Sequence[Player],
    tables: int,
    seed: int,
    watch: Callable[[int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Play one episode at each of `tables` tables; table i has the packs of seed + i.

    seating: a player for each seat; one object may sit in several. watch: called with the tables still playing.
    Returns ((tables, seats) float64 sums of rewards by seat, final states).
    """
    states = game.tables(tables)
    deck = np.zeros(DECK_SPACE, np.int64)
    rows = np.arange(tables)
    batch.seed_rows(states, seed)
    batch.reset_rows(states, rows, blanks, episode, deck)
    totals = np.zeros((tables, len(seating)))
    room = Views.space(game, tables)
    rewards = np.zeros((tables, game.max_seats), np.float32)
    status = np.zeros(tables, np.int64)
    actions = np.zeros(tables, np.int64)
    while len(rows):
        n = len(rows)
        turns = states["turn"][rows]
        choose(room, states, rows, turns, seating, actions)
        batch.step_rows(states, rows, actions[:n], episode, deck, rewards[:n], status[:n])
        totals[rows] += rewards[:n, : len(seating)]
        rows = rows[status[:n] == batch.RUNNING]
        if watch:
            watch(len(rows))
    return totals, states


def choose(
    room: Views,
    states: np.ndarray,
    rows: np.ndarray,
    turns: np.ndarray,
    seating: Sequence[Player],
    actions: np.ndarray,
) -> None:
    """Let the players of the seats on turn choose; actions: (at least rows,) int64, overwritten."""
    for who in dict.fromkeys(seating):
        seats = [seat for seat, other in enumerate(seating) if other is who]
        mine = np.flatnonzero(np.isin(turns, seats))
        if len(mine):
            views = room.look(states, rows[mine], turns[mine].astype(np.int64))
            actions[mine] = decide(who, views, states, rows[mine])
