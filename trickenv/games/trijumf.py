"""Trijumf, the trick game of the island of Pag with king-and-horse declarations, for two, three or four players.

Sources: the rules as written down on Pag, pagat.com (Trijumf, Marianna), the rules of briškula, trešeta and Madrasso
that they lean on; every open point is decided by an option of `Rules`. The rules as enforced below:

 1. Forty cards, suits kupe, bastone, spade, dinare; strength 1 3 13 12 11 7 6 5 4 2 (13 kralj, 12 konj, 11 fanat).
 2. Card points: 1 counts 11, 3 ten, 13 four, 12 three, 11 two. The last trick (ultima) is worth 10 more: 130 in all.
 3. Four players: partners sit opposite. Two or three: each for himself. The target is 401, with three players 501.
 4. The seat before the dealer chooses: cut, turn or knock. With three players the pack is always cut.
 5. Four: five cards each, then five more, forehand (the seat after the dealer) first. Cut: the card on top of the pack
    before the second five is turned; turn: the very first; its suit is trumps, and it is the next card dealt, so it
    lies openly in forehand's hand. Knock: ten cards each at once, no trumps.
 6. Three: five each, the next card is turned for trumps and stays on the table, then five and three more each.
 7. Two: five each. Cut: the next card is turned for trumps; turn: the first. It lies face up under the stock of the
    other cards and is drawn last. Knock: all thirty face down, no trumps.
 8. Exchange, three players: forehand first, each is asked. If the turned card is above the seven, the holder of the
    seven of trumps may take it and lay down the seven, and the holder of the deuce may then take the seven. If it is a
    four to a seven, only the holder of the deuce may take it. All swaps are open, none is compulsory.
 9. Akuza: 13 and 12 of a suit in one hand, declared by showing them: 40 in trumps, 20 in another suit, credited at
    once. It is never compulsory; a player may declare each suit once.
10. Four: any number of akuze on the own first turn, before playing. Three: any number in a round before the first lead,
    forehand first. Two: on any own turn before playing, one a trick.
11. In a knocked deal there are no trumps until the first akuza: its suit is trumps at once, and it counts 40. The whole
    trick is then judged by it, cards played before it included.
12. Forehand leads to the first trick, then the winner of each trick. Follow suit if able.
13. Who cannot follow must trump if able, with any trump, even over a partner; otherwise any card.
14. Three players: if trumps were led, beat the best trump on the table if able.
15. The highest trump wins the trick, else the highest card of the suit led.
16. Two: after each trick the winner draws a card, then the loser, until the turned card goes to the loser of the
    fifteenth trick. Drawn cards are not shown. Five more tricks follow.
17. Three: the card on the table counts for the winner of the last trick.
18. The leader may say "meni dosta" (enough for me) before a lead, if he could reach the target by this trick. His side
    wins the match if it takes the trick and then has the target, all points of the deal so far included. Otherwise the
    other side wins, with three players both others. The deal is broken off.
19. At the end of a deal the side that has reached the target wins. If several have, the one that won the last trick;
    if that one is not among them, the highest score; if equal, another deal.
20. Nobody wins in mid-deal without saying so (option out_check). Forehand deals the next deal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from trickenv.blocks import Blocks, put, put_cards, put_one
from trickenv.cards import FACE_DOWN, NO_CARD, Deck, adding, bit, count, has, suit_cards, without
from trickenv.jit import jit
from trickenv.observation import common_blocks, observe_cards, observe_table, put_sets, turned
from trickenv.options import Options, option
from trickenv.state import (
    DEAL,
    FIRST_PHASE,
    OVER,
    add_deal,
    ask,
    best_sides,
    clear_deal,
    clear_trick,
    end_match,
    gone,
    held_twice,
    lay,
    members,
    next_seat,
    note,
    onward,
    possible_hands,
    side,
    sides,
    start_match,
    state_dtype,
    take_back,
)  # fmt: skip
from trickenv.tricks import above, following

NAME = "trijumf"
SEATS = (2, 3, 4)
MAX_SEATS = 4
LONGEST_DEAL = 53  # decisions of three: 39 cards, 6 answers about swaps, 4 akuze, 3 passes, one call
POINT_UNIT = 1

_SUITS = [("K", "kupe"), ("B", "bastone"), ("S", "spade"), ("D", "dinare")]
_RANKS = ["2", "4", "5", "6", "7", "11", "12", "13", "3", "1"]
DECK = Deck(_SUITS, _RANKS, {"11": "fanat", "12": "konj", "13": "kralj"})
RANKS = 10
SUITS = 4
DEUCE, SEVEN, HORSE, KING = 0, 4, 6, 7  # strengths
VALUES = np.array([0, 0, 0, 0, 0, 2, 3, 4, 10, 11])  # card points by strength (rule 2)
ULTIMA = 10
HORSES = DECK.cards("K12 B12 S12 D12")
PACK = (1 << DECK.size) - 1
STOCK = MAX_SEATS  # the hidden place after the hands
DRAWN = 30  # cards drawn in a deal of two


class Phase(IntEnum):
    """What the seat on turn decides."""

    deal = DEAL
    over = OVER
    cut = FIRST_PHASE  # cut, turn or knock
    seven = 3  # swap the seven of trumps or pass
    deuce = 4  # swap the deuce of trumps or pass
    akuza = 5  # three: declare or pass
    play = 6  # declare, call out or play a card


# Option values, by the names that users write.
CutMode = IntEnum("CutMode", "cut turn knock", start=0)
CutDecider = IntEnum("CutDecider", "previous_dealer random fixed", start=0)
TurnedCardTo = IntEnum("TurnedCardTo", "forehand dealer", start=0)
AkuzaWindow = IntEnum("AkuzaWindow", "first_turn any_turn pre_play_round", start=0)
AkuzaLimit = IntEnum("AkuzaLimit", "none per_trick per_deal", start=0)
BeatTarget = IntEnum("BeatTarget", "best_so_far led_card", start=0)
KnockTrumpEffect = IntEnum("KnockTrumpEffect", "whole_trick from_declaration", start=0)
BothOut = IntEnum("BothOut", "last_trick higher_total", start=0)
OutCheck = IntEnum("OutCheck", "deal_end immediate", start=0)
CallLegal = IntEnum("CallLegal", "plausible always", start=0)
CallTrickWonBy = IntEnum("CallTrickWonBy", "side caller", start=0)
FailedCall = IntEnum("FailedCall", "both highest", start=0)
Direction = IntEnum("Direction", "clockwise anticlockwise", start=0)

_ON_OFF = (True, False)
_MODES = {2: tuple(CutMode), 3: (CutMode.cut,), 4: tuple(CutMode)}
# By number of seats: the values that go with it, the default first.
_WINDOWS = {
    2: (AkuzaWindow.any_turn,),
    3: (AkuzaWindow.pre_play_round, AkuzaWindow.first_turn),
    4: (AkuzaWindow.first_turn, AkuzaWindow.any_turn),
}
_LIMITS = {2: (AkuzaLimit.per_trick, AkuzaLimit.per_deal), 3: (AkuzaLimit.none,), 4: (AkuzaLimit.none,)}
# Options that only some numbers of seats know: those numbers, and the value that stands for "does not matter".
_ONLY_WITH: dict[str, tuple[tuple[int, ...], int]] = {
    "cut_decider": ((2, 4), CutDecider.previous_dealer),
    "turned_card_to": ((4,), TurnedCardTo.forehand),
    "exchange": ((3,), False),
    "exchange_on_seven": ((3,), False),
    "stock_obligations": ((2,), True),
    "show_draws": ((2,), False),
    "knock_trump_effect": ((2, 4), KnockTrumpEffect.whole_trick),
    "both_out": ((2, 4), BothOut.last_trick),
    "call_trick_won_by": ((4,), CallTrickWonBy.side),
    "failed_call_3p": ((3,), FailedCall.both),
}


@dataclass(frozen=True, kw_only=True)
class Rules(Options):
    """Options of Trijumf; the letter and number after each is the open point that it decides (docs/trijumf.md)."""

    seats: int = option(4, "Number of players.", SEATS)
    target: int = option(None, "Score that ends the match: 401, with three seats 501. T-23", least=1)
    cut_modes: tuple[CutMode, ...] = option(
        None, "What the seat before the dealer may choose (rule 4); three seats: cut only. T-3", CutMode, many=True
    )
    cut_decider: CutDecider = option(
        CutDecider.previous_dealer, "Who chooses: that seat, luck, or nobody: the first of cut_modes. T-2", CutDecider
    )
    turned_card_to: TurnedCardTo = option(
        TurnedCardTo.forehand, "Four seats: whose hand the turned card goes to (rule 5). T-4", TurnedCardTo
    )
    akuza_window: AkuzaWindow = option(
        None, "When to declare (rule 10): two any_turn, three pre_play_round, four first_turn. T-9, T-21", AkuzaWindow
    )
    akuza_limit: AkuzaLimit = option(None, "How many akuze a seat may declare; two seats: per_trick. T-8", AkuzaLimit)
    exchange: bool = option(None, "The swaps of rule 8; on with three seats.", _ON_OFF)
    exchange_on_seven: bool = option(None, "The deuce may take a turned seven; on with three seats. T-18", _ON_OFF)
    must_trump: bool = option(True, "Who cannot follow must trump (rule 13).")
    overtrump: bool = option(False, "Who must trump must beat a trump played before, if able. T-14")
    beat_trump_lead: bool = option(None, "A trump lead must be beaten (rule 14); on with three seats. T-15", _ON_OFF)
    beat_target: BeatTarget = option(BeatTarget.best_so_far, "The card that rule 14 wants beaten. T-16", BeatTarget)
    stock_obligations: bool = option(True, "Two seats: rules 12 to 14 hold while the stock lasts, too. T-6")
    show_draws: bool = option(False, "Two seats: drawn cards are shown. T-7")
    knock_trump_effect: KnockTrumpEffect = option(
        KnockTrumpEffect.whole_trick, "Cards that trumps set in mid-trick hold for (rule 11). T-12", KnockTrumpEffect
    )
    both_out: BothOut = option(BothOut.last_trick, "Who wins if two sides reach the target (rule 19). T-24", BothOut)
    out_check: OutCheck = option(OutCheck.deal_end, "When reaching the target ends the match (rule 20). T-25", OutCheck)
    call_out: bool = option(True, "The call of rule 18.")
    call_legal: CallLegal = option(CallLegal.plausible, "Call with the target within reach, or always. T-28", CallLegal)
    call_trick_won_by: CallTrickWonBy = option(
        CallTrickWonBy.side, "Four seats: who must take the called trick. T-26", CallTrickWonBy
    )
    failed_call_3p: FailedCall = option(
        FailedCall.both, "Three seats: who wins when a call fails, both others or the higher. T-27", FailedCall
    )
    direction: Direction = option(Direction.clockwise, "Way round the table, for drawing only. T-1", Direction)

    def fill(self) -> dict[str, Any]:
        """What depends on the number of seats."""
        three = self.seats == 3
        return {
            "target": 501 if three else 401,
            "cut_modes": _MODES[self.seats],
            "akuza_window": _WINDOWS[self.seats][0],
            "akuza_limit": _LIMITS[self.seats][0],
            "exchange": three,
            "exchange_on_seven": three and self.exchange is not False,
            "beat_trump_lead": three,
        }

    def contradictions(self) -> Iterable[str]:
        """Sentences about options that do not go together."""
        n = self.seats
        values = self.plain()
        for name, (seats, idle) in _ONLY_WITH.items():
            if n not in seats and getattr(self, name) != idle:
                yield f"{name}={values[name]} does not go with {n} seats, only with {' or '.join(map(str, seats))}"
        if n == 3 and self.cut_modes != _MODES[3]:
            yield f"cut_modes={', '.join(values['cut_modes'])} does not go with 3 seats: they always cut (rule 4)"
        for name, allowed in (("akuza_window", _WINDOWS[n]), ("akuza_limit", _LIMITS[n])):
            if getattr(self, name) not in allowed:
                names = " or ".join(v.name for v in allowed)
                yield f"{name}={values[name]} does not go with {n} seats, which play {names} (rule 10)"
        if self.exchange_on_seven and not self.exchange:
            yield "exchange_on_seven needs exchange: without it nothing is swapped (rule 8)"
        if self.overtrump and not self.must_trump:
            yield "overtrump needs must_trump: nobody who need not trump need beat a trump (rule 13)"


PRESETS: dict[str, dict[str, Any]] = {
    "four": {},
    "two": {"seats": 2},
    "three": {"seats": 3},
    "four_any_turn": {"akuza_window": "any_turn"},
    "four_strict_over": {"overtrump": True, "beat_trump_lead": True},
    "two_stock_free": {"seats": 2, "stock_obligations": False},
    "four_dealer_card": {"cut_modes": ["cut"], "turned_card_to": "dealer"},
    "four_no_call": {"call_out": False},
}

ACTIONS = Blocks(
    ("play", 40, "play the card", 40),
    ("declare", 4, "declare the akuza of the suit", 4),
    ("cut", 1, "have the pack cut"),
    ("turn", 1, "have the first card turned"),
    ("knock", 1, "knock: no trumps yet"),
    ("swap", 1, "swap the seven or the deuce of trumps (three seats)"),
    ("dosta", 1, "call out before a lead"),
    ("pass", 1, "pass"),
)
DECLARE, CUT, SWAP, DOSTA, PASS = (ACTIONS.start(name) for name in ("declare", "cut", "swap", "dosta", "pass"))

STATE = state_dtype(
    Rules,
    seats=MAX_SEATS,
    places=MAX_SEATS + 1,  # hands, then the stock
    fields=[
        ("slots", np.int64, (2, 5)),  # two seats: what each unknown card cannot be, longest held first (see `vacate`)
        ("stock", np.int32, (DECK.size,)),  # cards face down, the top one last, NO_CARD beyond; FACE_DOWN if censored
        ("stock_left", np.int32),  # number of cards in `stock`
        ("mode", np.int32),  # CutMode of the deal, -1 = not chosen yet
        ("turned", np.int32),  # card turned up in this deal, -1 = none
        ("table_card", np.int32),  # card face up beside or under the stock, -1 = none (any more)
        ("trump", np.int32),  # suit, -1 = none (yet)
        ("plain", np.int32),  # cards of the open trick that stay plain as they came before trumps (from_declaration)
        ("declared", np.int32, (MAX_SEATS,)),  # bit set of suits, by seat
        ("declared_now", np.int32),  # bit set of the seats that have declared in the open trick
        ("called", np.int32),  # seat that called out for the open trick, -1 = none
        ("last_winner", np.int32),  # seat that won the latest trick of this deal, -1 = none yet
    ],
)

OBSERVATION = Blocks(
    *common_blocks(MAX_SEATS, DECK.size, SUITS, "cut seven deuce akuza play"),
    ("shown", 40, "cards in hands that all know; `hand` and `may_hold` tell whose", 40),
    ("table_card", 40, "card face up on the table, or under the stock", 40),
    ("mode", 3, "how the deal was opened: cut, turn, knock"),
    ("stock", 1, "cards left to draw, in parts of 30"),
    ("declared", 16, "suits of the akuze declared, by seat", 4),
    ("declared_now", 4, "seats that have declared in this trick"),
    ("window", 4, "seats that the rules still let declare"),
    ("has_played", 4, "seats that have played a card in this deal"),
    ("called", 4, "seat that called out for this trick"),
    ("plain", 1, "cards of the trick that came before trumps and stay plain, in parts of 4"),
    ("target", 1, "target in parts of 1000"),
    ("modes", 3, "cut, turn, knock may be chosen"),
    ("opening", 3, "options: cut decider random, fixed; turned card to the dealer"),
    ("akuze", 3, "options: akuze on any turn, on the first turn, one a deal"),
    ("duties", 5, "options: must trump, overtrump, beat a trump lead, beat the led card only, free while stock lasts"),
    ("endings", 4, "options: higher total wins, out at once, calls allowed, calls always legal"),
    ("customs", 6, "options: draws shown, swaps, swap of a seven, trumps from akuza on, caller's trick, highest wins"),
)


# --- the course of a deal --------------------------------------------------------------------------------------------


@jit
def start(s, dealer):
    """Begin a match: scores and counters at zero, `dealer` deals first."""
    start_match(s, dealer, 1 if s.rules.seats == 4 else 0)  # rule 3
    s.stock[:] = NO_CARD
    s.stock_left = 0
    s.mode = s.turned = s.table_card = s.trump = s.called = s.last_winner = -1


@jit
def handicap(s, fractions):
    """Put a new match somewhere in its middle; fractions: (4,) in [0, 1), one for each side."""
    for k in range(sides(s)):
        s.scores[k] = int(fractions[k] * s.rules.target)


@jit
def pack(s, deck):
    """Cards that are shuffled and dealt (rule 1): fills `deck`, returns their number."""
    for card in range(SUITS * RANKS):
        deck[card] = card
    return SUITS * RANKS


@jit
def tricks(s):
    """Tricks in a deal."""
    return 20 if s.rules.seats == 2 else (13 if s.rules.seats == 3 else 10)


@jit
def deal(s, deck):
    """Lay down a shuffled pack, top card first, for the choice of rule 4, or deal it at once."""
    clear_deal(s)
    s.slots[:, :] = 0
    s.declared[:] = 0
    s.mode = s.turned = s.table_card = s.trump = s.called = s.last_winner = -1
    s.plain = s.declared_now = 0
    for k in range(SUITS * RANKS):
        s.stock[SUITS * RANKS - 1 - k] = deck[k]
    s.stock_left = SUITS * RANKS
    if s.rules.cut_decider == CutDecider.previous_dealer and count(s.rules.cut_modes) > 1:
        ask(s, Phase.cut, onward(s, s.dealer, s.rules.seats - 1))
    else:
        open_deal(s, settled_mode(s, deck))


@jit
def settled_mode(s, deck):
    """The mode that nobody chooses: the first allowed one, or one drawn by a checksum over the order of the pack.

    The checksum mixes all cards, so that the mode tells nothing of where any of them lies.
    """
    left = 0
    if s.rules.cut_decider == CutDecider.random:
        checksum = 0
        for k in range(SUITS * RANKS):
            checksum = (checksum * 69069 + deck[k] + 1) & 0x7FFFFFFF
        left = ((checksum >> 15) * count(s.rules.cut_modes)) >> 16
    for mode in range(3):
        if has(s.rules.cut_modes, mode):
            if left == 0:
                return mode
            left -= 1
    return 0


@jit
def open_deal(s, mode):
    """Deal the pack in the mode chosen (rules 5 to 7), then swaps, akuze or the first lead."""
    s.mode = mode
    if mode == CutMode.knock:
        packets(s, 10 if s.rules.seats == 4 else 5, 0)
    else:
        if mode == CutMode.turn:
            turn_up(s)
        packets(s, 5, 0)
        if mode == CutMode.cut:
            turn_up(s)
        if s.rules.seats == 4:
            packets(s, 5, 1 if s.rules.turned_card_to == TurnedCardTo.dealer else 0)
        elif s.rules.seats == 3:
            packets(s, 5, 0)
            packets(s, 3, 0)
    open_exchange(s)


@jit
def top_card(s):
    """Take the top card off the pack or stock."""
    s.stock_left -= 1
    card = s.stock[s.stock_left]
    s.stock[s.stock_left] = NO_CARD
    return card


@jit
def packets(s, cards, fewer):
    """So many cards to each seat, forehand first, the dealer last with `fewer` less."""
    for k in range(1, s.rules.seats + 1):
        seat = onward(s, s.dealer, k)
        for _ in range(cards - (fewer if seat == s.dealer else 0)):
            s.hands[seat] = adding(s.hands[seat], top_card(s))


@jit
def turn_up(s):
    """Turn the top card for trumps: it is dealt on to forehand, or goes to the dealer or the table (rules 5 to 7)."""
    s.turned = s.stock[s.stock_left - 1]
    s.trump = s.turned // RANKS
    if s.rules.seats < 4:
        s.table_card = top_card(s)
    elif s.rules.turned_card_to == TurnedCardTo.dealer:
        s.shown[s.dealer] = bit(s.turned)
        s.hands[s.dealer] |= bit(top_card(s))
    else:
        s.shown[next_seat(s, s.dealer)] = bit(s.turned)


@jit
def step(s, action):
    """Carry out a legal action of the seat on turn."""
    if s.phase == Phase.play:
        note(s, action)
        if action < DECLARE:
            play(s, action)
        elif action == DOSTA:
            s.called = s.turn
        else:
            declare(s, s.turn, action - DECLARE)
    elif s.phase == Phase.cut:
        open_deal(s, action - CUT)
    elif s.phase == Phase.akuza:
        answer_akuza(s, action)
    else:
        answer_exchange(s, action)


@jit
def open_exchange(s):
    """Ask about swaps if the turned card allows any (rule 8)."""
    strength = s.turned % RANKS
    forehand = next_seat(s, s.dealer)
    if not s.rules.exchange or strength == DEUCE or (strength == SEVEN and not s.rules.exchange_on_seven):
        open_akuze(s)
    else:
        ask(s, Phase.seven if strength > SEVEN else Phase.deuce, forehand)


@jit
def swapped(s):
    """The card that may be swapped for the one on the table in the current poll (rule 8)."""
    return s.trump * RANKS + (SEVEN if s.phase == Phase.seven else DEUCE)


@jit
def answer_exchange(s, action):
    """SWAP, or PASS to the next seat; the deuce is asked for once the seven lies on the table (rule 8)."""
    s.asked += 1
    if action == SWAP:
        laid, taken = swapped(s), s.table_card
        s.hands[s.turn] = adding(without(s.hands[s.turn], laid), taken)
        s.shown[s.turn] = adding(s.shown[s.turn], taken)
        s.table_card = laid
        if s.phase == Phase.seven:
            ask(s, Phase.deuce, next_seat(s, s.dealer))
        else:
            open_akuze(s)
    elif s.asked == s.rules.seats:
        open_akuze(s)
    else:
        s.turn = next_seat(s, s.turn)


@jit
def open_akuze(s):
    """The round of akuze where it comes before the play (rule 10), then the first lead (rule 12)."""
    s.leader = next_seat(s, s.dealer)
    ask(s, Phase.akuza if s.rules.akuza_window == AkuzaWindow.pre_play_round else Phase.play, s.leader)


@jit
def answer_akuza(s, action):
    """Declare and be asked again, or PASS to the next seat (rule 10)."""
    if action != PASS:
        declare(s, s.turn, action - DECLARE)
        return
    s.asked += 1
    if s.asked == s.rules.seats:
        ask(s, Phase.play, s.leader)
    else:
        s.turn = next_seat(s, s.turn)


@jit
def pair(suit):
    """King and horse of a suit."""
    return bit(suit * RANKS + KING) | bit(suit * RANKS + HORSE)


@jit
def window(s, seat):
    """Whether the rules let a seat declare on its turn, whatever it holds (rule 10, and after a call no more)."""
    if s.phase == Phase.play:
        if s.rules.akuza_window == AkuzaWindow.pre_play_round or s.called == seat:
            return False
        if s.rules.akuza_window == AkuzaWindow.first_turn and s.seen[seat] != 0:
            return False
    if s.rules.akuza_limit == AkuzaLimit.per_trick:
        return not has(s.declared_now, seat)
    return s.rules.akuza_limit == AkuzaLimit.none or s.declared[seat] == 0


@jit
def declarable(s, seat):
    """Bit set of the suits whose akuza a seat holds, may declare and has not declared (rules 9 and 10)."""
    suits = 0
    hand = s.hands[seat]
    if hand & (hand >> (KING - HORSE)) & HORSES and window(s, seat):
        for suit in range(SUITS):
            if hand & pair(suit) == pair(suit) and not has(s.declared[seat], suit):
                suits |= 1 << suit
    return suits


@jit
def declare(s, seat, suit):
    """Credit an akuza; its two cards are now known, and in a knocked deal the first sets trumps (rules 9 and 11)."""
    if s.trump < 0:
        s.trump = suit
        s.plain = s.played if s.rules.knock_trump_effect == KnockTrumpEffect.from_declaration else 0
    s.declared[seat] |= 1 << suit
    s.declared_now |= 1 << seat
    s.points[side(s, seat)] += 40 if suit == s.trump else 20
    show(s, seat, suit * RANKS + KING)
    show(s, seat, suit * RANKS + HORSE)
    end_if_out(s)


# --- the play of the cards -------------------------------------------------------------------------------------------


@jit
def holder(s):
    """Seat whose card holds the trick so far (rule 15), -1 before the lead."""
    if s.played == 0:
        return -1
    best = seat = s.leader
    led = s.trick[seat] // RANKS
    top = -1
    for k in range(s.played):
        card = s.trick[seat]
        suit = card // RANKS
        trump = suit == s.trump and k >= s.plain
        strength = card + SUITS * RANKS if trump else (card if suit == led else -1)
        best = seat if strength > top else best
        top = max(top, strength)
        seat = next_seat(s, seat)
    return best


@jit
def obliged(s):
    """Whether the duties of rules 12 to 14 hold: with two, perhaps only when the stock is used up."""
    return s.rules.stock_obligations or s.stock_left == 0


@jit
def to_beat(s):
    """The card that those who follow to a trump lead must beat if able (rule 14), -1 if there is no such duty."""
    lead = s.trick[s.leader]
    if not s.rules.beat_trump_lead or lead // RANKS != s.trump or s.plain > 0:
        return -1
    return lead if s.rules.beat_target == BeatTarget.led_card else s.trick[holder(s)]


@jit
def to_overtrump(s):
    """The trump that those who must trump must beat if able (option overtrump), -1 if there is no such duty."""
    best = s.trick[holder(s)] if s.rules.overtrump else -1
    return best if best >= 0 and best // RANKS == s.trump else -1


@jit
def playable(s):
    """Cards that the seat on turn may play, as a set (rules 12 to 14)."""
    hand = s.hands[s.turn]
    if s.played == 0 or not obliged(s):
        return hand
    cards = following(hand, s.trick[s.leader] // RANKS, RANKS)
    if cards:
        beaten = to_beat(s)
    elif s.trump >= 0 and s.rules.must_trump:
        cards = following(hand, s.trump, RANKS)
        beaten = to_overtrump(s)
    else:
        return hand
    if beaten >= 0 and cards & above(beaten, RANKS):
        return cards & above(beaten, RANKS)
    return cards if cards else hand


@jit
def play(s, card):
    """Play a card, note what it tells everybody, close the trick when it is full."""
    seat = s.turn
    if s.played > 0 and obliged(s):
        note_follow(s, seat, card)
    if s.rules.seats == 2:
        vacate(s, seat, card)
    lay(s, seat, card)
    if s.rules.seats == 2:
        note_slots(s, seat)
    if s.played == s.rules.seats:
        end_trick(s)
    else:
        s.turn = next_seat(s, seat)


@jit
def note_follow(s, seat, card):
    """What all learn that a hand lacks from the duty that its card leaves unfulfilled (rules 12 to 14)."""
    led = s.trick[s.leader] // RANKS
    lacked = np.int64(0)
    if card // RANKS == led:
        beaten = to_beat(s)
    else:
        lacked = suit_cards(led, RANKS)
        beaten = -1
        if s.rules.must_trump and s.trump >= 0:
            if card // RANKS == s.trump:
                beaten = to_overtrump(s)
            else:
                lacked |= suit_cards(s.trump, RANKS)
    if card < beaten:
        lacked |= above(beaten, RANKS)
    s.lacks[seat] |= lacked
    if s.rules.seats == 2:
        for k in range(5):
            s.slots[seat, k] |= lacked


@jit
def show(s, seat, card):
    """A card of a hand becomes known to all."""
    if s.rules.seats == 2:
        vacate(s, seat, card)
    s.shown[seat] = adding(s.shown[seat], card)
    if s.rules.seats == 2:
        note_slots(s, seat)


@jit
def unknown(s, seat):
    """Number of cards in a hand that are not known to all; for full states."""
    return count(s.hands[seat] & ~s.shown[seat])


@jit
def vacate(s, seat, card):
    """Two seats: a card unknown so far turns up, so one of the slots is no longer.

    A card drawn later escapes what all learnt before: so each unknown card has its own set of what it cannot be, and
    the older holds the younger's. Which slot the card came from is not known; to take the oldest that it can have been
    leaves those that allow most, and any hand that another choice would allow.
    """
    if has(s.shown[seat], card):
        return
    last = unknown(s, seat) - 1
    k = 0
    while k < last and has(s.slots[seat, k], card):
        k += 1
    for i in range(k, last):
        s.slots[seat, i] = s.slots[seat, i + 1]
    s.slots[seat, last] = 0


@jit
def note_slots(s, seat):
    """Two seats: what the hand lacks altogether is what its youngest unknown card cannot be."""
    n = unknown(s, seat)
    s.lacks[seat] = s.slots[seat, n - 1] & ~s.shown[seat] if n > 0 else np.int64(0)


@jit
def end_trick(s):
    """The winner takes the points and leads; then a call is judged, the deal ends or cards are drawn."""
    winner = holder(s)
    points = 0
    for seat in range(s.rules.seats):
        points += VALUES[s.trick[seat] % RANKS]
    clear_trick(s, winner)
    s.plain = s.declared_now = 0
    s.last_winner = winner
    last = s.trick_no == tricks(s)
    if last:
        points += ULTIMA + (VALUES[s.table_card % RANKS] if s.table_card >= 0 else 0)  # rules 2 and 17
    s.points[side(s, winner)] += points
    if s.called >= 0:
        end_call(s)
    elif last:
        end_deal(s)
    else:
        end_if_out(s)
        if s.phase == Phase.play and s.stock_left > 0:
            draw_card(s, winner)
            draw_card(s, next_seat(s, winner))


@jit
def draw_card(s, seat):
    """Draw the top card of the stock, or the turned one under it, which all know (rule 16)."""
    open_card = s.stock_left == 0
    card = s.table_card if open_card else top_card(s)
    if open_card:
        s.table_card = -1
    if open_card or s.rules.show_draws:
        s.shown[seat] = adding(s.shown[seat], card)
    else:
        s.slots[seat, unknown(s, seat)] = 0
    s.hands[seat] = adding(s.hands[seat], card)
    note_slots(s, seat)


# --- scores ----------------------------------------------------------------------------------------------------------


@jit
def total(s, side_no):
    """Score of a side with what it has made in this deal."""
    return s.scores[side_no] + s.points[side_no]


@jit
def callable_now(s):
    """Whether the seat on turn may call out (rule 18): before a lead, and with the target within reach of the trick."""
    if not s.rules.call_out or s.played > 0 or s.called >= 0:
        return False
    most = 11 * s.rules.seats
    if s.trick_no == tricks(s) - 1:
        most += ULTIMA + (VALUES[s.table_card % RANKS] if s.table_card >= 0 else 0)
    return s.rules.call_legal == CallLegal.always or total(s, side(s, s.turn)) + most >= s.rules.target


@jit
def book(s):
    """Add the points of the deal to the scores and pass the deal on (rule 20)."""
    s.delta[:] = s.points
    add_deal(s)
    s.dealer = next_seat(s, s.dealer)


@jit
def end_call(s):
    """Judge a call at the end of its trick; it decides the match either way (rule 18)."""
    caller = s.called
    book(s)
    won = side(s, s.last_winner) == side(s, caller)
    if s.rules.call_trick_won_by == CallTrickWonBy.caller:
        won = s.last_winner == caller
    if won and s.scores[side(s, caller)] >= s.rules.target:
        end_match(s, 1 << side(s, caller))
        return
    others = ((1 << sides(s)) - 1) & ~(1 << side(s, caller))
    if s.rules.seats == 3 and s.rules.failed_call_3p == FailedCall.highest:
        first, second = next_seat(s, caller), onward(s, caller, 2)
        if s.scores[first] != s.scores[second]:
            others = 1 << (first if s.scores[first] > s.scores[second] else second)
    end_match(s, others)


@jit
def end_if_out(s):
    """With out_check=immediate a side that reaches the target in mid-deal ends it; a call decides for itself."""
    if s.rules.out_check == OutCheck.immediate and s.called < 0:
        for k in range(sides(s)):
            if total(s, k) >= s.rules.target:
                end_deal(s)
                return


@jit
def out_sides(s):
    """Bit set of the sides whose score has reached the target."""
    out = 0
    for k in range(sides(s)):
        if s.scores[k] >= s.rules.target:
            out |= 1 << k
    return out


@jit
def end_deal(s):
    """Add the deal to the match, and end it if one side has won (rule 19)."""
    book(s)
    out = out_sides(s)
    if count(out) > 1:
        ultima = 1 << side(s, s.last_winner) if s.last_winner >= 0 else 0
        by_ultima = s.rules.both_out == BothOut.last_trick and out & ultima
        out = ultima if by_ultima else best_sides(s, s.rules.target)
    if count(out) == 1:
        end_match(s, out)


# --- what search wants to know ---------------------------------------------------------------------------------------


@jit
def card_points(s, card):
    """Points of a card (rule 2)."""
    return VALUES[card % RANKS]


@jit
def stronger(s, card):
    """The cards of a card's suit that are stronger, as a set."""
    return above(card, RANKS)


