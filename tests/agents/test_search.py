"""Search players in random positions of every game and preset: legal, repeatable, blind to what a seat cannot see."""

from __future__ import annotations

import numpy as np
import pytest
from common import pick

from agents.search import pimc, solver
from agents.search.pimc import Judge, PimcPlayer, drop_behind, preferred
from trickenv.engine.arena import choose
from trickenv.engine.duplicate import duel
from trickenv.engine.players import Player, player
from trickenv.engine.rules import allies
from trickenv.engine.spec import game
from trickenv.engine.table import Table
from trickenv.engine.view import Views
from trickenv.games import GAMES

PLAYERS = ("greedy", "pimc:4:3", "ismcts:40", "cheat:3")
KEPT: dict[tuple[str, str], Player] = {}


def seated(name: str, text: str) -> Player:
    """The player with its luck begun anew; made once for each game."""
    if (name, text) not in KEPT:
        KEPT[name, text] = player(text, game(name))
    KEPT[name, text].reset(5)
    return KEPT[name, text]


def positions(name: str, preset: str, n: int) -> np.ndarray:
    """(n,) states of random play, spread over the deals, with more than one legal action."""
    luck = np.random.default_rng(3)
    found, table = game(name).tables(n), Table(name, preset, seed=3)
    count = 0
    while count < n:
        if len(table.legal_actions()) > 1 and luck.random() < 0.3:
            found[count] = table.states[0]
            count += 1
        table.step(pick(table, luck))
        if table.over:
            table = Table(name, preset, seed=count)
    return found


def decide(name: str, who: Player, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) actions through the arena's door, and the (n, actions) masks."""
    g = game(name)
    n = len(states)
    room, actions, turns = Views.space(g, n), np.zeros(n, np.int64), states["turn"].copy()
    choose(room, states, np.arange(n), turns, [who] * g.max_seats, actions)
    return actions, room.masks.copy()


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_legal_and_repeatable_in_any_position(name: str) -> None:
    """In every preset; alone, in another order and again: the same seed and view give the same action."""
    for preset in game(name).module.PRESETS:
        states = positions(name, preset, 12)
        for text in PLAYERS:
            who = seated(name, text)
            actions, masks = decide(name, who, states)
            assert masks[np.arange(12), actions].all(), (preset, text)
            back = decide(name, who, states[::-1].copy())[0][::-1]
            alone = [decide(name, who, states[k : k + 1].copy())[0][0] for k in range(12)]
            assert actions.tolist() == back.tolist() == alone, (preset, text)


@pytest.mark.parametrize("text", ["pimc:4:3", "ismcts:40"])
@pytest.mark.parametrize("name", GAMES)
def test_hidden_cards_change_nothing_but_for_a_cheat(name: str, text: str) -> None:
    """States that look the same to the seat on turn get the same action; whoever sees all hands tells them apart."""
    preset = next(iter(game(name).module.PRESETS))
    differ = 0
    for state in positions(name, preset, 10):
        table = Table(name, preset)
        table.states[0] = state
        others = table.view().worlds(3, seed=8)
        assert len(set(decide(name, seated(name, text), others)[0].tolist())) == 1
        differ += len(set(decide(name, seated(name, "cheat:3"), others)[0].tolist())) > 1
    assert differ > 0


def test_seeds_make_the_luck() -> None:
    states = positions("trionfo", "four", 40)
    who = seated("trionfo", "ismcts:40")
    first = decide("trionfo", who, states)[0]
    who.reset(6)
    assert (first != decide("trionfo", who, states)[0]).any()


def test_search_beats_random_play() -> None:
    """Ten blocks are enough: greedy, pimc and ismcts win points from random play."""
    g = game("trionfo")
    for text in ("greedy", "pimc:4:3", "ismcts:40"):
        assert duel(g, g.rules("four"), seated("trionfo", text), player("random", g), 10).margin.mean > 1, text


def test_a_search_must_beat_the_rules_of_thumb_clearly() -> None:
    """Action 7 is better than the usual 2 by 1 in the mean: enough where all worlds agree, not where they scatter."""
    agree, scatter = np.zeros((4, 9)), np.zeros((4, 9))
    agree[:, 7], scatter[:, 7] = 1, [9, -7, 9, -7]
    assert preferred(agree, 2, tried(2, 7)) == 7
    assert preferred(scatter, 2, tried(2, 7)) == 2
    assert preferred(scatter, 2, tried(7, 8)) == 7  # no value for the usual one: the best mean


