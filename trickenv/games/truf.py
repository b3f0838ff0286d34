"""Truf, the Indonesian game of bidding with one card and then taking many tricks, or few, for four players.

Sources: the game's rule text, with pagat.com, Indonesian descriptions and public programs where it is silent; every
open point is decided by an option of `Rules`. The rules as enforced below:

 1. Four seats, each for himself; 52 cards. In a trick the ranks are, from the weakest, 2 3 4 5 6 7 8 9 10 J Q K A.
 2. A card bids tricks: 2 to 10 their number, the ace one, jack, queen and king none.
 3. The first deal goes anticlockwise, all others clockwise: dealing, bidding and playing. The first dealer is drawn by
    lot, afterwards the deal passes clockwise, or to the lowest total (the first of them clockwise).
 4. The whole pack is dealt, one card at a time, first to the dealer's neighbour in the way of the deal.
 5. A hand of nothing but 2 to 10, or nothing but J to A, makes the deal void: it is dealt again by the same dealer and
    does not count.
 6. Every seat lays one card of its own, any, face down as its bid; all four are turned up together.
 7. The highest bid makes its suit trumps. Among equal bids the suit decides, spades over hearts over diamonds over
    clubs, then the rank.
 8. If the bids add up to more than 13 the deal is over: take many tricks. Less than 13, it is under: take few. At 13
    the highest bidder chooses; with shift_all every bid then moves by one, up for over, down for under.
 9. The bid cards return to the hands. The highest bidder leads to the first trick, then the winner of each trick.
10. Follow suit if able; otherwise any card. Nobody need trump or beat.
11. Any card may be led. With trump_lead=broken a trump only if one fell in an earlier trick, or from a hand of trumps.
12. A trump is always played face down, all other cards face up; a trick is turned up when its fourth card lies.
13. The highest trump wins the trick, else the highest card of the suit led.
14. Over, a seat scores its tricks less its bid; under, its bid less its tricks. Method 2 gives a bonus for none of
    either; method 3 multiplies what is above zero.
15. The match is a fixed number of scored deals; the best total wins, ties shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from trickenv.blocks import Blocks, put, put_cards, put_one
from trickenv.cards import FACE_DOWN, NO_CARD, Deck, adding, bit, count, has, lowest, suit_cards, without
from trickenv.jit import inlined, jit
from trickenv.observation import common_blocks, observe_cards, observe_table, put_seats, turned
from trickenv.options import Options, option
from trickenv.state import (
    DEAL,
    FIRST_PHASE,
    OVER,
    UNSEEN,
    add_deal,
    ask,
    best_sides,
    clear_deal,
    clear_trick,
    end_match,
    gone,
    lay,
    note,
    onward,
    start_match,
    state_dtype,
    take_back,
)
from trickenv.tricks import above, following, trick_best

NAME = "truf"
SEATS = (4,)
MAX_SEATS = 4
LONGEST_DEAL = 57  # decisions: 4 bids, the choice of over or under, 52 plays
POINT_UNIT = 1  # `points` counts points of the score

# Suits in the order of rule 7, so that the card id breaks ties of bids.
DECK = Deck(
    [("C", "keriting"), ("D", "wajik"), ("H", "hati"), ("S", "sekop")],
    ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"],
    {"J": "jack", "Q": "ratu", "K": "raja", "A": "as"},
)
RANKS = 13
SUITS = 4
TEN, ACE = 8, 12  # strengths
TRICKS = 13  # of a deal, and the sum of bids that parts over from under
PACK = (1 << DECK.size) - 1
NUMERALS = DECK.cards([suit + rank for suit in DECK.letters for rank in DECK.ranks[: TEN + 1]])
COURTS = PACK & ~NUMERALS
SCORE_SCALE = 60  # totals in the observation: few matches of 13 deals end beyond it


class Phase(IntEnum):
    """What the seat on turn decides."""

    deal = DEAL
    over = OVER
    bid = FIRST_PHASE  # lay a card as bid
    mode = 3  # over or under
    play = 4  # play a card


# Option values, by the names that users write.
Sum13 = IntEnum("Sum13", "choose shift_all", start=0)
Direction = IntEnum("Direction", "first_anti alternate clockwise", start=0)
Dealer = IntEnum("Dealer", "rotate lowest_total", start=0)
TrumpLead = IntEnum("TrumpLead", "any broken", start=0)

Mode = IntEnum("Mode", "over under", start=0)


@dataclass(frozen=True, kw_only=True)
class Rules(Options):
    """Options of Truf; the letter and number after each is the open point that it decides (docs/truf.md)."""

    seats: int = option(4, "Number of players.", SEATS)
    n_deals: int = option(13, "Scored deals of a match (rule 15).", least=1)
    scoring_method: int = option(
        1, "Plain difference, bonus for an exact bid, or more for points (rule 14). T-A10", (1, 2, 3)
    )
    exact_bonus: int = option(5, "Method 2: points for taking just the bid (rule 14).", least=0)
    positive_factor: int = option(2, "Method 3: factor of points above zero (rule 14).", least=1)
    sum13: Sum13 = option(Sum13.choose, "Bids at a sum of 13: as they are, or all moved by one (rule 8). T-A4", Sum13)
    trump_lead: TrumpLead = option(
        TrumpLead.any, "Leading trumps: at any time, or once broken (rule 11). T-A5", TrumpLead
    )
    direction: Direction = option(
        Direction.first_anti, "Anticlockwise deals: the first, every other one, or none (rule 3). T-A6", Direction
    )
    face_down_trumps: bool = option(True, "Trumps are played face down (rule 12). T-A7")
    dealer: Dealer = option(Dealer.rotate, "Who deals next: the next seat, or the lowest total (rule 3). T-A8", Dealer)


PRESETS: dict[str, dict[str, Any]] = {
    "method1": {},
    "method2": {"scoring_method": 2},
    "method3": {"scoring_method": 3},
    "broken": {"trump_lead": "broken", "sum13": "shift_all"},
    "alternate": {"direction": "alternate"},
    "open_trumps": {"face_down_trumps": False},
}

ACTIONS = Blocks(
    ("bid", 52, "lay the card face down as bid", 52),
    ("play", 52, "play the card", 52),
    ("mode", 2, "over (take many tricks), under (take few)"),
)
PLAY, MODE = ACTIONS.start("play"), ACTIONS.start("mode")

STATE = state_dtype(
    Rules,
    seats=MAX_SEATS,
    places=2 * MAX_SEATS,  # the hands, then by seat a single card on the table that others may not see
    fields=[
        ("bid_card", np.int32, (MAX_SEATS,)),  # card laid as bid, by seat; NO_CARD before, FACE_DOWN if not to be seen
        ("bids", np.int32, (MAX_SEATS,)),  # bid by seat in tricks, -1..11; 0 before the bids are turned up
        ("taken", np.int32, (MAX_SEATS,)),  # tricks won, by seat
        ("top", np.int32),  # seat of the highest bid, -1 before the bids are turned up
        ("trump", np.int32),  # suit, -1 before the bids are turned up
        ("mode", np.int32),  # Mode, -1 = not decided yet
        ("direction", np.int32),  # way of this deal: +1 clockwise, -1 anticlockwise
    ],
)

OBSERVATION = Blocks(
    *common_blocks(MAX_SEATS, DECK.size, SUITS, "bid mode play"),
    ("laid", 4, "seats that have laid a bid"),
    ("bid_suit", 16, "suit of the bid card by seat: the own at once, the others when turned up", 4),
    ("bid_rank", 52, "rank of the bid card by seat, likewise"),
    ("bids", 4, "bid of each seat, in parts of 13"),
    ("taken", 4, "tricks of each seat, in parts of 13"),
    ("needed", 4, "bid less tricks of each seat, in parts of 13"),
    ("mode", 3, "over, under, not decided yet"),
    ("bid_sum", 1, "sum of the bids, in parts of 40"),
    ("top", 4, "seat of the highest bid"),
    ("face_down", 4, "seats with a card face down in the trick"),
    ("broken", 1, "a trump fell in an earlier trick"),
    ("direction", 1, "way of the deal: 1 clockwise (the order of the seats here), -1 anticlockwise"),
    ("deals_left", 1, "scored deals to come, this one included, in parts of the match"),
    (
        "options",
        12,
        "scoring method (3), its bonus and factor in parts of 13, bids shift at 13, direction (3), lowest total deals, "
        "trump lead when broken, trumps face down",
    ),
)


# --- the course of a deal --------------------------------------------------------------------------------------------


@jit
def start(s, dealer):
    """Begin a match: scores and counters at zero, `dealer` deals first."""
    start_match(s, dealer, 0)


@jit
def handicap(s, fractions):
    """Put a new match before any of its deals, with totals of -2.5 to 1.5 points a deal; fractions: (4,) in [0, 1)."""
    progress = fractions[0] * s.rules.n_deals
    s.deals = int(progress)
    for seat in range(s.rules.seats):
        fraction = fractions[seat] if seat > 0 else progress - s.deals
        s.scores[seat] = int(np.floor(s.deals * (4 * fraction - 2.5)))


@jit
def pack(s, deck):
    """Cards that are shuffled and dealt (rule 1): fills `deck`, returns their number."""
    for card in range(SUITS * RANKS):
        deck[card] = card
    return SUITS * RANKS


@inlined
def neighbour(s, seat):
    """The next seat in the way of the deal (rule 3)."""
    return onward(s, seat, 1 if s.direction > 0 else s.rules.seats - 1)


@jit
def deal(s, deck):
    """Deal a shuffled pack, top card first, and ask for bids, unless the deal is void (rules 3 to 5)."""
    clear_deal(s)
    s.bid_card[:] = NO_CARD
    s.bids[:] = 0
    s.taken[:] = 0
    s.top = s.trump = s.mode = -1
    anticlockwise = s.deals == 0
    if s.rules.direction == Direction.alternate:
        anticlockwise = s.deals & 1 == 0
    elif s.rules.direction == Direction.clockwise:
        anticlockwise = False
    s.direction = -1 if anticlockwise else 1
    seat = s.dealer
    for position in range(SUITS * RANKS):
        seat = neighbour(s, seat)
        s.hands[seat] = adding(s.hands[seat], deck[position])
    if fits(s, -1):
        ask(s, Phase.bid, neighbour(s, s.dealer))


@jit
def step(s, action):
    """Carry out a legal action of the seat on turn."""
    if s.phase == Phase.play:
        note(s, action)
        play(s, action - PLAY)
    elif s.phase == Phase.bid:
        bid(s, action)
    else:
        choose(s, action - MODE)


@jit
def bid(s, card):
    """Lay a card as bid; the fourth turns all up (rule 6)."""
    s.bid_card[s.turn] = card
    s.hands[s.turn] = without(s.hands[s.turn], card)
    s.asked += 1
    if s.asked == s.rules.seats:
        turn_up(s)
    else:
        s.turn = neighbour(s, s.turn)


@jit
def bid_value(card):
    """Tricks that a card bids (rule 2)."""
    strength = card % RANKS
    if strength <= TEN:
        return strength + 2
    return 1 if strength == ACE else 0


@jit
def turn_up(s):
    """The highest bid makes trumps, the sum of the bids the way of scoring (rules 7 and 8)."""
    total = 0
    best = -1
    for seat in range(s.rules.seats):
        card = s.bid_card[seat]
        s.bids[seat] = bid_value(card)
        total += s.bids[seat]
        key = s.bids[seat] * SUITS * RANKS + card
        if key > best:
            best = key
            s.top = seat
            s.trump = card // RANKS
    if total == TRICKS:
        ask(s, Phase.mode, s.top)
    else:
        open_play(s, Mode.over if total > TRICKS else Mode.under)


@jit
def choose(s, mode):
    """The highest bidder chooses over or under; with shift_all every bid moves by one (rule 8)."""
    if s.rules.sum13 == Sum13.shift_all:
        for seat in range(s.rules.seats):
            s.bids[seat] += 1 if mode == Mode.over else -1
    open_play(s, mode)


@jit
def open_play(s, mode):
    """The bid cards return to the hands, known to all; the highest bidder leads (rule 9)."""
    s.mode = mode
    for seat in range(s.rules.seats):
        s.hands[seat] = adding(s.hands[seat], s.bid_card[seat])
        s.shown[seat] = bit(s.bid_card[seat])
        s.points[seat] = worth(s, seat)
    s.leader = s.top
    ask(s, Phase.play, s.top)


# --- the play of the cards -------------------------------------------------------------------------------------------


@inlined
def is_trump(s, card):
    """Whether a card on the table is a trump, as its back tells everybody (rule 12)."""
    return card == FACE_DOWN or (card >= 0 and card // RANKS == s.trump)


@inlined
def suit_led(s):
    """Suit of the open trick, which nobody can miss: a back is a trump."""
    card = s.trick[s.leader]
    return s.trump if card == FACE_DOWN else card // RANKS


@jit
def broken(s):
    """Whether a trump fell in an earlier trick (rule 11)."""
    return gone(s) & suit_cards(s.trump, RANKS) != 0


@jit
def playable(s):
    """Cards that the seat on turn may play, as a set (rules 10 and 11)."""
    hand = s.hands[s.turn]
    if s.played > 0:
        followers = following(hand, suit_led(s), RANKS)
        return followers if followers else hand
    if s.rules.trump_lead == TrumpLead.broken and not broken(s):
        others = hand & ~suit_cards(s.trump, RANKS)
        return others if others else hand
    return hand


@jit
def play(s, card):
    """Play a card, trumps face down, note what it tells everybody, close the trick when it is full (rule 12)."""
    seat = s.turn
    trump = card // RANKS == s.trump
    if s.played > 0:
        led = suit_led(s)
        if card // RANKS != led:
            s.lacks[seat] |= suit_cards(led, RANKS)  # rule 10
    elif trump and s.rules.trump_lead == TrumpLead.broken and not broken(s):
        s.lacks[seat] |= np.int64(PACK) & ~suit_cards(s.trump, RANKS)  # rule 11
    if trump and s.rules.face_down_trumps:
        s.hands[seat] = without(s.hands[seat], card)
        s.shown[seat] &= ~suit_cards(s.trump, RANKS)  # the back may be the bid card
        s.trick[seat] = card
        s.played += 1
    else:
        lay(s, seat, card)
    if s.played == s.rules.seats:
        end_trick(s)
    else:
        s.turn = neighbour(s, seat)


@jit
def end_trick(s):
    """Turn up the trick; the winner scores it and leads; after the last one the deal ends (rules 9, 12 and 13)."""
    winner = trick_best(s.trick, s.leader, s.played, s.direction, s.rules.seats, s.trump, RANKS)
    for seat in range(s.rules.seats):
        s.seen[seat] = adding(s.seen[seat], s.trick[seat])
        s.shown[seat] = bit(s.bid_card[seat]) & ~s.seen[seat]
    s.taken[winner] += 1
    s.points[winner] = worth(s, winner)
    clear_trick(s, winner)
    if s.trick_no == TRICKS:
        end_deal(s)


# --- scores ----------------------------------------------------------------------------------------------------------


@jit
def worth(s, seat):
    """What the deal scores for a seat with the tricks it has (rule 14)."""
    above = s.taken[seat] - s.bids[seat]
    if s.mode == Mode.under:
        above = -above
    if above == 0 and s.rules.scoring_method == 2:
        return s.rules.exact_bonus
    if above > 0 and s.rules.scoring_method == 3:
        return s.rules.positive_factor * above
    return above


@jit
def score(s):
    """Change of score by seat into `delta` (rule 14)."""
    for seat in range(s.rules.seats):
        s.delta[seat] = worth(s, seat)


@jit
def end_deal(s):
    """Add the deal to the match; pass the deal on (rule 3) or end the match (rule 15)."""
    score(s)
    add_deal(s)
    s.dealer = next_dealer(s)
    if s.deals >= s.rules.n_deals:
        end_match(s, best_sides(s, -(1 << 30)))


@jit
def next_dealer(s):
    """The seat after the dealer, or the first one after him with the lowest total (rule 3)."""
    chosen = onward(s, s.dealer, 1)
    if s.rules.dealer == Dealer.lowest_total:
        for k in range(2, s.rules.seats + 1):
            seat = onward(s, s.dealer, k)
            if s.scores[seat] < s.scores[chosen]:
                chosen = seat
    return chosen


# --- what search wants to know ---------------------------------------------------------------------------------------


@jit
def card_points(s, card):
    """Tricks count, not cards (rule 14)."""
    return 0


@jit
def stronger(s, card):
    """The cards of a card's suit that are stronger, as a set."""
    return above(card, RANKS)