@jit
def card_action(s, card):
    """Number of the action that plays a card."""
    return card


@jit
def points_left(s):
    """Points of the cards still in play, the ultima, and akuze that may still be declared (rules 2, 9 and 16)."""
    total = ULTIMA
    out = gone(s)
    for card in range(SUITS * RANKS):
        if not has(out, card):
            total += VALUES[card % RANKS]
    for seat in range(s.rules.seats):
        if s.trick[seat] >= 0:
            total += VALUES[s.trick[seat] % RANKS]
    for suit in range(SUITS):
        together = s.rules.seats == 2 and not out & pair(suit)
        for seat in range(s.rules.seats):
            together |= s.hands[seat] & pair(suit) == pair(suit)
        total += 40 * together
    return total


@jit
def pays_points(s):
    """The points of the deal are added to the scores (rule 20)."""
    return True


@jit
def bearing(s):
    """Trumps, a call for this trick (rule 18), and who has declared what (rules 9 and 10)."""
    key = np.int64(s.declared_now)
    for seat in range(s.rules.seats):
        key = key * 16 + s.declared[seat]
    return (key * 8 + s.called + 1) * 8 + s.trump + 1


@jit
def speaks(s):
    """An akuza brings points and may make trumps (rules 9 and 11)."""
    return declarable(s, s.turn) != 0


