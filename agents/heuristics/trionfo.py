"""Heuristic player of Trionfo: what a good player of Romagna would advise, as compiled functions of a censored state.

A card is chosen by what it brings: the points of the trick, times the chance that they go to the own side, less what
the card would have been worth later. Everything is counted in thirds of a point. `ours[q]` says whose points count:
+1 for seats on the own side, -1 (or less than that, where all play for themselves) for opponents, something between
for a seat that may be the secret partner. `fill[q]` is the chance that a card which seat q may hold lies there.
"""

from __future__ import annotations

import numpy as np

from trickenv.cards import bit, count, has, highest, suit_cards
from trickenv.games.trionfo import (
    ACE, BUSSO, CALL, CRICCA, MY_THREE, NAME_THREE, PASS, RANKS, SIGNAL, SOLO, STRISCIO, SUITS, THREE, TRUMP, TWO, VOLO,
    CriccaScope, CriccaTrigger, Mode, Phase, Signals, called_card, cricca_cards, declarable, hand_size, nameable,
    partner_game, thirds, unseen,
)  # fmt: skip
from trickenv.jit import jit
from trickenv.state import onward, side
from trickenv.tricks import above, beats, following, trick_best

# Weights, in thirds of a point unless they say otherwise.
TRUMP_LENGTH = 2.0  # naming trumps: each card of the suit
TRUMP_LONG = 0.5  # each further card beyond the third
TRUMP_ACE, TRUMP_TWO, TRUMP_THREE = 1.5, 2.0, 2.5  # each top card
TRUMP_CRICCA = 9.0  # cricca that counts only in trumps
SIDE_CARD = 1.0  # a three, a guarded two or ace outside of trumps, when bidding
ALONE = 9.0  # what a socio chooser gives away by naming the suit whose three he holds
CALL_LEAST = 13.0  # strength to call a three, and to play alone
SOLO_LEAST = 22.0
NAMED_TWO, NAMED_ACE, NAMED_LENGTH = 2.0, 1.5, -0.3  # what speaks for naming the three of a suit

SPARE = 0.3  # points that a seat still to play throws on a trick
FEED = 1.0  # what it adds when the trick is its side's
FORGO = 0.25  # chance that a seat able to take an empty trick lets it go

KEEP_TRUMP = 1.5  # later worth of the least trump
KEEP_STEP = 0.15  # more for each rank above
KEEP_TOP_TRUMP = 0.5  # more for the boss trump
KEEP_FIGURE = 0.3  # a king, knight or page that can be fed to a partner
KEEP_LOW = 0.03  # for each rank, among equals
KEEP_ACE, KEEP_TWO, KEEP_THREE = 1.0, 1.5, 2.0
KEEP_BOSS = 0.3  # more for a card that nobody can beat in its suit
KEEP_LAST = 2.0  # more for the only card that is sure of the last trick
GUARD = 0.5  # the last small card beside an ace or two
SHORT = 0.6  # playing the last card of a side suit, with trumps in hand

DRAW = 0.4  # leading trumps: for each that the opponents lose more than we do
IDLE_TRUMP = 2.0  # leading trumps when no opponent has one
LENGTH = 0.15  # leading from a side suit: each further card of it
LEAD_AGAIN = 0.3  # having the lead after the trick
BEST_FOR_BUSSO = 2.0  # playing the best card on a partner's busso
RETURN = 0.6  # leading the suit that a partner's signal asks for
LEADER = 1.5  # how much more the points of a seat near the target hurt


@jit
def choose_rows(states, seats, masks, actions):
    """Choose at many tables: states (n,) censored, seats (n,), masks (n, actions); actions (n,) int64, overwritten."""
    for r in range(len(states)):
        actions[r] = choose(states[r], seats[r], masks[r])


