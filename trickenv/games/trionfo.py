"""Trionfo, the trick game of Romagna (Marafone, Beccaccino), for three, four or five players.

Sources: the Cavallore rules and their readers' comments (Imola), pagat.com, MEG, it.wikipedia; every open point is
decided by an option of `Rules`. The rules as enforced below:

 1. Forty cards, suits coppe, bastoni, spade, denari; strength 3 2 1 10 9 8 7 6 5 4. Three players take out a four.
 2. Card points in thirds: ace 3; 3, 2, 10, 9, 8 one each. The last trick is worth 3 thirds more: 35 in all.
 3. Four players: partners sit opposite. Otherwise each for himself, or one pair against three (rules 14 to 17).
 4. The whole pack is dealt, forehand (the seat after the dealer) first.
 5. The holder of the four of denari shows it and names trumps; with rotation only in the first deal, afterwards the
    last chooser deals and the next seat chooses.
 6. A cricca is 1, 2 and 3 of one suit in one hand, worth 3 points. After trumps are named every seat is asked, from
    the chooser on; each may declare any number of them, or none.
 7. The chooser leads to the first trick, then the winner of each trick.
 8. Follow suit if able; otherwise any card. Nobody need trump or beat.
 9. The highest trump wins the trick, else the highest card of the suit led.
10. A side's thirds are pooled and, with the last trick, rounded down to points; cricche are added.
11. The first side to reach the target at the end of a deal wins; the higher score if several do, another deal if tied.
12. With a rubber the match goes to the side that first wins two games.
13. Signals, if allowed, are given by the leader before his lead, at most one a trick: busso (play your best and return
    the suit), striscio (I keep at least one more of the suit I lead), volo (my last of that suit).
14. Socio (five seats): the holder of the three of trumps is the chooser's secret partner; a chooser who holds it is
    alone.
15. Imola call (five seats): seats are asked in turn to call a three; the others may then take over alone (solo). A
    caller names trumps and a three of another suit that he does not hold; its holder is his secret partner.
16. Imola, at the table's choice: on a lead of his own the caller may demand the three; its holder plays it if he may.
17. In both partner games the calling side wins with more points than the others: chooser 2, partner 1, alone 4, paid by
    or to the other seats one each. The match is a fixed number of deals; the best score wins, ties shared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from trickenv.blocks import Blocks, put, put_one
from trickenv.cards import Deck, adding, bit, count, has, suit_cards, without
from trickenv.jit import jit
from trickenv.observation import common_blocks, observe_cards, observe_table, put_sets, put_sides, turned
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
from trickenv.tricks import above, following, trick_best

NAME = "trionfo"
SEATS = (3, 4, 5)
MAX_SEATS = 5
LONGEST_DEAL = 95  # decisions: 40 plays, 20 signals and demands, 9 of calling, the rest cricche and passes
POINT_UNIT = 3  # `points` counts thirds

DECK = Deck(
    [("C", "coppe"), ("B", "bastoni"), ("S", "spade"), ("D", "denari")],
    "4 5 6 7 8 9 10 1 2 3".split(),
    {"1": "asso", "8": "fante", "9": "cavallo", "10": "re"},
)
RANKS = 10
SUITS = 4
ACE, TWO, THREE = 7, 8, 9  # strengths
ACES = DECK.cards("C1 B1 S1 D1")
COUNTING = DECK.cards([suit + rank for suit in "CBSD" for rank in ("1", "2", "3", "8", "9", "10")])
CARD_THIRDS = np.array([0, 0, 0, 0, 1, 1, 1, 3, 1, 1] * SUITS, np.int64)  # by card (rule 2)
FOUR_OF_DENARI = DECK.card("D4")
PACK = (1 << DECK.size) - 1
REMOVABLE = (DECK.card("S4"), DECK.card("C4"), DECK.card("B4"))  # in the order of `Removed`


class Phase(IntEnum):
    """What the seat on turn decides."""

    deal = DEAL
    over = OVER
    call = FIRST_PHASE  # Imola: call a three or pass
    solo = 3  # Imola: take over alone or pass
    cricca = 4  # declare or pass
    trump = 5  # name trumps
    three = 6  # Imola: name the three
    play = 7  # signal, demand or play a card


# Option values, by the names that users write.
Mode = IntEnum("Mode", "individual socio imola_call", start=0)
Removed = IntEnum("Removed", "S4 C4 B4", start=0)
Direction = IntEnum("Direction", "anticlockwise clockwise", start=0)
Chooser = IntEnum("Chooser", "holder_D4_each_deal holder_D4_then_rotate", start=0)
FirstLeader = IntEnum("FirstLeader", "chooser forehand", start=0)
CriccaScope = IntEnum("CriccaScope", "any_suit trump_only none", start=0)
CriccaWho = IntEnum("CriccaWho", "any chooser", start=0)
CriccaTrigger = IntEnum("CriccaTrigger", "declare auto lead_ace_first", start=0)
CriccaOrder = IntEnum("CriccaOrder", "after_trump before_trump", start=0)
Rounding = IntEnum("Rounding", "floor_per_deal carry_thirds", start=0)
OutCheck = IntEnum("OutCheck", "deal_end immediate", start=0)
Signals = IntEnum("Signals", "off free truthful", start=0)
AllPass = IntEnum("AllPass", "redeal forehand_must_call", start=0)
ImolaLeader = IntEnum("ImolaLeader", "declarer forehand", start=0)
OwnThree = IntEnum("OwnThree", "forbidden allowed", start=0)


@dataclass(frozen=True, kw_only=True)
class Rules(Options):
    """Options of Trionfo; the letter and number after each is the open point that it decides (docs/trionfo.md)."""

    seats: int = option(4, "Number of players.", SEATS)
    mode5: Mode = option(
        Mode.individual, "Five seats: each for himself, socio (rule 14) or Imola call (rule 15). R-13", Mode
    )
    target: int = option(41, "Score that ends a game; in thirds with carry_thirds.", least=1)
    games_to_win: int = option(1, "Games that win the match (rule 12).", (1, 2))
    socio_deals: int = option(10, "Scored deals of a match in the partner games of five. R-17", least=1)
    trump_chooser: Chooser = option(
        Chooser.holder_D4_each_deal, "Who names trumps after the first deal (rule 5). R-1", Chooser
    )
    first_leader: FirstLeader = option(FirstLeader.chooser, "Who leads to the first trick (rule 7). R-2", FirstLeader)
    cricca_scope: CriccaScope = option(
        None, "Suits whose cricca counts; none is the default with imola_call. R-5", CriccaScope
    )
    cricca_who: CriccaWho = option(CriccaWho.any, "Who may declare a cricca. R-6", CriccaWho)
    cricca_trigger: CriccaTrigger = option(
        CriccaTrigger.declare,
        "Declared, credited unasked, or by leading its ace to the first trick. R-8",
        CriccaTrigger,
    )
    cricca_order: CriccaOrder = option(
        CriccaOrder.after_trump, "Cricche before or after trumps are named. R-7", CriccaOrder
    )
    cricca_in_socio_result: bool = option(True, "Cricche count for winning a deal of rule 17. R-16")
    rounding: Rounding = option(Rounding.floor_per_deal, "Drop thirds at each deal, or score in thirds. R-9", Rounding)
    last_trick: bool = option(True, "The last trick is worth a point.")
    out_check: OutCheck = option(OutCheck.deal_end, "When reaching the target ends the game (rule 11). R-11", OutCheck)
    signals: Signals = option(
        Signals.off, "Signals of the leader (rule 13): none, unchecked, or truthful. R-21", Signals
    )
    imola_all_pass: AllPass = option(AllPass.redeal, "Imola: all five pass. R-20", AllPass)
    imola_leader: ImolaLeader = option(ImolaLeader.declarer, "Imola: who leads to the first trick. R-20", ImolaLeader)
    imola_own_three: OwnThree = option(
        OwnThree.forbidden, "Imola: a caller may name his own three (secret solo). R-20", OwnThree
    )
    call_my_three: bool = option(False, "Imola: the demand of rule 16. R-20")
    removed_card: Removed = option(
        Removed.S4, "Three seats: the four taken out; never D4, whose holder chooses. R-12", Removed
    )
    deal_packet: int = option(1, "Cards dealt at a time. R-23", (1, 5))
    direction: Direction = option(Direction.anticlockwise, "Way round the table, for drawing only. R-3", Direction)

    def fill(self) -> dict[str, Any]:
        """In Imola cricche do not count unless asked for (R-20)."""
        return {"cricca_scope": CriccaScope.none if self.mode5 == Mode.imola_call else CriccaScope.any_suit}

    def contradictions(self) -> Iterable[str]:
        """Sentences about options that do not go together."""
        partners = self.mode5 != Mode.individual
        if partners and self.seats != 5:
            yield f"mode5={self.mode5.name} needs five seats, not {self.seats}"
        if partners and self.rounding == Rounding.carry_thirds:
            yield f"rounding=carry_thirds does not go with mode5={self.mode5.name}, whose deals score 1, 2 or 4"
        if partners and self.out_check == OutCheck.immediate:
            yield f"out_check=immediate does not go with mode5={self.mode5.name}, which has no target"
        if partners and self.games_to_win > 1:
            yield f"games_to_win=2 does not go with mode5={self.mode5.name}, which has no target"
        unasked = self.cricca_order == CriccaOrder.before_trump and self.cricca_trigger == CriccaTrigger.auto
        if unasked and self.out_check == OutCheck.immediate:
            yield "out_check=immediate does not go with cricche counted unasked before trumps: nobody would have played"
        if self.cricca_order == CriccaOrder.before_trump and self.cricca_scope == CriccaScope.trump_only:
            yield "cricca_order=before_trump does not go with cricca_scope=trump_only: trumps are not known yet"
        if self.cricca_order == CriccaOrder.before_trump and self.mode5 == Mode.imola_call:
            yield "cricca_order=before_trump does not go with mode5=imola_call: nobody has called yet"

    def rewards(self) -> tuple[str, ...]:
        """Points per trick would give the secret partner away."""
        return ("deal_points", "trick_points", "match") if self.mode5 == Mode.individual else ("deal_points", "match")


_SIGNALLING = {"signals": "truthful"}
_MARAFONE = {
    "trump_chooser": "holder_D4_then_rotate",
    "cricca_scope": "trump_only",
    "cricca_who": "chooser",
} | _SIGNALLING
PRESETS: dict[str, dict[str, Any]] = {
    "four": {},
    "three": {"seats": 3},
    "five": {"seats": 5},
    "five_socio": {"seats": 5, "mode5": "socio"},
    "imola_four": {"cricca_scope": "trump_only"} | _SIGNALLING,
    "imola_five": {"seats": 5, "mode5": "imola_call"},
    "marafone": {"cricca_trigger": "lead_ace_first"} | _MARAFONE,
    "marafone_called": _MARAFONE,
    "marafone_thirds": {"cricca_trigger": "lead_ace_first", "rounding": "carry_thirds", "target": 123} | _MARAFONE,
    "four_signals_free": {"signals": "free"},
}

ACTIONS = Blocks(
    ("play", 40, "play the card", 40),
    ("trump", 4, "name the suit trumps", 4),
    ("cricca", 4, "declare the cricca of the suit", 4),
    ("three", 4, "name the three of the suit (Imola)", 4),
    ("signal", 3, "busso, striscio, volo"),
    ("call", 1, "call a three (Imola)"),
    ("solo", 1, "play alone (Imola)"),
    ("my-three", 1, "demand the named three (Imola)"),
    ("pass", 1, "pass"),
)
TRUMP, CRICCA, NAME_THREE, SIGNAL = (ACTIONS.start(name) for name in ("trump", "cricca", "three", "signal"))
CALL, SOLO, MY_THREE, PASS = (ACTIONS.start(name) for name in ("call", "solo", "my-three", "pass"))
SIGNAL_NAMES = ("busso", "striscio", "volo")
BUSSO, STRISCIO, VOLO = 0, 1, 2

STATE = state_dtype(
    Rules,
    seats=MAX_SEATS,
    places=MAX_SEATS,  # hidden cards lie in hands only
    fields=[
        ("captured", np.int64, (MAX_SEATS,)),  # card set by seat: cards of the tricks won
        (
            "keeps",
            np.int64,
            (MAX_SEATS,),
        ),  # card set by seat: one of these at least is in hand (striscio), 0 = no promise
        ("chooser", np.int32),  # seat that named or will name trumps, -1 = not known yet
        ("trump", np.int32),  # suit, -1 = not named
        ("cricche", np.int32, (MAX_SEATS,)),  # bit set of suits declared, by seat
        ("opening", np.int32),  # card led to the first trick, -1 before
        ("called", np.int32),  # suit of the three that makes the partner, -1 = none
        ("alone", np.int32),  # 1 = a solo player faces the four others openly
        ("partner", np.int32),  # seat that holds the called three, the chooser himself if secretly alone, -1 = none
        ("partner_known", np.int32),  # 1 = everybody knows the partner
        ("signal", np.int32),  # signal given for the current trick, -1 = none
        ("signalled", np.int32, (MAX_SEATS,)),  # last signal of each seat in this deal, -1 = none
        ("demanded", np.int32),  # 1 = the three was demanded for the current trick
        ("last_winner", np.int32),  # seat that won the last trick, -1 before it
        ("games", np.int32, (MAX_SEATS,)),  # games won, by side
    ],
)

OBSERVATION = Blocks(
    *common_blocks(MAX_SEATS, DECK.size, SUITS, "call solo cricca trump three play"),
    ("chooser", 5, "seat that names trumps"),
    ("partner", 5, "partner of the chooser, if the own seat knows him"),
    ("called", 4, "suit of the three that makes the partner", 4),
    ("alone", 1, "a solo player faces the others"),
    ("demanded", 1, "the three was demanded for this trick"),
    ("cricche", 20, "suits of the cricche declared, by seat", 4),
    ("signal", 3, "signal given for this trick"),
    ("signalled", 15, "last signal of each seat in this deal"),
    ("games", 5, "games won by seat's side, halves"),
    ("deals_left", 1, "scored deals to come, in parts of the match (partner games)"),
    ("options", 14, "mode5 (3), cricca scope (3), cricca by chooser, trigger (3), signals (3), thirds carried"),
)


# --- the course of a deal --------------------------------------------------------------------------------------------


@jit
def start(s, dealer):
    """Begin a match: scores and counters at zero, `dealer` deals first."""
    start_match(s, dealer, 1 if s.rules.seats == 4 else 0)  # rule 3
    s.games[:] = 0
    s.chooser = -1


@jit
def handicap(s, fractions):
    """Put a new match somewhere in its middle; fractions: (5,) in [0, 1), one for each side."""
    if partner_game(s):
        s.deals = int(fractions[0] * s.rules.socio_deals)
    else:
        for k in range(sides(s)):
            s.scores[k] = int(fractions[k] * s.rules.target)


@jit
def partner_game(s):
    """Whether a calling side plays against the rest (rule 17)."""
    return s.rules.mode5 != Mode.individual


@jit
def pack(s, deck):
    """Cards that are shuffled and dealt (rule 1): fills `deck`, returns their number."""
    n = 0
    for card in range(SUITS * RANKS):
        if s.rules.seats != 3 or card != REMOVABLE[s.rules.removed_card]:
            deck[n] = card
            n += 1
    return n


@jit
def hand_size(s):
    """Cards dealt to each seat, and tricks in a deal."""
    return 40 // s.rules.seats


@jit
def deal(s, deck):
    """Deal a shuffled pack, top card first, and open the first phase (rules 4 and 5)."""
    clear_deal(s)
    s.captured[:] = s.keeps[:] = 0
    s.cricche[:] = 0
    s.signalled[:] = -1
    s.alone = s.partner_known = s.demanded = 0
    last_chooser = s.chooser
    s.chooser = s.trump = s.opening = s.called = s.partner = s.signal = s.last_winner = -1
    hand_out(s, deck)
    if s.rules.mode5 == Mode.imola_call:
        ask(s, Phase.call, next_seat(s, s.dealer))
        return
    if s.rules.trump_chooser == Chooser.holder_D4_then_rotate and last_chooser >= 0:
        s.chooser = next_seat(s, s.dealer)
    else:
        for seat in range(s.rules.seats):
            if has(s.hands[seat], FOUR_OF_DENARI):
                s.chooser = seat
                s.shown[seat] = bit(FOUR_OF_DENARI)
    if s.rules.cricca_order == CriccaOrder.before_trump:
        open_cricche(s)
    else:
        ask(s, Phase.trump, s.chooser)


@jit
def hand_out(s, deck):
    """The whole pack in packets, forehand first (rule 4)."""
    position = 0
    for first in range(0, hand_size(s), s.rules.deal_packet):
        packet = min(s.rules.deal_packet, hand_size(s) - first)
        for k in range(1, s.rules.seats + 1):
            seat = onward(s, s.dealer, k)
            for _ in range(packet):
                s.hands[seat] = adding(s.hands[seat], deck[position])
                position += 1


@jit
def step(s, action):
    """Carry out a legal action of the seat on turn."""
    if s.phase == Phase.play:
        note(s, action)
        if action < TRUMP:
            play(s, action)
        elif action == MY_THREE:
            s.demanded = 1
        else:
            s.signal = s.signalled[s.turn] = action - SIGNAL
    elif s.phase == Phase.cricca:
        answer_cricca(s, action)
    elif s.phase == Phase.trump:
        name_trump(s, action - TRUMP)
    elif s.phase == Phase.three:
        call_three(s, action - NAME_THREE)
        after_contract(s)
    elif s.phase == Phase.call:
        answer_call(s, action)
    else:
        answer_solo(s, action)


@jit
def answer_call(s, action):
    """Imola: CALL, or PASS to the next seat; if nobody calls a new pack is dealt, or the forehand must (rule 15)."""
    s.asked += 1
    forehand = next_seat(s, s.dealer)
    if action == CALL or (s.asked == s.rules.seats and s.rules.imola_all_pass == AllPass.forehand_must_call):
        s.chooser = s.turn if action == CALL else forehand
        ask(s, Phase.solo, next_seat(s, s.chooser))
    elif s.asked == s.rules.seats:
        s.dealer = forehand
        ask(s, Phase.deal, -1)
    else:
        s.turn = next_seat(s, s.turn)


@jit
def answer_solo(s, action):
    """Imola: the first SOLO takes over; otherwise the caller goes on (rule 15)."""
    s.asked += 1
    if action == SOLO:
        s.chooser = s.turn
        s.alone = 1
    if action == SOLO or s.asked == s.rules.seats - 1:
        ask(s, Phase.trump, s.chooser)
    else:
        s.turn = next_seat(s, s.turn)


@jit
def name_trump(s, suit):
    """Set trumps; socio: the holder of their three is the partner (rules 5, 14, 15)."""
    s.trump = suit
    if s.rules.mode5 == Mode.socio:
        call_three(s, suit)
    elif s.rules.mode5 == Mode.imola_call and not s.alone:
        if nameable(s, suit):
            ask(s, Phase.three, s.chooser)
            return
        s.alone = 1  # all four threes in the caller's hand, as everybody can tell
        for k in range(SUITS):
            s.shown[s.chooser] |= bit(k * RANKS + THREE)
    after_contract(s)


@jit
def nameable(s, trump):
    """Bit set of the suits whose three the caller may name, were `trump` trumps (rule 15)."""
    suits = 0
    for suit in range(SUITS):
        own = has(s.hands[s.chooser], suit * RANKS + THREE)
        if suit != trump and (not own or s.rules.imola_own_three == OwnThree.allowed):
            suits |= 1 << suit
    return suits


@jit
def call_three(s, suit):
    """The holder of the three of a suit becomes the chooser's partner (rules 14 and 15)."""
    s.called = suit
    for seat in range(s.rules.seats):
        if has(s.hands[seat], called_card(s)):
            s.partner = seat
    if s.rules.mode5 == Mode.imola_call and s.rules.imola_own_three == OwnThree.forbidden:
        s.lacks[s.chooser] |= bit(called_card(s))