# --- what may be done, and who sees what -----------------------------------------------------------------------------


@jit
def legal(s, mask):
    """Actions of the seat on turn; mask: (50,) int8, overwritten with ones and zeros."""
    mask[:] = 0
    if s.phase == Phase.play:
        cards = playable(s)
        for card in range(SUITS * RANKS):
            mask[card] = (cards >> card) & 1
        mask[DOSTA] = callable_now(s)
        legal_akuze(s, mask)
    elif s.phase == Phase.cut:
        for mode in range(3):
            mask[CUT + mode] = has(s.rules.cut_modes, mode)
    elif s.phase == Phase.akuza:
        mask[PASS] = 1
        legal_akuze(s, mask)
    elif s.phase >= FIRST_PHASE:
        mask[PASS] = 1
        mask[SWAP] = has(s.hands[s.turn], swapped(s))


@jit
def legal_akuze(s, mask):
    """Akuze that the seat on turn may declare."""
    suits = declarable(s, s.turn)
    for suit in range(SUITS):
        mask[DECLARE + suit] = has(suits, suit)


@jit
def unseen(s, seat):
    """Cards that lie in other hands or in the stock, from what a seat knows."""
    cards = np.int64(PACK) & ~gone(s) & ~s.hands[seat]
    return without(cards, s.table_card) if s.table_card >= 0 else cards


