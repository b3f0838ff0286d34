"""Hiljadu (Tysiac, Thousand), the bidding game with marriages, for three players.

Sources: the help page of QuentinC's Playroom in Serbian, French and English; where it is silent the Polish and Russian
rules of Tysiac and Tysyacha. Every open point is decided by an option of `Rules`. The rules as enforced below:

 1. Twenty-four cards, suits spades, hearts, diamonds, clubs; strength A 10 K Q J 9 in every suit.
 2. Card points: ace 11, ten 10, king 4, queen 3, jack 2, nine 0: 120 in all.
 3. A marriage is king and queen of a suit in one hand: hearts 100, diamonds 80, clubs 60, spades 40.
 4. Three players, each for himself. The deal passes on seat by seat; forehand is the seat after the dealer. Seven cards
    each, one at a time, forehand first; the last three lie face down as the talon.
 5. Auction: multiples of 5 from 100 to 400. Forehand must open; afterwards each seat in turn bids more or passes, and
    who has passed is out. The last one left is the attacker, his bid the contract; the other two are defenders.
 6. Without a marriage in hand nobody may bid more than 120.
 7. The talon is shown to all and goes to the attacker's hand.
 8. The attacker keeps his contract, or raises it within the limit of rule 6 for his ten cards, or surrenders (rule 17).
 9. Then he gives one card of his hand to the next seat and one to the other; only giver and receiver see it.
10. The attacker leads to the first trick, then the winner of each trick; eight tricks.
11. From the second trick on a leader who holds a marriage may announce it by leading its king or queen: its suit is
    trumps at once, in place of any other, and its value is his whoever wins the trick.
12. Follow suit if able; else play a trump if there are trumps and one is held; else any card. Nobody need beat.
13. The highest trump in the trick wins it, else the highest card of the suit led.
14. The attacker wins his contract if his cards and marriages count as much at least, else he loses it.
15. A defender scores his points, rounded to the nearest multiple of 5, whether the contract is made or not.
16. A played deal without any point is an empty deal; from a player's third one on each costs 120.
17. A surrendered deal is not played: each defender scores half the contract, rounded up to 5, and 60 at least. The
    first two cost the attacker nothing, every later one 120. A player on the barrel may not surrender.
18. Who reaches 880 (the target less 120) but not 1000 is put on 880, on the barrel. There he scores nothing as defender
    and has no empty deals.
19. On the barrel a contract of 120 or more decides: made it wins the match, failed it costs the contract. A smaller one
    gains nothing if made, and costs the contract if failed. Whoever has neither fallen nor won after three deals falls
    back by 120. Whoever falls is off the barrel.
20. Who reaches the target wins the match: the attacker before a defender, then the higher score, then the first seat
    after the dealer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from trickenv.blocks import Blocks, put, put_cards, put_one
from trickenv.cards import FACE_DOWN, NO_CARD, Deck, adding, bit, count, has, suit_cards, without
from trickenv.jit import inlined, jit
from trickenv.observation import common_blocks, observe_cards, observe_table, put_seats, turned
from trickenv.options import Options, option
from trickenv.state import (
    DEAL,
    FIRST_PHASE,
    OVER,
    add_deal,
    ask,
    clear_deal,
    clear_trick,
    end_match,
    gone,
    held_twice,
    lay,
    next_seat,
    note,
    onward,
    possible_hands,
    start_match,
    state_dtype,
    take_back,
)  # fmt: skip
from trickenv.tricks import above, following, trick_best

NAME = "hiljadu"
SEATS = (3,)
MAX_SEATS = 3
LONGEST_DEAL = 90  # decisions: 61 bids, 2 passes, 1 of the attacker, 2 gifts, 24 plays
POINT_UNIT = 1

DECK = Deck(
    [("S", "pik"), ("H", "herc"), ("D", "karo"), ("C", "tref")],
    ["9", "J", "Q", "K", "10", "A"],
    {"J": "žandar", "Q": "dama", "K": "kralj", "A": "kec"},
)
RANKS = 6
SUITS = 4
QUEEN, KING = 2, 3  # strengths; card ^ 1 turns the one into the other
QUEENS = DECK.cards("SQ HQ DQ CQ")
CARD_POINTS = np.array([0, 2, 3, 4, 10, 11] * SUITS, np.int64)  # by card
PACK = (1 << DECK.size) - 1
HAND, TALON, TRICKS = 7, 3, 8
MOST_POINTS = 360  # of a deal: the cards and the three best marriages
BARREL = 120  # what is missing to the target on the barrel, and the contract that decides there
FINE = 120  # price of the third empty or surrendered deal and of three deals on the barrel
PATIENCE = 3  # the third empty deal, the third surrender, the third deal on the barrel is too much
LEAST_BID, MOST_BID, BID_UNIT = 100, 400, 5
BIDS = (MOST_BID - LEAST_BID) // BID_UNIT + 1


class Phase(IntEnum):
    """What the seat on turn decides."""

    deal = DEAL
    over = OVER
    auction = FIRST_PHASE  # bid or pass
    decide = 3  # the attacker keeps, raises or surrenders
    give = 4  # the attacker gives a card away
    play = 5  # play a card, perhaps with a marriage


# Option values, by the names that users write.
CapRule = IntEnum("CapRule", "any sum none", start=0)
RaiseCap = IntEnum("RaiseCap", "marriage max", start=0)
Announce = IntEnum("Announce", "explicit auto", start=0)
SurrenderRepeat = IntEnum("SurrenderRepeat", "each restart third_only forbidden", start=0)
EmptyBy = IntEnum("EmptyBy", "points tricks", start=0)
EmptyRepeat = IntEnum("EmptyRepeat", "each restart", start=0)
BarrelCount = IntEnum("BarrelCount", "all own", start=0)
Winner = IntEnum("Winner", "attacker highest", start=0)


@dataclass(frozen=True, kw_only=True)
class Rules(Options):
    """Options of Hiljadu; the letter and number after each is the open point that it decides (docs/hiljadu.md)."""

    seats: int = option(3, "Number of players.", SEATS)
    target: int = option(1000, "Score that wins the match; the barrel is 120 below it.", least=125)
    bid_min: int = option(100, "Smallest bid (rule 5).", least=LEAST_BID)
    bid_step: int = option(5, "Bids are multiples of this. H-A2", (5, 10))
    bid_max: int = option(400, "Greatest bid and contract. H-A5", least=LEAST_BID)
    max_jump: int = option(0, "Most that a later bid may be above the standing one, 0 = any. H-A2", least=0)
    no_marriage_cap: int = option(120, "Greatest bid without a marriage (rule 6).", least=0)
    cap_rule: CapRule = option(
        CapRule.any,
        "A marriage lifts the limit of rule 6, or adds its value to it, or there is no limit. H-A3",
        CapRule,
    )
    raise_cap: RaiseCap = option(RaiseCap.marriage, "Limit of a raise: that of rule 6, or only bid_max. H-A4", RaiseCap)
    open_exact: bool = option(False, "Forehand opens with the smallest bid, not more. H-A1")
    gifts_public: bool = option(False, "All see the cards given away (rule 9). H-A20")
    must_trump: bool = option(True, "Who cannot follow must trump (rule 12). H-A18")
    must_beat: bool = option(False, "Who follows or trumps must take the trick if able (rule 12). H-A18")
    marriage_spades: int = option(40, "Value of the marriage of spades (rule 3).", least=0)
    marriage_hearts: int = option(100, "Value of the marriage of hearts (rule 3).", least=0)
    marriage_diamonds: int = option(80, "Value of the marriage of diamonds (rule 3).", least=0)
    marriage_clubs: int = option(60, "Value of the marriage of clubs (rule 3).", least=0)
    first_trick_marriage: bool = option(False, "Marriages may be announced in the first trick too (rule 11).")
    announce: Announce = option(
        Announce.explicit, "A lead from a marriage may be silent, or always announces it (rule 11). H-A19", Announce
    )
    round_to: int = option(
        5, "Points of the defenders are rounded to multiples of this, half up (rule 15). H-A16", (5, 10)
    )
    surrender: bool = option(True, "The attacker may surrender (rule 17).")
    surrender_min: int = option(60, "Least that a defender scores in a surrendered deal (rule 17).", least=0)
    surrender_deduct: bool = option(False, "A surrender costs the contract. H-A7")
    surrender_repeat: SurrenderRepeat = option(
        SurrenderRepeat.each,
        "After the third surrender: each costs 120, or the count restarts, or only the third costs, or no more. H-A8",
        SurrenderRepeat,
    )
    empty: bool = option(True, "Empty deals are counted (rule 16).")
    empty_by: EmptyBy = option(EmptyBy.points, "A deal is empty without a point, or without a trick. H-A10", EmptyBy)
    empty_attacker: bool = option(True, "The attacker's deals may be empty ones too. H-A10")
    empty_repeat: EmptyRepeat = option(
        EmptyRepeat.each, "After the third empty deal: each costs 120, or the count restarts. H-A9", EmptyRepeat
    )
    empty_consecutive: bool = option(False, "Only empty deals one after the other count. H-A9")
    barrel: bool = option(True, "There is a barrel (rules 18 and 19).")
    barrel_count: BarrelCount = option(
        BarrelCount.all, "The three deals on the barrel: all, or those as attacker. H-A11", BarrelCount
    )
    barrel_min_bid: int = option(0, "Smallest bid of a player on the barrel, 0 = as for the others. H-A12", least=0)
    barrel_bump: bool = option(False, "A newcomer on the barrel throws off those who sat there. H-A15")
    attacker_only_above: int = option(
        0, "Above this score a player scores only as attacker, 0 = no such rule.", least=0
    )
    winner: Winner = option(
        Winner.attacker, "Of several who reach the target: the attacker, or the highest. H-A14", Winner
    )

    def contradictions(self) -> Iterable[str]:
        """Sentences about options that do not go together."""
        for name in ("bid_min", "bid_max", "barrel_min_bid"):
            if getattr(self, name) % self.bid_step:
                yield f"{name} must be a multiple of bid_step={self.bid_step}, not {getattr(self, name)}"
        if not self.bid_min <= self.bid_max <= MOST_BID:
            yield f"bid_min={self.bid_min} and bid_max={self.bid_max} must be in order and {MOST_BID} at most"
        if self.barrel_min_bid > self.bid_max:
            yield f"barrel_min_bid={self.barrel_min_bid} is more than bid_max={self.bid_max}"
        opening = max(self.bid_min, self.barrel_min_bid)
        if self.cap_rule != CapRule.none and self.no_marriage_cap < opening:
            yield f"no_marriage_cap={self.no_marriage_cap} would leave a forehand who must bid {opening} without a bid"
        if 0 < self.max_jump < self.bid_step:
            yield f"max_jump={self.max_jump} is less than bid_step={self.bid_step}: nobody could bid"
        if self.target % self.round_to:
            yield f"target must be a multiple of round_to={self.round_to}, not {self.target}"
        if self.surrender_min % BID_UNIT:
            yield f"surrender_min must be a multiple of {BID_UNIT}, not {self.surrender_min}"


PRESETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "sum_cap": {"cap_rule": "sum"},
    "must_beat": {"must_beat": True},
    "tysiac_pl": {
        "bid_step": 10, "cap_rule": "sum", "must_beat": True, "announce": "auto", "round_to": 10, "surrender": False,
        "empty": False, "barrel": False, "attacker_only_above": 800,
    },
    "tysyacha_ru": {
        "cap_rule": "sum", "surrender_min": 0, "surrender_deduct": True, "empty_by": "tricks",
        "empty_repeat": "restart",
    },
    "highest_wins": {"winner": "highest"},
    "short": {"target": 500},
}  # fmt: skip

ACTIONS = Blocks(
    ("play", 24, "play the card", 24),
    ("announce", 8, "lead the queen or king and announce its marriage", 8),
    ("give", 24, "give the card away, first to the next seat, then to the other", 24),
    ("bid", BIDS, "bid 100, 105, ... 400"),
    ("raise", BIDS, "raise the contract to 100, 105, ... 400"),
    ("keep", 1, "keep the contract"),
    ("surrender", 1, "surrender the deal"),
    ("pass", 1, "pass"),
)
ANNOUNCE, GIVE, BID, RAISE = (ACTIONS.start(name) for name in ("announce", "give", "bid", "raise"))
KEEP, SURRENDER, PASS = (ACTIONS.start(name) for name in ("keep", "surrender", "pass"))

STATE = state_dtype(
    Rules,
    seats=MAX_SEATS,
    places=MAX_SEATS + 1,  # hands, then the talon before it is shown
    fields=[
        ("talon", np.int64),  # card set: the three cards of the talon, also after it was shown and taken
        ("gifts", np.int32, (MAX_SEATS,)),  # card given to each seat, NO_CARD = none yet, FACE_DOWN = unknown
        ("bids", np.int32, (MAX_SEATS,)),  # last bid of each seat in the auction, 0 = none
        ("passed", np.int32),  # bit set of the seats that have passed
        ("attacker", np.int32),  # seat, -1 = not known yet
        ("contract", np.int32),  # standing bid, after the auction the contract, 0 = no bid yet
        ("surrendered", np.int32),  # 1 = the deal was surrendered
        ("trump", np.int32),  # suit, -1 = none yet
        ("married", np.int32, (MAX_SEATS,)),  # bit set of the suits whose marriage each seat has announced
        ("tricks", np.int32, (MAX_SEATS,)),  # tricks won in this deal, by seat
        ("barrel", np.int32, (MAX_SEATS,)),  # deals spent on the barrel, 0 to 2, -1 = not on it
        ("surrenders", np.int32, (MAX_SEATS,)),  # surrenders that count, by seat
        ("empties", np.int32, (MAX_SEATS,)),  # empty deals that count, by seat
    ],
)

OBSERVATION = Blocks(
    *common_blocks(MAX_SEATS, DECK.size, SUITS, "auction decide give play"),
    ("talon", 24, "cards of the talon, once shown", 24),
    ("gifts", 72, "card given to each seat, where the own seat knows it", 24),
    ("married", 12, "suits of the marriages announced, by seat", 4),
    ("marriages", 4, "suits of the marriages in the own hand", 4),
    ("passed", 3, "seats that have passed"),
    ("received", 3, "seats that have been given a card"),
    ("on_barrel", 3, "seats on the barrel"),
    ("options", 22, "cap rule (3), then one each: steps of 10, rounding to 10, attacker only, must trump, must beat, "
     "first trick marriage, announce auto, raise to the maximum, opening exact, gifts public, surrender, its "
     "deduction, empty deals, by tricks, barrel, its own count, its bump, its least bid, highest wins"),
    ("attacker", 3, "attacker"),
    ("contract", 1, "standing bid or contract, in parts of 400"),
    ("bids", 3, "last bid of each seat, in parts of 400"),
    ("tricks", 3, "tricks won by seat, in parts of all"),
    ("barrel", 3, "deals spent on the barrel by seat, thirds; minus a third for a seat not on it"),
    ("surrenders", 3, "surrenders by seat, thirds"),
    ("empties", 3, "empty deals by seat, thirds"),
)  # fmt: skip
FLAGS = OBSERVATION["attacker"].start - OBSERVATION.start("married")


# --- the course of a deal --------------------------------------------------------------------------------------------


@jit
def start(s, dealer):
    """Begin a match: scores and counters at zero, nobody on the barrel, `dealer` deals first."""
    start_match(s, dealer, 0)
    s.barrel[:] = s.attacker = s.trump = -1
    s.surrenders[:] = s.empties[:] = 0


@jit
def handicap(s, fractions):
    """Put a new match somewhere in its middle; fractions: (3,) in [0, 1), one for each seat."""
    for seat in range(s.rules.seats):
        unit = s.rules.round_to
        s.scores[seat] = int(fractions[seat] * s.rules.target / unit) * unit
        beyond = s.scores[seat] - barrel_score(s)
        if s.rules.barrel and beyond >= 0:
            s.scores[seat] = barrel_score(s)
            s.barrel[seat] = beyond * PATIENCE // BARREL


@jit
def barrel_score(s):
    """Score of the players on the barrel (rule 18)."""
    return s.rules.target - BARREL


@jit
def pack(s, deck):
    """Cards that are shuffled and dealt (rule 1): fills `deck`, returns their number."""
    for card in range(SUITS * RANKS):
        deck[card] = card
    return SUITS * RANKS


@jit
def deal(s, deck):
    """Deal a shuffled pack, top card first: seven each, three to the talon; forehand bids first (rules 4 and 5)."""
    clear_deal(s)
    s.bids[:] = s.married[:] = s.tricks[:] = 0
    s.passed = s.contract = s.surrendered = 0
    s.gifts[:] = NO_CARD
    s.attacker = s.trump = -1
    s.talon = 0
    position = 0
    for _ in range(HAND):
        for k in range(1, s.rules.seats + 1):
            seat = onward(s, s.dealer, k)
            s.hands[seat] = adding(s.hands[seat], deck[position])
            position += 1
    for k in range(TALON):
        s.talon = adding(s.talon, deck[position + k])
    for seat in range(s.rules.seats):  # rule 18, for scores given from outside
        if s.rules.barrel and s.barrel[seat] < 0 and s.scores[seat] == barrel_score(s):
            s.barrel[seat] = 0
    ask(s, Phase.auction, next_seat(s, s.dealer))


@jit
def step(s, action):
    """Carry out a legal action of the seat on turn."""
    if s.phase == Phase.play:
        note(s, action)
        if action < ANNOUNCE:
            note_silence(s, action)
            play(s, action)
        else:
            announce(s, announced_card(action))
    elif s.phase == Phase.auction:
        answer_auction(s, action)
    elif s.phase == Phase.give:
        give(s, action - GIVE)
    else:
        decide(s, action)


@jit
def bid_value(k):
    """Points of entry k of the blocks bid and raise."""
    return LEAST_BID + BID_UNIT * k


@jit
def answer_auction(s, action):
    """Bid or PASS; the last seat left takes the talon (rules 5 and 7)."""
    seat = s.turn
    if action == PASS:
        s.passed |= 1 << seat
    else:
        s.contract = s.bids[seat] = bid_value(action - BID)
    for k in (1, 2):
        if not has(s.passed, onward(s, seat, k)):
            s.turn = onward(s, seat, k)
            break
    if count(s.passed) == s.rules.seats - 1:
        s.attacker = s.turn
        s.shown[s.attacker] = s.talon
        s.hands[s.attacker] |= s.talon
        ask(s, Phase.decide, s.attacker)


@jit
def decide(s, action):
    """KEEP, raise or SURRENDER (rule 8)."""
    if action == SURRENDER:
        s.surrendered = 1
        end_deal(s)
        return
    if action != KEEP:
        s.contract = bid_value(action - RAISE)
    ask(s, Phase.give, s.attacker)


@jit
def give(s, card):
    """Give a card to the next seat, then one to the other; then the attacker leads (rules 9 and 10)."""
    s.asked += 1
    seat = onward(s, s.attacker, s.asked)
    s.hands[s.attacker] = without(s.hands[s.attacker], card)
    s.hands[seat] = adding(s.hands[seat], card)
    s.gifts[seat] = card
    if s.rules.gifts_public:
        s.shown[s.attacker] = without(s.shown[s.attacker], card)
        s.shown[seat] = bit(card)
    else:
        s.shown[s.attacker] = 0  # from now on a card of the talon may have been given away
    if s.asked == s.rules.seats - 1:
        s.leader = s.attacker
        ask(s, Phase.play, s.leader)


# --- marriages and limits --------------------------------------------------------------------------------------------


@jit
def pairs(cards):
    """The queens of a set whose kings are in it too: one for each marriage (rule 3)."""
    return cards & (cards >> 1) & QUEENS


@jit
def marriage(s, suit):
    """Value of a suit's marriage (rule 3)."""
    if suit < 2:
        return s.rules.marriage_hearts if suit else s.rules.marriage_spades
    return s.rules.marriage_diamonds if suit == 2 else s.rules.marriage_clubs