@jit
def called_card(s):
    """The three that makes the partner; only when one was called."""
    return s.called * RANKS + THREE


@jit
def after_contract(s):
    """Cricche if they come now, then the first lead."""
    if s.rules.cricca_order == CriccaOrder.after_trump:
        open_cricche(s)
    else:
        open_play(s)


@jit
def open_cricche(s):
    """Ask every seat from the chooser on, or credit the cricche unasked (rule 6)."""
    if s.rules.cricca_scope == CriccaScope.none or s.rules.cricca_trigger == CriccaTrigger.lead_ace_first:
        close_cricche(s)
        return
    ask(s, Phase.cricca, s.chooser)
    if s.rules.cricca_trigger == CriccaTrigger.auto:
        for k in range(s.rules.seats):
            suits = declarable(s, onward(s, s.chooser, k))
            for suit in range(SUITS):
                if has(suits, suit) and s.phase == Phase.cricca:
                    credit_cricca(s, onward(s, s.chooser, k), suit)
        if s.phase == Phase.cricca:
            close_cricche(s)


@jit
def close_cricche(s):
    """What follows the round of cricche."""
    if s.trump < 0:
        ask(s, Phase.trump, s.chooser)
    else:
        open_play(s)


@jit
def cricca_cards(suit):
    """Ace, two and three of a suit."""
    return bit(suit * RANKS + ACE) | bit(suit * RANKS + TWO) | bit(suit * RANKS + THREE)