@jit
def card_action(s, card):
    """Number of the action that plays a card."""
    return PLAY + card


@jit
def wants_trick(s, seat):
    """Over, and until a bid that brings a bonus is met; under, only to meet such a bid (rule 14)."""
    before = worth(s, seat)
    s.taken[seat] += 1
    after = worth(s, seat)
    s.taken[seat] -= 1
    return after > before


@jit
def points_left(s):
    """What the tricks to come can bring, or cost if few are to be taken, with the bonus of method 2 (rule 14)."""
    most = TRICKS - s.trick_no
    if s.rules.scoring_method == 3:
        most *= s.rules.positive_factor
    elif s.rules.scoring_method == 2:
        most = (most + s.rules.seats * s.rules.exact_bonus) * (s.rules.seats - 1)
    return most if s.mode == Mode.over else most * (s.rules.seats - 1)


@jit
def pays_points(s):
    """A deal pays by bids and tricks (rule 14)."""
    return False


@jit
def bearing(s):
    """Whether trumps may be led (rule 11), and the tricks won where they do not all count the same (rule 14)."""
    key = np.int64(broken(s))
    if s.rules.scoring_method > 1:
        for seat in range(s.rules.seats):
            key = key * 16 + s.taken[seat]
    return key


# --- what may be done, and who sees what -----------------------------------------------------------------------------