@jit
def limit(s, cards):
    """Greatest bid that a hand of these cards allows (rule 6)."""
    if s.rules.cap_rule == CapRule.none:
        return s.rules.bid_max
    held = pairs(cards)
    most = s.rules.no_marriage_cap
    if s.rules.cap_rule == CapRule.any:
        most = s.rules.bid_max if held else most
    elif held:
        for suit in range(SUITS):
            if has(held, suit * RANKS + QUEEN):
                most += marriage(s, suit)
    return min(most, s.rules.bid_max)


@jit
def raise_limit(s, ten):
    """Greatest contract that an attacker's ten cards allow (rule 8)."""
    return s.rules.bid_max if s.rules.raise_cap == RaiseCap.max else limit(s, ten)


@jit
def may_announce(s):
    """Whether marriages may be announced now, by a leader who has one (rule 11)."""
    return s.played == 0 and (s.trick_no > 0 or s.rules.first_trick_marriage != 0)


@jit
def announced_card(action):
    """The card led by an action of the block announce."""
    k = action - ANNOUNCE
    return (k >> 1) * RANKS + QUEEN + (k & 1)


# --- the play of the cards -------------------------------------------------------------------------------------------


@inlined
def holder(s):
    """Seat that holds the trick; only with a card on the table (rule 13)."""
    return trick_best(s.trick, s.leader, s.played, 1, s.rules.seats, s.trump, RANKS)