@jit
def declarable(s, seat):
    """Bit set of the suits whose cricca a seat was dealt, may declare and has not declared (rule 6)."""
    suits = 0
    not_his = s.rules.cricca_who == CriccaWho.chooser and seat != s.chooser
    if not_his or s.rules.cricca_scope == CriccaScope.none:
        return suits
    for suit in range(SUITS):
        in_scope = s.rules.cricca_scope == CriccaScope.any_suit or suit == s.trump
        dealt = (s.hands[seat] | s.seen[seat]) & cricca_cards(suit) == cricca_cards(suit)
        if in_scope and dealt and not has(s.cricche[seat], suit):
            suits |= 1 << suit
    return suits


@jit
def answer_cricca(s, action):
    """Declare a cricca and be asked again, or PASS to the next seat (rule 6)."""
    if action != PASS:
        credit_cricca(s, s.turn, action - CRICCA)
        return
    s.asked += 1
    if s.asked == s.rules.seats:
        close_cricche(s)
    else:
        s.turn = next_seat(s, s.turn)


@jit
def credit_cricca(s, seat, suit):
    """Three points for the seat's side; its three cards are now known (rule 6)."""
    s.cricche[seat] |= 1 << suit
    s.shown[seat] |= cricca_cards(suit)
    s.points[side(s, seat)] += 9
    if suit == s.called:
        s.partner_known = 1
    end_if_out(s)