@jit
def choose(s, seat, mask):
    """A legal action for a seat that is on turn, from its censored state."""
    legal = first = 0
    for action in range(len(mask) - 1, -1, -1):
        if mask[action]:
            legal += 1
            first = action
    if legal == 1:
        return first
    if s.phase == Phase.play:
        return choose_play(s, seat, mask)
    if s.phase == Phase.cricca:
        return first  # A cricca is three points for three cards that stay in hand: declare every one.
    if s.phase == Phase.trump:
        return TRUMP + best_trump(s, seat, mask)
    if s.phase == Phase.three:
        return NAME_THREE + best_three(s, seat, mask)
    strength = hand_strength(s, seat)
    if s.phase == Phase.call:
        return CALL if strength >= CALL_LEAST + caution(s, seat) else PASS
    return SOLO if strength >= SOLO_LEAST + caution(s, seat) else PASS


# --- before the play -------------------------------------------------------------------------------------------------


@jit
def trump_strength(s, seat, suit):
    """How good a suit would be as trumps: length first, then the top cards."""
    hand = s.hands[seat]
    length = count(following(hand, suit, RANKS))
    value = TRUMP_LENGTH * length + TRUMP_LONG * max(0, length - 3)
    value += TRUMP_ACE * has(hand, suit * RANKS + ACE)
    value += TRUMP_TWO * has(hand, suit * RANKS + TWO)
    value += TRUMP_THREE * has(hand, suit * RANKS + THREE)
    # A cricca that counts in trumps only is worth naming the suit for.
    cricca = hand & cricca_cards(suit) == cricca_cards(suit)
    if s.rules.cricca_scope == CriccaScope.trump_only and cricca:
        value += TRUMP_CRICCA
    # In socio the three in the own hand means playing one against four.
    if s.rules.mode5 == Mode.socio and has(hand, suit * RANKS + THREE):
        value -= ALONE
    return value


@jit
def best_trump(s, seat, mask):
    """The suit to name."""
    best = -1
    most = -1e9
    for suit in range(SUITS):
        value = trump_strength(s, seat, suit)
        if mask[TRUMP + suit] and value > most:
            best = suit
            most = value
    return best


@jit
def hand_strength(s, seat):
    """Strength of a hand for calling: its best trumps, and the top cards beside them."""
    hand = s.hands[seat]
    best = -1e9
    for suit in range(SUITS):
        value = trump_strength(s, seat, suit)
        for other in range(SUITS):
            if other != suit:
                value += SIDE_CARD * has(hand, other * RANKS + THREE)
                guarded = count(following(hand, other, RANKS)) > 1
                value += SIDE_CARD * guarded * has(hand, other * RANKS + TWO)
        best = max(best, value)
    return best


@jit
def caution(s, seat):
    """Behind in the last deals, risk more; ahead, less: strength to ask for beyond the usual."""
    left = s.rules.socio_deals - s.deals
    best = -1000
    for q in range(s.rules.seats):
        if q != seat:
            best = max(best, s.scores[q])
    if left > 2:
        return 0.0
    return 2.0 if s.scores[seat] > best + 2 else -2.0 if s.scores[seat] < best else 0.0


@jit
def best_three(s, seat, mask):
    """The three to name: where the own two or ace becomes the master, and the suit is short."""
    hand = s.hands[seat]
    best = -1
    most = -1e9
    for suit in range(SUITS):
        value = NAMED_TWO * has(hand, suit * RANKS + TWO) + NAMED_ACE * has(hand, suit * RANKS + ACE)
        value += NAMED_LENGTH * count(following(hand, suit, RANKS))
        if mask[NAME_THREE + suit] and value > most:
            best = suit
            most = value
    return best


# --- who plays with whom, and who may hold what ----------------------------------------------------------------------


