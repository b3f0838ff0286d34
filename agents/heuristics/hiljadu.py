"""Heuristic player of Hiljadu: what a good player would advise, as compiled functions of a censored state.

Before the play the points that a hand will make are estimated; a contract is worth what it pays, by the chance to make
it. A card is chosen by what it brings: the points of the trick, by the chance of each seat to win it, and the marriages
that the winner may then announce, less what the card would have won later. What all cards share is found once for each
decision, in NOTES.
"""

from __future__ import annotations

import math

import numpy as np

from trickenv.cards import bit, count, has, suit_cards, without
from trickenv.engine.batch import only_action
from trickenv.games.hiljadu import (
    ANNOUNCE,
    BARREL,
    BID,
    CARD_POINTS,
    FINE,
    GIVE,
    KEEP,
    KING,
    MAX_SEATS,
    PASS,
    PATIENCE,
    QUEEN,
    RAISE,
    RANKS,
    SUITS,
    SURRENDER,
    TRICKS,
    Phase,
    announced_card,
    barrel_score,
    bid_value,
    marriage,
    pairs,
    unseen,
)
from trickenv.jit import jit, scratch
from trickenv.state import onward
from trickenv.tricks import above, beats, bosses, following, trick_best

TEN, ACE = 4, 5  # strengths
SMALL = np.int64(sum(0b111 << (suit * RANKS) for suit in range(SUITS)))  # nine, jack, queen

# Weights, in points unless they say otherwise.
BASE = 10.0  # estimated points of an attacker's hand: any
ACES, TENS, KINGS = 15.0, 13.0, 4.0  # each ace, each ten beside its ace, each king beside both
GUARDED, LENGTH = 4.5, 4.3  # each ten guarded by another card, each card of a suit beyond the third
MARRIAGE, MARRIAGE_NO_ACE = 1.0, 0.3  # part of the best marriage
SECOND, SECOND_NO_ACE = 0.2, 0.1  # part of the second marriage, with two aces or less
TRUMPS, TRUMP_ACE, TRUMP_TEN = 4.1, 4.3, 3.0  # each trump beyond the marriage, the ace and the ten of them
HOPE, HOPE_MARRIAGE = 20.0, 0.1  # what the talon adds: any, and part of a marriage of which one card is held
SPREAD_SEVEN, SPREAD_TEN = 18.0, 11.0  # how uncertain the estimate is, before and after the talon
OVERBID = 10.0  # most that a bid may be above the estimate
DEFENCE = 50.0  # points that the defenders take
OTHERS, OTHERS_MAKE = 10.0, 0.8  # what a defender makes, and the chance that another one's contract is made
VICTORY, ARRIVAL = 500.0, 100.0  # more worth of winning the match, of reaching the barrel
SPARED = 40.0  # worth of one of the two free surrenders

GIFT_POINTS = 0.4  # what speaks against a gift: its points
GIFT_TRUMP, GIFT_LENGTH = 12.0, 3.0  # a card of a marriage's suit, each card of its suit
GIFT_MARRIES = 0.3  # part of a marriage that it may complete
GIFT_BOSS, GIFT_TEN, GIFT_GUARD = 30.0, 4.0, 3.0  # a card that nothing beats, a ten that is guarded, its one guard

STOP = 1.0  # worth of a point of the attacker, times the contract and shared by the points still out
SHARE = 0.5  # a point of an opponent costs half a point: the own score is measured against the mean of theirs
HUNGER = 0.5  # more worth of the first points of a deal
STARVING = 3.0  # the same where an empty deal would cost points
DECIDES = 2.0  # how much more a contract counts that wins the match

LOW = 2.0  # points that a seat still to play throws on a trick, on average
FEED = 3.0  # more on a trick of his fellow defender
FORCED = 4.0  # what it gives with no small card of the suit
SPENT = 0.4  # how much less likely a seat beats a card that has beaten ours
FELLOW = 0.5  # how much less likely a defender beats the card of his fellow