@jit
def legal(s, mask):
    """Actions of the seat on turn; mask: (106,) int8, overwritten with ones and zeros."""
    mask[:] = 0
    if s.phase == Phase.play:
        put_mask(mask[PLAY:MODE], playable(s))
    elif s.phase == Phase.bid:
        put_mask(mask[:PLAY], s.hands[s.turn])
    elif s.phase == Phase.mode:
        mask[MODE:] = 1


@inlined
def put_mask(mask, cards):
    """Write a card set as ones and zeros."""
    for card in range(SUITS * RANKS):
        mask[card] = (cards >> card) & 1


@inlined
def face_down(s, seat):
    """Whether a card of the seat lies on the table with its face unseen by the others (rules 6 and 12)."""
    if s.phase == Phase.bid:
        return s.bid_card[seat] != NO_CARD
    return s.rules.face_down_trumps != 0 and is_trump(s, s.trick[seat])


@inlined
def apart(s, seat):
    """The card of a seat on the table that is not counted as seen yet, as a set: bid or face-down trump, if known."""
    card = NO_CARD
    if s.phase == Phase.bid or s.phase == Phase.mode:
        card = s.bid_card[seat]
    elif s.rules.face_down_trumps and is_trump(s, s.trick[seat]):
        card = s.trick[seat]
    return bit(card) if card >= 0 else np.int64(0)