@jit
def playable(s):
    """Cards that the seat on turn may play without announcing, as a set (rules 11 and 12)."""
    hand = s.hands[s.turn]
    if s.played == 0:
        held = pairs(hand) if s.rules.announce == Announce.auto and may_announce(s) else hand & 0
        return hand & ~(held | held << 1)
    led = s.trick[s.leader] // RANKS
    cards = following(hand, led, RANKS)
    if not cards and s.trump >= 0 and s.rules.must_trump:
        cards = following(hand, s.trump, RANKS)
    if s.rules.must_beat:
        better = cards & above(s.trick[holder(s)], RANKS)
        cards = better if better else cards
    return cards if cards else hand


@jit
def announce(s, card):
    """Announce a marriage and lead a card of it; all know now where the other one is (rule 11)."""
    suit = card // RANKS
    s.trump = suit
    s.married[s.turn] |= 1 << suit
    s.points[s.turn] += marriage(s, suit)
    s.shown[s.turn] |= bit(card ^ 1)
    play(s, card)


@jit
def note_silence(s, card):
    """With announce=auto a king or queen led silently shows that the other one is not there (rule 11)."""
    if s.rules.announce == Announce.auto and may_announce(s) and (card % RANKS) >> 1 == 1:
        s.lacks[s.turn] |= bit(card ^ 1)


