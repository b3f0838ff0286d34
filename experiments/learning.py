"""What learns in a training run: PPO on tables, and the cloning of a player before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import FloatSchedule

from agents.fast_policy import FastPolicy, network
from experiments.config import Config
from trickenv.engine.players import Player, decide, player
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


def clone(config: Config, model: SelfPlayPPO, done: int = 0) -> Iterator[int]:
    """Teach the policy what the config's player does; yields the decisions learned from, a part at a time.

    Each part is played anew by that player in all seats, from packs of its own. The critic is fitted to the returns of
    the same deals. done: decisions learned from before.
    """
    wish = config.clone
    env = new_env(config, {"self": 1.0})
    teacher = player(wish["player"], env.learners.tables.game)
    buffer = SeatChains(
        config.steps, env.observation_space, env.action_space, "cpu", 1.0, config.discount, env.num_envs
    )
    watch(buffer, env, model.policy)
    optimiser = model.policy.optimizer
    while done < wish["decisions"]:
        reseed(config.seed, "clone", done, env)
        teacher.reset(int(np.random.randint(1 << 31)))
        env.seed(int(np.random.randint(1 << 62, dtype=np.int64)))
        show(teacher, env, buffer, model.policy)
        first, last = wish["learning_rate"]
        for group in optimiser.param_groups:
            group["lr"] = first + (last - first) * done / wish["decisions"]
        for _ in range(wish["passes"]):
            imitate(model.policy, buffer, wish["batch"], config.value_weight)
        done += config.steps * config.tables
        yield done
    optimiser.state.clear()


def show(teacher: Player, env: TablesVecEnv, buffer: SeatChains, policy: FastPolicy) -> None:
    """Fill a buffer with what a player does in all seats of fresh tables; the policy values it."""
    observations = env.reset()
    buffer.reset()
    play, nothing = env.learners, torch.zeros(env.num_envs)
    with torch.no_grad():
        for _ in range(buffer.buffer_size):
            values, masks = policy.predict_values(torch.as_tensor(observations)), env.action_masks()
            views = play.tables.look(play.tables.rows, play.seats)
            actions = env.meant(decide(teacher, views, play.tables.states, play.tables.rows))
            after, rewards, ended, _ = env.step(actions)
            buffer.add(observations, actions[:, None], rewards, ended, values, nothing, action_masks=masks)
            observations = after
        values = policy.predict_values(torch.as_tensor(observations))
    buffer.compute_returns_and_advantage(values, np.zeros(env.num_envs, np.bool_))


def imitate(policy: FastPolicy, buffer: SeatChains, batch: int, value_weight: float) -> None:
    """One pass over a buffer: make its actions likelier, and values like the returns."""
    policy.set_training_mode(True)
    for part in buffer.get(batch):
        values, logs, _ = policy.evaluate_actions(part.observations, part.actions, part.action_masks)
        loss = value_weight * torch.nn.functional.mse_loss(values[:, 0], part.returns) - logs.mean()
        policy.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        policy.optimizer.step()