BID_TELLS = 2.0  # how much likelier a marriage is in the hand of a seat that could not have bid without
TEMPO = 3.0  # points that the lead is worth
HOLD = 0.95  # chance to announce a marriage after winning the trick
REGAIN = 0.25  # the same after losing it
KEEP_BOSS, KEEP_BOSS_POINTS, KEEP_TOP_TRUMP = 3.2, 0.5, 1.0  # later worth of a card that nothing beats: any, by points
KEEP_POINTS = 0.54  # of a card with others above it, shared by these
RUFFED = 0.8  # part of it while trumps are out
KEEP_GUARD = 1.0  # of the one card that guards a ten
KEEP_TRUMP = 6.0  # more of any trump
LOSES, LOSES_DEFENDER = 0.5, 0.1  # part of its points that others win: the attacker, a defender
KEEP_LOW = 0.05  # each rank, among equals
DRAW = 1.0  # leading trumps: each trump that we have more than they
PROTECT = 1.0  # more from the top, for each winner in the other suits
IDLE_TRUMP = 5.0  # leading trumps when no opponent has one

BY_SEAT = np.float64, (MAX_SEATS,)
NOTES = [
    ("worth", *BY_SEAT),  # what a point of a seat is worth to the player
    ("odds", *BY_SEAT),  # chance that a card which a seat may hold lies there
    ("prize", *BY_SEAT),  # what it is worth to the player that another seat takes the trick, beside the points
    ("wins", *BY_SEAT),  # chance that a seat takes the trick, for the card that is looked at
    ("others", np.int64),  # cards that the seat has not seen
]
notes = scratch(np.dtype((np.record, np.dtype(NOTES))))


@jit
def choose(s, seat, mask):
    """A legal action for a seat that is on turn, from its censored state."""
    forced = only_action(mask)
    if forced >= 0:
        return forced
    if s.phase == Phase.play:
        return choose_play(s, seat, mask)
    if s.phase == Phase.auction:
        return choose_bid(s, seat, mask)
    if s.phase == Phase.decide:
        return choose_contract(s, seat, mask)
    return choose_gift(s, seat, mask)


# --- before the play -------------------------------------------------------------------------------------------------


@jit
def choose_bid(s, seat, mask):
    """The smallest bid open, if the hand is worth it; never more than its points will probably make."""
    bid = 0
    while not mask[BID + bid]:
        bid += 1
    if not mask[PASS]:
        return BID + bid
    mean = estimate(s, s.hands[seat]) + talon_hope(s, s.hands[seat])
    best = -1e9
    for contract in range(bid_value(bid), s.rules.bid_max + 1, s.rules.bid_step):
        best = max(best, prospect(s, seat, contract, mean, SPREAD_SEVEN))
        if contract >= max(mean, BARREL):
            break
    # Nobody is saved from losing the match by a contract that will fail.
    makeable = bid_value(bid) <= mean + OVERBID or s.barrel[seat] == PATIENCE - 1
    return BID + bid if makeable and best > passing(s, seat) else PASS


@jit
def passing(s, seat):
    """What it is worth to leave the standing bidder his contract; on the barrel for the third deal it is a fall."""
    bidder = 0
    for q in range(s.rules.seats):
        if s.bids[q] == s.contract:
            bidder = q
    made = result(s, bidder, s.contract, True)
    failed = result(s, bidder, s.contract, False)
    falls = FINE * (s.barrel[seat] == PATIENCE - 1)
    return OTHERS - falls - SHARE * (OTHERS_MAKE * made + (1.0 - OTHERS_MAKE) * failed)


@jit
def choose_contract(s, seat, mask):
    """Keep, raise or surrender: the best prospect with the ten cards known."""
    mean = estimate(s, s.hands[seat])
    best = KEEP
    most = prospect(s, seat, s.contract, mean, SPREAD_TEN)
    for action in range(RAISE, KEEP):
        if mask[action]:
            value = prospect(s, seat, bid_value(action - RAISE), mean, SPREAD_TEN)
            if value > most:
                best = action
                most = value
    return SURRENDER if mask[SURRENDER] and surrendering(s, seat) > most else best


