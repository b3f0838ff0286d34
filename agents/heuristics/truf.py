"""Heuristic player of Truf: what a good player would advise, as compiled functions of a censored state.

A bid is chosen by the tricks that the hand takes, over and under, with the suit of the bid card as trumps or another,
against what the others usually bid. A card is chosen by the chance that it takes its trick, against the tricks that
the hand can do without it. Everything is counted in tricks. `wish` is what a trick is worth to the seat: 1 over, -1
under, something between where an exact bid pays; `out` are the cards not seen yet. What all cards share is found once
for each decision, in NOTES.
"""

from __future__ import annotations

import numpy as np

from trickenv.cards import FACE_DOWN, NO_CARD, bit, count, highest, lowest, suit_cards, without
from trickenv.games.truf import (
    ACE,
    MAX_SEATS,
    MODE,
    PLAY,
    RANKS,
    SUITS,
    TEN,
    TRICKS,
    Mode,
    Phase,
    Sum13,
    bid_value,
    neighbour,
    suit_led,
    unseen,
)
from trickenv.jit import jit, scratch
from trickenv.tricks import above, beats, following

JACK, QUEEN, KING = TEN + 1, TEN + 2, TEN + 3  # strengths
FIVE, SIX = 3, 4
HIGHEST_BID = 10