def test_a_search_gives_up_what_is_clearly_behind() -> None:
    """Of four worlds: 3 is always 1 below 5, 6 scatters around it, 7 never differs from the usual 5."""
    values = np.zeros((4, 9))
    values[:, 3], values[:, 6] = -1, [3, -3, 3, -4]
    left = tried(3, 5, 6, 7)
    assert drop_behind(values, 5, left) == 2
    assert np.flatnonzero(left).tolist() == [5, 6]


@pytest.mark.parametrize(("worlds", "parts"), [(1, [1] * 2), (20, [20] * 2), (30, [15] * 4), (100, [20] * 10)])
def test_worlds_are_drawn_in_small_parts(worlds: int, parts: list[int]) -> None:
    """Twice WORLDS at most, looked over every 20; all drawn worlds differ in their luck."""
    who = player(f"pimc:{worlds}", game("trionfo"))
    assert isinstance(who, PimcPlayer)
    view = Table("trionfo", "four", seed=2).view()
    drawn = [part["hands"].copy() for part in who._draws(view)]
    assert [len(part) for part in drawn] == parts
    assert len(np.unique(np.concatenate(drawn), axis=0)) == sum(parts)


@pytest.mark.parametrize(("most", "solved"), [(solver.ENDLESS, True), (0, False)])
def test_a_world_that_takes_too_long_to_solve_is_left_to_the_rules_of_thumb(
    monkeypatch: pytest.MonkeyPatch, most: int, solved: bool
) -> None:
    g = game("trionfo")
    table = late_lead()
    seat, mask, judge = int(table.state.turn), table.view().mask, Judge(g, 5)
    judge._tried[:] = mask
    monkeypatch.setattr(pimc, "POSITIONS", most)
    both, thumb = (judge._worth(table.states.copy(), seat, s)[0, mask == 1] for s in (True, False))
    best = solver.solve(g, table.state, int(allies(table.state, seat)))[1]
    exact = np.array([best[int(a)] for a in np.flatnonzero(mask)])
    np.testing.assert_allclose(both, (thumb + exact) / 2 if solved else thumb)
    assert solved == (not np.allclose(both, thumb))


def late_lead() -> Table:
    """A lead with four cards in hand, trionfo for four."""
    luck = np.random.default_rng(4)
    table = Table("trionfo", "four", seed=4)
    while int(table.state.hands[table.state.turn]).bit_count() > 4 or table.state.played:
        table.step(pick(table, luck))
    return table


def tried(*actions: int) -> np.ndarray:
    """(9,) int8 marks."""
    marks = np.zeros(9, np.int8)
    marks[list(actions)] = 1
    return marks


@pytest.mark.parametrize(
    ("name", "preset", "points"),
    [("trijumf", "four", 1), ("trionfo", "four", 1), ("trionfo", "three", 1), ("trionfo", "five", 1),
     ("trionfo", "five_socio", 0), ("truf", "method1", 0), ("hiljadu", "standard", 0)],
)  # fmt: skip
def test_where_points_are_all_that_a_deal_pays(name: str, preset: str, points: int) -> None:
    """Rules pages: trijumf 20, trionfo 10 and 17 (a called partner: games), truf 14, hiljadu 14 to 19 (contracts)."""
    assert game(name).module.pays_points(Table(name, preset, seed=1).state) == points


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pimc:0", "pimc:WORLDS.* needs 1 or more in its first place, not 0"),
        ("pimc:x", "pimc:WORLDS.* needs whole numbers in its places, not 'x'"),
        ("pimc", "needs whole numbers in its places, not ''"),
        ("pimc:1:2:3", "needs whole numbers in its places, not '1:2:3'"),
        ("pimc:-3", "needs whole numbers in its places, not '-3'"),
        ("ismcts", "ismcts:SIMULATIONS needs whole numbers in its places, not ''"),
        ("ismcts:5:5", "needs whole numbers"),
        ("cheat:x", "cheat.*sees all hands.* needs whole numbers"),
        ("greedy:1", "'greedy' takes no argument, not '1'"),
    ],
)
def test_wrong_strings_are_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        player(text, game("trionfo"))


def test_a_cheat_gets_no_cards_through_a_view() -> None:
    with pytest.raises(ValueError, match="player 'cheat:6' looks into all hands"):
        player("cheat", game("trionfo")).act(Table("trionfo", seed=1).view())