@jit
def held(s, seat):
    """Number of cards in a hand, from what all know."""
    if s.mode < 0:
        return 0
    dealt = tricks(s)
    if s.rules.seats == 2:
        dealt = 5 + ((DRAWN - s.stock_left - (s.table_card >= 0)) >> 1)
    return dealt - count(s.seen[seat])


@jit
def possible(s, seat):
    """Which unseen cards each other place may hold, and how many, into `may_hold` and `holds` of a censored state."""
    s.may_hold[:] = 0
    s.holds[:] = 0
    cards = unseen(s, seat)
    possible_hands(s, seat, cards)
    for q in range(s.rules.seats):
        cards &= ~s.shown[q]
        if q != seat:
            s.holds[q] = held(s, q)
            if s.holds[q] == count(s.shown[q]):
                s.may_hold[q] = s.shown[q]
    if s.stock_left > 0:
        s.may_hold[STOCK] = cards
        s.holds[STOCK] = s.stock_left


@jit
def fits(s, seat):
    """Whether assumed hands agree with what is known of several cards together.

    Only with two, where a hand that lacked a suit may have drawn some: each slot must find a card of its own.
    """
    if s.rules.seats == 2:
        for q in range(2):
            if q != seat:
                cards = s.hands[q] & ~s.shown[q]
                for k in range(count(cards)):
                    if count(cards & ~s.slots[q, k]) <= k:
                        return False
    return True


