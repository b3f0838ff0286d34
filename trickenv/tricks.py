"""Compiled helpers of trick play that any rules module may use."""

from __future__ import annotations

from trickenv.cards import bit, highest, suit_cards
from trickenv.jit import jit


@jit
def following(hand, suit, ranks):
    """Cards of the suit led in a hand; empty when void."""
    return hand & suit_cards(suit, ranks)


@jit
def beats(card, best, trump, ranks):
    """Whether a card played later takes the trick from the best card so far (trump -1: no trump)."""
    if card // ranks == best // ranks:
        return card > best
    return card // ranks == trump


@jit
def above(card, ranks):
    """All cards of the suit of `card` that are stronger, as a set."""
    suit = card // ranks
    return suit_cards(suit, ranks) & ~((bit(card) << 1) - 1)


@jit
def taking(hand, best, trump, ranks):
    """Cards of a hand that would take the trick from `best`, were they played, as a set."""
    cards = hand & above(best, ranks)
    if trump >= 0 and trump != best // ranks:
        cards |= hand & suit_cards(trump, ranks)
    return cards


@jit
def trick_best(trick, leader, played, step, seats, trump, ranks):
    """Seat that holds the trick after `played` cards; trick: card by seat; step: +1 or -1, the way the play goes."""
    best = seat = leader
    for _ in range(1, played):
        seat += step
        if seat == seats:
            seat = 0
        elif seat < 0:
            seat = seats - 1
        if beats(trick[seat], trick[best], trump, ranks):
            best = seat
    return best


@jit
def bosses(hand, unseen, suits, ranks):
    """Cards of a hand that no unseen card of their own suit beats, as a set."""
    found = hand & 0
    for suit in range(suits):
        mine = following(hand, suit, ranks)
        others = following(unseen, suit, ranks)
        found |= mine & above(highest(others), ranks) if others else mine
    return found
