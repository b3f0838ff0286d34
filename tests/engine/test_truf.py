"""What the seats of Truf may know: the leak tests of its rules page, and that knowledge is never wrong."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from trickenv.cards import NO_CARD
from trickenv.engine.spec import game
from trickenv.engine.table import Table
from trickenv.games.truf import MAX_SEATS, Phase, bid_value

PRESETS = game("truf").module.PRESETS


def seen_by(table: Table, seat: int) -> tuple:
    view = table.view(seat)
    return view.states.tobytes(), view.observation.tobytes(), view.mask.tobytes(), view.history


def test_no_choice_of_bids_shows_before_the_fourth() -> None:
    table = Table("truf", seed=4)
    first, second = table.turn, (table.turn - 1) % 4  # the first deal goes anticlockwise
    looks: dict[int, set] = {seat: set() for seat in range(4) if seat not in (first, second)}
    choices = [[c for c in range(52) if int(table.state.hands[seat]) >> c & 1] for seat in (first, second)]
    for a, b in product(*choices):
        twin = table.copy()
        twin.step(a)
        twin.step(b)
        for seat, found in looks.items():
            state, observation, mask, history = seen_by(twin, seat)
            found.add((state, observation, mask, tuple(history)))
    assert [len(found) for found in looks.values()] == [1, 1]


def test_the_rank_of_a_back_shows_with_the_fourth_card_only() -> None:
    """Two leads of a trump, else the same deal: the same views for the others until the trick is turned up."""
    table = Table("truf", seed=4)
    while table.state.phase != Phase.play:
        table.step(table.legal_actions()[0])
    leader, trump = table.turn, table.game.module.DECK.letters[table.state.trump]
    leads = [text for text in table.legal() if text[5] == trump]
    assert len(leads) > 1
    one, other = table.copy(), table.copy()
    one.play(leads[0])
    other.play(leads[1])
    for cards in range(1, 5):
        for seat in range(4):
            assert (seen_by(one, seat) == seen_by(other, seat)) == (seat != leader and cards < 4)
        if cards < 4:
            move = one.legal_actions()[0]
            one.step(move)
            other.step(move)


@pytest.mark.parametrize("preset", PRESETS)
def test_knowledge_is_never_wrong(preset: str) -> None:
    """Whatever lies in a hidden place is among the cards that may lie there, and the numbers agree."""
    table, luck = Table("truf", preset, seed=6, max_deals=3), np.random.default_rng(6)
    while not table.over:
        s = table.state
        for seat in range(4):
            view = table.view(seat).state
            for q in {0, 1, 2, 3} - {seat}:
                down = view.bid_card[q] != s.bid_card[q] or view.trick[q] != s.trick[q]
                card = int(s.bid_card[q] if s.phase == Phase.bid else s.trick[q])
                assert int(s.hands[q]) & ~int(view.may_hold[q]) == 0
                assert view.holds[q] == int(s.hands[q]).bit_count()
                assert view.holds[MAX_SEATS + q] == down
                assert not down or (card != NO_CARD and int(view.may_hold[MAX_SEATS + q]) >> card & 1)
            hidden = np.bitwise_or.reduce(view.may_hold)
            assert int(hidden).bit_count() == view.holds.sum()
        table.step(int(luck.choice(table.legal_actions())))


@pytest.mark.parametrize(("preset", "at_13"), [("method1", 0), ("broken", -4)])
def test_the_scores_of_a_deal_add_up_to_the_distance_of_the_bids_from_13(preset: str, at_13: int) -> None:
    """By method 1; with shift_all four bids move by one."""
    luck, sums = np.random.default_rng(2), set()
    for seed in range(60):
        table = Table("truf", preset, seed=seed, n_deals=1)
        while not table.over:
            cards = table.legal_actions()
            low = [a for a in cards if a % 13 <= 3]  # bids that often add up to 13
            table.step(int(luck.choice(low if low and table.state.phase == Phase.bid else cards)))
        bid = sum(int(bid_value(card)) for card in table.state.bid_card)
        assert table.state.delta.sum() == (-abs(bid - 13) if bid != 13 else at_13)
        sums.add(bid)
    assert 13 in sums
    assert min(sums) < 13 < max(sums)