@jit
def estimate(s, hand):
    """Points that an attacker makes with a hand, on average."""
    value = BASE
    best = second = trump = 0
    held = pairs(hand)
    aces = 0
    for suit in range(SUITS):
        own = following(hand, suit, RANKS)
        ace, ten = has(own, suit * RANKS + ACE), has(own, suit * RANKS + TEN)
        aces += ace
        # Sure tricks: aces, and tens beside them or guarded; then what is long.
        value += ACES * ace + TENS * (ace and ten) + GUARDED * (ten and not ace and count(own) > 1)
        value += KINGS * (ace and ten and has(own, suit * RANKS + KING)) + LENGTH * max(0, count(own) - 3)
        if has(held, suit * RANKS + QUEEN):
            if marriage(s, suit) >= best:
                second = best
                best = marriage(s, suit)
                trump = suit
            else:
                second = max(second, marriage(s, suit))
    if best == 0:
        return value
    # A marriage is worth its points if a trick will be won first, a second one less; then come the trumps themselves.
    own = following(hand, trump, RANKS)
    value += best * (MARRIAGE if aces else MARRIAGE_NO_ACE) + second * (SECOND if aces > 1 else SECOND_NO_ACE)
    value += TRUMPS * (count(own) - 2) + TRUMP_ACE * has(own, trump * RANKS + ACE)
    return value + TRUMP_TEN * has(own, trump * RANKS + TEN)


@jit
def talon_hope(s, hand):
    """Points that the talon adds on average: something always, more if it may complete a marriage."""
    value = HOPE
    for suit in range(SUITS):
        half = has(hand, suit * RANKS + QUEEN) != has(hand, suit * RANKS + KING)
        value += HOPE_MARRIAGE * half * marriage(s, suit)
    return value


@jit
def prospect(s, seat, contract, mean, spread):
    """What playing a contract is worth, by the chance to make it; the defenders take the points that are left."""
    chance = 1.0 / (1.0 + math.exp((contract - mean) / spread))
    won = result(s, seat, contract, True)
    return chance * won + (1.0 - chance) * result(s, seat, contract, False) - SHARE * DEFENCE


@jit
def result(s, seat, contract, won):
    """What an attacker gains or loses, in points of his score and more for what the score brings."""
    if not won:
        last = s.barrel[seat] == PATIENCE - 1 and contract < BARREL
        return -float(FINE if last else contract)
    if s.barrel[seat] >= 0 and contract < BARREL:
        return -float(FINE) if s.barrel[seat] == PATIENCE - 1 else 0.0
    score = s.scores[seat] + contract
    if score >= s.rules.target:
        return contract + VICTORY
    if s.rules.barrel and score >= barrel_score(s):
        return barrel_score(s) - s.scores[seat] + ARRIVAL
    return float(contract)


