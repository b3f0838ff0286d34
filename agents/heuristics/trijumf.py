"""Heuristic player of Trijumf: what a good player of Pag would advise, as compiled functions of a censored state.

A card is chosen by what it brings: the points of the trick, by the chance that they go to the own side, less what the
card would have been worth later. What all cards share is found once for each decision, in NOTES.
"""

from __future__ import annotations

import numpy as np

from agents.heuristics.shared import weigh_trumps
from trickenv.cards import count, has, highest, lowest, suit_cards, without
from trickenv.engine.batch import only_action
from trickenv.games.trijumf import (
    CUT,
    DECLARE,
    DOSTA,
    HORSE,
    KING,
    MAX_SEATS,
    RANKS,
    SEVEN,
    SUITS,
    SWAP,
    ULTIMA,
    VALUES,
    AkuzaLimit,
    BothOut,
    CutMode,
    Phase,
    holder,
    pair,
    total,
    tricks,
    unseen,
)
from trickenv.jit import jit, scratch
from trickenv.state import onward, side
from trickenv.tricks import above, beats, bosses, following

THREE, ACE = 8, 9  # strengths

# Weights, in points unless they say otherwise.
TRUMP_LENGTH = 4.0  # making a suit trumps: each card of it
TRUMP_POINTS = 0.5  # each card point in it

KEEP_TRUMP = 6.5  # later worth of the least trump
KEEP_STEP = 0.8  # each rank above
KEEP_TRUMP_POINTS = 0.7  # each of its card points
KEEP_TOP_TRUMP = 6.0  # more for the best trump left
KEEP_ACE, KEEP_THREE = 2.0, 5.0
KEEP_FIGURE = 0.3  # each card point of a king, horse or fanat
KEEP_MASTER = 2.7  # more, shared by the unseen cards above it
KEEP_LOW = 0.05  # each rank, among equals
SAFE = 0.4  # a top card of another suit is worth less with few of its suit out: part lost for each short of five
TEMPO = 0.5  # what the lead to the next trick is worth
KEEP_LAST = 1.0  # a card sure of the last trick: part of what that trick is worth

DRAW = 2.0  # leading trumps: each trump that we have more than they
PROTECT = 6.0  # more from the top, for each winner in the other suits
IDLE_TRUMP = 4.0  # leading trumps when no opponent has one
LENGTH = 0.6  # leading from length: each card of the suit
FRESH = 0.9  # leading: each unseen card of the suit, for it brings others their tricks
TURNED = 0.5  # losing the trick for the turned trump: part of its worth
MATE = 1.0  # keeping a king or horse for its mate: part of the akuza, by the chance to draw it
LEADER = 1.5  # how much more the points of a seat near the target hurt
NEAR = 60  # so many points from the target is near
CLOSE = 20  # both sides so close to the target will be out
DECIDES = 120.0  # what the last trick is worth more when it may decide who is out
CALLED = 500.0  # what a called trick is worth
SURE, HURRY = 0.97, 0.7  # chance of the trick to call out with, and when an opponent may be out first

BY_SEAT = np.float64, (MAX_SEATS,)
NOTES = [
    ("ours", *BY_SEAT),  # whose points count: +1 own side, -1 opponents, shared where each plays for himself
    ("odds", *BY_SEAT),  # chance that a card which a seat may hold lies there
    ("free", np.int64, (MAX_SEATS,)),  # cards that a seat may hold or not
    ("elsewhere", np.int64, (MAX_SEATS,)),  # how many of these it does not hold
    ("void", *BY_SEAT),  # chance that a seat behind has no card of the suit led
    ("no_trump", *BY_SEAT),  # chance that it has no trump
    ("others", np.int64),  # cards that the seat has not seen
    ("holder", np.int64),  # seat that holds the trick before the own card, -1 before a lead
    ("last", np.float64),  # what the last trick is worth
    ("mine", np.float64),  # before a lead: trumps of the own side, the partner's by half
    ("theirs", np.float64),  # trumps of the opponents
]
notes = scratch(np.dtype((np.record, np.dtype(NOTES))))


@jit
def choose(s, seat, mask):
    """A legal action for a seat that is on turn, from its censored state."""
    forced = only_action(mask)
    if forced >= 0:
        return forced
    if s.phase == Phase.cut:
        return CUT + best_mode(s, mask)
    suit = best_akuza(s, seat, mask)
    if suit >= 0:
        return DECLARE + suit
    if s.phase == Phase.play:
        return choose_play(s, seat, mask)
    # A swap gives a higher trump for a lower one: make every one.
    return SWAP


