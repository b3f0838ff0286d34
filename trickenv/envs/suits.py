"""Suits relabelled for learners, so that positions which differ in the names of suits only look alike.

An option of the learning side only: tables, records and views keep the real suits. `trump_first`: trumps change places
with the first suit. `canonical`: trumps come first, then the suit led, then the suits by their length in the own hand;
among equally long ones by the own cards, from the strongest on, and then by the number of unseen cards.
"""

from __future__ import annotations

import itertools

import numpy as np

from trickenv.blocks import Blocks
from trickenv.engine.spec import Game
from trickenv.envs.hidden import hidden_size
from trickenv.jit import jit
from trickenv.options import unknown

AS_DEALT, TRUMP_FIRST, CANONICAL = SUIT_ORDERS = ("as_dealt", "trump_first", "canonical")


class Relabel:
    """Changes rows of observations, masks and numbers of actions to a learner's order of suits, and back.

    The blocks that go through the suits are changed (`Block.unit`). order: "trump_first" or "canonical". Raises
    ValueError for another one.
    """

    def __init__(self, game: Game, order: str) -> None:
        if order not in SUIT_ORDERS[1:]:
            raise ValueError(unknown("order to relabel suits by", order, SUIT_ORDERS[1:]))
        module = game.module
        self.order, self.suits = order, len(module.DECK.letters)
        self._blocks = module.OBSERVATION
        self._every = np.array(list(itertools.permutations(range(self.suits))))  # (orders, suits): real suit by place
        self._digits = self.suits ** np.arange(self.suits)
        self._known = np.zeros(self.suits**self.suits, np.int64)  # an order's number by its digits
        self._known[self._every @ self._digits] = np.arange(len(self._every))
        self._columns = self._places(module.OBSERVATION)
        self._actions = self._places(module.ACTIONS)
        self._back = self._actions.argsort(1)
        self._hidden = self._places(Blocks(("cards", hidden_size(game), "planes of cards", module.DECK.size)))

    def _places(self, blocks: Blocks) -> np.ndarray:
        """(orders, size): which real entry comes where."""
        places = np.tile(np.arange(blocks.size), (len(self._every), 1))
        for block in blocks:
            if block.unit:
                whole = np.arange(block.start, block.stop).reshape(-1, self.suits, block.unit // self.suits)
                for k, order in enumerate(self._every):
                    places[k, block.start : block.stop] = whole[:, order].ravel()
        return places

    def orders(self, observations: np.ndarray) -> np.ndarray:
        """(n,) number of the order of suits for each of (n, size) observations as dealt."""
        trump = self._block(observations, "trump")
        if self.order == TRUMP_FIRST:
            first = trump.argmax(1)[:, None]
            suits = np.arange(self.suits)
            order = np.where(suits == 0, first, np.where(suits == first, 0, suits))
        else:
            ranks = self._blocks["hand"].size // self.suits
            hand = self._block(observations, "hand").reshape(-1, self.suits, ranks)
            score = 2 * trump + self._block(observations, "led")
            score = score * (ranks + 1) + hand.sum(2)
            score = score * 2.0**ranks + hand @ 2.0 ** np.arange(ranks)
            score = score * 2 + self._block(observations, "out")  # from 0 to 1
            order = np.argsort(-score, axis=1, kind="stable")
        return self._known[order @ self._digits]

    def _block(self, observations: np.ndarray, name: str) -> np.ndarray:
        block = self._blocks[name]
        return observations[:, block.start : block.stop].astype(np.float64)

    def observations(self, rows: np.ndarray, orders: np.ndarray) -> np.ndarray:
        """(n, size) observations as dealt to a learner's; a copy."""
        return moved(rows, self._columns, orders)

    def hidden(self, rows: np.ndarray, orders: np.ndarray) -> np.ndarray:
        """(n, hidden size) vectors of `trickenv.envs.hidden` to a learner's; a copy."""
        return moved(rows, self._hidden, orders)

    def actions(self, rows: np.ndarray, orders: np.ndarray) -> np.ndarray:
        """(n, actions) masks, or anything by action, to a learner's order; a copy."""
        return moved(rows, self._actions, orders)

    def real_actions(self, rows: np.ndarray, orders: np.ndarray) -> np.ndarray:
        """(n, actions) logits, or anything by action of a learner, to the order of the game; a copy."""
        return moved(rows, self._back, orders)

    def numbers(self, actions: np.ndarray, orders: np.ndarray) -> np.ndarray:
        """(n,) numbers of the game's actions to a learner's."""
        return self._back[orders, actions]

    def real_numbers(self, actions: np.ndarray, orders: np.ndarray) -> np.ndarray:
        """(n,) numbers of a learner's actions to the game's."""
        return self._actions[orders, actions]


def moved(rows: np.ndarray, places: np.ndarray, orders: np.ndarray) -> np.ndarray:
    """Rows with each entry taken from the place that the row's order says; places: (orders, size)."""
    out = np.empty(rows.shape, rows.dtype)
    _move(np.ascontiguousarray(rows), places, orders, out)
    return out


@jit
def _move(rows, places, orders, out):
    for r in range(len(rows)):
        order = places[orders[r]]
        for i in range(len(order)):
            out[r, i] = rows[r, order[i]]