@jit
def rewind(s):
    """Back to the first lead (rule 12), unless cards were drawn since; akuze declared before it stay."""
    if s.rules.seats == 2:
        return False
    take_back(s, next_seat(s, s.dealer))
    s.plain = s.declared_now = 0
    s.called = s.last_winner = -1
    show_turned(s)
    if s.rules.akuza_window != AkuzaWindow.pre_play_round:
        s.declared[:] = 0
        if s.mode == CutMode.knock:
            s.trump = -1
    for seat in range(s.rules.seats):
        for suit in range(SUITS):
            if has(s.declared[seat], suit):
                s.shown[seat] |= pair(suit)
                s.points[side(s, seat)] += 40 if suit == s.trump else 20
                s.declared_now |= 1 << seat
    return True


@jit
def show_turned(s):
    """Before the first lead of three or four: what all know of hands by the turned card and the swaps (rules 5, 8)."""
    taken = np.int64(0)
    if s.turned >= 0 and s.turned != s.table_card:
        taken = bit(s.turned)
        if s.rules.seats == 3 and s.table_card % RANKS == DEUCE and s.turned % RANKS > SEVEN:
            taken |= bit(s.trump * RANKS + SEVEN)  # laid down for the turned card, and taken for the deuce
    for seat in range(s.rules.seats):
        s.shown[seat] = s.hands[seat] & taken


