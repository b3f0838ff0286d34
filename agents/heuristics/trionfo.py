"""Heuristic player of Trionfo: what a good player of Romagna would advise, as compiled functions of a censored state.

A card is chosen by what it brings: the points of the trick, times the chance that they go to the own side, less what
the card would have been worth later. Everything is counted in thirds of a point. What all cards share is found once for
each decision, in NOTES.
"""

from __future__ import annotations

import numpy as np

from agents.heuristics.shared import weigh_trumps
from trickenv.cards import bit, count, has, lowest, suit_cards, without
from trickenv.engine.batch import first_action, only_action
from trickenv.games.trionfo import (
    ACE,
    BUSSO,
    CALL,
    COUNTING,
    MAX_SEATS,
    NAME_THREE,
    PASS,
    RANKS,
    SIGNAL,
    SOLO,
    SUITS,
    THREE,
    TRUMP,
    TWO,
    VOLO,
    CriccaScope,
    CriccaTrigger,
    Mode,
    Phase,
    called_card,
    cricca_cards,
    declarable,
    hand_size,
    partner_game,
    thirds,
    unseen,
)
from trickenv.jit import jit, scratch
from trickenv.state import onward, side
from trickenv.tricks import above, beats, bosses, following, trick_best

# Weights, in thirds of a point unless they say otherwise.
TRUMP_LENGTH = 2.0  # naming trumps: each card of the suit
TRUMP_LONG = 0.7  # each further card beyond the third
TRUMP_ACE, TRUMP_TWO, TRUMP_THREE = 1.8, 2.2, 2.6  # each top card
TRUMP_CRICCA = 9.0  # a cricca that counts in trumps only
SIDE_CARD = 1.4  # a three or a guarded two outside of trumps, when calling
ALONE = 11.9  # what a socio chooser gives away by naming the suit whose three he holds
CALL_LEAST = 7.8  # strength to call a three, in the same unit
SOLO_LEAST = 22.0  # strength to play alone
RISK = 8.0  # how much less, or more, when behind or ahead at the end of a match
NAMED_ACE, NAMED_TWO = 2.1, 2.0  # what speaks for naming the three of a suit: own cards below it
NAMED_LENGTH = -0.3  # each card of the suit

SPARE = 0.13  # points that a seat still to play throws on a trick, on average
FEED = 0.86  # what it adds when the trick is its own side's
FORCED = 0.76  # what it gives with no small card of the suit
SPENT = 0.42  # how much less likely a seat beats a card that has beaten ours

KEEP_TRUMP = 0.68  # later worth of the least trump
KEEP_STEP = 0.42  # each rank above
KEEP_TOP_TRUMP = 1.0  # more for the best trump left
KEEP_ACE, KEEP_TWO, KEEP_THREE = 0.4, 0.68, 0.27
KEEP_MASTER = 0.3  # more, shared by the unseen cards above it
KEEP_LAST = 6.0  # the only card sure of the last trick, shared by the tricks before it
KEEP_LOW = 0.01  # each rank, among equals
SHORT = 0.58  # the last card of a suit is a burden, with trumps in hand

DRAW = 0.56  # leading trumps: each trump that we have more than they
DRAW_ALONE = 0.78  # the same where all play for themselves, each trump more than the others have on average
PROTECT = 1.5  # more from the top, for each winner in the other suits
IDLE_TRUMP = 2.0  # leading trumps when no opponent has one
RETURN = 0.6  # leading the suit that a partner asked for
BEST_FOR_BUSSO = 2.0  # playing the best card on a partner's busso
LEADER = 1.5  # how much more the points of a seat near the target hurt

