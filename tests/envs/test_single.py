"""One learner's seat in Gymnasium: the official checker, and rewards that are the learner's own."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from common import Lowest, every_preset
from gymnasium.utils.env_checker import check_env

import agents  # noqa: F401 - makes the players known
from trickenv.engine.players import RandomPlayer, decide_one, player
from trickenv.engine.spec import game
from trickenv.engine.table import Table
from trickenv.envs.single import SeatEnv
from trickenv.games import GAMES
from trickenv.registration import env_id
from trickenv.state import side, sides


@every_preset
def test_gymnasium_checker(name: str, preset: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not within the observation space.*")
        check_env(SeatEnv(name, preset, episode="deal"), skip_render_check=True)


@every_preset
@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_learner_gets_its_own_reward(name: str, preset: str, seat: int | None) -> None:
    """Also when another seat's move ends the deal: the sum is the margin of its side in the deal."""
    env = SeatEnv(name, preset, seat=seat, opponents=Lowest(), episode="deal")
    for seed in range(4):
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            total += reward
        table = Table(name, preset, seed=seed, max_deals=1)
        while not table.over:
            table.step(table.legal_actions()[0])
        delta, n = table.deals[0]["delta"], int(sides(table.state))
        own = delta[side(table.state, env.seat)]
        assert total == pytest.approx(own - (sum(delta) - own) / (n - 1), abs=1e-4)


def test_a_cheat_may_sit_with_the_learner_and_sees_the_true_hands() -> None:
    """Its moves are those that it makes with the states of the same table."""
    env = SeatEnv("trionfo", "three", opponents="cheat:3", episode="deal")
    cheat = player("cheat:3", env.game)
    _, info = env.reset(seed=5)
    table = Table("trionfo", "three", seed=5, max_deals=1)
    over = False
    while not over:
        while table.turn != 0:
            table.step(decide_one(cheat, table.view(), table.states))
        assert table.legal_actions() == np.flatnonzero(info["action_mask"]).tolist()
        assert table.states["hands"].tolist() == env.table.states["hands"].tolist()
        table.step(table.legal_actions()[0])
        _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))


def test_same_seed_same_episode() -> None:
    def episode() -> list[bytes]:
        env = SeatEnv("trionfo", opponents=RandomPlayer(), seat=None)
        seen, (observation, info) = [], env.reset(seed=12)
        for _ in range(30):
            seen.append(observation.tobytes())
            observation, _, over, cut, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
            if over or cut:
                break
        return seen

    assert episode() == episode()


def test_made_by_name_with_one_opponent_per_seat() -> None:
    for name in GAMES:
        env = (
            gymnasium.make(env_id(name), opponents=["random"] * (len(game(name).rules().plain()) and 3), seat=1)
            if (game(name).rules().plain()["seats"] == 4)
            else gymnasium.make(env_id(name), opponents="random", seat=1)
        )
        observation, info = env.reset(seed=0)
        assert env.observation_space.contains(observation)
        assert env.unwrapped.action_masks().tolist() == (info["action_mask"] == 1).tolist()  # type: ignore[attr-defined]


def test_an_illegal_action_ends_the_episode_or_raises() -> None:
    env = SeatEnv("trionfo")
    env.reset(seed=0)
    wrong = int(np.flatnonzero(~env.action_masks())[0])
    assert env.step(wrong)[1:3] == (-1.0, True)
    strict = SeatEnv("trionfo", illegal="raise")
    strict.reset(seed=0)
    with pytest.raises(ValueError, match="seat 0 may not"):
        strict.step(int(np.flatnonzero(~strict.action_masks())[0]))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"opponents": "grandmaster"}, "unknown player 'grandmaster'.*random"),
        ({"opponents": "random:3"}, "takes no argument"),
        ({"opponents": ["random"]}, "or 3 of them for 4 seats, not 1"),
        ({"seat": 4}, "seat must be from 0 to 3"),
    ],
)
def test_wrong_arguments_get_a_sentence(arguments: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SeatEnv("trionfo", **arguments)