# --- before the play -------------------------------------------------------------------------------------------------


@jit
def best_mode(s, mask):
    """Knock with two, where kings and horses are yet to be drawn; else cut, for forehand's partner chooses."""
    first = CutMode.knock if s.rules.seats == 2 else CutMode.cut
    for k in range(3):
        mode = (first + k) % 3
        if mask[CUT + mode]:
            return mode
    return first


@jit
def trump_strength(hand, suit):
    """How good a suit would be as trumps: length first, then its points."""
    own = following(hand, suit, RANKS)
    value = TRUMP_LENGTH * count(own)
    for rank in range(RANKS):
        value += TRUMP_POINTS * VALUES[rank] * has(own, suit * RANKS + rank)
    return value


@jit
def best_akuza(s, seat, mask):
    """The suit to declare, -1 for none: every akuza counts, and the first of a knocked deal makes trumps."""
    best = -1
    most = -1e9
    for suit in range(SUITS):
        if mask[DECLARE + suit]:
            value = trump_strength(s.hands[seat], suit)
            # Forty before twenty.
            value += 1000.0 * (suit == s.trump)
            if value > most:
                best = suit
                most = value
    return best


# --- whose points count, and who may hold what -----------------------------------------------------------------------


@jit
def weigh_seats(s, seat, k):
    """Note whose points count how much for a seat, and how likely a card lies where it may be."""
    n = s.rules.seats
    for q in range(n):
        known = s.shown[q] & s.may_hold[q]
        held = s.holds[q] - count(known)
        k.free[q] = count(s.may_hold[q] & ~known)
        k.elsewhere[q] = k.free[q] - held
        k.odds[q] = held / max(1, k.free[q])
        if n != 3:
            k.ours[q] = 1.0 if side(s, q) == side(s, seat) else -1.0
        elif s.called >= 0:
            # A caller plays against all others.
            k.ours[q] = 1.0 if (q == s.called) == (seat == s.called) else -1.0
        else:
            # An opponent's points are lost to both others, and hurt more if they may win him the match.
            k.ours[q] = -0.5 * (LEADER if total(s, q) + NEAR >= s.rules.target else 1.0)
    k.ours[seat] = 1.0


@jit
def weigh_suit(s, seat, led, k):
    """Note what the seats behind may lack when a suit is led."""
    for n in range(1, s.rules.seats - s.played):
        q = onward(s, seat, n)
        k.void[q] = none_of(s, q, suit_cards(led, RANKS), k)
        k.no_trump[q] = none_of(s, q, suit_cards(s.trump, RANKS), k) if s.trump >= 0 else 1.0


@jit
def none_of(s, q, cards, k):
    """Chance that a seat holds none of some cards."""
    cards &= s.may_hold[q]
    if cards == 0:
        return 1.0
    if cards & s.shown[q]:
        return 0.0
    # Drawn from all that it may hold, without putting back.
    chance = 1.0
    for n in range(count(cards)):
        chance *= max(0, k.elsewhere[q] - n) / (k.free[q] - n)
    return chance


@jit
def chance_of(s, q, card, k):
    """Chance that a seat holds a card."""
    if not has(s.may_hold[q], card):
        return 0.0
    return 1.0 if has(s.shown[q], card) else k.odds[q]


@jit
def last_worth(s, seat):
    """What the last trick is worth: the ultima, the card on the table, and the match if two sides may be out."""
    value = float(ULTIMA)
    if s.rules.seats == 3:
        value += VALUES[s.table_card % RANKS]
    near = s.rules.target - CLOSE
    mine = total(s, side(s, seat)) >= near
    theirs = False
    for q in range(s.rules.seats):
        if side(s, q) != side(s, seat):
            theirs = theirs or total(s, side(s, q)) >= near
    return value + DECIDES * (mine and theirs and s.rules.both_out == BothOut.last_trick)


# --- the play --------------------------------------------------------------------------------------------------------