@jit
def play(s, card):
    """Play a card, note what it tells everybody, close the trick when it is full."""
    seat = s.turn
    if s.played > 0:
        note_follow(s, seat, card)
    lay(s, seat, card)
    if s.played == s.rules.seats:
        end_trick(s)
    else:
        s.turn = next_seat(s, seat)


@jit
def note_follow(s, seat, card):
    """What a card shows not to be in the hand: the suit led, trumps, or cards that beat (rule 12)."""
    led = s.trick[s.leader] // RANKS
    suit = card // RANKS
    if suit != led:
        s.lacks[seat] |= suit_cards(led, RANKS)
        if not s.rules.must_trump or s.trump < 0:
            return
        if suit != s.trump:
            s.lacks[seat] |= suit_cards(s.trump, RANKS)
            return
    best = s.trick[holder(s)]
    if s.rules.must_beat and suit == best // RANKS and card < best:
        s.lacks[seat] |= above(best, RANKS)


@jit
def end_trick(s):
    """The winner takes the cards and leads; after the last trick the deal is scored (rules 2, 10 and 13)."""
    winner = holder(s)
    for seat in range(s.rules.seats):
        s.points[winner] += CARD_POINTS[s.trick[seat]]
    s.tricks[winner] += 1
    clear_trick(s, winner)
    if s.trick_no == TRICKS:
        end_deal(s)