@inlined
def hand_size(s, seat):
    """Cards in a hand, as everybody can count them."""
    out = s.bid_card[seat] if s.phase < Phase.play else s.trick[seat]
    return TRICKS - s.trick_no - (out != NO_CARD)


@jit
def unseen(s, seat):
    """Cards that a seat sees neither in its hand nor on the table nor among those played, from what it knows."""
    cards = np.int64(PACK) & ~s.hands[seat]
    for q in range(s.rules.seats):
        cards &= ~(s.seen[q] | apart(s, q))
    return cards


@jit
def possible(s, seat):
    """Which unseen cards the other hands and their cards face down may be, and how many, from a censored state.

    A bid card once turned up stays with its owner, in his hand or as his trump face down, until it is seen.
    """
    s.may_hold[:] = 0
    s.holds[:] = 0
    cards = unseen(s, seat)
    free = cards
    trumps = suit_cards(s.trump, RANKS) if s.phase == Phase.play else np.int64(PACK)
    if s.phase == Phase.play:
        for q in range(s.rules.seats):
            free &= ~bit(s.bid_card[q])
    for q in range(s.rules.seats):
        if q == seat:
            continue
        own = free | (cards & bit(s.bid_card[q])) if s.phase == Phase.play else free
        s.holds[q] = hand_size(s, q)
        if s.holds[q] > 0:
            s.may_hold[q] = own & ~s.lacks[q]
        if face_down(s, q):
            s.holds[MAX_SEATS + q] = 1
            s.may_hold[MAX_SEATS + q] = own & trumps