@jit
def weigh_seats(s, seat, ours):
    """Whose points count how much for a seat; ours: (seats,) floats, overwritten."""
    n = s.rules.seats
    for q in range(n):
        if s.pairs:
            ours[q] = 1.0 if side(s, q) == side(s, seat) else -1.0
        elif not partner_game(s):
            # Where all play for themselves an opponent's points are lost to all; those of one near the target hurt more.
            near = s.scores[q] + 11 >= s.rules.target
            ours[q] = -(LEADER if near else 1.0) / (n - 1)
        elif s.partner >= 0 or s.alone:
            calls = q == s.chooser or q == s.partner
            ours[q] = 1.0 if calls == (seat == s.chooser or seat == s.partner) else -1.0
        else:
            # An unknown partner is each seat that may hold the called three, the more likely the more cards it has.
            secret = chance_of(s, q, called_card(s))
            ours[q] = 2.0 * secret - 1.0 if seat == s.chooser else 1.0 - 2.0 * secret
            if q == s.chooser:
                ours[q] = -1.0
    ours[seat] = 1.0


@jit
def chance_of(s, seat, card):
    """Chance that an unseen card lies in a hand: in proportion to the cards of the hands that may hold it."""
    total = 0
    for q in range(s.rules.seats):
        total += s.holds[q] * has(s.may_hold[q], card)
    return s.holds[seat] * has(s.may_hold[seat], card) / max(total, 1)


@jit
def none_of(s, q, cards, fill):
    """Chance that a seat holds none of some cards."""
    cards &= s.may_hold[q]
    if cards == 0:
        return 1.0
    promised = s.keeps[q] & s.may_hold[q]
    if cards & s.shown[q] or (promised and cards & promised == promised):
        return 0.0
    chance = 1.0
    for _ in range(count(cards)):
        chance *= 1.0 - fill[q]
    return chance


@jit
def can_beat(s, q, card, led, fill):
    """Chance that a seat holds a card that takes the trick from `card`, and may play it."""
    suit = suit_cards(led, RANKS)
    void = none_of(s, q, suit, fill)
    if card // RANKS != led:  # ruffed already: only a void seat with a higher trump
        return void * (1.0 - none_of(s, q, above(card, RANKS), fill))
    higher = 1.0 - none_of(s, q, above(card, RANKS), fill)
    if led == s.trump:
        return higher
    return higher + void * (1.0 - none_of(s, q, suit_cards(s.trump, RANKS), fill))


# --- the play --------------------------------------------------------------------------------------------------------


@jit
def choose_play(s, seat, mask):
    """The card with the best balance; before a lead, perhaps a word to the partner first."""
    ours = np.empty(s.rules.seats)
    fill = np.empty(s.rules.seats)
    weigh_seats(s, seat, ours)
    for q in range(s.rules.seats):
        known = s.shown[q] & s.may_hold[q]
        fill[q] = (s.holds[q] - count(known)) / max(1, count(s.may_hold[q] & ~known))
    others = unseen(s, seat)
    best = -1
    most = -1e9
    for card in range(SUITS * RANKS):
        if mask[card]:
            value = gain(s, seat, card, ours, fill) - later(s, seat, card, others)
            value += lead(s, seat, card, ours, fill) if s.played == 0 else reply(s, seat, card, ours)
            if value > most:
                best = card
                most = value
    return say(s, seat, mask, best) if s.played == 0 else best


@jit
def gain(s, seat, card, ours, fill):
    """What a card brings: the points of the trick, by the chance of the own side to win it."""
    led = card // RANKS if s.played == 0 else s.trick[s.leader] // RANKS
    best = card
    winner = ours[seat]
    points = float(thirds(bit(card)))
    if s.played > 0:
        holder = trick_best(s.trick, s.leader, s.played, 1, s.rules.seats, s.trump, RANKS)
        if not beats(card, s.trick[holder], s.trump, RANKS):
            best = s.trick[holder]
            winner = ours[holder]
        for q in range(s.rules.seats):
            points += thirds(bit(s.trick[q])) if s.trick[q] >= 0 else 0
    if s.trick_no == hand_size(s) - 1:
        points += 3
    for k in range(1, s.rules.seats - s.played):
        # Whoever plays later takes the trick if he can, less surely if there is little in it.
        q = onward(s, seat, k)
        chance = can_beat(s, q, best, led, fill)
        chance *= 1.0 - FORGO / (1.0 + points)
        winner += chance * (ours[q] - winner)
        # Everybody throws his worst card on the others' tricks, and points on those of his partner.
        points += SPARE + FEED * max(0.0, winner * ours[q]) * (abs(ours[q]) > 0.5)
    return winner * points


