"""Suits relabelled for learners: trumps change places with the first suit, so that trumps always look the same.

An option of the learning side only: tables, records and views keep the real suits.
"""

from __future__ import annotations

import numpy as np

from trickenv.blocks import Blocks
from trickenv.engine.spec import Game
from trickenv.envs.hidden import hidden_size

AS_DEALT, TRUMP_FIRST = SUIT_ORDERS = ("as_dealt", "trump_first")


class TrumpFirst:
    """Changes rows of observations, masks or logits; to change twice is to change back.

    The blocks that go through the suits are changed (`Block.unit`). A row without trumps stays as it is.
    """

    def __init__(self, game: Game) -> None:
        module = game.module
        self.suits = len(module.DECK.letters)
        self._trump = module.OBSERVATION["trump"]
        self._columns = self._changes(module.OBSERVATION)
        self._actions = self._changes(module.ACTIONS)
        self._hidden = self._changes(Blocks(("cards", hidden_size(game), "planes of cards", module.DECK.size)))

    def _changes(self, blocks: Blocks) -> np.ndarray:
        """(suits, size): which entry comes where, for each suit of trumps."""
        places = np.tile(np.arange(blocks.size), (self.suits, 1))
        for block in blocks:
            if block.unit:
                whole = np.arange(block.start, block.stop).reshape(-1, self.suits, block.unit // self.suits)
                for trump in range(self.suits):
                    swapped = whole.copy()
                    swapped[:, [0, trump]] = whole[:, [trump, 0]]
                    places[trump, block.start : block.stop] = swapped.ravel()
        return places

    def trumps(self, observations: np.ndarray) -> np.ndarray:
        """(n,) suit of trumps in (n, size) observations as dealt, 0 where there are none."""
        return observations[:, self._trump.start : self._trump.stop].argmax(1)

    def observations(self, rows: np.ndarray, trumps: np.ndarray) -> np.ndarray:
        """(n, size) observations, changed; a copy."""
        return self._apply(rows, trumps, self._columns)

    def actions(self, rows: np.ndarray, trumps: np.ndarray) -> np.ndarray:
        """(n, actions) masks or logits, changed; a copy."""
        return self._apply(rows, trumps, self._actions)

    def hidden(self, rows: np.ndarray, trumps: np.ndarray) -> np.ndarray:
        """(n, hidden size) vectors of `trickenv.envs.hidden`, changed; a copy."""
        return self._apply(rows, trumps, self._hidden)

    def numbers(self, actions: np.ndarray, trumps: np.ndarray) -> np.ndarray:
        """(n,) numbers of actions, changed."""
        return self._actions[trumps, actions]

    def _apply(self, rows: np.ndarray, trumps: np.ndarray, places: np.ndarray) -> np.ndarray:
        out = rows.copy()
        for trump in range(1, self.suits):
            which = np.flatnonzero(trumps == trump)
            if len(which):
                out[which] = rows[which][:, places[trump]]
        return out