# --- scores ----------------------------------------------------------------------------------------------------------


@jit
def made(s):
    """Whether the attacker's points, not rounded, reach the contract (rule 14)."""
    return s.points[s.attacker] >= s.contract


@jit
def rounded(s, points):
    """Points of a defender as they are scored (rule 15)."""
    return 10 * ((points + 5) // 10) if s.rules.round_to == 10 else 5 * ((points + 2) // 5)


@jit
def earned(s, seat):
    """What a seat scores in a played deal or as the other side of a surrender (rules 14, 15 and 17)."""
    if seat == s.attacker:
        if s.surrendered:
            return -s.contract if s.rules.surrender_deduct else 0
        return s.contract if made(s) else -s.contract
    if 0 < s.rules.attacker_only_above < s.scores[seat]:
        return 0
    if s.surrendered:
        return max(s.rules.surrender_min, 5 * ((s.contract + 9) // 10))
    return rounded(s, s.points[seat])


@jit
def fined_for_surrender(s, seat):
    """Count a surrender of the attacker; whether it costs (rule 17)."""
    if not s.surrendered or seat != s.attacker:
        return False
    s.surrenders[seat] += 1
    times = s.surrenders[seat]
    if times == PATIENCE and s.rules.surrender_repeat == SurrenderRepeat.restart:
        s.surrenders[seat] = 0
    return times == PATIENCE or (times > PATIENCE and s.rules.surrender_repeat != SurrenderRepeat.third_only)


@jit
def fined_for_empty(s, seat):
    """Count an empty deal of a seat that is not on the barrel; whether it costs (rule 16)."""
    exempt = seat == s.attacker and not s.rules.empty_attacker
    if s.surrendered or exempt or not s.rules.empty:
        return False
    won = s.tricks[seat] if s.rules.empty_by == EmptyBy.tricks else s.points[seat]
    if won > 0:
        if s.rules.empty_consecutive:
            s.empties[seat] = 0
        return False
    s.empties[seat] += 1
    if s.empties[seat] < PATIENCE:
        return False
    if s.rules.empty_repeat == EmptyRepeat.restart:
        s.empties[seat] = 0
    return True


@jit
def free_score(s, seat):
    """New score of a seat that was not on the barrel; it may arrive there (rule 18)."""
    score = s.scores[seat] + earned(s, seat)
    if fined_for_surrender(s, seat):
        score -= FINE
    if fined_for_empty(s, seat):
        score -= FINE
    if s.rules.barrel and barrel_score(s) <= score < s.rules.target:
        s.barrel[seat] = 0
        return barrel_score(s)
    return score


@jit
def score_on_barrel(s, seat):
    """New score of a seat that was on the barrel; it may leave it (rule 19)."""
    attacks = seat == s.attacker
    if attacks and s.contract >= BARREL:
        s.barrel[seat] = -1
        return barrel_score(s) + earned(s, seat)
    if attacks and not made(s) and s.barrel[seat] < PATIENCE - 1:
        s.barrel[seat] = -1
        return barrel_score(s) - s.contract
    if attacks or s.rules.barrel_count == BarrelCount.all:
        s.barrel[seat] += 1
    if s.barrel[seat] == PATIENCE:
        s.barrel[seat] = -1
        return barrel_score(s) - FINE
    return barrel_score(s)


@jit
def score(s):
    """Change of score by seat into `delta` (rules 14 to 19)."""
    sat = arrived = 0
    for seat in range(s.rules.seats):
        if s.barrel[seat] >= 0:
            sat |= 1 << seat
            s.delta[seat] = score_on_barrel(s, seat) - s.scores[seat]
        else:
            s.delta[seat] = free_score(s, seat) - s.scores[seat]
            arrived += s.barrel[seat] >= 0
    if s.rules.barrel_bump and arrived:
        for seat in range(s.rules.seats):
            if has(sat, seat) and s.barrel[seat] >= 0:
                s.barrel[seat] = -1
                s.delta[seat] = barrel_score(s) - FINE - s.scores[seat]


@jit
def match_winner(s):
    """Seat that has won the match, -1 if nobody has (rule 20)."""
    best = -1
    for k in range(1, s.rules.seats + 1):
        seat = onward(s, s.dealer, k)
        if s.scores[seat] < s.rules.target:
            continue
        if seat == s.attacker and s.rules.winner == Winner.attacker:
            return seat
        if best < 0 or s.scores[seat] > s.scores[best] or (s.scores[seat] == s.scores[best] and seat == s.attacker):
            best = seat
    return best


@jit
def end_deal(s):
    """Add the deal to the match; end it (rule 20) or pass the deal on (rule 4)."""
    score(s)
    add_deal(s)
    best = match_winner(s)
    if best >= 0:
        end_match(s, 1 << best)
    s.dealer = next_seat(s, s.dealer)


# --- what search wants to know ---------------------------------------------------------------------------------------


@jit
def card_points(s, card):
    """Points of a card (rule 2)."""
    return CARD_POINTS[card]


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
    """Card points in hands and in the open trick, and the marriages that may still be announced (rules 2 and 11)."""
    total = 0
    for card in range(SUITS * RANKS):
        if not has(gone(s), card):
            total += CARD_POINTS[card]
    for seat in range(s.rules.seats):
        if s.trick[seat] >= 0:
            total += CARD_POINTS[s.trick[seat]]
        held = pairs(s.hands[seat])
        for suit in range(SUITS):
            if has(held, suit * RANKS + QUEEN):
                total += marriage(s, suit)
    return total


@jit
def pays_points(s):
    """The bidder wins or loses the bid, and points are rounded (rules 14 to 19)."""
    return False


@jit
def bearing(s):
    """Trumps, and whether marriages count yet (rule 11)."""
    return s.trump + 8 * (s.trick_no == 0)


@jit
def speaks(s):
    """A marriage brings points and makes trumps (rule 11)."""
    return may_announce(s) and pairs(s.hands[s.turn]) != 0


# --- what may be done, and who sees what -----------------------------------------------------------------------------


@jit
def legal(s, mask):
    """Actions of the seat on turn; mask: (181,) int8, overwritten with ones and zeros."""
    mask[:] = 0
    if s.phase == Phase.play:
        put_mask(mask[:ANNOUNCE], playable(s))
        if may_announce(s):
            held = pairs(s.hands[s.turn])
            for suit in range(SUITS):
                both = (held >> (suit * RANKS + QUEEN)) & 1
                mask[ANNOUNCE + 2 * suit] = mask[ANNOUNCE + 2 * suit + 1] = both
    elif s.phase == Phase.auction:
        mask[PASS] = s.contract > 0
        allow_bids(s, mask[BID:RAISE], least_bid(s), greatest_bid(s))
    elif s.phase == Phase.decide:
        mask[KEEP] = 1
        mask[SURRENDER] = may_surrender(s)
        allow_bids(s, mask[RAISE:KEEP], s.contract + 1, raise_limit(s, s.hands[s.turn]))
    elif s.phase == Phase.give:
        put_mask(mask[GIVE:BID], s.hands[s.turn])


@inlined
def put_mask(mask, cards):
    """Ones for the cards of a set; mask: (24,) int8."""
    for card in range(SUITS * RANKS):
        mask[card] = (cards >> card) & 1


@inlined
def allow_bids(s, mask, least, most):
    """Ones for the bids in a range; mask: (61,) int8."""
    odd = s.rules.bid_step == BID_UNIT
    for k in range(BIDS):
        mask[k] = (least <= bid_value(k)) & (bid_value(k) <= most) & (odd | (k & 1 == 0))


@jit
def least_bid(s):
    """Smallest bid open to the seat on turn (rule 5)."""
    least = s.contract + s.rules.bid_step if s.contract else s.rules.bid_min
    return max(least, s.rules.barrel_min_bid) if s.barrel[s.turn] >= 0 else least


@jit
def greatest_bid(s):
    """Greatest bid open to the seat on turn, perhaps less than the smallest (rules 5 and 6)."""
    most = limit(s, s.hands[s.turn])
    if s.contract == 0 and s.rules.open_exact:
        return least_bid(s)
    if s.contract > 0 and s.rules.max_jump > 0:
        return min(most, s.contract + s.rules.max_jump)
    return most


@jit
def may_surrender(s):
    """Whether the attacker may surrender (rule 17)."""
    spent = s.rules.surrender_repeat == SurrenderRepeat.forbidden and s.surrenders[s.attacker] >= PATIENCE
    return s.rules.surrender and s.barrel[s.attacker] < 0 and not spent


@jit
def unseen(s, seat):
    """Cards that lie in other hands or in the talon, from what a seat knows."""
    return np.int64(PACK) & ~gone(s) & ~s.hands[seat]


@jit
def hand_size(s, seat):
    """Cards in a hand, as all can count them."""
    size = HAND - count(s.seen[seat])
    if s.attacker < 0:
        return size
    if seat != s.attacker:
        return size + (s.gifts[seat] != NO_CARD)
    for q in range(s.rules.seats):
        size -= s.gifts[q] != NO_CARD
    return size + TALON


@jit
def possible(s, seat):
    """Which unseen cards each other hand and the talon may hold, and how many, into `may_hold` and `holds`."""
    s.may_hold[:] = 0
    s.holds[:] = 0
    cards = unseen(s, seat)
    possible_hands(s, seat, cards)
    for q in range(s.rules.seats):
        if q != seat:
            s.holds[q] = hand_size(s, q)
    if s.attacker < 0:
        s.may_hold[MAX_SEATS] = cards
        s.holds[MAX_SEATS] = TALON
        return
    for q in range(s.rules.seats):
        if q != s.attacker:
            may_be_given(s, seat, q)


@jit
def may_be_given(s, seat, q):
    """What a viewer knows of the talon and the gifts in respect of defender q, into `may_hold` (rules 7 and 9)."""
    gift = s.gifts[q]
    if gift >= 0:  # the viewer knows the gift: it lies there until played, and nothing else of the talon does
        for other in range(s.rules.seats):
            if other != q:
                s.may_hold[other] = without(s.may_hold[other], gift)
        s.may_hold[q] &= ~s.talon | bit(gift)
    elif gift == NO_CARD or s.seen[q] & s.talon:
        s.may_hold[q] &= ~s.talon


@jit
def fits(s, seat):
    """Whether assumed cards agree with what no single card tells: the bids, the talon and the gifts (rules 6 to 9)."""
    everything = np.int64(0)
    for q in range(s.rules.seats):
        cards = s.hands[q] | s.seen[q]
        if s.gifts[q] >= 0:
            if not has(cards, s.gifts[q]):
                return False
            cards = without(cards, s.gifts[q])
            everything = adding(everything, s.gifts[q])
        if q != s.attacker and (s.bids[q] > limit(s, cards) or (s.attacker >= 0 and cards & s.talon)):
            return False
    if s.attacker < 0:
        return True
    ten = everything | s.hands[s.attacker] | s.seen[s.attacker]
    return s.bids[s.attacker] <= limit(s, ten & ~s.talon) and s.contract <= raise_limit(s, ten)


@jit
def rewind(s):
    """Back to the first lead (rule 10)."""
    take_back(s, s.attacker)
    s.trump = -1
    s.married[:] = s.tricks[:] = 0
    if s.rules.gifts_public:
        s.shown[s.attacker] = s.talon
        for seat in range(s.rules.seats):
            if seat != s.attacker:
                s.shown[seat] = bit(s.gifts[seat])
                s.shown[s.attacker] = without(s.shown[s.attacker], s.gifts[seat])
    return True


@jit
def settle(s, seat, places, order):
    """Put assumed cards into a censored state; places: (4,) card set by seat and of the talon; order draws the gift."""
    for q in range(s.rules.seats):
        if q != seat:
            s.hands[q] = places[q]
    if s.attacker < 0:
        s.talon = places[MAX_SEATS]
    elif seat != s.attacker and not s.rules.gifts_public:
        third = 3 - seat - s.attacker
        if s.gifts[third] != NO_CARD:
            settle_gift(s, seat, third, order)


@jit
def settle_gift(s, seat, third, order):
    """Choose the gift that a viewer has not seen among all that fit; a card of the talon can be nothing else."""
    cards = s.hands[third] | s.seen[third]
    if cards & s.talon:
        cards &= s.talon
    fitting = np.int64(0)
    for card in range(SUITS * RANKS):
        if has(cards, card):
            s.gifts[third] = card
            if fits(s, seat):
                fitting = adding(fitting, card)
    if fitting:
        left = (order[0] * SUITS * RANKS + order[1]) % count(fitting)
        for card in range(SUITS * RANKS):
            if has(fitting, card):
                if left == 0:
                    s.gifts[third] = card
                left -= 1


@jit
def censor(s, seat):
    """Blank all that a seat may not know: other hands, the talon till it is shown, others' gifts, packs to come."""
    for q in range(s.rules.seats):
        if q != seat:
            s.hands[q] = 0
            if s.gifts[q] >= 0 and seat != s.attacker and not s.rules.gifts_public:
                s.gifts[q] = FACE_DOWN
    if s.attacker < 0:
        s.talon = 0
    s.rng = np.uint64(0)


@jit
def observe(s, seat, out):
    """What a seat knows, from its censored state, as OBSERVATION says; out: float32, overwritten; returns its end."""
    best = holder(s) if s.played > 0 else -1
    at = observe_cards(s, seat, out, unseen(s, seat), s.trump, best, SUITS, RANKS)
    at = observe_table(s, seat, out, at, 4, TRICKS, MOST_POINTS, s.rules.target)
    at = put_cards(out, at, s.talon, SUITS * RANKS)
    for k in range(MAX_SEATS):
        gift = s.gifts[onward(s, seat, k)]
        at = put_cards(out, at, bit(gift) if gift >= 0 else np.int64(0), SUITS * RANKS)
    at = put_cards(out, at, flags(s, seat), FLAGS)
    at = put_one(out, at, turned(s, seat, s.attacker), MAX_SEATS)
    at = put(out, at, s.contract / MOST_BID)
    at = put_seats(out, at, s, seat, s.bids, MOST_BID)
    at = put_seats(out, at, s, seat, s.tricks, TRICKS)
    at = put_seats(out, at, s, seat, s.barrel, PATIENCE)
    at = put_seats(out, at, s, seat, s.surrenders, PATIENCE)
    return put_seats(out, at, s, seat, s.empties, PATIENCE)


@inlined
def flags(s, seat):
    """Blocks married, marriages, passed, received, on_barrel and options, lowest bit first."""
    rules = s.rules
    bits = np.int64(0)
    for k in range(MAX_SEATS):
        other = onward(s, seat, k)
        bits |= np.int64(s.married[other]) << (SUITS * k)
        bits |= np.int64((s.passed >> other) & 1) << (16 + k)
        bits |= np.int64(s.gifts[other] != NO_CARD) << (19 + k)
        bits |= np.int64(s.barrel[other] >= 0) << (22 + k)
    held = pairs(s.hands[seat]) >> QUEEN
    for suit in range(SUITS):
        bits |= ((held >> (suit * RANKS)) & 1) << (12 + suit)
    wide = (rules.bid_step == 10) | (rules.round_to == 10) << 1 | (rules.attacker_only_above > 0) << 2
    bits |= np.int64(1 << rules.cap_rule | wide << 3) << 25
    play = rules.must_trump | rules.must_beat << 1 | rules.first_trick_marriage << 2 | rules.announce << 3
    bid = rules.raise_cap | rules.open_exact << 1 | rules.gifts_public << 2 | rules.surrender << 3
    end = rules.surrender_deduct | rules.empty << 1 | rules.empty_by << 2 | rules.barrel << 3
    rest = rules.barrel_count | rules.barrel_bump << 1 | (rules.barrel_min_bid > 0) << 2 | rules.winner << 3
    return bits | np.int64(play | bid << 4 | end << 8 | rest << 12) << 31


# --- checks and texts ------------------------------------------------------------------------------------------------

PROBLEMS = (
    "a card lies in two places or is not in the pack",
    "cards are missing from the pack",
    "a hand of the wrong size",
    "a hand holds cards that all know it lacks, or lacks cards that it has shown",
    "the points of the deal do not add up",
    "a phase without a seat on turn, or the other way round",
    "a bid, a gift or the talon does not agree with the cards",
    "a score that is no multiple of 5, or a player on the barrel with another score than the barrel's",
    "a contract that nobody could have bid",
)


@jit
def problems(s):
    """Everything wrong with a full state, as a bit set over PROBLEMS; 0 if all is well."""
    found = 0
    in_deal = s.phase >= FIRST_PHASE
    held = s.talon if s.attacker < 0 and s.packs > 0 else np.int64(0)
    if held_twice(s, np.int64(PACK) & ~held):
        found |= 1
    points = 0
    for q in range(s.rules.seats):
        held |= s.hands[q] | s.seen[q]
        points += s.points[q]
        for suit in range(SUITS):
            if has(s.married[q], suit):
                points -= marriage(s, suit)
        if s.packs > 0 and count(s.hands[q]) != hand_size(s, q):
            found |= 4
        if s.hands[q] & s.lacks[q] or s.shown[q] & ~s.hands[q]:
            found |= 8
        wrong_barrel = s.barrel[q] >= PATIENCE or (s.barrel[q] >= 0 and s.scores[q] != barrel_score(s))
        if s.scores[q] % BID_UNIT or wrong_barrel:
            found |= 128
    if s.packs > 0 and held != PACK:
        found |= 2
    if points != won_points(s):
        found |= 16
    if in_deal != (0 <= s.turn < s.rules.seats):
        found |= 32
    if s.packs > 0 and not fits(s, -1):
        found |= 64
    if s.attacker >= 0 and not (
        s.rules.bid_min <= s.contract <= s.rules.bid_max and s.contract % s.rules.bid_step == 0
    ):
        found |= 256
    return found


@jit
def won_points(s):
    """Card points of the tricks that are complete."""
    total = 0
    for card in range(SUITS * RANKS):
        if has(gone(s), card):
            total += CARD_POINTS[card]
    for q in range(s.rules.seats):
        if s.trick[q] >= 0:
            total -= CARD_POINTS[s.trick[q]]
    return total


def action_name(action: int) -> str:
    """Text of an action, such as `play H10`, `bid 105`, `keep`. Raises IndexError outside 0..180."""
    block = ACTIONS.of(action)
    at = action - block.start
    if block.name in ("play", "give"):
        return f"{block.name} {DECK.names[at]}"
    if block.name == "announce":
        return f"announce {DECK.names[announced_card(action)]}"
    return f"{block.name} {bid_value(at)}" if block.size > 1 else block.name


def headline(s: Any) -> str:
    """The contract of the deal in a few words."""
    if s.attacker < 0:
        return f"auction, {s.contract} stands" if s.contract else "auction, no bid yet"
    trump = f"trumps {DECK.suit_names[s.trump]}" if s.trump >= 0 else "no trumps"
    return f"seat {s.attacker} plays {s.contract}, {'surrendered' if s.surrendered else trump}"


def seat_notes(s: Any, seat: int) -> list[str]:
    """What all know of a seat besides its cards."""
    notes = [f"bid {s.bids[seat]}"] if s.bids[seat] else []
    notes += ["passed"] if s.passed >> seat & 1 else []
    notes += ["attacker"] if s.attacker == seat else []
    notes += [f"marriage of {DECK.suit_names[k]}" for k in range(SUITS) if s.married[seat] >> k & 1]
    notes += [f"on the barrel, deals spent: {s.barrel[seat]}"] if s.barrel[seat] >= 0 else []
    notes += [f"surrenders {s.surrenders[seat]}"] if s.surrenders[seat] else []
    return notes + ([f"empty deals {s.empties[seat]}"] if s.empties[seat] else [])


def score_sheet(s: Any) -> list[tuple[str, list[int]]]:
    """How the points of the finished or running deal came about: rows (reason, number by seat)."""
    values = [marriage(s, suit) for suit in range(SUITS)]
    seats = range(int(s.rules.seats))
    bonus = [sum(int(values[k]) for k in range(SUITS) if s.married[q] >> k & 1) for q in seats]
    return [("card points in tricks", [int(s.points[q]) - bonus[q] for q in seats]), ("marriages", bonus)]


def concealed(s: Any, seat: int, action: int, viewer: int) -> bool:
    """Whether a past action of the current deal is still unknown to a viewer: gifts to another seat are (rule 9)."""
    if not GIVE <= action < BID or viewer == seat or s.rules.gifts_public:
        return False
    return s.gifts[viewer] != action - GIVE


def refusal(s: Any, action: int) -> str:
    """Why an action is not legal for the seat on turn, naming the rule."""
    hand = int(s.hands[s.turn])
    kind = ACTIONS.of(action).name
    phase = Phase(s.phase)
    if kind in ("bid", "pass") and phase == Phase.auction:
        return _bid_refusal(s, kind)
    if kind == "raise" and phase == Phase.decide:
        return f"a raise must be more than {s.contract} and {raise_limit(s, hand)} at most (rules 6 and 8)"
    if kind == "surrender" and phase == Phase.decide:
        if not s.rules.surrender:
            return "this table plays without surrender (rule 17)"
        return "a player on the barrel, or one who has no surrenders left, must play (rule 17)"
    if kind in ("play", "announce") and phase == Phase.play:
        return _card_refusal(s, hand, kind, announced_card(action) if kind == "announce" else action)
    if kind == "give" and phase == Phase.give:
        return f"it does not hold {DECK.names[action - GIVE]} (rule 9); it holds {DECK.text(hand)}"
    return f"it is time to {_WANTED[phase]}"


_WANTED = {
    Phase.deal: "deal",
    Phase.over: "start a new match, this one is over",
    Phase.auction: "bid or pass (rule 5)",
    Phase.decide: "keep, raise or surrender (rule 8)",
    Phase.give: "give a card away (rule 9)",
    Phase.play: "play a card (rule 12)",
}


def _bid_refusal(s: Any, kind: str) -> str:
    if kind == "pass":
        return "forehand must open the auction (rule 5)"
    least, most = least_bid(s), greatest_bid(s)
    if least > most:
        return f"a bid must be {least} at least, and more than {most} is not open to it: it must pass (rules 5 and 6)"
    return f"a bid must be a multiple of {s.rules.bid_step} from {least} to {most} (rules 5 and 6)"


def _card_refusal(s: Any, hand: int, kind: str, card: int) -> str:
    held = DECK.text(int(playable(s)))
    if not hand >> card & 1:
        return f"it does not hold {DECK.names[card]}; it holds {DECK.text(hand)}"
    if kind == "announce":
        if not may_announce(s):
            return "only a leader may announce, and not in the first trick (rule 11)"
        return f"it does not hold king and queen of {DECK.suit_names[card // RANKS]} (rule 11)"
    if s.played == 0:
        return f"leading from a marriage announces it at this table (rule 11): announce {DECK.names[card]}"
    led = s.trick[s.leader] // RANKS
    if not int(following(hand, led, RANKS)):
        word = "overtrump" if card // RANKS == s.trump else "trump"
        return f"it must {word} (rule 12): holds {held}"
    return f"it must {'beat' if card // RANKS == led else f'follow {DECK.suit_names[led]}'} (rule 12): holds {held}"
