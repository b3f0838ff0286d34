"""What the rules of thumb of several games weigh alike; k: a game's notes."""

from __future__ import annotations

from trickenv.cards import count, suit_cards
from trickenv.jit import jit


@jit
def weigh_trumps(s, seat, ranks, k):
    """Note how many trumps the own side has, the partner's by half (`mine`), and all opponents (`theirs`)."""
    trumps = suit_cards(s.trump, ranks)
    k.mine = float(count(s.hands[seat] & trumps))
    k.theirs = 0.0
    for q in range(s.rules.seats):
        if q != seat and k.ours[q] < 0.0:
            k.theirs += k.odds[q] * count(s.may_hold[q] & trumps)
        elif q != seat:
            k.mine += 0.5 * k.odds[q] * count(s.may_hold[q] & trumps)
