"""The SB3 environment and the rollout buffer of self-play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecCheckNan, VecMonitor
from trained import Steady, small

from experiments.train import new_model
from trickenv.envs.chains import chain_advantages
from trickenv.envs.sb3 import SeatChains, TablesVecEnv


def random_actions(env: TablesVecEnv, luck: np.random.Generator) -> np.ndarray:
    return (luck.random(env.action_masks().shape) * env.action_masks()).argmax(1)


def test_buffers_are_not_shared() -> None:
    """SB3 stores an observation after the next step: handed-out arrays must not change under its hands."""
    env = TablesVecEnv("trionfo", num_envs=8, seed=2)
    luck = np.random.default_rng(0)
    kept: list[tuple[Any, ...]] = [(env.reset(), env.action_masks())]
    copies = [tuple(a.copy() for a in kept[0])]
    for _ in range(60):
        observations, rewards, dones, _ = env.step(random_actions(env, luck))
        kept.append((observations, env.action_masks(), rewards, dones))
        copies.append(tuple(a.copy() for a in kept[-1]))
    for arrays, earlier in zip(kept, copies, strict=True):
        for array, copy in zip(arrays, earlier, strict=True):
            np.testing.assert_array_equal(array, copy)


def test_rollouts_hold_what_the_environment_showed() -> None:
    model = new_model(small(suits="as_dealt"))
    shown: list[tuple[np.ndarray, np.ndarray]] = []

    class Noting(BaseCallback):
        def _on_step(self) -> bool:
            play = self.training_env.unwrapped.learners  # type: ignore[attr-defined]
            shown.append((play.observations.copy(), play.masks.copy()))
            return True

        def _on_rollout_end(self) -> None:
            buffer = self.model.rollout_buffer  # type: ignore[attr-defined]
            for t in range(len(shown) - 1):
                np.testing.assert_array_equal(buffer.observations[t + 1], shown[t][0])
                np.testing.assert_array_equal(buffer.action_masks[t + 1], shown[t][1])

    model.learn(16 * 48, callback=Noting())
    assert len(shown) == 48


def test_works_under_sb3s_wrappers() -> None:
    env = VecMonitor(
        VecCheckNan(TablesVecEnv("trionfo", "three", num_envs=8, seat=1, opponents=Steady()), raise_exception=True)
    )
    assert is_masking_supported(env)
    assert get_action_masks(env).reshape(8, -1).shape == (8, env.action_space.n)  # type: ignore[attr-defined]
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, device="cpu")
    model.learn(8 * 32)
    assert len(model.ep_info_buffer) > 0  # type: ignore[arg-type]


def test_end_of_an_episode_is_reported_once_with_its_last_observation() -> None:
    env = TablesVecEnv("trionfo", num_envs=8, seat=0, opponents="random", seed=1)
    env.reset()
    luck = np.random.default_rng(1)
    ends = 0
    for _ in range(60):
        observations, rewards, dones, infos = env.step(random_actions(env, luck))
        assert rewards.dtype == np.float32
        assert isinstance(observations, np.ndarray)
        assert observations.dtype == np.float32
        for row, info in enumerate(infos):
            assert ("terminal_observation" in info) == dones[row]
            assert rewards[row] == 0 or dones[row]
        ends += int(dones.sum())
    assert ends > 16


def test_forced_moves_are_skipped() -> None:
    env = TablesVecEnv("trionfo", num_envs=16, skip_forced=True)
    env.reset()
    luck = np.random.default_rng(2)
    for _ in range(80):
        assert (env.action_masks().sum(1) > 1).all()
        env.step(random_actions(env, luck))


def test_a_seat_learns_from_its_own_reward_along_its_own_decisions() -> None:
    """Worked example: seats 0 and 1 take turns at one table; seat 1 moves last, and both are paid then."""
    seats = np.array([[0], [1], [0], [1], [0]])
    ended = np.array([[False], [False], [False], [True], [False]])
    paid = np.zeros((5, 1, 2), np.float32)
    paid[0, 0] = [1, -1]  # between seat 0's first decision and seat 1's
    paid[3, 0] = [-4, 4]
    values = np.array([[0.5], [0.25], [-1.0], [2.0], [3.0]], np.float32)
    advantages, whole = np.zeros((5, 1), np.float32), np.zeros((5, 1), np.bool_)
    chain_advantages(
        seats, paid, ended, values, np.array([1]), np.array([7.0], np.float32), 1.0, 0.5, advantages, whole
    )
    # seat 0: last decision -4 - (-1) = -3; first 1 + (-1) - 0.5 = -0.5, and half of -3
    # seat 1: last decision 4 - 2 = 2; first 0 + 2 - 0.25 = 1.75, and half of 2
    np.testing.assert_allclose(advantages[:, 0], [-2.0, 2.75, -3.0, 2.0, 0.0])
    # the last decision of seat 0 belongs to a new episode and has no next one yet: seat 1 is on turn
    assert whole[:, 0].tolist() == [True, True, True, True, False]


@pytest.mark.parametrize("preset", ["four", "three"])
@pytest.mark.parametrize("seat", ["all", None, "mixed"])
def test_returns_are_what_the_seat_was_paid_in_the_end(preset: str, seat: str | None) -> None:
    """With discount and decay 1, the return of every decision is its seat's own result of the deal."""
    mixed = seat == "mixed"
    who: Any = {"self": 0.5, "heuristic": 0.5} if mixed else Steady()
    seat = "all" if mixed else seat
    env = TablesVecEnv("trionfo", preset, num_envs=12, seat=seat, opponents=who, skip_forced=True, seed=4)
    steps = 150
    buffer = SeatChains(steps, env.observation_space, env.action_space, "cpu", gae_lambda=1.0, gamma=1.0, n_envs=12)
    buffer.watch(env).reset()
    luck = np.random.default_rng(3)
    observations = env.reset()
    movers, results, ended = [], [], []
    for _ in range(steps):
        masks, actions = env.action_masks(), random_actions(env, luck)
        movers.append(env.learners.seats.copy())
        after, rewards, dones, _ = env.step(actions)
        results.append(env.learners.rewards.copy())
        ended.append(dones)
        values = torch.as_tensor(luck.normal(size=12).astype(np.float32))
        buffer.add(observations, actions[:, None], rewards, dones, values, torch.zeros(12), action_masks=masks)
        observations = after
    buffer.compute_returns_and_advantage(torch.zeros(12, 1), ended[-1])
    checked = 0
    for row in range(12):
        last = max(t for t in range(steps) if ended[t][row])
        final = np.zeros(0)
        for t in range(last, -1, -1):
            final = results[t][row] if ended[t][row] else final
            assert buffer.whole[t, row]
            assert buffer.returns[t, row] == pytest.approx(final[movers[t][row]], abs=1e-4)
            checked += 1
    assert checked > 12 * steps / 2