@jit
def fits(s, seat):
    """Whether every hand as dealt has a card of each sort, 2 to 10 and J to A, or the deal had been void (rule 5)."""
    for q in range(s.rules.seats):
        dealt = s.hands[q] | s.seen[q] | apart(s, q)
        if not dealt & NUMERALS or not dealt & COURTS:
            return False
    return True


@jit
def rewind(s):
    """Back to the first lead (rule 9), with the bid cards in the hands."""
    take_back(s, s.top)
    s.taken[:] = 0
    for seat in range(s.rules.seats):
        s.shown[seat] = bit(s.bid_card[seat])
        s.points[seat] = worth(s, seat)
    return True


@jit
def settle(s, seat, places, order):
    """Put assumed hands and cards face down into a censored state; places: (8,) card sets; no order matters."""
    for q in range(s.rules.seats):
        if q == seat:
            continue
        s.hands[q] = places[q]
        if s.holds[MAX_SEATS + q]:
            if s.phase == Phase.bid:
                s.bid_card[q] = lowest(places[MAX_SEATS + q])
            else:
                s.trick[q] = lowest(places[MAX_SEATS + q])


@jit
def censor(s, seat):
    """Blank all that a seat may not know: other hands, bids not turned up, trumps face down, the packs to come."""
    for q in range(s.rules.seats):
        if q != seat:
            s.hands[q] = 0
            if face_down(s, q):
                if s.phase == Phase.bid:
                    s.bid_card[q] = FACE_DOWN
                else:
                    s.trick[q] = FACE_DOWN
    if s.phase == Phase.play and s.rules.face_down_trumps:
        hide_backs(s)
    s.rng = np.uint64(0)