@jit
def settle(s, seat, places, order):
    """Put assumed hidden cards into a censored state; the stock takes its cards as they come in `order`."""
    for q in range(s.rules.seats):
        if q != seat:
            s.hands[q] = places[q]
    k = 0
    for i in range(s.stock_left):
        while not has(places[STOCK], order[k]):
            k += 1
        s.stock[i] = order[k]
        k += 1


@jit
def censor(s, seat):
    """Blank all that a seat may not know: other hands, the order of the stock, the packs to come."""
    for q in range(s.rules.seats):
        if q != seat:
            s.hands[q] = 0
    for i in range(s.stock_left):
        s.stock[i] = FACE_DOWN
    s.rng = np.uint64(0)


@jit
def observe(s, seat, out):
    """What a seat knows, from its censored state, laid out as OBSERVATION; returns the end."""
    at = observe_cards(s, seat, out, unseen(s, seat), s.trump, holder(s), SUITS, RANKS)
    at = observe_table(s, seat, out, at, 5, 20, 230, s.rules.target)
    shown = np.int64(0)
    for q in range(s.rules.seats):
        shown |= s.shown[q]
    at = put_cards(out, at, shown, SUITS * RANKS)
    at = put_cards(out, at, bit(s.table_card) if s.table_card >= 0 else np.int64(0), SUITS * RANKS)
    at = put_one(out, at, s.mode, 3)
    left = s.stock_left + (s.table_card >= 0) if s.rules.seats == 2 and s.mode >= 0 else 0
    at = put(out, at, left / DRAWN)
    at = put_sets(out, at, s, seat, s.declared, 0, SUITS)
    now, still, played = 0, 0, 0
    for k in range(s.rules.seats):
        q = onward(s, seat, k)
        now |= has(s.declared_now, q) << k
        still |= window(s, q) << k
        played |= (s.seen[q] != 0) << k
    at = put_cards(out, at, now, MAX_SEATS)
    at = put_cards(out, at, still if s.phase >= FIRST_PHASE else 0, MAX_SEATS)
    at = put_cards(out, at, played, MAX_SEATS)
    at = put_one(out, at, turned(s, seat, s.called), MAX_SEATS)
    at = put(out, at, s.plain / 4)
    return observe_rules(s, out, at)