def test_cut_off_decisions_are_not_learned_from() -> None:
    model = new_model(small())
    sizes = []

    class Noting(BaseCallback):
        def _on_step(self) -> bool:
            return True

        def _on_rollout_end(self) -> None:
            buffer = self.model.rollout_buffer  # type: ignore[attr-defined]
            lost = (~buffer.whole).sum(0)
            assert (lost <= 3).all()  # at most one for each seat that is not on turn
            sizes.append((int(buffer.whole.sum()), sum(len(part.actions) for part in buffer.get(100))))

    model.learn(16 * 48, callback=Noting())
    assert sizes[0][0] == sizes[0][1] > 0


def test_fast_policy_gives_the_stock_numbers() -> None:
    model = new_model(small(critic="public"))
    env = model.get_env()
    assert env is not None
    observations = torch.as_tensor(env.reset())
    masks = torch.as_tensor(env.env_method("action_masks")[0])
    actions, values, logs = model.policy(observations, action_masks=masks)
    assert masks.gather(1, actions[:, None]).all()
    stock = MaskableCategoricalDistribution(masks.shape[1])
    stock.proba_distribution(model.policy.action_net(model.policy.features_extractor(observations)))
    stock.apply_masking(masks.numpy())
    again, log_prob, entropy = model.policy.evaluate_actions(observations, actions, masks)
    torch.testing.assert_close(log_prob, stock.log_prob(actions))
    torch.testing.assert_close(logs, log_prob)
    torch.testing.assert_close(values, again)
    torch.testing.assert_close(entropy, stock.entropy())


def test_a_match_cut_off_is_told_from_one_that_ended() -> None:
    env = TablesVecEnv("trionfo", num_envs=4, seat=2, episode="match", max_deals=1)
    env.reset()
    luck = np.random.default_rng(4)
    cut = 0
    for _ in range(30):
        _, _, dones, infos = env.step(random_actions(env, luck))
        cut += sum(infos[row]["TimeLimit.truncated"] for row in np.flatnonzero(dones))
        assert all(infos[row]["TimeLimit.truncated"] for row in np.flatnonzero(dones))  # one deal is below the target
    assert cut >= 8