@jit
def open_play(s):
    """The first lead."""
    s.leader = first_to_lead(s)
    ask(s, Phase.play, s.leader)


@jit
def first_to_lead(s):
    """Seat that leads to the first trick (rule 7)."""
    forehand_leads = s.rules.first_leader == FirstLeader.forehand
    if s.rules.mode5 == Mode.imola_call:
        forehand_leads = s.rules.imola_leader == ImolaLeader.forehand
    return next_seat(s, s.dealer) if forehand_leads else s.chooser


# --- the play of the cards -------------------------------------------------------------------------------------------


@jit
def playable(s):
    """Cards that the seat on turn may play, as a set (rules 8, 13 and 16)."""
    cards = hand = s.hands[s.turn]
    if s.played > 0:
        followers = following(hand, s.trick[s.leader] // RANKS, RANKS)
        cards = followers if followers else hand
    elif s.rules.signals == Signals.truthful and s.signal >= STRISCIO:
        cards = signal_leads(hand, s.signal)
    if s.demanded:
        three = bit(called_card(s))
        if s.played == 0:
            cards |= hand & three  # the demand goes before the signal
        if cards & three:
            return three
    return cards


@jit
def signal_leads(hand, signal):
    """Cards that a truthful STRISCIO (more of the suit stay) or VOLO (the last of it) leaves to lead (rule 13)."""
    cards = hand & 0
    for suit in range(SUITS):
        held = following(hand, suit, RANKS)
        if (count(held) == 1) if signal == VOLO else (count(held) > 1):
            cards |= held
    return cards


@jit
def play(s, card):
    """Play a card, note what it tells everybody, close the trick when it is full."""
    seat = s.turn
    if s.played == 0:
        lead_cricca(s, seat, card)
        if s.phase != Phase.play:
            return
        note_lead(s, seat, card)
    else:
        note_follow(s, seat, card)
    lay(s, seat, card)
    if s.called >= 0 and card == called_card(s):
        s.partner_known = 1
    if s.played == s.rules.seats:
        end_trick(s)
    else:
        s.turn = next_seat(s, seat)


@jit
def lead_cricca(s, seat, card):
    """With lead_ace_first the very first lead declares the cricca of its ace (rule 6)."""
    first = s.trick_no == 0 and s.rules.cricca_trigger == CriccaTrigger.lead_ace_first
    if first and card % RANKS == ACE and has(declarable(s, seat), card // RANKS):
        credit_cricca(s, seat, card // RANKS)


@jit
def note_lead(s, seat, card):
    """What a truthful signal tells of the hand (rule 13)."""
    suit = suit_cards(card // RANKS, RANKS)
    if s.trick_no == 0:
        s.opening = card
    if s.keeps[seat] & suit:
        s.keeps[seat] = 0
    if s.rules.signals == Signals.truthful and not s.demanded:
        if s.signal == VOLO:
            s.lacks[seat] |= suit
        elif s.signal == STRISCIO:
            s.keeps[seat] = without(suit, card)


@jit
def note_follow(s, seat, card):
    """A discard shows a void (rule 8); a demand not met shows who does not hold the three (rule 16)."""
    led = s.trick[s.leader] // RANKS
    if card // RANKS != led:
        s.lacks[seat] |= suit_cards(led, RANKS)
    if s.demanded and (card // RANKS != led or led == s.called):
        s.lacks[seat] |= bit(called_card(s))
    if has(s.keeps[seat], card):
        s.keeps[seat] = 0


@jit
def holder(s):
    """Seat that holds the trick; only with a card on the table (rule 9)."""
    return trick_best(s.trick, s.leader, s.played, 1, s.rules.seats, s.trump, RANKS)


@jit
def end_trick(s):
    """The winner takes the cards and leads; after the last trick the deal is scored (rules 9 and 10)."""
    winner = holder(s)
    cards = np.int64(0)
    for seat in range(s.rules.seats):
        cards = adding(cards, s.trick[seat])
    s.captured[winner] |= cards
    s.points[side(s, winner)] += thirds(cards)
    clear_trick(s, winner)
    s.signal = -1
    s.demanded = 0
    if s.trick_no == hand_size(s):
        s.last_winner = winner
        s.points[side(s, winner)] += 3 if s.rules.last_trick else 0
        end_deal(s)
    else:
        end_if_out(s)


# --- scores ----------------------------------------------------------------------------------------------------------


@jit
def thirds(cards):
    """Card points of a set, in thirds (rule 2)."""
    return count(cards & COUNTING) + 2 * count(cards & ACES)


@jit
def pooled(s, group):
    """Thirds that the seats of a bit set have won together, the last trick included (rules 2 and 10)."""
    total = 0
    for seat in range(s.rules.seats):
        if has(group, seat):
            total += thirds(s.captured[seat])
            if s.last_winner == seat and s.rules.last_trick:
                total += 3
    return total


@jit
def declared(s, group):
    """Number of cricche declared by the seats of a bit set."""
    total = 0
    for seat in range(s.rules.seats):
        if has(group, seat):
            total += count(s.cricche[seat])
    return total


@jit
def worth(s, group):
    """What the deal is worth so far to a group of seats, in units of the score (rule 10)."""
    if s.rules.rounding == Rounding.carry_thirds:
        return pooled(s, group) + 9 * declared(s, group)
    return pooled(s, group) // 3 + 3 * declared(s, group)


@jit
def calling_side(s):
    """Bit set of the chooser and his partner (rule 17)."""
    return 1 << s.chooser | (1 << s.partner if s.partner >= 0 else 0)


@jit
def score(s):
    """Change of score by side into `delta` (rules 10 and 17)."""
    s.delta[:] = 0
    if not partner_game(s):
        for k in range(sides(s)):
            s.delta[k] = worth(s, members(s, k))
        return
    callers = calling_side(s)
    others = ((1 << s.rules.seats) - 1) & ~callers
    counted = 3 if s.rules.cricca_in_socio_result else 0
    ours = pooled(s, callers) // 3 + counted * declared(s, callers)
    theirs = pooled(s, others) // 3 + counted * declared(s, others)
    sign = 1 if ours > theirs else -1
    for seat in range(s.rules.seats):
        if seat == s.chooser:
            s.delta[seat] = sign * (4 if count(callers) == 1 else 2)
        else:
            s.delta[seat] = sign if seat == s.partner else -sign


@jit
def end_if_out(s):
    """With out_check=immediate a side that reaches the target in mid-deal ends it (rule 11)."""
    if s.rules.out_check == OutCheck.immediate:
        for k in range(sides(s)):
            if s.scores[k] + worth(s, members(s, k)) >= s.rules.target:
                end_deal(s)
                return


@jit
def end_deal(s):
    """Add the deal to the match; end it (rules 11, 12, 17) or pass the deal on (rules 4 and 5)."""
    score(s)
    add_deal(s)
    s.partner_known = 1
    if s.rules.trump_chooser == Chooser.holder_D4_then_rotate and s.rules.mode5 != Mode.imola_call:
        s.dealer = s.chooser
    else:
        s.dealer = next_seat(s, s.dealer)
    if not partner_game(s):
        end_game(s)
    elif s.deals >= s.rules.socio_deals:
        end_match(s, best_sides(s, -(1 << 30)))


@jit
def end_game(s):
    """The one side with the best score of the target or more wins the game, with enough games the match (11, 12)."""
    out = best_sides(s, s.rules.target)
    if count(out) != 1:
        return
    for k in range(sides(s)):
        if has(out, k):
            s.games[k] += 1
            if s.games[k] == s.rules.games_to_win:
                end_match(s, out)
                return
    s.scores[:] = 0


# --- what search wants to know ---------------------------------------------------------------------------------------


@jit
def allies(s, seat):
    """Seats that win or lose the deal together: partners, or the calling side and the rest (rules 3 and 17)."""
    if not partner_game(s):
        return members(s, side(s, seat))
    callers = calling_side(s) if s.chooser >= 0 else 0
    return callers if has(callers, seat) else ((1 << s.rules.seats) - 1) & ~callers


@jit
def card_points(s, card):
    """Thirds of a card (rule 2)."""
    return CARD_THIRDS[card]


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
    """Thirds in hands and in the open trick, the last trick, and a cricca that may still be led (rules 2 and 6)."""
    cards = np.int64(0)
    for seat in range(s.rules.seats):
        cards |= s.hands[seat]
        if s.trick[seat] >= 0:
            cards = adding(cards, s.trick[seat])
    opening = s.trick_no == 0 and s.rules.cricca_trigger == CriccaTrigger.lead_ace_first
    return thirds(cards) + (3 if s.rules.last_trick else 0) + (9 if opening else 0)


@jit
def pays_points(s):
    """Not with a called partner: there the deal is worth a fixed number of games (rule 17)."""
    return not partner_game(s)


@jit
def bearing(s):
    """Trumps, the suit called, a signal that binds the lead (rules 13 and 16), and who leads the first trick (6)."""
    return s.trump + 8 * (s.called + 1 + 8 * (s.signal + 1 + 8 * (s.demanded + 2 * (s.trick_no == 0))))


# --- what may be done, and who sees what -----------------------------------------------------------------------------


@jit
def legal(s, mask):
    """Actions of the seat on turn; mask: (59,) int8, overwritten with ones and zeros."""
    mask[:] = 0
    if s.phase == Phase.play:
        cards = playable(s)
        for card in range(SUITS * RANKS):
            mask[card] = (cards >> card) & 1
        if s.played == 0:
            legal_announcements(s, mask)
    elif s.phase == Phase.cricca:
        mask[PASS] = 1
        for suit in range(SUITS):
            mask[CRICCA + suit] = has(declarable(s, s.turn), suit)
    elif s.phase == Phase.trump:
        for suit in range(SUITS):
            stuck = s.rules.mode5 == Mode.imola_call and not s.alone and not nameable(s, suit) and nameable(s, -1)
            mask[TRUMP + suit] = not stuck
    elif s.phase == Phase.three:
        for suit in range(SUITS):
            mask[NAME_THREE + suit] = has(nameable(s, s.trump), suit)
    elif s.phase == Phase.call:
        mask[CALL] = mask[PASS] = 1
    elif s.phase == Phase.solo:
        mask[SOLO] = mask[PASS] = 1


@jit
def legal_announcements(s, mask):
    """Signals and the demand for the three, open to the leader before his lead (rules 13 and 16)."""
    if s.rules.signals != Signals.off and s.signal < 0:
        for signal in range(3):
            free = s.rules.signals == Signals.free or signal == BUSSO
            mask[SIGNAL + signal] = free or signal_leads(s.hands[s.turn], signal) != 0
    if s.rules.call_my_three and not s.demanded and s.turn == s.chooser and s.called >= 0:
        mask[MY_THREE] = not has(gone(s), called_card(s))


@jit
def unseen(s, seat):
    """Cards that lie in other hands, from what a seat knows."""
    cards = np.int64(PACK) & ~gone(s) & ~s.hands[seat]
    return without(cards, REMOVABLE[s.rules.removed_card]) if s.rules.seats == 3 else cards


@jit
def possible(s, seat):
    """Which unseen cards each other hand may hold, and how many, into `may_hold` and `holds` of a censored state."""
    s.may_hold[:] = 0
    s.holds[:] = 0
    possible_hands(s, seat, unseen(s, seat))
    for q in range(s.rules.seats):
        if q != seat:
            s.holds[q] = hand_size(s) - count(s.seen[q])


@jit
def fits(s, seat):
    """Whether assumed hands agree with what no single card tells.

    A striscio promised to keep a suit (rule 13); a cricca that counts unasked would have been counted (rule 6).
    """
    trigger = s.rules.cricca_trigger
    for q in range(s.rules.seats):
        if q == seat:
            continue
        if s.keeps[q] and not s.keeps[q] & s.hands[q]:
            return False
        if trigger == CriccaTrigger.auto and s.phase == Phase.play and declarable(s, q):
            return False
        ace_led = trigger == CriccaTrigger.lead_ace_first and s.opening >= 0 and s.opening % RANKS == ACE
        if ace_led and has(s.seen[q], s.opening) and has(declarable(s, q), s.opening // RANKS):
            return False
    return True


@jit
def rewind(s):
    """Back to the first lead (rule 7): cricche declared before it stay, and who may know the partner by them."""
    take_back(s, first_to_lead(s))
    s.captured[:] = s.keeps[:] = 0
    s.opening = s.signal = s.last_winner = -1
    s.signalled[:] = -1
    s.demanded = s.partner_known = 0
    by_card = s.rules.trump_chooser == Chooser.holder_D4_each_deal or s.packs == 1
    if by_card and s.rules.mode5 != Mode.imola_call:  # rule 5
        s.shown[s.chooser] = bit(FOUR_OF_DENARI)
    if s.rules.cricca_trigger == CriccaTrigger.lead_ace_first:
        s.cricche[:] = 0
    for seat in range(s.rules.seats):
        for suit in range(SUITS):
            if has(s.cricche[seat], suit):
                s.shown[seat] |= cricca_cards(suit)
                s.points[side(s, seat)] += 9
                s.partner_known |= suit == s.called
    if s.rules.mode5 == Mode.imola_call and s.called >= 0 and s.rules.imola_own_three == OwnThree.forbidden:
        s.lacks[s.chooser] |= bit(called_card(s))
    return True


@jit
def settle(s, seat, places, order):
    """Put assumed hands into a censored state; places: (5,) card set by seat, the own one unused; no order matters."""
    for q in range(s.rules.seats):
        if q != seat:
            s.hands[q] = places[q]
        if s.called >= 0 and has(s.hands[q] | s.seen[q], called_card(s)):
            s.partner = q


@jit
def censor(s, seat):
    """Blank all that a seat may not know: other hands, the secret partner, the packs to come."""
    for q in range(s.rules.seats):
        if q != seat:
            s.hands[q] = 0
    if not s.partner_known and s.partner != seat:
        s.partner = -1
    s.rng = np.uint64(0)


@jit
def observe(s, seat, out):
    """What a seat knows, from its censored state, laid out as OBSERVATION; returns the end."""
    scale = 4 * s.rules.socio_deals if partner_game(s) else s.rules.target
    best = holder(s) if s.played > 0 else -1
    at = observe_cards(s, seat, out, unseen(s, seat), s.trump, best, SUITS, RANKS)
    at = observe_table(s, seat, out, at, 6, 13, 35, scale)
    at = put_one(out, at, turned(s, seat, s.chooser), MAX_SEATS)
    at = put_one(out, at, turned(s, seat, s.partner), MAX_SEATS)
    at = put_one(out, at, s.called, SUITS)
    at = put(out, at, s.alone)
    at = put(out, at, s.demanded)
    at = put_sets(out, at, s, seat, s.cricche, 0, SUITS)
    at = put_one(out, at, s.signal, 3)
    for k in range(MAX_SEATS):
        at = put_one(out, at, s.signalled[onward(s, seat, k)] if k < s.rules.seats else -1, 3)
    at = put_sides(out, at, s, seat, s.games, 2)
    at = put(out, at, 1.0 - s.deals / s.rules.socio_deals if partner_game(s) else 0.0)
    at = put_one(out, at, s.rules.mode5, 3)
    at = put_one(out, at, s.rules.cricca_scope, 3)
    at = put(out, at, s.rules.cricca_who)
    at = put_one(out, at, s.rules.cricca_trigger, 3)
    at = put_one(out, at, s.rules.signals, 3)
    return put(out, at, s.rules.rounding)


# --- checks and texts ------------------------------------------------------------------------------------------------

PROBLEMS = (
    "a card lies in two places or is not in the pack",
    "cards are missing from the pack",
    "hands of unequal size before a trick",
    "a hand holds cards that all know it lacks, or lacks cards that it has shown",
    "the points of the deal do not add up",
    "a phase without a seat on turn, or the other way round",
    "a promise to keep a suit is broken",
)


@jit
def problems(s):
    """Everything wrong with a full state, as a bit set over PROBLEMS; 0 if all is well."""
    found = 0
    whole = unseen(s, 0) | gone(s) | s.hands[0]
    in_deal = s.phase >= FIRST_PHASE
    held = total = points = np.int64(0)
    for q in range(s.rules.seats):
        held |= s.hands[q] | s.seen[q]
        total += thirds(s.captured[q])
        points += s.points[q]
        if in_deal and s.played == 0 and count(s.hands[q]) != hand_size(s) - s.trick_no:
            found |= 4
        if s.hands[q] & s.lacks[q] or s.shown[q] & ~s.hands[q]:
            found |= 8
        if s.rules.last_trick and s.last_winner == q:
            total += 3
    if held_twice(s, whole):
        found |= 1
    if s.packs > 0 and held != whole:
        found |= 2
    if points != total + 9 * declared(s, (1 << s.rules.seats) - 1):
        found |= 16
    if in_deal != (0 <= s.turn < s.rules.seats):
        found |= 32
    if in_deal and not fits(s, -1):
        found |= 64
    return found


def action_name(action: int) -> str:
    """Text of an action, such as `play C10`, `trump B`, `volo`. Raises IndexError outside 0..58."""
    block = ACTIONS.of(action)
    at = action - block.start
    if block.name == "play":
        return f"play {DECK.names[at]}"
    if block.name == "signal":
        return SIGNAL_NAMES[at]
    return f"{block.name} {DECK.letters[at]}" if block.size > 1 else block.name


def headline(s: Any) -> str:
    """The contract of the deal in a few words."""
    if s.chooser < 0:
        return "nobody has called yet" if s.rules.mode5 == Mode.imola_call else "no deal yet"
    trump = f"trumps {DECK.suit_names[s.trump]}" if s.trump >= 0 else "trumps not named"
    called = f", calls the three of {DECK.suit_names[s.called]}" if s.called >= 0 else ""
    alone = ", plays alone" if s.alone else ""
    signal = f", signal {SIGNAL_NAMES[s.signal]}" if s.signal >= 0 else ""
    return f"{trump}, chosen by seat {s.chooser}{called}{alone}{signal}"


def seat_notes(s: Any, seat: int) -> list[str]:
    """What all know of a seat besides its cards."""
    notes = [f"cricca {DECK.suit_names[k]}" for k in range(SUITS) if s.cricche[seat] >> k & 1]
    notes += ["partner"] if s.partner == seat != s.chooser else []
    return notes + ([f"last signal {SIGNAL_NAMES[s.signalled[seat]]}"] if s.signalled[seat] >= 0 else [])


def score_sheet(s: Any) -> list[tuple[str, list[int]]]:
    """How the points of the finished or running deal came about: rows (reason, number by side)."""
    groups = [int(members(s, k)) for k in range(sides(s))]
    last = [3 if s.rules.last_trick and s.last_winner >= 0 and g >> s.last_winner & 1 else 0 for g in groups]
    return [
        ("thirds in tricks", [int(pooled(s, g)) - extra for g, extra in zip(groups, last, strict=True)]),
        ("thirds for the last trick", last),
        ("cricche", [int(declared(s, g)) for g in groups]),
    ]


def concealed(s: Any, seat: int, action: int, viewer: int) -> bool:
    """Whether a past action of the current deal is still unknown to a viewer: never, all is done openly."""
    return False


def refusal(s: Any, action: int) -> str:
    """Why an action is not legal for the seat on turn, naming the rule."""
    hand = int(s.hands[s.turn])
    kind = ACTIONS.of(action).name
    phase = Phase(s.phase)
    if kind == "play" and phase == Phase.play:
        return _card_refusal(s, hand, action)
    if kind == "signal" and phase == Phase.play:
        return _signal_refusal(s, action - SIGNAL)
    if kind == "cricca" and phase == Phase.cricca:
        return (
            f"it does not hold, or may not declare, ace, two and three of {DECK.suit_names[action - CRICCA]} (rule 6)"
        )
    if kind == "three" and phase == Phase.three:
        return "the three must be of another suit than trumps and not in the caller's hand (rule 15)"
    if kind == "trump" and phase == Phase.trump:
        return "that suit would leave no three to name (rule 15)"
    if kind == "my-three" and phase == Phase.play:
        return "only the caller may demand a three still out, before his lead, where the table allows it (rule 16)"
    return f"it is time to {_WANTED[phase]}"


_WANTED = {
    Phase.deal: "deal",
    Phase.over: "start a new match, this one is over",
    Phase.call: "call a three or pass (rule 15)",
    Phase.solo: "play alone (solo) or pass (rule 15)",
    Phase.cricca: "declare a cricca or pass (rule 6)",
    Phase.trump: "name trumps (rule 5)",
    Phase.three: "name a three (rule 15)",
    Phase.play: "play a card (rule 8)",
}


def _card_refusal(s: Any, hand: int, card: int) -> str:
    if not hand >> card & 1:
        return f"it does not hold {DECK.names[card]}; it holds {DECK.text(hand)}"
    if s.demanded and playable(s) == bit(called_card(s)):
        return f"it must play the three that was demanded, {DECK.names[called_card(s)]} (rule 16)"
    if s.played == 0:
        return f"{SIGNAL_NAMES[s.signal]} promised another lead (rule 13): {DECK.text(int(playable(s)))}"
    led = s.trick[s.leader] // RANKS
    return f"it must follow {DECK.suit_names[led]} (rule 8): holds {DECK.text(int(playable(s)))}"


def _signal_refusal(s: Any, signal: int) -> str:
    if s.rules.signals == Signals.off:
        return "this table plays without signals (rule 13)"
    if s.played > 0 or s.signal >= 0:
        return "only the leader signals, once, before the lead (rule 13)"
    held = "a single card of a suit" if signal == VOLO else "two cards of a suit"
    return f"{SIGNAL_NAMES[signal]} would not be true: it needs {held} (rule 13)"
