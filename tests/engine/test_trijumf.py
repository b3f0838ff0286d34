"""Trijumf: rare options under random play, and what is known of a hand that draws, against a slow, obvious twin."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from trickenv.engine import batch
from trickenv.engine.episode import DECK_SPACE, episode
from trickenv.engine.spec import game
from trickenv.engine.table import Table
from trickenv.games import trijumf

RARE: list[dict[str, Any]] = [
    {"cut_decider": "random"},
    {"cut_decider": "fixed", "cut_modes": ["turn", "knock"]},
    {"turned_card_to": "dealer"},
    {"knock_trump_effect": "from_declaration", "akuza_window": "any_turn", "overtrump": True, "beat_trump_lead": True},
    {"out_check": "immediate", "both_out": "higher_total"},
    {"beat_trump_lead": True, "beat_target": "led_card", "call_legal": "always", "call_trick_won_by": "caller"},
    {"must_trump": False},
    {"seats": 3, "failed_call_3p": "highest", "call_legal": "always"},
    {"seats": 3, "akuza_window": "first_turn", "exchange_on_seven": False, "beat_target": "led_card"},
    {"seats": 3, "exchange": False, "out_check": "immediate"},
    {"seats": 2, "akuza_limit": "per_deal", "cut_decider": "random", "show_draws": True},
    {"seats": 2, "knock_trump_effect": "from_declaration", "cut_modes": ["knock"], "overtrump": True},
    {"seats": 2, "beat_trump_lead": True, "beat_target": "led_card", "out_check": "immediate"},
]


@pytest.mark.parametrize("options", RARE, ids=str)
def test_rare_options_play_without_problems(options: dict[str, Any]) -> None:
    g = game("trijumf")
    rules = g.rules(**options)
    tables, blank, deck = g.tables(64), g.blank(rules), np.zeros(DECK_SPACE, np.int64)
    match = episode(g, rules, max_deals=20)
    batch.seed_rows(tables, 3)
    batch.reset_rows(tables, np.arange(64), blank, match, deck)
    ended, found = batch.play_random(tables, blank, match, g.kinds, np.arange(64, dtype=np.uint64), 1500, True)
    assert ended > 0
    assert [text for k, text in enumerate(trijumf.PROBLEMS) if found >> k & 1] == []


@pytest.mark.parametrize("options", RARE, ids=str)
def test_rare_options_have_worlds(options: dict[str, Any]) -> None:
    """The truth is never ruled out, and drawn worlds break no rule."""
    luck = np.random.default_rng(1)
    for seed in range(3):
        table = Table("trijumf", seed=seed, max_deals=1, **options)
        while not table.over:
            if luck.random() < 0.2:
                for seat in range(table.seats):
                    view, state = table.view(seat), table.state
                    for q in set(range(table.seats)) - {seat}:
                        assert not int(state.hands[q]) & ~int(view.state.may_hold[q])
                    assert trijumf.fits(state, seat)
                    assert [int(trijumf.problems(w)) for w in view.worlds(2, seed=seed)] == [0, 0]
            table.step(int(luck.choice(table.legal_actions())))


def test_a_drawn_mode_is_any_of_those_allowed() -> None:
    modes = [int(Table("trijumf", seed=k, cut_decider="random").state.mode) for k in range(300)]
    counts = np.bincount(modes, minlength=3)
    assert counts.min() > 65  # 100 each, four standard deviations (8.2) below
    assert set(modes) == {0, 1, 2}


class Known(NamedTuple):
    """What the table has seen of one of two players: cards with the trick (from 1) in which each thing happened."""

    played: list[tuple[int, int]]
    lacked: list[tuple[int, set[int]]]
    shown: dict[int, int]


def could_hold(hand: list[int], known: Known, draws: int, now: float, turned: int | None) -> bool:
    """Whether the cards of a hand and those played fit five cards dealt and so many drawn, by matching card to draw."""
    came = [0] * 5 + list(range(1, draws + 1))
    cards = [(card, float(trick)) for card, trick in known.played] + [(card, now) for card in hand]
    if len(cards) != len(came):
        return False

    def fits(card: int, left: float, drawn: int) -> bool:
        if drawn >= left or drawn >= known.shown.get(card, now):
            return False
        if turned is not None and (drawn == 15) != (card == turned):
            return False
        return not any(card in lacked and drawn < trick < left for trick, lacked in known.lacked)

    holder = [-1] * len(came)

    def place(i: int, seen: set[int]) -> bool:
        for k, drawn in enumerate(came):
            if k not in seen and fits(*cards[i], drawn):
                seen.add(k)
                if holder[k] < 0 or place(holder[k], seen):
                    holder[k] = i
                    return True
        return False

    return all(place(i, set()) for i in range(len(cards)))


def note(known: list[Known], state: Any, action: int) -> None:
    """What all learn from an action, under the default rules of two."""
    seat, trick = int(state.turn), int(state.trick_no) + 1
    if state.phase != trijumf.Phase.play or action >= trijumf.DOSTA:
        return
    if action >= trijumf.DECLARE:
        for strength in (trijumf.HORSE, trijumf.KING):
            known[seat].shown.setdefault((action - trijumf.DECLARE) * 10 + strength, trick)
        return
    if state.played and action // 10 != (led := int(state.trick[state.leader]) // 10):
        trump = int(state.trump)
        suits = {led} if trump < 0 or action // 10 == trump else {led, trump}
        known[seat].lacked.append((trick, {card for card in range(40) if card // 10 in suits}))
    known[seat].played.append((action, trick))


def guesses(truth: list[int], pool: list[int], luck: np.random.Generator) -> list[list[int]]:
    """Hands to judge: drawn at random, and the true one with a card or two exchanged."""
    hands = [luck.choice(pool, len(truth), replace=False).tolist() for _ in range(4)]
    for _ in range(4):
        keep = luck.permutation(truth)[luck.integers(1, 3) :].tolist()
        rest = [card for card in pool if card not in keep]
        hands.append(keep + luck.choice(rest, len(truth) - len(keep), replace=False).tolist())
    return hands


def test_what_a_drawing_hand_may_hold_is_exact() -> None:
    """`possible` and `fits` together allow just the hands that some order of draws explains (rules 12, 13 and 16)."""
    luck = np.random.default_rng(0)
    judged = {True: 0, False: 0}
    for seed in range(12):
        table = Table("trijumf", "two", seed=seed, max_deals=1)
        known = [Known([], [], {}) for _ in range(2)]
        while not table.over:
            s = table.state
            for seat in range(2) if s.trick_no > 2 else ():
                q = 1 - seat
                truth = trijumf.DECK.list(int(s.hands[q]))
                if not truth:
                    continue
                view = table.view(seat)
                late = s.turned >= 0 and s.table_card < 0 and int(s.hands[q] | s.seen[q]) >> int(s.turned) & 1
                for hand in guesses(truth, trijumf.DECK.list(int(trijumf.unseen(s, seat))), luck):
                    cards = sum(1 << card for card in hand)
                    if int(s.shown[q]) & ~cards:
                        continue
                    world = view.states.copy()
                    world["hands"][0, q] = cards
                    allowed = not cards & ~int(view.state.may_hold[q]) and bool(trijumf.fits(world[0], seat))
                    draws, now = min(15, int(s.trick_no)), int(s.trick_no) + 1.5
                    wanted = could_hold(hand, known[q], draws, now, int(s.turned) if late else None)
                    assert allowed == wanted, (seed, trijumf.DECK.text(cards))
                    judged[wanted] += 1
            action = int(luck.choice(table.legal_actions()))
            note(known, s, action)
            table.step(action)
    assert min(judged.values()) > 50  # both answers were put to the test