# What one of the others bids, as chances of 0, 1, 2 .. 10: mostly near a quarter of the tricks, sometimes anything.
SENSIBLE = np.array([0.0, 0.0, 0.27, 0.42, 0.21, 0.07, 0.02, 0.01, 0.0, 0.0, 0.0])
ANYTHING = np.array([3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) / RANKS
OTHERS_BID = 0.7 * SENSIBLE + 0.3 * ANYTHING

LUCK = np.array([0.05, 0.12, 0.2, 0.26, 0.2, 0.12, 0.05])  # chances of 3 tricks less than expected, 2 less .. 3 more
STEER = 1.5  # how much likelier an exact bid is when it pays, as the play steers for it

# Tricks of a whole hand when everybody wants tricks.
OVER_TRUMPS = np.array([0.24, 0.45, 0.7, 1.03])  # jack to ace of trumps
OVER_ACE, OVER_KING, OVER_QUEEN = 0.98, 0.68, 0.24  # in other suits, king and queen guarded
OVER_LENGTH = 0.082  # the number of trumps, squared
OVER_RUFF = 0.2  # each trump that may ruff
OVER_BASE = -0.13

# Tricks of a whole hand when nobody wants tricks.
UNDER_RANK = 0.103  # in other suits, each rank above the seven
UNDER_TRUMP, UNDER_TRUMP_RANK = 0.178, 0.154  # each trump, and each of its ranks above the four
UNDER_LOW = -0.587  # a suit with a card to duck with, five or lower
UNDER_VOID, UNDER_SINGLE = -0.84, -0.25  # a suit where high cards of the others can be thrown away
UNDER_RUFF = -0.27
UNDER_BASE = -0.07

LEAD = 0.33  # tricks that the first lead brings, in either way of playing

# Tricks of single cards still in the hand, when tricks are wanted.
GUESS = 0.75  # for each card out above it
BARE = 0.675  # for each of these that no lower card of the hand can be given to
ROOM, PER_ROOM = 0.65, 11.5  # cards out in the suit when its turn comes: few of them, and somebody ruffs
SMALL = 0.09  # any trump
DRAW = 0.15  # leading trumps: each trump more than the others have on average
DOUBT = 1.8  # a trick in doubt is worth less than its chance: who loses it has spent the card and the lead

# The same when tricks are not wanted.
DUCK_LATER = 0.58  # each lower card of the suit that can be played before
CARELESS = 0.07  # how often a seat takes a trick that it could leave
NOW = 1.35  # a trick now is worse than one that may come later

EASE = 0.5  # exact bids: how fast the wish turns with each trick that is missing or too many
BRISK = 0.7  # exact bids: share of the tricks of a hand that wants them, the rest is of one that does not


BY_SEAT = np.float64, (MAX_SEATS,)
NOTES = [
    ("wants", *BY_SEAT),  # whether a seat wants tricks, 1 or 0
    ("odds", *BY_SEAT),  # chance that a card which a seat may hold lies there
    ("void", *BY_SEAT),  # chance that a seat behind has no card of the suit led
    ("no_trump", *BY_SEAT),  # chance that it has no trump
]
notes = scratch(np.dtype((np.record, np.dtype(NOTES))))


def outlook(one: np.ndarray) -> np.ndarray:
    """(own bid, highest or not, sum under, at or over 13, 2): chance, and chance times the sum of the others' bids."""
    out = np.zeros((HIGHEST_BID + 1, 2, 3, 2))
    every = np.convolve(one, np.convolve(one, one))
    bids = np.arange(HIGHEST_BID + 1)
    for bid in bids:
        lower = one * ((bids < bid) + 0.5 * (bids == bid))
        top = np.convolve(lower, np.convolve(lower, lower))
        for is_top, chances in enumerate((every - top, top)):
            for total, chance in enumerate(chances):
                out[bid, is_top, np.sign(bid + total - TRICKS) + 1] += chance, chance * total
    return out


OUTLOOK = outlook(OTHERS_BID)


@jit
def choose(s, seat, mask):
    """A legal action for a seat that is on turn, from its censored state."""
    if s.phase == Phase.play:
        return choose_play(s, seat, mask)
    if s.phase == Phase.mode:
        return MODE + choose_mode(s, seat)
    return choose_bid(s, seat, mask)


# --- before the play -------------------------------------------------------------------------------------------------


@jit
def ruffs(hand, trump):
    """Trumps that may ruff: no more than the cards that the other suits have too few."""
    short = 0
    for suit in range(SUITS):
        if suit != trump:
            short += max(0, 3 - count(following(hand, suit, RANKS)))
    return min(short, count(following(hand, trump, RANKS)))


@jit
def tricks_over(hand, trump):
    """Tricks that a whole hand takes when all want tricks: top cards, length of trumps and ruffs."""
    value = OVER_BASE + OVER_RUFF * ruffs(hand, trump)
    for suit in range(SUITS):
        own = following(hand, suit, RANKS)
        length = count(own)
        if suit == trump:
            value += OVER_LENGTH * length * length
        for strength in range(JACK, ACE + 1):
            if not own & bit(suit * RANKS + strength):
                continue
            if suit == trump:
                value += OVER_TRUMPS[strength - JACK]
            elif strength == ACE:
                value += OVER_ACE
            elif strength == KING and length > 1:
                value += OVER_KING
            elif strength == QUEEN and length > 2:
                value += OVER_QUEEN
    return value


@jit
def tricks_under(hand, trump):
    """Tricks that a whole hand cannot avoid when nobody wants any: high cards, trumps, suits without a low card."""
    value = UNDER_BASE + UNDER_RUFF * ruffs(hand, trump)
    for suit in range(SUITS):
        own = following(hand, suit, RANKS)
        length = count(own)
        if suit != trump:
            value += UNDER_VOID * (length == 0) + UNDER_SINGLE * (length == 1)
            value += UNDER_LOW * (length > 0 and lowest(own) <= suit * RANKS + FIVE)
        while own:
            strength = lowest(own) - suit * RANKS
            own &= own - 1
            if suit == trump:
                value += UNDER_TRUMP + UNDER_TRUMP_RANK * max(0, strength - FIVE + 1)
            else:
                value += UNDER_RANK * max(0, strength - SIX - 1)
    return max(0.0, value)


@jit
def worth(s, above_bid):
    """Points of a deal that should end this far above the bid (under: below it), with some luck either way."""
    value = 0.0
    for k in range(len(LUCK)):
        points = above_bid + k - 3
        if s.rules.scoring_method == 2:
            points += STEER * s.rules.exact_bonus * max(0.0, 1.0 - abs(points))
        elif s.rules.scoring_method == 3 and points > 0:
            points *= s.rules.positive_factor
        value += LUCK[k] * points
    return value


@jit
def choose_mode(s, seat):
    """Over or under, whichever leads by more: over with strong cards, under with a bid that is too high for them.

    What counts is the lead over the others together; in the last two deals over the seat with the best score.
    """
    hand = s.hands[seat] | bit(s.bid_card[seat])
    bid = s.bids[seat]
    rival = -1
    for q in range(s.rules.seats):
        if q != seat and (rival < 0 or s.scores[q] > s.scores[rival]):
            rival = q
    last = s.rules.n_deals - s.deals <= 2
    their_bid = s.bids[rival] if last else (TRICKS - bid) / 3.0
    shift = 1 if s.rules.sum13 == Sum13.shift_all else 0
    tricks = tricks_over(hand, s.trump) + LEAD
    over = worth(s, tricks - bid - shift) - ((TRICKS - tricks) / 3.0 - their_bid)
    tricks = tricks_under(hand, s.trump) + LEAD
    under = worth(s, bid - shift - tricks) - (their_bid - (TRICKS - tricks) / 3.0)
    return Mode.over if over > under else Mode.under


@jit
def choose_bid(s, seat, mask):
    """The card that leads by most, on average over what the others may bid.

    Low bids pay over and high ones under, but each pushes the sum the wrong way; the highest makes its suit trumps.
    """
    hand = s.hands[seat]
    over = np.zeros(SUITS + 1)  # tricks with each suit as trumps, and on average when another seat makes them
    under = np.zeros(SUITS + 1)
    for suit in range(SUITS):
        over[suit] = tricks_over(hand, suit) + LEAD
        under[suit] = tricks_under(hand, suit) + LEAD
        # Others make trumps of suits that they have more of.
        share = (RANKS - count(following(hand, suit, RANKS))) / (SUITS * RANKS - TRICKS)
        over[SUITS] += share * (over[suit] - LEAD)
        under[SUITS] += share * (under[suit] - LEAD)
    best = -1
    most = -1e9
    for card in range(SUITS * RANKS):
        if mask[card]:
            value = lead_of_bid(s, bid_value(card), 0, over[SUITS], under[SUITS])
            value += lead_of_bid(s, bid_value(card), 1, over[card // RANKS], under[card // RANKS])
            if value > most:
                best = card
                most = value
    return best


@jit
def lead_of_bid(s, bid, is_top, over, under):
    """Points more than the others have on average, from the deals where this bid is the highest, or is not."""
    chance = OUTLOOK[bid, is_top]
    value_over = worth(s, over - bid)
    value_under = worth(s, bid - under)
    value = chance[2, 0] * (value_over + (over - TRICKS) / 3.0) + chance[2, 1] / 3.0
    value += chance[0, 0] * (value_under + (TRICKS - under) / 3.0) - chance[0, 1] / 3.0
    value_over += (over - bid) / 3.0
    value_under += (bid - under) / 3.0
    # At a sum of 13 the highest bidder chooses, otherwise somebody does.
    either = max(value_over, value_under) if is_top else 0.5 * (value_over + value_under)
    return value + chance[1, 0] * either


# --- tricks to come --------------------------------------------------------------------------------------------------


@jit
def hopes(own, out, suit, trump):
    """Tricks that cards of one suit may take when tricks are wanted."""
    theirs = count(following(out, suit, RANKS))
    trumps = count(following(out, trump, RANKS))
    total = 0.0
    for mine in range(count(own)):
        card = highest(own)
        own = without(own, card)
        higher = count(out & above(card, RANKS))
        # A card wins when those above it are gone: lower cards of the hand must last that long.
        chance = GUESS**higher * BARE ** max(0, higher - count(own))
        if suit == trump:
            # Small trumps may ruff.
            chance = max(chance, SMALL)
        else:
            # By then somebody may be void and ruff, as long as trumps are out.
            left = theirs - 3 * (mine + higher)
            safe = min(1.0, max(0.0, (left + ROOM) / PER_ROOM))
            chance *= 1.0 - (1.0 - safe) * min(1.0, trumps / 3.0)
        total += chance
    return total


@jit
def dangers(own, out, suit, trump):
    """Tricks that cards of one suit must take when tricks are not wanted."""
    suited = following(out, suit, RANKS)
    theirs = count(suited)
    exposed = 1.0
    total = 0.0
    while own:
        card = lowest(own)
        own = without(own, card)
        higher = count(suited & above(card, RANKS))
        # A card is the more dangerous the more of the cards out are below it; of trumps only the highest takes a trick.
        chance = (theirs - higher) / max(1, theirs)
        if suit == trump and higher > 0:
            chance = 0.0
        total += chance * exposed
        # The lower cards go first; the suit may not be played so often.
        exposed *= DUCK_LATER
    return total


@jit
def prospects(s, own, out, suit, wish):
    """Tricks to come from cards of one suit, for a hand that wants them or does not."""
    return hopes(own, out, suit, s.trump) if wish > 0 else dangers(own, out, suit, s.trump)


# --- the play --------------------------------------------------------------------------------------------------------


@jit
def wish_for(s, seat, out):
    """What one more trick is worth: 1 over, -1 under; with a bonus for exact bids by what is missing."""
    plain = 1.0 if s.mode == Mode.over else -1.0
    missing = s.bids[seat] - s.taken[seat]
    # An exact bid that is out of reach is like any other.
    if s.rules.scoring_method != 2 or missing < 0 or missing > TRICKS - s.trick_no:
        return plain
    # With the bid just met, every further trick loses the bonus.
    if missing == 0:
        return -1.0
    coming = 0.0
    for suit in range(SUITS):
        own = following(s.hands[seat], suit, RANKS)
        coming += BRISK * hopes(own, out, suit, s.trump) + (1.0 - BRISK) * dangers(own, out, suit, s.trump)
    return max(-1.0, min(1.0, EASE * (missing - coming)))


@jit
def know_seats(s, k):
    """Note who wants tricks, and how likely a card lies in a hand that may hold it."""
    for q in range(s.rules.seats):
        known = s.shown[q] & s.may_hold[q]
        k.odds[q] = (s.holds[q] - count(known)) / max(1, count(s.may_hold[q] & ~known))
        k.wants[q] = 1.0 if s.mode == Mode.over else 0.0
        if s.rules.scoring_method == 2:
            k.wants[q] = 1.0 if s.bids[q] > s.taken[q] else 0.0


@jit
def know_suit(s, seat, led, k):
    """Note what the seats behind may lack when a suit is led."""
    q = seat
    for _ in range(s.rules.seats - s.played - 1):
        q = neighbour(s, q)
        k.void[q] = none_of(s, q, suit_cards(led, RANKS), k)
        k.no_trump[q] = none_of(s, q, suit_cards(s.trump, RANKS), k)


@jit
def none_of(s, q, cards, k):
    """Chance that a seat holds none of some cards; a bid card not played yet is surely there."""
    cards &= s.may_hold[q]
    if cards & s.shown[q]:
        return 0.0
    return (1.0 - k.odds[q]) ** count(cards)


@jit
def beaten(s, q, card, led, k):
    """Chance that a seat still to play takes the trick from `card`: because it wants to, or because it must."""
    higher = 1.0 - none_of(s, q, above(card, RANKS), k)
    if card // RANKS != led:  # a ruff: only a void seat with a higher trump beats it, and only if it wants to
        return k.wants[q] * DOUBT * higher * k.void[q]
    if k.wants[q] > 0.0:
        ruff = 0.0 if led == s.trump else k.void[q] * (1.0 - k.no_trump[q])
        return DOUBT * (higher + ruff)
    # A seat that wants no trick beats a card only with no lower one in the suit, or by carelessness.
    forced = higher * none_of(s, q, suit_cards(led, RANKS) & (bit(card) - 1), k)
    return forced + CARELESS * (higher - forced)


@jit
def chance_to_win(s, seat, card, led, k):
    """Chance that a card takes the trick: from the cards on the table, open or face down, and from those to come."""
    suit = card // RANKS
    if suit != led and suit != s.trump:
        return 0.0
    chance = 1.0
    for q in range(s.rules.seats):
        other = s.trick[q]
        if other == FACE_DOWN and suit == s.trump:
            # A back may be any trump that the seat may have held.
            backs = s.may_hold[MAX_SEATS + q]
            chance *= count(backs & (bit(card) - 1)) / count(backs)
        elif other == FACE_DOWN or (other != NO_CARD and beats(other, card, s.trump, RANKS)):
            return 0.0
    q = seat
    for _ in range(s.rules.seats - s.played - 1):
        q = neighbour(s, q)
        chance *= max(0.0, 1.0 - beaten(s, q, card, led, k))
    return chance


@jit
def choose_play(s, seat, mask):
    """The card with the best balance of this trick and of those that the hand can take, or must take, afterwards.

    So tricks are won cheaply, high cards are kept where they lose and, under, thrown away where they cannot win.
    """
    legal = np.int64(0)
    for card in range(SUITS * RANKS):
        legal |= np.int64(mask[PLAY + card]) << card
    if count(legal) == 1:
        return PLAY + lowest(legal)
    k = notes()
    know_seats(s, k)
    if s.played > 0:
        know_suit(s, seat, suit_led(s), k)
    out = unseen(s, seat)
    wish = wish_for(s, seat, out)
    best = -1
    most = -1e9
    for suit in range(SUITS):
        cards = following(legal, suit, RANKS)
        own = following(s.hands[seat], suit, RANKS)
        if cards == 0:
            continue
        led = suit_led(s) if s.played > 0 else suit
        if s.played == 0:
            know_suit(s, seat, led, k)
        whole = prospects(s, own, out, suit, wish)
        while cards:
            card = lowest(cards)
            cards = without(cards, card)
            loss = whole - prospects(s, without(own, card), out, suit, wish)
            now = chance_to_win(s, seat, card, led, k) * (1.0 if wish > 0 else NOW)
            value = wish * (now - loss) + drawing(s, seat, suit, out, wish)
            if value > most:
                best = card
                most = value
    return PLAY + best


@jit
def drawing(s, seat, suit, out, wish):
    """What speaks for leading trumps when tricks are wanted: more of them than the others have on average."""
    if s.played > 0 or suit != s.trump or wish <= 0:
        return 0.0
    trumps = suit_cards(s.trump, RANKS)
    return DRAW * (count(s.hands[seat] & trumps) - count(out & trumps) / 3.0)
