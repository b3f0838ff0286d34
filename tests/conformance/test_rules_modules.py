"""Contract, random play to the end, names, copies, batches, compiled against plain Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from common import assert_compiled_as_plain

from trickenv.engine import batch
from trickenv.engine.episode import DECK_SPACE, episode
from trickenv.engine.records import record, replay
from trickenv.engine.spec import contract_breaches, game
from trickenv.engine.table import Table
from trickenv.engine.view import Views
from trickenv.options import options_table
from trickenv.state import sides

Walk = Callable[..., Table]


def test_contract_is_kept(name: str) -> None:
    assert contract_breaches(game(name).module) == []


def test_contract_check_notices_a_missing_function(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = game(name).module
    monkeypatch.delattr(module, "censor")
    assert contract_breaches(module) == ["censor is missing"]


def test_action_names_are_unique_and_parse_back(name: str) -> None:
    g = game(name)
    assert len(set(g.action_names)) == g.num_actions
    assert [g.parse_action(text) for text in g.action_names] == list(range(g.num_actions))


def test_units_of_blocks_go_through_the_suits(name: str) -> None:
    module = game(name).module
    for layout in (module.ACTIONS, module.OBSERVATION):
        units = [block for block in layout if block.unit]
        assert all(block.size % block.unit == block.unit % len(module.DECK.letters) == 0 for block in units)
        assert units


def test_options_are_documented_and_presets_differ(name: str) -> None:
    g = game(name)
    assert all(doc.endswith((".", ")")) or doc[-1].isalnum() for *_, doc in options_table(g.module.Rules))
    made = [tuple(g.rules(p).plain().items()) for p in g.module.PRESETS]
    assert len({str(m) for m in made}) == len(made)


def test_random_matches_have_no_problems(name: str, preset: str) -> None:
    g = game(name)
    rules = g.rules(preset)
    tables = np.zeros(64, g.module.STATE)
    blank, deck = g.blank(rules), np.zeros(DECK_SPACE, np.int64)
    match = episode(g, rules, max_deals=20)
    batch.seed_rows(tables, 7)
    batch.reset_rows(tables, np.arange(64), blank, match, deck)
    words = np.arange(64, dtype=np.uint64)
    ended, found = batch.play_random(tables, blank, match, g.kinds, words, 1500, True)
    assert ended > 0
    assert [text for k, text in enumerate(g.module.PROBLEMS) if found >> k & 1] == []


def test_problems_notice_a_stolen_card(name: str, preset: str, wander: Walk) -> None:
    table = wander(name, preset, 3, 12)
    assert table.game.module.problems(table.state) == 0
    hands = table.states["hands"][0]
    giver = int(np.flatnonzero(hands)[0])
    hands[giver] &= hands[giver] - 1
    assert table.game.module.problems(table.state) != 0


def test_matches_end_with_the_scores_they_report(name: str, preset: str) -> None:
    """Scores are the sums of the deltas, and a decided match is won by somebody."""
    table = Table(name, preset, seed=11, max_deals=25)
    luck = np.random.default_rng(5)
    while not table.over:
        table.step(int(luck.choice(table.legal_actions())))
    if table.rules.plain().get("games_to_win", 1) == 1:
        assert np.sum([d["delta"] for d in table.deals], axis=0).tolist() == table.scores
    assert table.winners or len(table.deals) == 25
    assert table.legal() == []
    assert len(table.deals[-1]["scores"]) == int(sides(table.state))


def test_records_replay_and_notice_a_change(name: str, preset: str) -> None:
    table = Table(name, preset, seed=2, max_deals=2)
    luck = np.random.default_rng(2)
    while not table.over:
        table.step(int(luck.choice(table.legal_actions())))
    trace = record(table)
    assert replay(trace) is None
    trace["deals"][0]["delta"][0] += 1
    assert "deal 1" in str(replay(trace))


def test_an_illegal_action_changes_nothing(name: str, preset: str, wander: Walk) -> None:
    for decisions in range(0, 60, 7):
        table = wander(name, preset, 1, decisions)
        before = table.states.tobytes()
        legal = set(table.legal_actions())
        for action in range(table.game.num_actions):
            if action not in legal:
                with pytest.raises(ValueError, match=f"seat {table.turn} may not") as error:
                    table.step(action)
                assert "None" not in str(error.value)
        assert table.states.tobytes() == before


def test_copies_go_their_own_way(name: str, preset: str, wander: Walk) -> None:
    table = wander(name, preset, 4, 9)
    twin = table.copy()
    for t in (table, twin):
        luck = np.random.default_rng(1)
        for _ in range(40):
            if not t.over:
                t.step(int(luck.choice(t.legal_actions())))
    assert table.states.tobytes() == twin.states.tobytes()
    assert table.history == twin.history


def test_a_deal_depends_on_its_seed_only(name: str, preset: str) -> None:
    """Table 5 of a batch seeded with 100 plays as a lone table with seed 105."""
    g = game(name)
    rules = g.rules(preset)
    match, deck = episode(g, rules), np.zeros(DECK_SPACE, np.int64)
    tables = np.zeros(9, g.module.STATE)
    batch.seed_rows(tables, 100)
    batch.reset_rows(tables, np.arange(9), g.blank(rules), match, deck)
    lone = Table(name, preset, seed=105)
    row, action = np.array([5]), np.zeros(1, np.int64)
    rewards, status = np.zeros((1, g.max_seats), np.float32), np.zeros(1, np.int64)
    luck = np.random.default_rng(8)
    for _ in range(150):
        assert tables[5].tobytes() == lone.state.tobytes()
        if lone.over:
            break
        action[0] = luck.choice(lone.legal_actions())
        lone.step(int(action[0]))
        batch.step_rows(tables, row, action, match, deck, rewards, status)


def test_observations_stay_in_their_space(name: str, preset: str, wander: Walk) -> None:
    g = game(name)
    for decisions in (0, 5, 17, 44, 120):
        table = wander(name, preset, decisions, decisions, scores="drawn")
        for seat in range(table.seats):
            view = table.view(seat)
            assert view.observation.min() >= -1
            assert view.observation.max() <= 1
            assert view.mask.sum() == (len(table.legal_actions()) if seat == table.turn else 0)
            state = view.states.copy()
            out = np.full(g.observation_size, np.nan, np.float32)
            assert g.module.observe(state[0], seat, out) == g.observation_size
            assert not np.isnan(out).any()


def test_worlds_fit_the_view(name: str, preset: str, wander: Walk) -> None:
    """A world looks, to the seat it was drawn for, just as the true state does, and breaks no rule."""
    for decisions in (0, 3, 8, 20, 33, 70):
        table = wander(name, preset, 20 + decisions, decisions)
        for seat in range(table.seats):
            view = table.view(seat)
            worlds = view.worlds(8, seed=decisions)
            seen = Views.space(table.game, 8).look(worlds, np.arange(8), np.full(8, seat))
            for k in range(8):
                assert table.game.module.problems(worlds[k]) == 0
                assert seen.observations[k].tobytes() == view.observation.tobytes()
                assert seen.masks[k].tobytes() == view.mask.tobytes()


def test_censoring_hides_what_worlds_differ_in(name: str, preset: str, wander: Walk) -> None:
    """Censored, every world is the censored state, byte for byte: nothing that a seat does not know is left in it."""
    for decisions in (0, 3, 8, 20, 33, 70):
        table = wander(name, preset, 50 + decisions, decisions)
        for seat in range(table.seats):
            view = table.view(seat)
            worlds = view.worlds(4, seed=decisions)
            for k in range(4):
                table.game.module.censor(worlds[k], seat)
                table.game.module.possible(worlds[k], seat)
                assert worlds[k].tobytes() == view.state.tobytes()


@pytest.mark.slow
def test_compiled_equals_plain_python(name: str) -> None:
    """The same random deals, compiled and not, end in the same states."""
    script = f"""
import hashlib, numpy as np
from trickenv.engine.table import Table
from trickenv.games import load
digest = hashlib.sha256()
for preset in load({name!r}).PRESETS:
    luck = np.random.default_rng(3)
    table = Table({name!r}, preset, seed=9, max_deals=2)
    while not table.over:
        digest.update(table.view().observation.tobytes())
        table.step(int(luck.choice(table.legal_actions())))
    digest.update(table.states.tobytes())
print(digest.hexdigest())
"""
    assert_compiled_as_plain(script)