@jit
def observe_rules(s, out, at):
    """Blocks target to customs; returns the end."""
    rules = s.rules
    at = put(out, at, rules.target / 1000)
    at = put_cards(out, at, np.int64(rules.cut_modes), 3)
    at = put(out, at, int(rules.cut_decider == CutDecider.random))
    at = put(out, at, int(rules.cut_decider == CutDecider.fixed))
    at = put(out, at, rules.turned_card_to)
    at = put(out, at, int(rules.akuza_window == AkuzaWindow.any_turn))
    at = put(out, at, int(rules.akuza_window == AkuzaWindow.first_turn))
    at = put(out, at, int(rules.akuza_limit == AkuzaLimit.per_deal))
    at = put(out, at, rules.must_trump)
    at = put(out, at, rules.overtrump)
    at = put(out, at, rules.beat_trump_lead)
    at = put(out, at, rules.beat_target)
    at = put(out, at, 1 - rules.stock_obligations)
    at = put(out, at, rules.both_out)
    at = put(out, at, rules.out_check)
    at = put(out, at, rules.call_out)
    at = put(out, at, rules.call_legal)
    at = put(out, at, rules.show_draws)
    at = put(out, at, rules.exchange)
    at = put(out, at, rules.exchange_on_seven)
    at = put(out, at, rules.knock_trump_effect)
    at = put(out, at, rules.call_trick_won_by)
    return put(out, at, rules.failed_call_3p)


# --- checks and texts ------------------------------------------------------------------------------------------------

PROBLEMS = (
    "a card lies in two places or is not in the pack",
    "cards are missing from the pack",
    "a hand has not the number of cards that all count",
    "a hand holds cards that all know it lacks, or lacks cards that it has shown",
    "the points of the deal do not add up to the cards won, 10 for the last trick and 20 or 40 for each akuza",
    "a phase without a seat on turn, or the other way round",
    "a hand does not fit the times at which it lacked a suit",
    "no card may be played, or one may be that is not in the hand",
    "one side alone has reached the target in earlier deals, and the match goes on",
)


@jit
def problems(s):
    """Everything wrong with a full state, as a bit set over PROBLEMS; 0 if all is well."""
    found = card_problems(s)
    in_deal = s.phase >= FIRST_PHASE
    for q in range(s.rules.seats):
        if in_deal and count(s.hands[q]) != held(s, q):
            found |= 4
        if s.hands[q] & s.lacks[q] or s.shown[q] & ~s.hands[q]:
            found |= 8
    if point_sum(s) != akuze_sum(s, (1 << s.rules.seats) - 1) + earned(s):
        found |= 16
    if in_deal != (0 <= s.turn < s.rules.seats):
        found |= 32
    if in_deal and not fits(s, -1):
        found |= 64
    if s.phase == Phase.play and (playable(s) == 0 or playable(s) & ~s.hands[s.turn]):
        found |= 128
    if in_deal and s.deals > 0 and count(out_sides(s)) == 1:
        found |= 256
    return found


@jit
def card_problems(s):
    """The problems with single cards: hands, cards played, the stock and the card on the table."""
    found = 1 if held_twice(s, PACK) else 0
    cards = gone(s)
    n = s.stock_left + (s.table_card >= 0)
    for q in range(s.rules.seats):
        cards |= s.hands[q]
    n += count(cards)
    for i in range(SUITS * RANKS):
        if (s.stock[i] >= 0) != (i < s.stock_left):
            found |= 1
        if s.stock[i] >= 0:
            cards = adding(cards, s.stock[i])
    if s.table_card >= 0:
        cards = adding(cards, s.table_card)
    if n != count(cards):
        found |= 1
    return found | (2 if s.packs > 0 and cards != PACK else 0)


@jit
def point_sum(s):
    """All points of the deal."""
    points = 0
    for k in range(sides(s)):
        points += s.points[k]
    return points


@jit
def earned(s):
    """Points of the tricks completed, the last trick and the card on the table."""
    points = 0
    cards = gone(s)
    for q in range(s.rules.seats):
        if s.trick[q] >= 0 and s.played > 0:
            cards = without(cards, s.trick[q])
    if s.trick_no == tricks(s):
        points += ULTIMA
        if s.table_card >= 0:
            cards = adding(cards, s.table_card)
    for card in range(SUITS * RANKS):
        if has(cards, card):
            points += VALUES[card % RANKS]
    return points