BY_SEAT = np.float64, (MAX_SEATS,)
NOTES = [
    # +1 for seats on the own side, -1 (or less than that, where all play for themselves) for opponents, something
    # between for a seat that may be the secret partner.
    ("ours", *BY_SEAT),  # whose points count
    ("odds", *BY_SEAT),  # chance that a card which a seat may hold lies there
    ("no_trump", *BY_SEAT),  # chance that a seat behind has no trump
    ("void", *BY_SEAT),  # chance that it has no card of the suit led
    ("no_small", *BY_SEAT),  # chance that it has none without points
    ("others", np.int64),  # cards that the seat has not seen
    ("holder", np.int64),  # seat that holds the trick, before the own card
    ("points", np.int64),  # thirds of a point in the trick, before the own card
    ("mine", np.float64),  # before a lead: trumps of the own side, the partner's by half
    ("theirs", np.float64),  # trumps of all opponents; of one, where all play for themselves
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
    if s.phase == Phase.cricca:
        return first_action(mask)  # A cricca is three points for three cards that stay in hand: declare every one.
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
    best = -1000
    for q in range(s.rules.seats):
        if q != seat:
            best = max(best, s.scores[q])
    if s.rules.socio_deals - s.deals > 2:
        return 0.0
    return RISK if s.scores[seat] > best + 2 else -RISK if s.scores[seat] < best else 0.0


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
def weigh_seats(s, seat, k):
    """Note whose points count how much for a seat, and how likely a card lies where it may be."""
    n = s.rules.seats
    for q in range(n):
        known = s.shown[q] & s.may_hold[q]
        k.odds[q] = (s.holds[q] - count(known)) / max(1, count(s.may_hold[q] & ~known))
        if s.pairs:
            k.ours[q] = 1.0 if side(s, q) == side(s, seat) else -1.0
        elif not partner_game(s):
            # Where all play for themselves an opponent's points are lost to all, and hurt more if they may win him the
            # match.
            near = s.scores[q] + 11 >= s.rules.target
            k.ours[q] = -(LEADER if near else 1.0) / (n - 1)
        elif s.partner >= 0 or s.alone:
            calls = q == s.chooser or q == s.partner
            k.ours[q] = 1.0 if calls == (seat == s.chooser or seat == s.partner) else -1.0
        else:
            # An unknown partner is each seat that may hold the called three, the more likely the more cards it has.
            secret = chance_of(s, q, called_card(s))
            k.ours[q] = 2.0 * secret - 1.0 if seat == s.chooser else 1.0 - 2.0 * secret
            if q == s.chooser:
                k.ours[q] = -1.0
    k.ours[seat] = 1.0


@jit
def weigh_trick(s, seat, k):
    """Note who holds the trick and what lies in it."""
    k.points = 0
    k.holder = seat
    if s.played > 0:
        k.holder = trick_best(s.trick, s.leader, s.played, 1, s.rules.seats, s.trump, RANKS)
    for n in range(s.played):
        k.points += thirds(bit(s.trick[onward(s, s.leader, n)]))


@jit
def weigh_suit(s, seat, led, k):
    """Note what the seats behind may lack when a suit is led."""
    suit = suit_cards(led, RANKS)
    for n in range(1, s.rules.seats - s.played):
        q = onward(s, seat, n)
        k.no_trump[q] = none_of(s, q, suit_cards(s.trump, RANKS), k)
        k.void[q] = none_of(s, q, suit, k)
        k.no_small[q] = none_of(s, q, suit & ~np.int64(COUNTING), k)


@jit
def chance_of(s, seat, card):
    """Chance that an unseen card lies in a hand: in proportion to the cards of the hands that may hold it."""
    total = 0
    for q in range(s.rules.seats):
        total += s.holds[q] * has(s.may_hold[q], card)
    return s.holds[seat] * has(s.may_hold[seat], card) / max(total, 1)


@jit
def none_of(s, q, cards, k):
    """Chance that a seat holds none of some cards."""
    cards &= s.may_hold[q]
    if cards == 0:
        return 1.0
    promised = s.keeps[q] & s.may_hold[q]
    if cards & s.shown[q] or (promised and cards & promised == promised):
        return 0.0
    chance = 1.0
    for _ in range(count(cards)):
        chance *= 1.0 - k.odds[q]
    return chance


@jit
def can_beat(s, q, card, led, k):
    """Chance that a seat holds a card that takes the trick from `card`, and may play it."""
    higher = 1.0 - none_of(s, q, above(card, RANKS), k)
    if card // RANKS != led:  # ruffed already: only a void seat with a higher trump
        return k.void[q] * higher
    if led == s.trump:
        return higher
    return higher + k.void[q] * (1.0 - k.no_trump[q])


# --- the play --------------------------------------------------------------------------------------------------------


@jit
def choose_play(s, seat, mask):
    """The card with the best balance; before a lead, perhaps a word to the partner first."""
    k = notes()
    k.others = unseen(s, seat)
    weigh_seats(s, seat, k)
    weigh_trick(s, seat, k)
    if s.played == 0:
        weigh_trumps(s, seat, RANKS, k)
        if not s.pairs and not partner_game(s):
            k.theirs /= s.rules.seats - 1
    led = -1
    best = -1
    most = -1e9
    cards = s.hands[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if mask[card]:
            suit = card // RANKS if s.played == 0 else s.trick[s.leader] // RANKS
            if suit != led:
                led = suit
                weigh_suit(s, seat, led, k)
            value = gain(s, seat, card, led, k) - later(s, seat, card, k)
            value += lead(s, seat, card, k) if s.played == 0 else reply(s, seat, card, k)
            if value > most:
                best = card
                most = value
    return say(s, seat, mask, best) if s.played == 0 else best


@jit
def gain(s, seat, card, led, k):
    """What a card brings: the points of the trick, by the chance of the own side to win it.

    So aces and figures go to a partner's sure winner and worthless cards to the opponents, an ace is not led or played
    where it may be beaten, and the last seat knows what it gets.
    """
    best = card
    winner = k.ours[seat]
    points = float(k.points + thirds(bit(card)))
    if s.played > 0 and not beats(card, s.trick[k.holder], s.trump, RANKS):
        best = s.trick[k.holder]
        winner = k.ours[k.holder]
    beaten = 0.0  # chance that a seat behind takes the trick from the best card now
    for n in range(1, s.rules.seats - s.played):
        q = onward(s, seat, n)
        # Whoever can takes the trick, less surely from a card that we do not know yet.
        chance = can_beat(s, q, best, led, k) * (1.0 - SPENT * beaten)
        winner += chance * (k.ours[q] - winner)
        beaten += chance * (1.0 - beaten)
        # Everybody throws his worst card on the opponents' tricks, and points on those of his partner.
        partners = abs(k.ours[q]) > 0.5
        points += SPARE + FEED * max(0.0, winner * k.ours[q]) * partners
        # A seat that follows without small cards must give points.
        points += FORCED * (k.no_small[q] - k.void[q])
    return winner * points


@jit
def later(s, seat, card, k):
    """What a card would be worth later on, were it kept: so a trick is taken with the cheapest card that does it."""
    hand = s.hands[seat]
    suit = card // RANKS
    rank = card % RANKS
    own = following(hand, suit, RANKS)
    trumps = suit_cards(s.trump, RANKS)
    higher = count(k.others & above(card, RANKS))
    value = 0.0
    # The last trick is worth a point, and what the others could not bear to part with: keep the one trump that is sure
    # of it, the more the nearer the end. A second one would do as well.
    if suit == s.trump and higher == 0 and bosses(without(own, card), k.others, SUITS, RANKS) == 0:
        value += KEEP_LAST / max(1, hand_size(s) - s.trick_no - 1)
    # A small trump ruffs, a high one wins tricks: no ruff with more than it takes, no top trump for an empty trick.
    if suit == s.trump:
        return value + KEEP_TRUMP + KEEP_STEP * rank + KEEP_TOP_TRUMP * (higher == 0)
    # In other suits the top cards are worth keeping, the more so the fewer cards beat them.
    value += KEEP_LOW * rank + KEEP_MASTER / (1.0 + higher)
    if rank >= ACE:
        value += KEEP_ACE if rank == ACE else KEEP_TWO if rank == TWO else KEEP_THREE
    # The last card of a suit goes first: it makes room for a ruff.
    if count(own) == 1 and hand & trumps:
        value -= SHORT
    return value


@jit
def asked_for(s, seat, partner, suit):
    """Whether a partner wants a suit back: he slid and keeps a card of it, or knocked and both have played it."""
    cards = suit_cards(suit, RANKS)
    knocked = s.signalled[partner] == BUSSO and s.seen[partner] & cards and s.seen[seat] & cards
    return bool(knocked or s.keeps[partner] & cards)


@jit
def lead(s, seat, card, k):
    """What speaks for or against a lead beyond its trick."""
    hand = s.hands[seat]
    suit = card // RANKS
    value = 0.0
    for q in range(s.rules.seats):
        # Return the suit that a partner asked for.
        if q != seat and k.ours[q] >= 0:
            value += RETURN * k.ours[q] * asked_for(s, seat, q, suit)
    if suit == s.trump:
        # Draw trumps while holding the majority of them; never when the opponents have none left. Where all play for
        # themselves every lead of trumps also sets the others against each other: to have more than each is enough.
        weight = DRAW if s.pairs or partner_game(s) else DRAW_ALONE
        value += weight * (k.mine - k.theirs) if k.theirs > 0.0 else -IDLE_TRUMP
        # From the top of the majority, the more so the more winners there are to be protected from ruffs.
        if k.mine > k.theirs > 0.0:
            winners = bosses(hand, k.others, SUITS, RANKS)
            if has(winners, card):
                value += PROTECT * count(winners & ~suit_cards(s.trump, RANKS))
    # Opening with the ace of a trump cricca declares it, where that is the custom.
    opening = s.trick_no == 0 and s.rules.cricca_trigger == CriccaTrigger.lead_ace_first
    if opening and card % RANKS == ACE and has(declarable(s, seat), suit):
        value += 9.0
    return value


@jit
def reply(s, seat, card, k):
    """What speaks for or against a card on another's lead beyond its trick: a partner's busso asks for the best one."""
    best = above(card, RANKS) & s.hands[seat] == 0
    led = s.trick[s.leader] // RANKS
    if s.signal == BUSSO and k.ours[s.leader] > 0.5 and card // RANKS == led and best:
        return BEST_FOR_BUSSO
    return 0.0


@jit
def say(s, seat, mask, card):
    """The lead itself, or first the true word that helps the partner to read it."""
    hand = s.hands[seat]
    suit = card // RANKS
    length = count(following(hand, suit, RANKS))
    # Tell of a void (volo) only when there are trumps to ruff with.
    if mask[SIGNAL + VOLO] and length == 1 and suit != s.trump and hand & suit_cards(s.trump, RANKS):
        return SIGNAL + VOLO
    return card
