"""The part of an observation that all games share: blocks, and the compiled writer that fills them in one pass.

Seats are relative: the own seat first, then in the order of play. The writers read a *censored* state.
"""

from __future__ import annotations

import numpy as np

from trickenv.blocks import put, put_cards, put_one
from trickenv.cards import FACE_DOWN, adding, bit, count
from trickenv.jit import inlined, jit
from trickenv.state import FIRST_PHASE, onward, side
from trickenv.tricks import bosses, following, taking


def common_blocks(seats: int, deck: int, suits: int, phases: str) -> list[tuple[str, int, str, int]]:
    """Rows (name, size, meaning, unit) for `seats` seats at most, `deck` cards, and the game's phases as a text."""
    return [
        ("hand", deck, "own cards", deck),
        ("seen", seats * deck, "cards played in this deal, by seat", deck),
        ("may_hold", (seats - 1) * deck, "cards that each other seat may hold, next seat first", deck),
        ("trick", deck, "cards face up on the table", deck),
        ("best", deck, "the card that holds the trick", deck),
        ("taking", deck, "own cards that would take the trick from it", deck),
        ("boss", deck, "own cards that no unseen card of their suit beats", deck),
        ("out", suits, "unseen cards of each suit, in parts of the suit", suits),
        ("led", suits, "suit led", suits),
        ("trump", suits, "trumps (none set: no trumps)", suits),
        ("best_seat", seats, "seat that holds the trick", 0),
        ("leader", seats, "leader of the trick", 0),
        ("turn", seats, "seat to act", 0),
        ("dealer", seats, "dealer", 0),
        ("seats", seats, "number of seats (the last of as many ones)", 0),
        ("phase", len(phases.split()), phases.replace(" ", ", "), 0),
        ("trick_no", 1, "tricks completed, in parts of the longest deal", 0),
        ("points", seats, "points of this deal, by seat's side, in parts of all points of a deal", 0),
        ("scores", seats, "score of the match, by seat's side, in parts of the target", 0),
    ]


@jit
def turned(s, seat, other):
    """Seats from `seat` on to `other`, -1 if there is no other."""
    if other < 0:
        return -1
    return other - seat if other >= seat else other - seat + s.rules.seats


@inlined
def put_seats(out, at, s, seat, values, scale):
    """Write one number for each seat, in parts of `scale`, zero for seats not in the game."""
    for k in range(len(s.hands)):
        at = put(out, at, values[onward(s, seat, k)] / scale if k < s.rules.seats else 0.0)
    return at


@inlined
def put_sides(out, at, s, seat, values, scale):
    """Write one number for each seat's side, in parts of `scale`, zero for seats not in the game."""
    for k in range(len(s.hands)):
        at = put(out, at, values[side(s, onward(s, seat, k))] / scale if k < s.rules.seats else 0.0)
    return at


@inlined
def put_sets(out, at, s, seat, sets, first, size):
    """Write one set of `size` for each seat from the `first` after the own one on, empty for seats not in the game."""
    for k in range(first, len(s.hands)):
        at = put_cards(out, at, sets[onward(s, seat, k)] if k < s.rules.seats else np.int64(0), size)
    return at


@jit
def observe_cards(s, seat, out, unseen, trump, best_seat, suits, ranks):
    """Blocks hand to best_seat; trump: suit or -1; best_seat: seat that holds the trick, -1 = none or unknown.

    Returns the next position.
    """
    deck = suits * ranks
    hand = s.hands[seat]
    table = np.int64(0)
    for q in range(s.rules.seats):
        if s.trick[q] >= 0:
            table = adding(table, s.trick[q])
    best = s.trick[best_seat] if best_seat >= 0 else -1  # FACE_DOWN counts as unknown
    led = s.trick[s.leader] if s.played > 0 else -1
    at = put_cards(out, 0, hand, deck)
    at = put_sets(out, at, s, seat, s.seen, 0, deck)
    at = put_sets(out, at, s, seat, s.may_hold, 1, deck)
    at = put_cards(out, at, table, deck)
    at = put_cards(out, at, bit(best) if best >= 0 else np.int64(0), deck)
    at = put_cards(out, at, taking(hand, best, trump, ranks) if best >= 0 else np.int64(0), deck)
    at = put_cards(out, at, bosses(hand, unseen, suits, ranks), deck)
    for suit in range(suits):
        at = put(out, at, count(following(unseen, suit, ranks)) / ranks)
    at = put_one(out, at, led // ranks if led >= 0 else (trump if led == FACE_DOWN else -1), suits)
    at = put_one(out, at, trump, suits)
    return put_one(out, at, turned(s, seat, best_seat), len(s.hands))


@jit
def observe_table(s, seat, out, at, phases, tricks, points, target):
    """Blocks leader to scores; tricks, points, target: the numbers that make a whole. Returns the next position."""
    most = len(s.hands)
    at = put_one(out, at, turned(s, seat, s.leader), most)
    at = put_one(out, at, turned(s, seat, s.turn), most)
    at = put_one(out, at, turned(s, seat, s.dealer), most)
    at = put_one(out, at, s.rules.seats - 1, most)
    at = put_one(out, at, s.phase - FIRST_PHASE, phases)
    at = put(out, at, s.trick_no / tricks)
    at = put_sides(out, at, s, seat, s.points, points)
    return put_sides(out, at, s, seat, s.scores, target)
