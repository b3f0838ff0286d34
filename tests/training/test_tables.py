"""Batched tables pay, end and start again as single tables in plain Python do, and keep their arrays to themselves."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from trained import Steady, steady

from trickenv.engine.table import IllegalAction, Table
from trickenv.envs.vector import Tables, VectorEnv
from trickenv.registration import env_id

SEED = 40
PRESETS = ["four", "three", "marafone", "five_socio"]


def margin(table: Table, values: list[int], seat: int) -> float:
    """A seat's side less the mean of the others, from the rules: partners opposite at four seats, else each alone."""
    own = seat % 2 if table.seats == 4 else seat
    others = [v for k, v in enumerate(values) if k != own]
    return values[own] - sum(others) / len(others)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_seat_is_paid_at_the_end_of_a_deal(preset: str) -> None:
    tables = Tables("trionfo", preset, tables=5)
    now = tables.reset(SEED)
    single = [Table("trionfo", preset, seed=SEED + i, max_deals=1) for i in range(5)]
    running = set(range(5))
    while running:
        for i in running:
            assert single[i].turn == now.seats[i]
            assert single[i].legal_actions() == np.flatnonzero(now.masks[i]).tolist()
        actions = np.array([steady(np.flatnonzero(mask)) for mask in now.masks])
        step = tables.step(actions)
        for i in sorted(running):
            single[i].step(int(actions[i]))
            assert (step.terminated | step.truncated)[i] == single[i].over
            wanted = [
                margin(single[i], single[i].deals[0]["delta"], q) if single[i].over else 0 for q in range(tables.seats)
            ]
            np.testing.assert_allclose(step.rewards[i], wanted, rtol=1e-6)
            if single[i].over:
                running.remove(i)
        now = step.next


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("reward", ["deal_points", "trick_points"])
def test_a_learner_gets_its_own_reward_whoever_moves_last(seat: int, reward: str) -> None:
    env = VectorEnv("trionfo", "marafone", num_envs=6, seat=seat, opponents=Steady(), reward=reward)
    _, info = env.reset(seed=SEED)
    paid: list[list[float]] = [[] for _ in range(6)]
    open_rows = set(range(6))
    while open_rows:
        actions = np.array([steady(np.flatnonzero(mask)) for mask in info["action_mask"]])
        _, rewards, ended, _, info = env.step(actions)
        for i in sorted(open_rows):
            paid[i].append(rewards[i])
            if ended[i]:
                open_rows.remove(i)
    for i in range(6):
        np.testing.assert_allclose(paid[i], replayed(SEED + i, seat, reward), atol=1e-5)


def replayed(seed: int, seat: int, reward: str) -> list[float]:
    """What a seat earns from each of its decisions to the next, one table in plain Python."""
    table = Table("trionfo", "marafone", seed=seed, max_deals=1)
    earned: list[float] = []
    early = 0.0
    while not table.over:
        before = margin(table, table.state.points.tolist()[:2], seat) / 3
        if table.turn == seat:
            earned.append(early)
            early = 0.0
        table.step(steady(table.legal_actions()))
        after = margin(table, table.state.points.tolist()[:2], seat) / 3
        gain = after - before if reward == "trick_points" else 0.0
        if reward == "deal_points" and table.over:
            gain = margin(table, table.deals[0]["delta"], seat)
        if earned:
            earned[-1] += gain
        else:
            early += gain
    return earned


