"""What a policy learns before it plays itself: what a player does, or what every action is worth to it.

Learning *moves* makes the actions of a player likelier. Learning *playouts* tries every legal action at the true table,
as it lies, plays each on by rules of thumb to the end of the deal, and fits the policy's logits to what the deals pay,
in units of `temperature`. A network that cannot see the hidden cards can only learn the mean over all that they may be:
what perfect-information Monte Carlo (`pimc`) would find with endless worlds, in one glance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from agents.fast_policy import FastPolicy
from agents.search import playout
from experiments.config import Config
from experiments.learning import SelfPlayPPO, new_env, reseed, watch
from trickenv.engine.players import Player, decide, player
from trickenv.envs.sb3 import SeatChains, TablesVecEnv


class Lessons:
    """Deals that a player has played, to learn from: who did what, what it paid, and what else would have.

    Made before a run's time begins, since it compiles what is not compiled yet.

    buffer: the choices, with returns. worths: (steps, tables, actions) float32 scaled pay of the deal by action, 0
    where it is not legal; None when only moves are learned.
    """

    def __init__(self, config: Config, model: SelfPlayPPO) -> None:
        self.policy: FastPolicy = model.policy
        self.config = config
        self.env: TablesVecEnv = new_env(config, {"self": 1.0})
        played = self.env.learners.tables.game
        self.teacher = player(config.clone["player"], played)
        spaces = self.env.observation_space, self.env.action_space
        self.buffer = SeatChains(config.steps, *spaces, "cpu", 1.0, config.discount, self.env.num_envs)
        watch(self.buffer, self.env, self.policy)
        self.own = float(config.clone["own"])
        self.worths: np.ndarray | None = None
        if config.clone["learn"] == "playouts":
            playout.prepare(played)
            self.worths = np.zeros((config.steps, self.env.num_envs, played.num_actions), np.float32)
            self._scratch, self._paid = played.tables(2), np.zeros(self.worths.shape[1:])
            self._try(self.env.learners.tables.rows[:0])

    def play(self) -> None:
        """Fill the buffer anew from the first choices of fresh deals; a share `own` of the moves are the policy's."""
        env, policy = self.env, self.policy
        env.seed(int(np.random.randint(1 << 62, dtype=np.int64)))
        self.teacher.reset(int(np.random.randint(1 << 31)))
        observations = env.reset()
        self.buffer.reset()
        nothing = torch.zeros(env.num_envs)
        with torch.no_grad():
            for step in range(self.buffer.buffer_size):
                values, masks = policy.predict_values(torch.as_tensor(observations)), env.action_masks()
                if self.worths is not None:
                    self.worths[step] = self._try_all()
                actions = self._shown(self.teacher)
                if self.own:
                    mine = np.random.random(env.num_envs) < self.own
                    picked = policy(torch.as_tensor(observations), action_masks=masks)[0].numpy()
                    actions = np.where(mine, picked, actions)
                after, rewards, ended, _ = env.step(actions)
                self.buffer.add(observations, actions[:, None], rewards, ended, values, nothing, action_masks=masks)
                observations = after
            values = policy.predict_values(torch.as_tensor(observations))
        self.buffer.compute_returns_and_advantage(values, np.zeros(env.num_envs, np.bool_))

    def _shown(self, teacher: Player) -> np.ndarray:
        """(tables,) what a player does, in the learner's numbers."""
        tables = self.env.learners.tables
        views = tables.look(tables.rows, self.env.learners.seats)
        return self.env.said(decide(teacher, views, tables.states, tables.rows))

    def _try_all(self) -> np.ndarray:
        """(tables, actions) scaled pay of the deals after every legal action, in the learner's order of actions."""
        self._try(self.env.learners.tables.rows)
        return self.env.relabelled(self._paid) * self.env.reward_scale

    def _try(self, rows: np.ndarray) -> None:
        play = self.env.learners
        playout.try_rows(play.tables.states, rows, play.masks, self._scratch, self._paid)


def clone(lessons: Lessons, done: int = 0) -> Iterator[int]:
    """Teach the policy as `clone` in the config says; yields the decisions learned from, a part at a time.

    Each part is played anew, from packs of its own. The critic is fitted to the returns of the same deals.
    done: decisions learned from before.
    """
    config, policy = lessons.config, lessons.policy
    wish, optimiser = config.clone, policy.optimizer
    while done < wish["decisions"]:
        reseed(config.seed, "clone", done, lessons.env)
        lessons.play()
        first, last = wish["learning_rate"]
        for group in optimiser.param_groups:
            group["lr"] = first + (last - first) * done / wish["decisions"]
        first, last = wish["imitation"]
        weights = first + (last - first) * done / wish["decisions"], config.value_weight
        for _ in range(wish["passes"]):
            study(policy, lessons, wish, *weights)
        done += config.steps * config.tables
        yield done
    optimiser.state.clear()


def study(policy: FastPolicy, lessons: Lessons, wish: dict[str, Any], imitation: float, value_weight: float) -> None:
    """One pass over the lessons: bring logits closer to moves and worths, and values to the returns.

    imitation: weight of the moves beside the worths; alone they count in full.
    """
    policy.set_training_mode(True)
    buffer, worths = lessons.buffer, lessons.worths
    for steps, rows in buffer.batches(wish["batch"]):
        part = buffer.samples(steps, rows)
        values, logits = policy.judge(part.observations, part.action_masks)
        moves = -torch.log_softmax(logits, 1).gather(1, part.actions.long().reshape(-1, 1)).mean()
        loss = value_weight * torch.nn.functional.mse_loss(values[:, 0], part.returns)
        if worths is None:
            loss = loss + moves
        else:
            paid = torch.as_tensor(worths[steps, rows])
            loss = loss + worth_error(logits, paid, part.action_masks, wish["temperature"]) + imitation * moves
        policy.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        policy.optimizer.step()


def worth_error(logits: torch.Tensor, worths: torch.Tensor, masks: torch.Tensor, temperature: float) -> torch.Tensor:
    """Mean squared error of logits against worths / temperature, both taken from their mean over the legal actions."""
    open_ = masks.reshape(logits.shape) != 0
    number = open_.sum(1, keepdim=True)
    wrong = torch.where(open_, logits * temperature - worths, 0.0)
    wrong = torch.where(open_, wrong - wrong.sum(1, keepdim=True) / number, 0.0)
    return (wrong**2).sum(1).mean() / temperature