@jit
def surrendering(s, seat):
    """What a surrender is worth: the defenders gain half the contract each, the third one costs."""
    value = -2.0 * SHARE * max(s.rules.surrender_min, s.contract // 2)
    if s.rules.surrender_deduct:
        value -= s.contract
    return value - FINE if s.surrenders[seat] >= PATIENCE - 1 else value - SPARED


@jit
def choose_gift(s, seat, mask):
    """Give away the card that is missed least."""
    best = -1
    most = -1e9
    for card in range(SUITS * RANKS):
        if mask[GIVE + card]:
            value = gift_value(s, seat, card)
            if value > most:
                best = card
                most = value
    return GIVE + best


@jit
def gift_value(s, seat, card):
    """What speaks for giving a card away."""
    hand = s.hands[seat]
    others = unseen(s, seat)
    suit = card // RANKS
    rank = card % RANKS
    own = following(hand, suit, RANKS)
    value = -GIFT_POINTS * CARD_POINTS[card]
    # A marriage stays together, and its suit long.
    held = pairs(hand)
    if has(held, suit * RANKS + QUEEN):
        value -= GIFT_TRUMP
        if rank in (QUEEN, KING):
            value -= marriage(s, suit)
    # A king or queen may complete a marriage of the seat that gets it.
    elif rank in (QUEEN, KING) and has(others, card ^ 1):
        value -= GIFT_MARRIES * marriage(s, suit)
    # A card that nothing beats, or that soon will be such, is a trick.
    if others & above(card, RANKS) == 0:
        value -= GIFT_BOSS
    elif rank == TEN and count(own) > 1:
        value -= GIFT_TEN
    # A small card guards the ten above it.
    elif has(own, suit * RANKS + TEN) and has(others, suit * RANKS + ACE) and count(own) == 2:
        value -= GIFT_GUARD
    return value - GIFT_LENGTH * count(own)


# --- the stakes, and who may hold what -------------------------------------------------------------------------------


@jit
def weigh_seats(s, seat, k):
    """Note what a point of each seat is worth to a seat."""
    rest = 120
    for q in range(s.rules.seats):
        rest -= s.points[q]
        for suit in range(SUITS):
            rest += marriage(s, suit) * has(s.married[q], suit)
    for q in range(s.rules.seats):
        # Defenders score their points, but not on the barrel.
        frozen = s.barrel[q] >= 0 or 0 < s.rules.attacker_only_above < s.scores[q]
        k.worth[q] = 0.0 if frozen else 1.0
        if s.points[q] == 0 and s.rules.empty and s.barrel[q] < 0:
            k.worth[q] += STARVING if s.empties[q] == PATIENCE - 1 else HUNGER
        if q != seat:
            k.worth[q] *= -SHARE
    # The attacker's points count only while they may make or break the contract: then they count most.
    a = s.attacker
    need = s.contract - s.points[a]
    held = pairs(s.hands[seat] if seat == a else s.may_hold[a])
    most = rest
    for suit in range(SUITS):
        most += marriage(s, suit) * has(held, suit * RANKS + QUEEN)
    stake = 0.0
    if 0 < need <= most:
        stake = STOP * s.contract / max(rest, 20)
        wins = s.scores[a] + s.contract >= s.rules.target
        stake *= DECIDES if wins else 1.0
    k.worth[a] = 2.0 * stake if seat == a else -stake


@jit
def none_of(s, q, cards, k):
    """Chance that a seat holds none of some cards."""
    cards &= s.may_hold[q]
    if cards == 0:
        return 1.0
    if cards & known_cards(s, q):
        return 0.0
    chance = 1.0
    for _ in range(count(cards)):
        chance *= 1.0 - k.odds[q]
    return chance


@jit
def known_cards(s, q):
    """Cards that surely lie in another hand: shown by an announcement, or the own gift."""
    cards = s.shown[q]
    if s.gifts[q] >= 0:
        cards |= bit(s.gifts[q])
    return cards & s.may_hold[q]


@jit
def can_beat(s, q, card, led, trump, void, k):
    """Chance that a seat holds a card that takes the trick from `card`, and may play it; void: that of no card led."""
    higher = 1.0 - none_of(s, q, above(card, RANKS), k)
    if card // RANKS != led:  # ruffed already: only a void seat with a higher trump
        return void * higher
    if trump < 0 or led == trump:
        return higher
    return higher + void * (1.0 - none_of(s, q, suit_cards(trump, RANKS), k))


# --- the play --------------------------------------------------------------------------------------------------------


@jit
def choose_play(s, seat, mask):
    """The card with the best balance."""
    k = notes()
    look_around(s, seat, k)
    best = -1
    most = -1e9
    for action in range(ANNOUNCE + 2 * SUITS):
        if mask[action]:
            card = action if action < ANNOUNCE else announced_card(action)
            trump = s.trump if action < ANNOUNCE else card // RANKS
            points = weigh_trick(s, seat, card, trump, k)
            value = -later(s, seat, card, trump, k)
            for q in range(s.rules.seats):
                value += k.wins[q] * (k.worth[q] * points + k.prize[q])
            value += k.worth[seat] * after(s, seat, card, k.wins[seat])
            if action >= ANNOUNCE:
                value += k.worth[seat] * marriage(s, trump)
            if s.played == 0:
                value += k.worth[seat] * lead(s, seat, card, trump, k)
            if value > most:
                best = action
                most = value
    return best


@jit
def look_around(s, seat, k):
    """Note what does not depend on the card."""
    k.others = unseen(s, seat)
    weigh_seats(s, seat, k)
    for q in range(s.rules.seats):
        known = known_cards(s, q)
        k.odds[q] = (s.holds[q] - count(known)) / max(1, count(s.may_hold[q] & ~known))
        k.prize[q] = k.worth[q] * (TEMPO + hidden_marriages(s, q, k)) if q != seat else 0.0


@jit
def hidden_marriages(s, q, k):
    """Points of the marriages that another seat may announce when it gets the lead, by their chance."""
    value = 0.0
    if s.trick_no < TRICKS - 2:
        held = pairs(s.may_hold[q])
        for suit in range(SUITS):
            if has(held, suit * RANKS + QUEEN):
                value += marriage(s, suit) * k.odds[q] * k.odds[q]
    # A high bid told of a marriage.
    return value * (BID_TELLS if s.bids[q] > s.rules.no_marriage_cap else 1.0)


@jit
def after(s, seat, card, first):
    """What the lead is worth to the seat itself, above all for a marriage that it may announce then."""
    held = pairs(without(s.hands[seat], card))
    value = 0.0
    if s.trick_no < TRICKS - 2:
        for suit in range(SUITS):
            if has(held, suit * RANKS + QUEEN):
                value += marriage(s, suit)
    return TEMPO * first + value * (REGAIN + (HOLD - REGAIN) * first)


@jit
def weigh_trick(s, seat, card, trump, k):
    """Points that a trick will hold if a card is played; notes the chance of each seat to take it."""
    led = card // RANKS if s.played == 0 else s.trick[s.leader] // RANKS
    suit = suit_cards(led, RANKS)
    points = float(CARD_POINTS[card])
    best = card
    holder = seat
    if s.played > 0:
        leads = trick_best(s.trick, s.leader, s.played, 1, s.rules.seats, trump, RANKS)
        if not beats(card, s.trick[leads], trump, RANKS):
            best = s.trick[leads]
            holder = leads
        for n in range(s.played):
            points += CARD_POINTS[s.trick[onward(s, s.leader, n)]]
    k.wins[:] = 0.0
    k.wins[holder] = 1.0
    beaten = 0.0
    for n in range(1, s.rules.seats - s.played):
        q = onward(s, seat, n)
        # Whoever can takes the trick, less surely from a card that we do not know yet, or from his fellow defender.
        fellows = q != s.attacker and holder != s.attacker
        void = none_of(s, q, suit, k)
        chance = can_beat(s, q, best, led, trump, void, k) * (1.0 - SPENT * beaten) * (1.0 - FELLOW * fellows)
        for other in range(s.rules.seats):
            k.wins[other] *= 1.0 - chance
        k.wins[q] += chance
        beaten += chance * (1.0 - beaten)
        # He throws his worst card on the trick of an opponent, points on that of his fellow.
        points += LOW + FEED * fellows * (1.0 - beaten)
        points += FORCED * (none_of(s, q, suit & SMALL, k) - void)
    return points


@jit
def later(s, seat, card, trump, k):
    """What a card would win later on, were it kept: so a trick is taken with the cheapest card that does it."""
    suit = card // RANKS
    own = following(s.hands[seat], suit, RANKS)
    higher = count(k.others & above(card, RANKS))
    value = KEEP_LOW * (card % RANKS) + KEEP_TRUMP * (suit == trump)
    if higher == 0:
        # A card that nothing beats takes a trick, unless it is ruffed; the best trump surely does.
        ruffed = trump >= 0 and suit != trump and k.others & suit_cards(trump, RANKS) != 0
        kept = KEEP_TOP_TRUMP if suit == trump else KEEP_BOSS_POINTS
        return k.worth[seat] * (value + (KEEP_BOSS + kept * CARD_POINTS[card]) * (RUFFED if ruffed else 1.0))
    # The small card beside a ten guards it from the ace.
    ten = suit * RANKS + TEN
    guards = card < ten and has(own, ten) and has(k.others, ten + 1) and count(own) == 2
    value += KEEP_GUARD * guards
    # A guarded card may still win one, a bare one will be caught.
    mine = 1.0 / (1.0 + higher) if count(own) > 1 else 0.0
    value += KEEP_POINTS * CARD_POINTS[card] * mine
    # The points of a card that will be beaten go to the others, if they are not thrown on a harmless trick before.
    theirs = 0.0
    for q in range(s.rules.seats):
        if q != seat:
            theirs += k.worth[q] * (LOSES if q == s.attacker else LOSES_DEFENDER)
    return k.worth[seat] * value + theirs * CARD_POINTS[card] * (1.0 - mine)


@jit
def lead(s, seat, card, trump, k):
    """What speaks for or against a lead beyond its trick."""
    if trump < 0 or card // RANKS != trump:
        return 0.0
    trumps = suit_cards(trump, RANKS)
    mine = count(s.hands[seat] & trumps)
    theirs = 0.0
    for q in range(s.rules.seats):
        if q != seat:
            theirs += k.odds[q] * count(s.may_hold[q] & trumps)
    # Draw trumps while holding the majority of them; never when the opponents have none left.
    if theirs <= 0.0:
        return -IDLE_TRUMP
    # From the top, where that draws them all, the more so the more winners there are to be protected from ruffs.
    winners = bosses(s.hands[seat], k.others, SUITS, RANKS)
    enough = count(winners & trumps) >= theirs
    return DRAW * (mine - theirs) + PROTECT * enough * has(winners, card) * count(winners & ~trumps)