@jit
def later(s, seat, card, others):
    """What a card would be worth later on, were it kept."""
    hand = s.hands[seat]
    suit = card // RANKS
    rank = card % RANKS
    boss = others & above(card, RANKS) == 0
    own = following(hand, suit, RANKS)
    if suit == s.trump:
        # A small trump ruffs, a high one draws: spend the smallest that does it.
        value = KEEP_TRUMP + KEEP_STEP * rank + KEEP_TOP_TRUMP * boss
        # The last trick is worth a point: keep one boss trump for it.
        left = hand_size(s) - s.trick_no
        return value + (KEEP_LAST / left if boss and card == highest(own) else 0.0)
    value = KEEP_LOW * rank + KEEP_BOSS * boss
    if rank >= ACE:
        value += KEEP_ACE if rank == ACE else KEEP_TWO if rank == TWO else KEEP_THREE
    elif thirds(bit(card)):
        value += KEEP_FIGURE
    # A bare ace or two falls under the three: keep a small card beside it.
    if count(own) == 2 and rank < ACE and highest(own) % RANKS in (ACE, TWO) and others & above(highest(own), RANKS):
        value += GUARD
    # The last card of a side suit makes room for a ruff.
    if count(own) == 1 and hand & suit_cards(s.trump, RANKS):
        value -= SHORT
    return value


@jit
def lead(s, seat, card, ours, fill):
    """What speaks for or against a lead beyond its trick."""
    hand = s.hands[seat]
    suit = card // RANKS
    trumps = suit_cards(s.trump, RANKS)
    mine = float(count(hand & trumps))
    theirs = 0.0
    value = 0.0
    for q in range(s.rules.seats):
        if q != seat and ours[q] < 0:
            theirs += fill[q] * count(s.may_hold[q] & trumps)
        elif q != seat:
            mine += 0.5 * fill[q] * count(s.may_hold[q] & trumps)
            # Return the suit that the partner promised to keep, or play where he can ruff.
            value += RETURN * (s.keeps[q] & suit_cards(suit, RANKS) != 0)
    if suit == s.trump:
        # Draw trumps while holding the majority; never when the opponents have none left.
        value += DRAW * (mine - theirs) if theirs > 0.0 else -IDLE_TRUMP
    else:
        # Otherwise lead from length.
        value += LENGTH * (count(following(hand, suit, RANKS)) - 1)
    # Opening with the ace of a trump cricca declares it, where that is the custom.
    opening = s.trick_no == 0 and s.rules.cricca_trigger == CriccaTrigger.lead_ace_first
    if opening and card % RANKS == ACE and has(declarable(s, seat), suit):
        value += 9.0
    return value


@jit
def reply(s, seat, card, ours):
    """What speaks for or against a card on another's lead beyond its trick: a partner's busso asks for the best one."""
    best = above(card, RANKS) & s.hands[seat] == 0
    led = s.trick[s.leader] // RANKS
    if s.signal == BUSSO and ours[s.leader] > 0.5 and card // RANKS == led and best:
        return BEST_FOR_BUSSO
    return 0.0


@jit
def say(s, seat, mask, card):
    """The lead itself, or the true word that helps the partner to read it first."""
    hand = s.hands[seat]
    length = count(following(hand, card // RANKS, RANKS))
    # Tell of a void only when there are trumps to ruff with.
    if mask[SIGNAL + VOLO] and length == 1 and card // RANKS != s.trump and hand & suit_cards(s.trump, RANKS):
        return SIGNAL + VOLO
    return card
