"""Stable-Baselines3: a VecEnv with action masks, and the rollout buffer that self-play needs.

Needs `pip install trickenv[train]`; nothing else in trickenv imports this module or torch.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.vec_env import VecEnv

from trickenv.engine.batch import RUNNING, TRUNCATED
from trickenv.engine.players import Player
from trickenv.envs.chains import chain_advantages
from trickenv.envs.hidden import hidden_rows, hidden_size
from trickenv.envs.learners import Learners
from trickenv.envs.suits import AS_DEALT, SUIT_ORDERS, Relabel
from trickenv.envs.tables import Tables
from trickenv.envs.vector import single_spaces
from trickenv.options import unknown


class TablesVecEnv(VecEnv):
    """Tables as an SB3 VecEnv with `action_masks`; every array it hands out is a copy.

    name, preset, and episode, reward, scores, max_deals, first_dealer, options as further keywords: as for `Tables`.
    num_envs: tables. seat, opponents, skip_forced: as for `Learners`. seed: of packs, seats and players. reward_scale:
    rewards are multiplied by it. suits: "as_dealt", or how to relabel them (see `trickenv.envs.suits`).

    With one learner a table, a row's reward is that seat's own, summed since its last move. With seat "all", a row
    shows whichever seat is on turn, one network playing them all; a row then joins the decisions of several seats, so
    it needs `SeatChains` as rollout buffer, which gives each seat its own rewards along its own decisions.
    """

    def __init__(
        self,
        name: str,
        preset: str | None = None,
        *,
        num_envs: int = 1024,
        seat: int | str | None = "all",
        opponents: str | Player | Sequence[str | Player] | Mapping[str, float] = "random",
        skip_forced: bool = False,
        seed: int = 0,
        reward_scale: float = 1.0,
        suits: str = AS_DEALT,
        **tables: Any,
    ) -> None:
        self.learners = Learners(Tables(name, preset, tables=num_envs, **tables), seat, opponents, skip_forced)
        if suits not in SUIT_ORDERS:
            raise ValueError(unknown("order of suits", suits, SUIT_ORDERS))
        self.reward_scale = reward_scale
        self._relabel = None if suits == AS_DEALT else Relabel(self.learners.tables.game, suits)
        self.render_mode = None
        self._seed = seed
        self._actions = np.zeros(num_envs, np.int64)
        self._infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self._room = self.learners.tables.game.tables(1)
        super().__init__(num_envs, *single_spaces(self.learners.tables.game))

    def reset(self) -> np.ndarray:
        """Start an episode at every table: (num_envs, size) observations. The seed counts once, then luck goes on."""
        if self._seeds[0] is not None:
            self._seed = self._seeds[0]
        self._reset_seeds()
        self.learners.reset(self._seed)
        self._seed = int(np.random.default_rng(self._seed).integers(1 << 31))
        return self._seen(self.learners.observations)

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learners' actions, (num_envs,)."""
        self._actions = np.asarray(actions).reshape(-1)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play on to the next choices. Raises IllegalAction, naming table and rule, before anything has changed."""
        play = self.learners
        for row in play.final_rows:
            self._infos[row] = {}
        play.step(self.meant(self._actions))
        for row, observation in zip(play.final_rows, self._seen(play.final_observations), strict=True):
            cut = bool(play.status[row] == TRUNCATED)
            self._infos[row] = {"terminal_observation": observation, "TimeLimit.truncated": cut}
        rewards = play.rewards[play.tables.rows, play.movers] * self.reward_scale
        return self._seen(play.observations), rewards.astype(np.float32), play.status != RUNNING, self._infos.copy()

    def action_masks(self) -> np.ndarray:
        """(num_envs, actions) int8, a copy: the legal actions of each row."""
        return self.relabelled(self.learners.masks)

    def relabelled(self, actions: np.ndarray) -> np.ndarray:
        """(num_envs, actions), a copy: something by action of the table, in the learner's order of actions."""
        if self._relabel is None:
            return actions.copy()
        return self._relabel.actions(actions, self._relabel.orders(self.learners.observations))

    @property
    def hidden_size(self) -> int:
        """Length of a row of `hidden`."""
        return hidden_size(self.learners.tables.game)

    def hidden(self) -> np.ndarray:
        """(num_envs, hidden_size) uint8: where the cards lie that the seat to choose does not see (`envs.hidden`)."""
        play = self.learners
        out = np.empty((self.num_envs, self.hidden_size), np.uint8)
        deck = play.tables.game.module.DECK.size
        hidden_rows(play.tables.states, play.tables.rows, play.seats, self._room, deck, out)
        return self._relabel.hidden(out, self._relabel.orders(play.observations)) if self._relabel else out

    def meant(self, actions: np.ndarray) -> np.ndarray:
        """The table's numbers of the learners' actions, (num_envs,); what is none is left for the table to refuse."""
        inside = (actions >= 0) & (actions < self.learners.masks.shape[1])
        if self._relabel is None or not inside.all():
            return actions
        return self._relabel.real_numbers(actions, self._relabel.orders(self.learners.observations))

    def said(self, actions: np.ndarray) -> np.ndarray:
        """The learners' numbers of actions of the table, (num_envs,)."""
        if self._relabel is None:
            return actions
        return self._relabel.numbers(actions, self._relabel.orders(self.learners.observations))

    def latest(self) -> np.ndarray:
        """(num_envs, size) observations of the choices now open, as `reset` and `step` gave them; a copy."""
        return self._seen(self.learners.observations)

    def _seen(self, observations: np.ndarray) -> np.ndarray:
        """Observations as the learner gets them, a copy."""
        if self._relabel is None:
            return observations.copy()
        return self._relabel.observations(observations, self._relabel.orders(observations))

    def close(self) -> None:
        """Nothing to close."""

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """The batched method once for all rows, in a list; for given `indices`, the part of each of these rows."""
        whole = getattr(self, method_name)(*method_args, **method_kwargs)
        return [whole] if indices is None else [whole[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, the same for every row."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set the attribute, for all rows."""
        setattr(self, attr_name, value)

    def has_attr(self, attr_name: str) -> bool:
        """Whether the attribute exists."""
        return hasattr(self, attr_name)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """False for every row."""
        return [False] * len(list(self._get_indices(indices)))


class SeatChains(MaskableRolloutBuffer):
    """Rollout buffer for tables where several seats learn: a transition runs from a decision of a seat to its next one.

    Give it to MaskablePPO as `rollout_buffer_class` and call `watch(env)` on `model.rollout_buffer` before learning.
    Rewards are the seat's own, summed between the two decisions; advantages are computed along the seat's chain. The
    last decision of a chain that the rollout cuts off lends its value to the one before it and is not learned from.
    A truncated episode counts as ended.

    With a critic that sees all hands, values are computed for the whole rollout at its end, and `get` gives
    observations with the hidden vector behind them.
    """

    env: TablesVecEnv | None = None
    critic: Callable[[torch.Tensor], torch.Tensor] | None = None

    def watch(self, env: TablesVecEnv, critic: Callable[[torch.Tensor], torch.Tensor] | None = None) -> SeatChains:
        """Read seats and rewards from this environment's steps. Raises ValueError if it has another number of rows.

        critic: values (n, 1) of observations with `env.hidden()` behind them, (n, size + hidden size).
        """
        if env.num_envs != self.n_envs:
            raise ValueError(f"the environment has {env.num_envs} rows, the buffer {self.n_envs}")
        self.env, self.critic = env, critic
        return self

    def reset(self) -> None:
        """Forget all transitions."""
        super().reset()
        self.seats = np.zeros((self.buffer_size, self.n_envs), np.int64)
        self.ended = np.zeros((self.buffer_size, self.n_envs), np.bool_)
        self.whole = np.zeros((self.buffer_size, self.n_envs), np.bool_)
        self.paid: np.ndarray | None = None
        if self.env and self.critic:
            self.now = self.env.hidden()
            self.hidden = np.zeros((self.buffer_size, *self.now.shape), np.uint8)

    def add(self, *arguments: Any, **keywords: Any) -> None:
        """Take in a transition of every row, as the watched environment's last step made it."""
        assert self.env, "call watch first"
        play = self.env.learners
        if self.paid is None:
            self.paid = np.zeros((self.buffer_size, *play.rewards.shape), np.float32)
        self.seats[self.pos] = play.movers
        self.ended[self.pos] = play.status != RUNNING
        np.multiply(play.rewards, self.env.reward_scale, out=self.paid[self.pos])
        if self.critic:
            self.hidden[self.pos], self.now = self.now, self.env.hidden()
        super().add(*arguments, **keywords)

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: np.ndarray) -> None:
        """Advantages along each seat's own decisions; last_values: (n_envs, 1) for the choices after the last step."""
        assert self.env, "call watch first"
        assert self.paid is not None, "no transitions"
        after = last_values.cpu().numpy().reshape(-1).astype(np.float32)
        if self.critic:
            for t in range(self.buffer_size):
                self.values[t] = self._judged(self.observations[t], self.hidden[t])
            after = self._judged(self.env.latest(), self.now)
        chain_advantages(
            self.seats, self.paid, self.ended, self.values, self.env.learners.seats, after,
            self.gamma, self.gae_lambda, self.advantages, self.whole,
        )  # fmt: skip
        self.returns = self.advantages + self.values

    def _judged(self, observations: np.ndarray, hidden: np.ndarray) -> np.ndarray:
        assert self.critic
        with torch.no_grad():
            both = torch.as_tensor(np.concatenate([observations, hidden], 1, dtype=np.float32))
            return self.critic(both).numpy()[:, 0]

    def get(self, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples, None, None]:  # type: ignore[override]
        """Every whole transition once, in random order, in batches of about `batch_size`."""
        for steps, rows in self.batches(batch_size):
            yield self.samples(steps, rows)

    def batches(self, size: int | None = None) -> Generator[tuple[np.ndarray, np.ndarray], None, None]:
        """Steps and rows of every whole transition once, in random order, about `size` at a time."""
        places = np.random.permutation(np.flatnonzero(self.whole))
        for part in np.array_split(places, max(1, round(len(places) / (size or len(places))))):
            yield np.divmod(part, self.n_envs)

    def samples(self, steps: np.ndarray, rows: np.ndarray) -> MaskableRolloutBufferSamples:
        """The transitions of some rows at some steps."""
        seen = self.observations[steps, rows]
        if self.critic:
            seen = np.concatenate([seen, self.hidden[steps, rows]], 1, dtype=np.float32)
        columns = (self.values, self.log_probs, self.advantages, self.returns, self.action_masks)
        actions = self.actions[steps, rows]
        return MaskableRolloutBufferSamples(*map(self.to_torch, (seen, actions, *(c[steps, rows] for c in columns))))
