"""Fields that every game's state has, and the few steps on them that every game takes alike.

With these the engine deals, pays, observes and draws without knowing the game.
"""

from __future__ import annotations

import numpy as np

from trickenv.cards import NO_CARD, adding, count, has, without
from trickenv.jit import jit
from trickenv.options import Options, rules_dtype

DEAL = 0  # phase in every game: the next pack is awaited
OVER = 1  # phase in every game: the match has ended
FIRST_PHASE = 2  # a game's own phases start here
LOG = 64  # actions of a deal that are remembered, from the first lead on; few deals have more
UNSEEN = 255  # in the log of a censored state: an action that the seat cannot see


def state_dtype(rules: type[Options], seats: int, places: int, fields: list[tuple]) -> np.dtype:
    """Record of one table: the common fields for at most `seats` seats, then the game's own.

    An array of it is an ordinary array whose elements have attributes, compiled or not (a recarray would be slow).
    places: where hidden cards may lie; the seats' hands first, then such as a stock or a talon.
    A side is a pair of partners where partners sit opposite, else a seat.
    """
    common = [
        ("rng", np.uint64),  # generator of this table's packs; blank in a censored state
        ("hands", np.int64, (seats,)),  # card set by seat
        ("seen", np.int64, (seats,)),  # card set by seat: played in this deal, the open trick included
        ("shown", np.int64, (seats,)),  # card set by seat: known to all to lie in that hand
        ("lacks", np.int64, (seats,)),  # card set by seat: known to all not to lie in that hand
        ("may_hold", np.int64, (places,)),  # censored states: card set by place: unknown cards that may lie there
        ("holds", np.int32, (places,)),  # censored states: number of such cards in each place
        ("phase", np.int32),  # the game's Phase
        ("turn", np.int32),  # seat to act, -1 in DEAL and OVER
        ("asked", np.int32),  # seats that have answered in the current poll
        ("dealer", np.int32),  # seat
        ("leader", np.int32),  # seat that leads or led the current trick, -1 before the first
        ("trick_no", np.int32),  # tricks completed in this deal
        ("played", np.int32),  # cards on the table in the current trick
        ("deals", np.int32),  # scored deals of this match
        ("packs", np.int32),  # packs used in this match (void deals use one too)
        ("winners", np.int32),  # bit set of the seats that won the match, 0 before its end
        ("pairs", np.int32),  # 1 = partners sit opposite: seats 0 and 2 are side 0, seats 1 and 3 side 1
        ("trick", np.int32, (seats,)),  # card by seat, NO_CARD before it is played, FACE_DOWN for a hidden face
        ("points", np.int32, (seats,)),  # by side: points of this deal as all know them, in the game's POINT_UNIT
        ("delta", np.int32, (seats,)),  # by side: change of score in the last scored deal
        ("scores", np.int32, (seats,)),  # by side: score of the match
        ("logged", np.int32),  # number of actions in `log`
        ("log", np.uint8, (LOG,)),  # actions since the first lead, in order
    ]
    everything = [("rules", rules_dtype(rules)), *common, *fields]
    everything.sort(key=lambda f: np.dtype(f[1]).alignment, reverse=True)  # no gaps, whose bytes would be undefined
    if np.dtype(everything).itemsize % 8:
        everything.append(("spare", np.int32))  # unused
    return np.dtype((np.record, np.dtype(everything, align=True)))


@jit
def side(s, seat):
    """Side of a seat."""
    return seat % 2 if s.pairs else seat


@jit
def sides(s):
    """Number of sides."""
    return 2 if s.pairs else s.rules.seats


@jit
def members(s, side_no):
    """Bit set of the seats of a side."""
    return 5 << side_no if s.pairs else 1 << side_no


@jit
def onward(s, seat, k):
    """The seat `k` places after another, 0 <= k <= seats (a division would cost more than the rest of a step)."""
    seat = seat + k
    return seat - s.rules.seats if seat >= s.rules.seats else seat


@jit
def next_seat(s, seat):
    """The seat that follows in the order of play."""
    return onward(s, seat, 1)