@jit
def hide_backs(s):
    """Blank the log where a censored state shows a back."""
    seat = s.leader
    for k in range(s.played):
        if s.trick[seat] == FACE_DOWN:
            s.log[s.logged - s.played + k] = UNSEEN
        seat = neighbour(s, seat)


@jit
def holder(s):
    """Seat that holds the trick as a viewer knows it, -1 = none or hidden by backs; from a censored state."""
    if s.played == 0:
        return -1
    backs = trumps = 0
    back = -1
    for q in range(s.rules.seats):
        trumps += is_trump(s, s.trick[q])
        if s.trick[q] == FACE_DOWN:
            backs += 1
            back = q
    if backs == 0:
        return trick_best(s.trick, s.leader, s.played, s.direction, s.rules.seats, s.trump, RANKS)
    return back if trumps == 1 else -1


@jit
def observe(s, seat, out):
    """Write what a seat knows, from its censored state, as OBSERVATION; out: float32, overwritten; returns its end."""
    at = observe_cards(s, seat, out, unseen(s, seat), s.trump, holder(s), SUITS, RANKS)
    at = observe_table(s, seat, out, at, 3, TRICKS, TRICKS, SCORE_SCALE)
    at = observe_bids(s, seat, out, at)
    for k in range(MAX_SEATS):
        at = put(out, at, s.played > 0 and face_down(s, onward(s, seat, k)))
    at = put(out, at, s.trump >= 0 and broken(s))
    at = put(out, at, s.direction)
    at = put(out, at, 1.0 - s.deals / s.rules.n_deals)
    at = put_one(out, at, s.rules.scoring_method - 1, 3)
    at = put(out, at, s.rules.exact_bonus / TRICKS if s.rules.scoring_method == 2 else 0.0)
    at = put(out, at, s.rules.positive_factor / TRICKS if s.rules.scoring_method == 3 else 0.0)
    at = put(out, at, s.rules.sum13)
    at = put_one(out, at, s.rules.direction, 3)
    at = put(out, at, s.rules.dealer)
    at = put(out, at, s.rules.trump_lead)
    return put(out, at, s.rules.face_down_trumps)


