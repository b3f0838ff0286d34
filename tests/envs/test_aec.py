"""PettingZoo: the official checks, and what they do not show: episodes end, and pay what the rules say."""

from __future__ import annotations

import importlib
import pickle
from typing import Any

import numpy as np
import pytest
from common import every_preset
from pettingzoo.test import api_test, seed_test

from trickenv.engine.spec import game
from trickenv.engine.table import IllegalAction, Table
from trickenv.games import GAMES
from trickenv.registration import env_id
from trickenv.state import side, sides


def module(name: str) -> Any:
    return importlib.import_module(f"trickenv.{name}_v0")


def choose(mask: np.ndarray, luck: np.random.Generator) -> int:
    return int(luck.choice(np.flatnonzero(mask)))


def play(env: Any, seed: int, decisions: int = 10**9) -> tuple[list[int], dict[str, float]]:
    """Random play from a reset; the actions taken, and the sum of rewards that each agent was given by last()."""
    env.reset(seed=seed)
    luck, actions, paid = np.random.default_rng(seed), [], dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        paid[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        if len(actions) == decisions:
            break
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        actions.append(choose(info["action_mask"], luck))
        env.step(actions[-1])
    return actions, paid


@every_preset
def test_official_checks(name: str, preset: str) -> None:
    api_test(module(name).env(preset=preset, episode="deal"), num_cycles=300)
    seed_test(lambda: module(name).env(preset=preset, episode="deal"), num_cycles=100)


@pytest.mark.parametrize("name", GAMES)
def test_raw_env_passes_the_official_check(name: str) -> None:
    api_test(module(name).raw_env(episode="match", max_deals=2), num_cycles=600)


@every_preset
@pytest.mark.parametrize("seed", [0, 1])
def test_rewards_of_a_deal_are_the_margins_of_the_rules(name: str, preset: str, seed: int) -> None:
    """Each agent is paid its side's change of score less the mean of the other sides', whoever moved last."""
    env = module(name).env(preset=preset, episode="deal")
    actions, paid = play(env, seed)
    table = Table(name, preset, seed=seed, max_deals=1)
    for action in actions:
        table.step(action)
    delta = table.deals[-1]["delta"]
    n = int(sides(table.state))
    assert table.over
    for seat, agent in enumerate(env.possible_agents):
        own = delta[side(table.state, seat)]
        assert paid[agent] == pytest.approx(own - (sum(delta) - own) / (n - 1), abs=1e-4)


@every_preset
def test_a_match_ends_or_is_cut_off(name: str, preset: str) -> None:
    env = module(name).env(preset=preset, episode="match", reward="match", max_deals=30)
    actions, paid = play(env, 5)
    table = Table(name, preset, seed=5, max_deals=30)
    for action in actions:
        table.step(action)
    assert table.over
    winners = table.winners
    wanted = [0.0 if winners is None else 1.0 if q in winners else -1.0 for q in range(table.seats)]
    assert list(paid.values()) == wanted


def test_truncation_is_not_termination() -> None:
    env = module("trionfo").raw_env(max_deals=1)
    env.reset(seed=0)
    luck = np.random.default_rng(0)
    while not any(env.truncations.values()):
        env.step(choose(env.last()[4]["action_mask"], luck))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


@every_preset
def test_trick_points_add_up_to_the_points_of_the_deal(name: str, preset: str) -> None:
    rules = game(name).rules(preset)
    if "trick_points" not in rules.rewards():
        with pytest.raises(ValueError, match="would give the secret"):
            module(name).raw_env(preset=preset, reward="trick_points")
        return
    env = module(name).raw_env(preset=preset, reward="trick_points", episode="deal")
    _, paid = play(env, 3)
    state, unit = env.states[0], game(name).module.POINT_UNIT
    points, n = state.points[: sides(state)], int(sides(state))
    for seat, agent in enumerate(env.possible_agents):
        own = points[side(state, seat)]
        assert paid[agent] == pytest.approx((own - (points.sum() - own) / (n - 1)) / unit, abs=1e-3)


@every_preset
def test_copies_pickles_and_clones_go_on_alike(name: str, preset: str) -> None:
    env = module(name).raw_env(preset=preset)
    for decisions in (0, 1, 7, 30):
        play(env, 2, decisions)
        twins = [env.clone(), pickle.loads(pickle.dumps(env))]
        luck = np.random.default_rng(9)
        for _ in range(60):
            _, _, over, cut, info = env.last()
            if over or cut:
                break
            action = choose(info["action_mask"], luck)
            for one in (env, *twins):
                one.step(action)
            for twin in twins:
                assert twin.agent_selection == env.agent_selection
                assert twin.last()[0]["observation"].tobytes() == env.last()[0]["observation"].tobytes()
        assert {twin.states.tobytes() for twin in twins} == {env.states.tobytes()}


def test_clones_do_not_share() -> None:
    env = module("trionfo").raw_env()
    env.reset(seed=1)
    twin, before = env.clone(), env.states.tobytes()
    twin.step(choose(twin.last()[4]["action_mask"], np.random.default_rng(0)))
    assert env.states.tobytes() == before


def test_an_illegal_action_is_refused_with_the_rule() -> None:
    env = module("trionfo").env(preset="four")
    env.reset(seed=3)
    before = env.unwrapped.states.tobytes()
    with pytest.raises(IllegalAction, match=r"seat \d may not play C4: it is time to name trumps \(rule 5\)"):
        env.step(0)
    assert env.unwrapped.states.tobytes() == before
    assert env.last()[2:4] == (False, False)


def test_an_illegal_action_may_end_the_episode() -> None:
    env = module("trionfo").raw_env(illegal="terminate")
    env.reset(seed=3)
    mover = env.agent_selection
    env.step(0)
    assert all(env.terminations.values())
    assert env._cumulative_rewards == {a: -1.0 if a == mover else 0.0 for a in env.agents}


def test_reset_without_a_seed_goes_on_and_with_one_repeats() -> None:
    env = module("trionfo").raw_env()
    deals = []
    for seed in (4, None, 4, None):
        env.reset(seed=seed)
        deals.append(env.states["hands"].tobytes())
    assert deals[:2] == deals[2:]
    assert deals[0] != deals[1]


def test_scores_may_be_given_or_drawn() -> None:
    env = module("trionfo").raw_env(scores="drawn")
    seen = set()
    for seed in range(5):
        env.reset(seed=seed)
        seen.add(tuple(env.states["scores"][0, :2]))
    assert len(seen) > 1
    env.reset(seed=1, options={"scores": [40, 12], "first_dealer": 2, "other": 1})
    assert env.states["scores"][0, :2].tolist() == [40, 12]
    assert env.states["dealer"][0] == 2


def test_registry() -> None:
    pettingzoo = pytest.importorskip("pettingzoo", minversion="1.27")
    for name in GAMES:
        assert pettingzoo.make("aec", env_id(name)).unwrapped.game.name == name


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"preset": "fuor"}, "unknown preset of trionfo 'fuor' .did you mean 'four'.*marafone"),
        ({"signal": "off"}, "unknown option 'signal' .did you mean 'signals'"),
        ({"signals": "loud"}, "one of off, free, truthful"),
        ({"episode": "hand"}, "unknown episode 'hand'"),
        ({"reward": "points"}, "unknown reward 'points'.*deal_points, match, trick_points"),
        ({"reward": "match", "episode": "deal"}, "does not go with episode 'deal'"),
        ({"scores": [1, 2, 3]}, "each of the 2 sides"),
        ({"max_deals": 0}, "max_deals must be 1 or more"),
        ({"first_dealer": 4}, "a seat from 0 to 3"),
        ({"render_mode": "rgb"}, "render_mode must be"),
        ({"illegal": "ignore"}, "illegal must be"),
    ],
)
def test_wrong_arguments_get_a_sentence(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        module("trionfo").env(**arguments)


@pytest.mark.parametrize("seed", [-1, 1.5, True, 1 << 63])
def test_a_wrong_seed_gets_a_sentence(seed: Any) -> None:
    with pytest.raises(ValueError, match="a seed must be a whole number from 0"):
        module("trionfo").env().reset(seed=seed)
    with pytest.raises(ValueError, match="a seed must be a whole number from 0"):
        Table("trionfo", seed=seed)


def test_an_unknown_game_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown game 'bridge'; known: .*trionfo"):
        game("bridge")
