"""Worlds weighed by how the others have played: true worlds of rules of thumb agree with every choice of theirs."""

from __future__ import annotations

import numpy as np
import pytest
from common import every_preset

from agents.search import likely, playout
from trickenv.engine.players import player
from trickenv.engine.spec import game
from trickenv.engine.table import Table


def played(name: str, preset: str, seed: int) -> tuple[Table, np.ndarray]:
    """A table in mid-deal whose seats are rules of thumb, and by seat the choices it had since the first lead."""
    table = Table(name, preset, seed=seed)
    thumb = player("heuristic", table.game)
    choices = np.zeros(table.seats, np.int64)
    play = table.game.module.Phase.play
    while not (table.state.phase == play and table.state.trick_no == 3 and table.state.played == 1):
        if table.state.phase == play:
            if table.state.logged == 0:
                choices[:] = 0
            choices[table.turn] += len(table.legal_actions()) > 1
        table.step(thumb.act(table.view()))
    return table, choices


def loglikelihood(table: Table, state: np.ndarray, seat: int, least: float = -np.inf) -> float:
    playout.prepare(table.game)
    mask = np.zeros(table.game.num_actions, np.int8)
    return likely.likelihood(state[0], seat, table.game.tables(2), mask, least)


@every_preset
def test_in_the_true_world_rules_of_thumb_have_done_what_they_do(name: str, preset: str) -> None:
    table, choices = played(name, preset, 5)
    for seat in range(table.seats):
        others = choices.sum() - choices[seat] if table.seats > 2 else 0
        assert loglikelihood(table, table.states, seat) == pytest.approx(others * np.log(1 - likely.ERROR))


def test_a_world_where_they_would_have_done_otherwise_is_less_likely() -> None:
    """Each choice costs log 0.9 if rules of thumb agree with it, else log 0.1; too unlikely worlds are cut off."""
    table, _ = played("trionfo", "four", 5)
    seat = table.turn
    worlds = table.view().worlds(60, seed=1)
    agreed, error = np.log(1 - likely.ERROR), np.log(likely.ERROR)
    found = np.array([loglikelihood(table, worlds[w : w + 1], seat) for w in range(60)])
    plays = table.state.logged
    possible = [a * agreed + e * error for a in range(plays + 1) for e in range(plays + 1 - a)]
    assert np.abs(found[:, None] - np.array(possible)).min(axis=1).max() < 1e-9
    assert found.min() < 2 * error
    least = float(np.median(found))
    assert found.min() < least < found.max()
    cut = np.array([loglikelihood(table, worlds[w : w + 1], seat, least) for w in range(60)])
    np.testing.assert_array_equal(cut, np.where(found < least, -np.inf, found))


def test_worlds_are_picked_in_proportion_to_their_weights() -> None:
    pool, worlds = game("trionfo").tables(4), game("trionfo").tables(8)
    pool["dealer"] = range(4)
    likely.pick(np.array([1.0, 0.0, 2.0, 1.0]), 4.0, 0.5, pool, worlds)
    assert worlds["dealer"].tolist() == [0, 0, 2, 2, 2, 2, 3, 3]


def test_likely_worlds_are_more_often_the_true_one() -> None:
    """Cards of the other hands that lie where they truly do: clearly more in likely worlds than in any that fit."""
    right = {"any": 0, "likely": 0}
    for seed in range(40):
        table, _ = played("trionfo", "four", seed)
        view = table.view()
        g, n = table.game, 20
        worlds, pool, mask = g.tables(n), g.tables(likely.MOST * n), np.zeros(g.num_actions, np.int8)
        playout.prepare(g)
        assert likely.fill_likely(view.states, view.seat, seed, worlds, pool, g.tables(2), mask) == n
        for kind, drawn in (("any", view.worlds(n, seed)), ("likely", worlds)):
            same = drawn["hands"] & table.states["hands"]
            right[kind] += sum(int(h).bit_count() for h in np.delete(same, view.seat, axis=1).ravel())
    assert right["likely"] > 1.1 * right["any"]


def test_backs_on_the_table_end_what_can_be_weighed() -> None:
    """Truf: nobody but its owner can see which trump lies there face down (rule 12), nor does the log tell."""
    for seed in range(200):
        table = Table("truf", "method1", seed=seed)
        thumb = player("heuristic", table.game)
        while not table.over:
            state = table.state
            if state.phase == table.game.module.Phase.play and state.played and int(state.trick[state.leader]) >= 0:
                lead = int(state.trick[state.leader])
                if lead // 13 == state.trump:
                    entry = state.logged - state.played
                    assert table.view().state.log[entry] == 255
                    assert table.view(int(state.leader)).state.log[entry] == table.game.module.PLAY + lead
                    return
            table.step(thumb.act(table.view()))
    pytest.fail("no trump was led")
