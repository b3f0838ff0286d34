"""Worked positions of the heuristic players, kept as data, and what must hold in any position of any game.

Each `<game>.toml` explains its own form; a position is a full state, the player sees the seat's view of it.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import assert_compiled_as_plain, assign, every_preset, pick

import agents.heuristics
from trickenv.engine.arena import choose
from trickenv.engine.players import Player, player
from trickenv.engine.spec import game
from trickenv.engine.table import Table
from trickenv.engine.view import View, Views
from trickenv.games import GAMES

FOLDER = Path(__file__).parent
CASES = [
    pytest.param(path.stem, case, id=f"{path.stem}-{case['id']}")
    for path in sorted(FOLDER.glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["position"]
]


def situation(name: str, case: dict[str, Any]) -> View:
    """What the seat to act sees in a position."""
    table = Table(name, case["preset"], first_dealer=0, **case.get("options", {}))
    table.states["shown"][0] = 0  # of the pack that was dealt to begin with
    for field, value in case["set"].items():
        assign(table, field, value)
    return table.view(case["seat"])


@pytest.mark.parametrize(("name", "case"), CASES)
def test_position(name: str, case: dict[str, Any]) -> None:
    view = situation(name, case)
    g = view.game
    legal = {g.action_names[a] for a in view.legal}
    right, wrong = set(case["choice"].get("right", [])), set(case["choice"].get("wrong", []))
    assert right | wrong < legal, "the position must leave a choice"
    places = np.array(view.state.may_hold)
    unseen = int(np.bitwise_or.reduce(places))
    assert int(view.state.holds.sum()) == unseen.bit_count(), "cards are missing or in two places"
    action = g.action_names[player(case.get("player", "heuristic"), g).act(view)]
    assert action not in wrong, case["choice"]["reason"]
    assert not right or action in right, case["choice"]["reason"]


def test_position_ids_are_unique() -> None:
    counts = Counter(case.id for case in CASES)
    assert [name for name, n in counts.items() if n > 1] == []


def random_views(name: str, preset: str, decisions: int, seed: int) -> Views:
    """Views of the seats on turn at 40 tables, each some random decisions further into a match than the one before."""
    g = game(name)
    luck = np.random.default_rng(seed)
    tables = []
    for i in range(40):
        table = Table(name, preset, seed=seed + i, scores="drawn")
        for _ in range(i * decisions // 40):
            before = table.copy()
            table.step(pick(table, luck))
            if table.over:
                table = before
                break
        tables.append(table.states)
    states = np.concatenate(tables).view(np.recarray)
    return Views.space(g, 40).look(states, np.arange(40), np.full(40, -1))


class Watched(Player):
    """Passes views on to another player and checks that every answer is legal."""

    def __init__(self, other: Player) -> None:
        self.other = other
        self.seen = 0

    def act_batch(self, views: Views) -> np.ndarray:
        actions = self.other.act_batch(views)
        assert views.masks[np.arange(len(views)), actions].all()
        self.seen += len(views)
        return actions


@every_preset
def test_always_legal(name: str, preset: str) -> None:
    """In positions that random play leads to, and in whole matches among its own kind."""
    g = game(name)
    watched = Watched(player("heuristic", g))
    watched.act_batch(random_views(name, preset, 120, 5))
    for seed in range(3):
        table = Table(name, preset, seed=seed, max_deals=12)
        while not table.over:
            table.step(watched.act(table.view()))
    assert watched.seen > 300


@every_preset
def test_one_by_one_as_in_a_batch(name: str, preset: str) -> None:
    views = random_views(name, preset, 90, 11)
    who = player("heuristic", views.game)
    together = who.act_batch(views).tolist()
    assert [who.act(views[i]) for i in range(len(views))] == together
    assert who.act_batch(views).tolist() == together


@every_preset
def test_plays_on_what_it_sees(name: str, preset: str) -> None:
    """At every table that looks the same to the seat, it does the same."""
    views = random_views(name, preset, 90, 23)
    g = views.game
    who = player("heuristic", g)
    actions = who.act_batch(views).tolist()
    for i in range(len(views)):
        worlds = views[i].worlds(6, seed=i)
        turns = np.full(6, views.seats[i], np.int64)
        out = np.empty(6, np.int64)
        choose(Views.space(g, 6), worlds, np.arange(6), turns, [who] * int(worlds[0].rules.seats), out)
        assert out.tolist() == [actions[i]] * 6


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_compiled_equals_plain_python(name: str) -> None:
    """The same deals, compiled and not, with a random move here and there."""
    assert_compiled_as_plain(f"""
import numpy as np
import agents
from trickenv.engine.players import player
from trickenv.engine.table import Table
from trickenv.games import load
luck = np.random.default_rng(3)
for preset in load({name!r}).PRESETS:
    table = Table({name!r}, preset, seed=9, max_deals=2)
    who = player("heuristic", table.game)
    while not table.over:
        action = who.act(table.view())
        print(action)
        table.step(int(luck.choice(table.legal_actions())) if luck.random() < 0.2 else action)
""")


def test_refuses_an_argument_and_a_game_without_heuristics(monkeypatch: pytest.MonkeyPatch) -> None:
    g = game(GAMES[0])
    with pytest.raises(ValueError, match="takes no argument"):
        player("heuristic:7", g)
    monkeypatch.setattr(agents.heuristics.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=f"no player 'heuristic' for {g.name}"):
        player("heuristic", g)