@inlined
def observe_bids(s, seat, out, at):
    """Blocks laid to top; returns the next position."""
    laid = suits = ranks = np.int64(0)
    total = 0
    for k in range(MAX_SEATS):
        card = s.bid_card[onward(s, seat, k)]
        total += s.bids[k]
        if card != NO_CARD:
            laid |= bit(k)
        if card >= 0:
            suits |= bit(SUITS * k + card // RANKS)
            ranks |= bit(RANKS * k + card % RANKS)
    at = put_cards(out, at, laid, MAX_SEATS)
    at = put_cards(out, at, suits, MAX_SEATS * SUITS)
    at = put_cards(out, at, ranks, MAX_SEATS * RANKS)
    at = put_seats(out, at, s, seat, s.bids, TRICKS)
    at = put_seats(out, at, s, seat, s.taken, TRICKS)
    for k in range(MAX_SEATS):
        q = onward(s, seat, k)
        at = put(out, at, (s.bids[q] - s.taken[q]) / TRICKS)
    at = put_one(out, at, s.mode if s.mode >= 0 else 2, 3)
    at = put(out, at, total / 40)
    return put_one(out, at, turned(s, seat, s.top), MAX_SEATS)


# --- checks and texts ------------------------------------------------------------------------------------------------

PROBLEMS = (
    "a card lies in two places or is not in the pack",
    "cards are missing from the pack",
    "a hand of the wrong size",
    "a hand holds cards that all know it lacks, or lacks cards that it has shown",
    "tricks or points of the deal do not add up",
    "a phase without a seat on turn, or the other way round",
    "a hand that makes the deal void is played",
    "the bids do not agree with their cards",
)


@jit
def problems(s):
    """Everything wrong with a full state, as a bit set over PROBLEMS; 0 if all is well."""
    found = 0
    held = np.int64(0)
    cards = tricks = 0
    in_deal = s.phase >= FIRST_PHASE
    for q in range(s.rules.seats):
        held |= s.hands[q] | s.seen[q] | apart(s, q)
        cards += count(s.hands[q]) + count(s.seen[q]) + count(apart(s, q))
        tricks += s.taken[q]
        if in_deal and count(s.hands[q]) != hand_size(s, q):
            found |= 4
        if s.hands[q] & s.lacks[q] or s.shown[q] & ~s.hands[q]:
            found |= 8
        if s.points[q] != (worth(s, q) if s.mode >= 0 else 0):
            found |= 16
    if cards != count(held) or held & ~np.int64(PACK):
        found |= 1
    if s.packs > 0 and held != np.int64(PACK):
        found |= 2
    if tricks != s.trick_no:
        found |= 16
    if in_deal != (0 <= s.turn < s.rules.seats):
        found |= 32
    if in_deal and not fits(s, -1):
        found |= 64
    if not bids_agree(s):
        found |= 128
    return found


@jit
def bids_agree(s):
    """Whether bids, trumps and the highest bidder are those of the bid cards (rules 2, 7 and 8)."""
    if s.top < 0:
        return s.trump < 0 and s.mode < 0
    total = 0
    for q in range(s.rules.seats):
        total += bid_value(s.bid_card[q])
    shift = 0
    if total == TRICKS and s.mode >= 0 and s.rules.sum13 == Sum13.shift_all:
        shift = 1 if s.mode == Mode.over else -1
    for q in range(s.rules.seats):
        if s.bids[q] != bid_value(s.bid_card[q]) + shift or s.bids[q] > s.bids[s.top]:
            return False
    if total != TRICKS and s.mode != (Mode.over if total > TRICKS else Mode.under):
        return False
    return s.trump == s.bid_card[s.top] // RANKS


def action_name(action: int) -> str:
    """Text of an action, such as `bid H7`, `play C10`, `under`. Raises IndexError outside 0..105."""
    block = ACTIONS.of(action)
    at = action - block.start
    return Mode(at).name if block.name == "mode" else f"{block.name} {DECK.names[at]}"


def headline(s: Any) -> str:
    """The contract of the deal in a few words."""
    if s.top < 0:
        return "the bids are not turned up yet" if s.phase == Phase.bid else "no deal yet"
    mode = f", {Mode(s.mode).name}" if s.mode >= 0 else ", over or under not chosen"
    total = int(sum(s.bids[: s.rules.seats]))
    return f"trumps {DECK.suit_names[s.trump]}, made by seat {s.top}; bids add up to {total}{mode}"


def seat_notes(s: Any, seat: int) -> list[str]:
    """What all know of a seat besides its cards."""
    if s.top < 0:
        laid = int(s.bid_card[seat])
        return [] if laid == NO_CARD else [f"has laid {'a bid' if laid == FACE_DOWN else DECK.name(laid)}"]
    tricks = f"{s.taken[seat]} trick{'' if s.taken[seat] == 1 else 's'}"
    return [f"bid {s.bids[seat]} with {DECK.name(int(s.bid_card[seat]))}", tricks]


def score_sheet(s: Any) -> list[tuple[str, list[int]]]:
    """How the points of the finished or running deal came about: rows (reason, number by seat)."""
    seats = range(int(s.rules.seats))
    if s.mode < 0:
        return [("bid", [int(s.bids[q]) for q in seats])] if s.top >= 0 else []
    sign = 1 if s.mode == Mode.over else -1
    plain = [sign * int(s.taken[q] - s.bids[q]) for q in seats]
    rows = [
        ("tricks taken" if sign > 0 else "bid", [int(s.taken[q] if sign > 0 else s.bids[q]) for q in seats]),
        ("less bid" if sign > 0 else "less tricks taken", [-int(s.bids[q] if sign > 0 else s.taken[q]) for q in seats]),
    ]
    extra = [int(worth(s, q)) - plain[q] for q in seats]
    names = {2: "exact bid", 3: "points above zero again"}
    return rows + ([(names[int(s.rules.scoring_method)], extra)] if s.rules.scoring_method > 1 else [])


def concealed(s: Any, seat: int, action: int, viewer: int) -> bool:
    """Whether a past action of the current deal is still unknown to a viewer: a bid or a trump face down."""
    if seat == viewer or not face_down(s, seat):
        return False
    return action < PLAY if s.phase == Phase.bid else action >= PLAY and not has(s.seen[seat], action - PLAY)


def refusal(s: Any, action: int) -> str:
    """Why an action is not legal for the seat on turn, naming the rule."""
    phase = Phase(s.phase)
    block = ACTIONS.of(action)
    if block.name != phase.name:
        return f"it is time to {_WANTED[phase]}"
    hand = int(s.hands[s.turn])
    card = action - block.start
    if not has(hand, card):
        return f"it does not hold {DECK.names[card]}; it holds {DECK.text(hand)}"
    suit = int(s.trump if s.played == 0 else suit_led(s))
    may = DECK.text(int(playable(s)))
    if s.played == 0:
        return f"it may not lead {DECK.suit_names[suit]}, trumps, before one fell in an earlier trick (rule 11): {may}"
    return f"it must follow {DECK.suit_names[suit]} (rule 10): holds {may}"


_WANTED = {
    Phase.deal: "deal",
    Phase.over: "start a new match, this one is over",
    Phase.bid: "lay a card as bid (rule 6)",
    Phase.mode: "choose over or under (rule 8)",
    Phase.play: "play a card (rule 10)",
}