@jit
def choose_play(s, seat, mask):
    """The card with the best balance; before a lead, perhaps the call."""
    k = notes()
    look_around(s, seat, k)
    top = s.trick[k.holder] if s.played > 0 else -1
    best = sure = led = lately = -1
    most = surest = -1e9
    calls = s.called == seat or mask[DOSTA] == 1
    takes = False
    winner = points = 0.0
    cards = s.hands[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if mask[card]:
            new = card // RANKS if s.played == 0 else s.trick[s.leader] // RANKS
            if new != led:
                weigh_suit(s, seat, new, k)
                points = worth(s, seat, new, k)
            # Cards with none unseen between them take a trick alike.
            if new != led or lately < 0 or not alike(card, lately, top, takes, k.others, s.trump):
                takes = top < 0 or beats(card, top, s.trump, RANKS)
                winner = taker(s, seat, new, card if takes else top, k.ours[seat if takes else k.holder], k)
            led = new
            lately = card
            value = winner * (points + VALUES[card % RANKS]) - later(s, seat, card, k)
            if s.played == 0:
                value += lead(s, seat, card, k)
            if calls:
                chance = call_chance(s, seat, card, winner, k)
                if chance > surest:
                    sure = card
                    surest = chance
            if value > most:
                best = card
                most = value
    if s.called == seat:
        return sure
    return DOSTA if calls and surest >= patience(s, seat) else best


@jit
def look_around(s, seat, k):
    """Note what does not depend on the card."""
    k.others = unseen(s, seat)
    k.holder = holder(s)
    k.last = last_worth(s, seat)
    weigh_seats(s, seat, k)
    if s.played == 0 and s.trump >= 0:
        weigh_trumps(s, seat, RANKS, k)


@jit
def alike(card, lately, top, takes, others, trump):
    """Whether a card fares in this trick as the legal one before it did."""
    if top >= 0 and not takes:
        return not beats(card, top, trump, RANKS)
    return card // RANKS == lately // RANKS and others & above(lately, RANKS) == others & above(card, RANKS)


@jit
def taker(s, seat, led, best, winner, k):
    """Expected `ours` of the seat that takes the trick, all seats behind playing their best.

    led: suit; best: the best card once the seat has played; winner: `ours` of its seat. So a card is played to win only
    where it is likely to, and low leads look for the partner's masters and voids.
    """
    behind = s.rules.seats - s.played
    if best // RANKS == led:
        # The highest card of the suit takes it.
        left = 1.0
        result = 0.0
        higher = k.others & above(best, RANKS)
        while higher:
            card = highest(higher)
            higher = without(higher, card)
            here = left
            for n in range(1, behind):
                q = onward(s, seat, n)
                chance = here * chance_of(s, q, card, k)
                result += chance * k.ours[q]
                left -= chance
        winner = result + max(left, 0.0) * winner
    if led != s.trump and s.trump >= 0:
        # Whoever is void must ruff if he can.
        for n in range(1, behind):
            q = onward(s, seat, n)
            if k.void[q] > 0.0:
                low = none_of(s, q, above(best, RANKS), k) if best // RANKS == s.trump else k.no_trump[q]
                winner += k.void[q] * (1.0 - low) * (k.ours[q] - winner)
    return winner


@jit
def worth(s, seat, led, k):
    """Points of the trick beside the own card: those that lie there, and what others who must follow give at least."""
    points = TEMPO
    for n in range(s.played):
        points += VALUES[s.trick[onward(s, s.leader, n)] % RANKS]
    high = above(led * RANKS + SEVEN, RANKS)
    for n in range(1, s.rules.seats - s.played):
        q = onward(s, seat, n)
        left = none_of(s, q, suit_cards(led, RANKS) & ~high, k)
        cards = s.may_hold[q] & high
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            chance = left * chance_of(s, q, card, k)
            points += chance * VALUES[card % RANKS]
            left -= chance
    if s.called >= 0:
        points += CALLED
    if s.stock_left == 1 and s.table_card >= 0:
        # Two seats: the loser of this trick draws the turned trump, the winner some card.
        points -= TURNED * trump_worth(s.table_card % RANKS)
    return points


@jit
def later(s, seat, card, k):
    """What a card would be worth later on, were it kept: so a trick is taken with the cheapest card that does it."""
    hand = s.hands[seat]
    suit = card // RANKS
    rank = card % RANKS
    own = following(hand, suit, RANKS)
    trumps = suit_cards(s.trump, RANKS) if s.trump >= 0 else np.int64(0)
    others = k.others
    higher = count(others & above(card, RANKS))
    value = KEEP_LOW * rank + keep_mate(s, seat, suit, rank, others)
    # The last trick counts ten: keep a card that is sure of it, the more the nearer the end.
    if higher == 0 and card == highest(own) and (suit == s.trump or others & trumps == 0):
        value += KEEP_LAST * k.last / (tricks(s) - s.trick_no)
    # A small trump ruffs, a high one wins tricks: no ruff with more than it takes, no top trump for an empty trick.
    if suit == s.trump:
        return value + trump_worth(rank) + KEEP_TOP_TRUMP * (higher == 0)
    # In other suits the top cards are worth keeping, the more so the fewer cards beat them.
    top = KEEP_MASTER / (1.0 + higher)
    top += KEEP_ACE if rank == ACE else KEEP_THREE if rank == THREE else KEEP_FIGURE * VALUES[rank]
    if others & trumps:
        top *= 1.0 - SAFE * max(0, 5 - count(following(others, suit, RANKS)))
    value += top
    return value


@jit
def trump_worth(rank):
    """Later worth of a trump."""
    return KEEP_TRUMP + KEEP_STEP * rank + KEEP_TRUMP_POINTS * VALUES[rank]


@jit
def keep_mate(s, seat, suit, rank, others):
    """Two seats: king and horse stay together until declared, and one waits for the other while it may be drawn."""
    if s.rules.seats != 2 or (rank != KING and rank != HORSE) or has(s.declared[seat], suit):
        return 0.0
    if s.rules.akuza_limit == AkuzaLimit.per_deal and s.declared[seat]:
        return 0.0
    value = 40.0 if suit == s.trump or s.trump < 0 else 20.0
    if pair(suit) & ~s.hands[seat] == 0:
        return value
    mate = suit * RANKS + (HORSE if rank == KING else KING)
    drawn = (s.stock_left + 1) >> 1
    return MATE * value * has(others, mate) * drawn / max(1, count(others)) if s.stock_left else 0.0


@jit
def lead(s, seat, card, k):
    """What speaks for or against a lead beyond its trick."""
    hand = s.hands[seat]
    suit = card // RANKS
    if suit != s.trump or s.trump < 0:
        return LENGTH * count(following(hand, suit, RANKS)) - FRESH * count(following(k.others, suit, RANKS))
    # Draw trumps while holding the majority of them; never when the opponents have none left.
    if k.theirs <= 0.0:
        return -IDLE_TRUMP
    value = DRAW * (k.mine - k.theirs)
    # From the top of the majority, the more so the more winners there are to be protected from ruffs.
    if k.mine > k.theirs:
        winners = bosses(hand, k.others, SUITS, RANKS)
        if has(winners, card):
            value += PROTECT * count(winners & ~suit_cards(s.trump, RANKS))
    return value


# --- calling out -----------------------------------------------------------------------------------------------------


@jit
def sure_points(s, seat, card, k):
    """Points that a led card's trick holds for certain: cards that must be played, and all that is left at the end."""
    points = VALUES[card % RANKS]
    if s.trick_no == tricks(s) - 1:
        points += ULTIMA
        for other in range(SUITS * RANKS):
            points += VALUES[other % RANKS] * has(k.others, other)
        return points + (VALUES[s.table_card % RANKS] if s.rules.seats == 3 else 0)
    suit = suit_cards(card // RANKS, RANKS)
    for n in range(1, s.rules.seats):
        q = onward(s, seat, n)
        cards = s.may_hold[q] & suit
        if cards and none_of(s, q, suit, k) == 0.0:
            if side(s, q) == side(s, seat):
                points += VALUES[highest(s.shown[q] & suit) % RANKS] if s.shown[q] & suit else 0
            else:
                points += VALUES[highest(cards & -cards) % RANKS]
    return points


@jit
def call_chance(s, seat, card, winner, k):
    """Chance that a call followed by this lead succeeds."""
    if total(s, side(s, seat)) + sure_points(s, seat, card, k) < s.rules.target:
        return 0.0
    # With three seats an opponent's win counts half in `winner`.
    return (winner + 1.0) / 2.0 if s.rules.seats != 3 or s.called >= 0 else (winner + 0.5) / 1.5


@jit
def patience(s, seat):
    """The chance to call out with: sure, or nearly so if an opponent may be out first."""
    for q in range(s.rules.seats):
        if side(s, q) != side(s, seat) and total(s, side(s, q)) + NEAR >= s.rules.target:
            return HURRY
    return SURE
