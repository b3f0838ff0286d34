"""The batched environments: `Tables` for all seats, `VectorEnv` for one learner's seat in Gymnasium's form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from trickenv.engine.batch import TERMINATED, TRUNCATED
from trickenv.engine.players import Player
from trickenv.engine.spec import Game
from trickenv.envs.learners import Learners
from trickenv.envs.tables import Choices, Step, Tables

__all__ = ["Choices", "Step", "Tables", "VectorEnv", "single_spaces"]


def single_spaces(game: Game) -> tuple[spaces.Box, spaces.Discrete]:
    """Observation and action space of one row."""
    return spaces.Box(-1.0, 1.0, (game.observation_size,), np.float32), spaces.Discrete(game.num_actions)


class VectorEnv(gymnasium.vector.VectorEnv):
    """A learner's seat at many tables at once, against given players.

    name, preset, and episode, reward, scores, max_deals, first_dealer, options as further keywords: as for `Tables`.
    num_envs: tables. seat and opponents: as for `Learners`, without seat "all".

    A row's reward is its learner's own, summed since its last move, whoever moved last. A table whose episode ends
    starts the next one in the same step: `info["final_obs"]` is then the last observation of the ended one. The legal
    actions are in `info["action_mask"]` and `action_masks()`, (num_envs, actions) int8; an illegal action is refused
    with IllegalAction, and nothing has changed.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        name: str,
        preset: str | None = None,
        *,
        num_envs: int = 1024,
        seat: int | None = None,
        opponents: str | Player | Sequence[str | Player] = "random",
        render_mode: str | None = None,
        **tables: Any,
    ) -> None:
        if seat == "all":
            raise ValueError(
                "a VectorEnv has one learner a table: seat must be a number or None; `Tables` has all seats"
            )
        if render_mode is not None:
            raise ValueError(f"many tables are not drawn: render_mode must be None, not {render_mode!r}")
        self.learners = Learners(Tables(name, preset, tables=num_envs, **tables), seat, opponents)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space, self.single_action_space = single_spaces(self.learners.tables.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._started = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start an episode at every table; without a seed the luck goes on. options: none are known, any are taken."""
        super().reset(seed=seed)
        self.learners.reset(int(self.np_random.integers(1 << 31)) if seed is None else seed)
        self._started = True
        return self.learners.observations.copy(), self._info()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Carry out each learner's action and play on: (observations, rewards, terminations, truncations, infos)."""
        if not self._started:
            raise gymnasium.error.ResetNeeded("call reset before step")
        play = self.learners
        play.step(actions)
        info = self._info()
        if len(play.final_rows):
            info.update(self._final_info())
        rewards = play.rewards[play.tables.rows, play.movers].astype(np.float64)
        return play.observations.copy(), rewards, play.status == TERMINATED, play.status == TRUNCATED, info

    def action_masks(self) -> np.ndarray:
        """(num_envs, actions) int8, a copy: the legal actions of each row."""
        return self.learners.masks.copy()

    def _info(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self.action_masks(), "_action_mask": every,
            "seat": self.learners.seats.copy(), "_seat": every.copy(),
        }  # fmt: skip

    def _final_info(self) -> dict[str, Any]:
        """Observation, mask (nothing is legal any more) and seat at the end of the episodes that ended."""
        play, rows = self.learners, self.learners.final_rows
        ended = np.zeros(self.num_envs, np.bool_)
        ended[rows] = True
        final = np.full(self.num_envs, None, dtype=object)
        for row, observation in zip(rows, play.final_observations, strict=True):
            final[row] = observation
        seats = np.where(ended, play.movers, 0)
        last = {"action_mask": np.zeros_like(play.masks), "_action_mask": ended, "seat": seats, "_seat": ended.copy()}
        return {"final_obs": final, "_final_obs": ended.copy(), "final_info": last, "_final_info": ended.copy()}