@jit
def akuze_sum(s, group):
    """Points of the akuze declared by the seats of a bit set (rule 9)."""
    points = 0
    for q in range(s.rules.seats):
        if has(group, q):
            points += 20 * count(s.declared[q])
            if s.trump >= 0 and has(s.declared[q], s.trump):
                points += 20
    return points


def action_name(action: int) -> str:
    """Text of an action, such as `play K13`, `declare B`, `dosta`. Raises IndexError outside 0..49."""
    block = ACTIONS.of(action)
    at = action - block.start
    if block.name == "play":
        return f"play {DECK.names[at]}"
    return f"{block.name} {DECK.letters[at]}" if block.size > 1 else block.name


def headline(s: Any) -> str:
    """How the deal was opened, trumps, the open card, and a call, in a few words."""
    if s.mode < 0:
        return "not dealt yet"
    trump = f"trumps {DECK.suit_names[s.trump]}" if s.trump >= 0 else "no trumps yet"
    opened = {"cut": "cut", "turn": "turned", "knock": "knocked"}[CutMode(s.mode).name]
    card = f", {DECK.names[s.turned]} was turned up" if s.turned >= 0 else ""
    table = f", {DECK.names[s.table_card]} lies open" if s.table_card >= 0 else ""
    stock = f", {s.stock_left + (s.table_card >= 0)} cards to draw" if s.stock_left > 0 else ""
    called = f", seat {s.called} called out" if s.called >= 0 else ""
    return f"{trump} ({opened}){card}{table}{stock}{called}"


def seat_notes(s: Any, seat: int) -> list[str]:
    """What all know of a seat besides its cards."""
    notes = [f"akuza {DECK.suit_names[k]}" for k in range(SUITS) if s.declared[seat] >> k & 1]
    return notes + (["called out"] if s.called == seat else [])


def score_sheet(s: Any) -> list[tuple[str, list[int]]]:
    """How the points of the finished or running deal came about: rows (reason, number by side)."""
    n = int(sides(s))
    akuze = [int(akuze_sum(s, members(s, k))) for k in range(n)]
    last = int(side(s, s.last_winner)) if s.trick_no == tricks(s) else -1
    ultima = [ULTIMA * (k == last) for k in range(n)]
    table = int(VALUES[s.table_card % RANKS]) if s.rules.seats == 3 and s.table_card >= 0 else 0
    left = [table * (k == last) for k in range(n)]
    rows = [
        ("cards", [int(s.points[k]) - akuze[k] - ultima[k] - left[k] for k in range(n)]),
        ("last trick", ultima),
        ("akuze", akuze),
    ]
    return [*rows, ("card on the table", left)] if s.rules.seats == 3 else rows


def concealed(s: Any, seat: int, action: int, viewer: int) -> bool:
    """Whether a past action of the current deal is still unknown to a viewer: never, all is done openly."""
    return False


def refusal(s: Any, action: int) -> str:
    """Why an action is not legal for the seat on turn, naming the rule."""
    kind = ACTIONS.of(action).name
    phase = Phase(s.phase)
    if kind == "play" and phase == Phase.play:
        return _card_refusal(s, int(s.hands[s.turn]), action)
    if kind == "declare" and phase in (Phase.play, Phase.akuza):
        return _akuza_refusal(s, action - DECLARE)
    if kind == "dosta" and phase == Phase.play:
        return _call_refusal(s)
    if kind == "swap" and phase in (Phase.seven, Phase.deuce):
        return f"it does not hold {DECK.names[swapped(s)]} (rule 8)"
    if kind in CutMode.__members__ and phase == Phase.cut:
        return f"this table lets the pack {' or '.join(m.name for m in CutMode if s.rules.cut_modes >> m & 1)} (rule 4)"
    return f"it is time to {_WANTED[phase]}"


_WANTED = {
    Phase.deal: "deal",
    Phase.over: "start a new match, this one is over",
    Phase.cut: "choose cut, turn or knock (rule 4)",
    Phase.seven: "swap the seven of trumps or pass (rule 8)",
    Phase.deuce: "swap the deuce of trumps or pass (rule 8)",
    Phase.akuza: "declare an akuza or pass (rule 10)",
    Phase.play: "play a card (rule 12)",
}


def _card_refusal(s: Any, hand: int, card: int) -> str:
    if not hand >> card & 1:
        return f"it does not hold {DECK.names[card]}; it holds {DECK.text(hand)}"
    allowed = DECK.text(int(playable(s)))
    led = s.trick[s.leader] // RANKS
    followers = int(following(s.hands[s.turn], led, RANKS))
    if followers and card // RANKS != led:
        return f"it must follow {DECK.suit_names[led]} (rule 12): holds {DECK.text(followers)}"
    if followers:
        return f"it must beat {DECK.names[to_beat(s)]}, as trumps were led (rule 14), with {allowed}"
    if card // RANKS == s.trump:
        return f"it must beat the trump {DECK.names[to_overtrump(s)]} (rule 13), with {allowed}"
    return f"it must trump (rule 13), with {allowed}"


def _akuza_refusal(s: Any, suit: int) -> str:
    seat = s.turn
    name = DECK.suit_names[suit]
    if s.declared[seat] >> suit & 1:
        return f"it has declared {name} already (rule 9)"
    if int(s.hands[seat]) & int(pair(suit)) != int(pair(suit)):
        return f"it does not hold 13 and 12 of {name} (rule 9)"
    if s.called == seat:
        return "after the call only the lead may follow (rule 18)"
    if s.rules.akuza_window == AkuzaWindow.pre_play_round:
        return "akuze are declared before the first lead only (rule 10)"
    if s.rules.akuza_window == AkuzaWindow.first_turn and s.seen[seat]:
        return "akuze are declared before the own first card only (rule 10)"
    return f"one akuza {'a trick' if s.rules.akuza_limit == AkuzaLimit.per_trick else 'a deal'} is all (rule 10)"


def _call_refusal(s: Any) -> str:
    if not s.rules.call_out:
        return "this table plays without calls (rule 18)"
    if s.called >= 0:
        return f"seat {s.called} has called already (rule 18)"
    if s.played > 0:
        return "only the leader calls, before the lead (rule 18)"
    return f"this trick cannot bring {total(s, side(s, s.turn))} to {s.rules.target} (rule 18)"