def test_opponents_sit_in_the_order_of_play_from_a_drawn_seat() -> None:
    seats_of: dict[str, set[tuple[int, int]]] = {}

    class Noting(Steady):
        def act_batch(self, views):  # type: ignore[no-untyped-def]
            dealers = views.states["dealer"] * 100 + views.seats
            seats_of.setdefault(self.name, set()).update(
                (int(d) // 100, int(s)) for d, s in zip(dealers, views.seats, strict=True)
            )
            return super().act_batch(views)

    players = [Noting(), Noting(), Noting()]
    for k, player in enumerate(players):
        player.name = f"player {k}"
    env = VectorEnv("trionfo", "four", num_envs=32, opponents=players)
    _, info = env.reset(seed=1)
    for _ in range(60):
        who = env.learners.who
        learner = (who == -1).argmax(1)
        for k in range(3):
            np.testing.assert_array_equal(who[np.arange(32), (learner + 1 + k) % 4], k)
        np.testing.assert_array_equal(learner, info["seat"])
        _, _, _, _, info = env.step(np.array([steady(np.flatnonzero(m)) for m in info["action_mask"]]))
    assert {s for pairs in seats_of.values() for _, s in pairs} == {0, 1, 2, 3}


def test_illegal_actions_are_refused_and_change_nothing() -> None:
    tables = Tables("trionfo", tables=3)
    now = tables.reset(0)
    before = tables.states.tobytes()
    actions = np.array([steady(np.flatnonzero(m)) for m in now.masks])
    actions[1] = np.flatnonzero(now.masks[1] == 0)[0]
    with pytest.raises(IllegalAction, match=r"table 1: seat \d may not play"):
        tables.step(actions)
    with pytest.raises(IllegalAction, match="no action 99"):
        tables.step(np.array([99, 0, 0]))
    with pytest.raises(ValueError, match="3 whole numbers"):
        tables.step(np.zeros(3))
    assert tables.states.tobytes() == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"seat": 4}, "seat must be 0 to 3"),
        ({"seat": "all"}, "one learner a table"),
        ({"opponents": "randm"}, "unknown player 'randm'"),
        ({"opponents": ["random"]}, "each of the 3 other seats"),
        ({"num_envs": 0}, "1 or more"),
        ({"colour": 1}, "unknown option 'colour'"),
        ({"reward": "points"}, "unknown reward"),
    ],
)
def test_wrong_arguments_are_told(arguments: dict, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        VectorEnv("trionfo", "four", **arguments)


def test_gymnasium_conventions() -> None:
    env = gymnasium.make_vec(env_id("trionfo"), num_envs=8, vectorization_mode="vector_entry_point", preset="three")
    assert env.num_envs == 8
    first, info = env.reset(seed=5)
    again, _ = env.reset(seed=5)
    other, _ = env.reset()
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    wrapped = RecordEpisodeStatistics(env)
    observations, info = wrapped.reset(seed=5)
    episodes = 0
    for _ in range(40):
        assert env.observation_space.contains(observations)
        actions = np.array([steady(np.flatnonzero(m)) for m in info["action_mask"]])
        assert env.action_space.contains(actions)
        observations, rewards, terminations, truncations, info = wrapped.step(actions)
        assert rewards.dtype == np.float64
        assert terminations.dtype == truncations.dtype == np.bool_
        if terminations.any():
            episodes += int(info["_episode"].sum())
            np.testing.assert_array_equal(info["_final_obs"], terminations)
            for row in np.flatnonzero(terminations):
                assert env.single_observation_space.contains(info["final_obs"][row])
                assert not info["final_info"]["action_mask"][row].any()
    assert episodes > 0
    env.close()


def test_arrays_are_the_callers_own() -> None:
    tables = Tables("trionfo", tables=4)
    kept = [tables.reset(1)]
    copies = [[a.copy() for a in kept[0]]]
    for _ in range(3):
        step = tables.step(np.array([steady(np.flatnonzero(m)) for m in kept[-1].masks]))
        kept.append(step.next)
        copies.append([a.copy() for a in step.next])
    for arrays, earlier in zip(kept, copies, strict=True):
        for array, copy in zip(arrays, earlier, strict=True):
            np.testing.assert_array_equal(array, copy)
    illegal = kept[-1].masks.argmin(1)
    kept[-1].masks[:] = 1  # writing into the own copy does not make illegal actions legal
    with pytest.raises(IllegalAction):
        tables.step(illegal)