@jit
def start_match(s, dealer, pairs):
    """Scores and counters at zero; `dealer` deals first."""
    s.scores[:] = 0
    s.delta[:] = 0
    s.deals = s.packs = s.winners = 0
    s.pairs = pairs
    s.dealer = dealer
    s.phase = DEAL
    s.turn = -1


@jit
def clear_deal(s):
    """Blank the common fields that belong to one deal, and count the pack."""
    s.hands[:] = 0
    s.seen[:] = 0
    s.shown[:] = 0
    s.lacks[:] = 0
    s.points[:] = 0
    s.trick[:] = NO_CARD
    s.trick_no = s.played = s.asked = s.logged = 0
    s.log[:] = 0
    s.leader = s.turn = -1
    s.packs += 1


@jit
def ask(s, phase, seat):
    """Turn to a seat in a new phase."""
    s.phase = phase
    s.turn = seat
    s.asked = 0


@jit
def note(s, action):
    """Remember an action in the play of the cards, while there is room."""
    if s.logged < LOG:
        s.log[s.logged] = action
        s.logged += 1


@jit
def take_back(s, leader):
    """Take all cards played back to the hands of a full state, for its first lead; what they told is forgotten."""
    for seat in range(s.rules.seats):
        s.hands[seat] |= s.seen[seat]
        if s.trick[seat] >= 0:
            s.hands[seat] |= np.int64(1) << s.trick[seat]
    s.seen[:] = 0
    s.shown[:] = 0
    s.lacks[:] = 0
    s.points[:] = 0
    s.trick[:] = NO_CARD
    s.trick_no = s.played = s.asked = s.logged = 0
    s.leader = s.turn = leader


@jit
def lay(s, seat, card):
    """Put a card of a hand on the table for all to see."""
    s.hands[seat] = without(s.hands[seat], card)
    s.seen[seat] = adding(s.seen[seat], card)
    s.shown[seat] = without(s.shown[seat], card)
    s.trick[seat] = card
    s.played += 1


@jit
def clear_trick(s, winner):
    """Take the cards off the table; the winner leads next."""
    s.trick[:] = NO_CARD
    s.played = 0
    s.trick_no += 1
    s.leader = s.turn = winner


@jit
def gone(s):
    """All cards played in this deal, as a set."""
    cards = np.int64(0)
    for seat in range(s.rules.seats):
        cards |= s.seen[seat]
    return cards


@jit
def possible_hands(s, seat, unseen):
    """Fill `may_hold` of the other hands from the cards a seat has not seen, and what all know of each hand."""
    known = np.int64(0)
    for q in range(s.rules.seats):
        known |= s.shown[q]
    for q in range(s.rules.seats):
        if q != seat:
            s.may_hold[q] = unseen & (~known | s.shown[q]) & ~s.lacks[q]


@jit
def add_deal(s):
    """Add `delta` to the scores; the deal is over."""
    for k in range(sides(s)):
        s.scores[k] += s.delta[k]
    s.deals += 1
    s.phase = DEAL
    s.turn = -1


@jit
def best_sides(s, least):
    """Bit set of the sides with the highest score, if that is `least` or more."""
    best = least
    out = 0
    for k in range(sides(s)):
        if s.scores[k] > best:
            best = s.scores[k]
            out = 0
        if s.scores[k] == best:
            out |= 1 << k
    return out


@jit
def end_match(s, out):
    """The seats of the sides in a bit set have won the match."""
    for k in range(sides(s)):
        if has(out, k):
            s.winners |= members(s, k)
    s.phase = OVER
    s.turn = -1


@jit
def held_twice(s, whole):
    """Whether a card lies in two places or outside the pack `whole` (a check of the card fields all games share)."""
    cards = np.int64(0)
    total = 0
    for seat in range(s.rules.seats):
        cards |= s.hands[seat] | s.seen[seat]
        total += count(s.hands[seat]) + count(s.seen[seat])
    return total != count(cards) or (cards & ~np.int64(whole)) != 0
