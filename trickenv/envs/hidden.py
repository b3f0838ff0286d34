"""What the seat on turn does not see, for critics that may look into all hands while an agent learns."""

from __future__ import annotations

import numpy as np

from trickenv.engine.rules import censor, possible
from trickenv.engine.spec import Game
from trickenv.jit import jit
from trickenv.state import onward


def hidden_size(game: Game) -> int:
    """Length of a hidden vector: a plane of cards for every seat but one, and one for what lies elsewhere."""
    return game.max_seats * game.module.DECK.size


@jit
def hidden_rows(tables, rows, seats, room, deck, out):
    """Where the cards lie that a seat does not see, at some tables.

    room: (1,) state, scratch. deck: number of cards. out: (rows, hidden size) uint8, overwritten: hands of the other
    seats in the order of play, empty for seats not in the game; then unseen cards in no hand (stock, talon, face down).
    """
    for r in range(len(rows)):
        s = tables[rows[r]]
        room[0] = s
        censor(room[0], seats[r])
        possible(room[0], seats[r])
        rest = np.int64(0)
        for cards in room[0].may_hold:
            rest |= cards
        most = len(s.hands)
        for k in range(1, most):
            hand = s.hands[onward(s, seats[r], k)] if k < s.rules.seats else np.int64(0)
            rest &= ~hand
            for card in range(deck):
                out[r, (k - 1) * deck + card] = (hand >> card) & 1
        for card in range(deck):
            out[r, (most - 1) * deck + card] = (rest >> card) & 1
