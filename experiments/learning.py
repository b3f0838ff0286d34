"""What learns in a training run: PPO on tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import FloatSchedule

from agents.fast_policy import FastPolicy, network
from experiments.config import Config
from trickenv.envs.sb3 import SeatChains, TablesVecEnv


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO that asks its callback, if that has an `on_update`, before each rollout whether to go on."""

    policy: FastPolicy  # type: ignore[assignment]

    def collect_rollouts(self, env: Any, callback: Any, *arguments: Any, **keywords: Any) -> bool:
        """Play for an update; False if that is not wanted or was interrupted."""
        wanted = callback.on_update() if hasattr(callback, "on_update") else True
        return wanted and super().collect_rollouts(env, callback, *arguments, **keywords)

    def set_rates(self, learning_rate: float, entropy: float) -> None:
        """Learning rate and weight of the entropy from the next update on."""
        self.lr_schedule = FloatSchedule(learning_rate)  # type: ignore[assignment]
        self.ent_coef = entropy


def new_env(config: Config, opponents: dict[str, float]) -> TablesVecEnv:
    """Tables as a config says, with these shares of opponents."""
    return TablesVecEnv(
        config.game, config.preset, num_envs=config.tables, reward=config.reward, reward_scale=config.reward_scale,
        seat="all", opponents=opponents, skip_forced=True, suits=config.suits, seed=config.seed, episode="deal",
        **config.options,
    )  # fmt: skip


def new_model(config: Config, logs: str | None = None) -> SelfPlayPPO:
    """PPO on fresh tables, as a config says."""
    env = new_env(config, config.shares)
    critic = config.critic_network if config.critic == "open" else ()
    policy = network(config.network, critic, env.hidden_size, config.precision == "bfloat16")
    model = SelfPlayPPO(
        FastPolicy, env, n_steps=config.steps, batch_size=config.batch, n_epochs=config.epochs, gamma=config.discount,
        gae_lambda=config.decay, clip_range=config.clip, vf_coef=config.value_weight, ent_coef=config.entropy[0],
        learning_rate=config.learning_rate[0], policy_kwargs=policy,
        seed=config.seed, rollout_buffer_class=SeatChains, tensorboard_log=logs, device="cpu",
    )  # fmt: skip
    watch(model.rollout_buffer, env, model.policy)
    return model


def watch(buffer: Any, env: TablesVecEnv, policy: Any) -> None:
    """Let a rollout buffer read seats and rewards of an environment, and use the policy's critic if it has one."""
    buffer.watch(env, policy.critic_values if policy.critic is not None else None)


def reseed(seed: int, part: str, number: int, env: TablesVecEnv) -> None:
    """Start all luck anew, but the packs', for one stretch of a run, so that a resumed run has the same."""
    luck = np.random.SeedSequence([seed, *part.encode(), number]).generate_state(3)
    torch.manual_seed(int(luck[0]))
    np.random.seed(luck[1])
    env.learners.reseed(int(luck[2]))
