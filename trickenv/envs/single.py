"""Gymnasium environment for one seat of a table; the other seats are played by named opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from trickenv.engine.players import Player, decide_one, player
from trickenv.envs.aec import TrickEnv


class SeatEnv(gymnasium.Env):
    """One seat of one table.

    name, preset, episode, reward, scores, max_deals, first_dealer and options: as for `TrickEnv`. seat: the learner's,
    None = drawn anew each episode. opponents: one player for all other seats, or one for each of them in the order of
    play after the learner, as strings (see `trickenv.engine.players`) or Player objects; partners are among them.
    illegal: "terminate" (the episode ends with -1; what Gymnasium's checker expects) or "raise".

    The observation is the vector, the mask comes in `info["action_mask"]` and from `action_masks()`. The reward is the
    learner's own, summed from its last decision to its next one or to the end of the episode.
    """

    metadata: dict[str, Any] = TrickEnv.metadata

    def __init__(
        self,
        name: str,
        preset: str | None = None,
        *,
        seat: int | None = 0,
        opponents: str | Player | Sequence[str | Player] = "random",
        illegal: str = "terminate",
        render_mode: str | None = None,
        **arguments: Any,
    ) -> None:
        self.table = TrickEnv(name, preset, illegal=illegal, render_mode=render_mode, **arguments)
        self.render_mode = render_mode
        self.game = self.table.game
        seats = len(self.table.possible_agents)
        if seat is not None and not 0 <= seat < seats:
            raise ValueError(f"seat must be from 0 to {seats - 1}, or None to draw one each episode, not {seat}")
        named = [opponents] * (seats - 1) if isinstance(opponents, str | Player) else list(opponents)
        if len(named) != seats - 1:
            raise ValueError(
                f"opponents must be one player, or {seats - 1} of them for {seats} seats, not {len(named)}"
            )
        self._opponents = [player(text, self.game) for text in named]
        self._fixed_seat = seat
        self.seat = seat or 0
        self.observation_space = gymnasium.spaces.Box(-1, 1, (self.game.observation_size,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode and play up to the learner's first decision. options: as for `TrickEnv.reset`."""
        super().reset(seed=seed)
        self.table.reset(seed=seed, options=options)
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(len(self.table.possible_agents)))
        if seed is not None:
            for number, other in enumerate(self._opponents):
                other.reset(seed + number)
        self._others_play()
        return self._observation()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action, then the others', up to its next decision or the end."""
        self.table.step(int(action))
        self._others_play()
        agent = self.table.possible_agents[self.seat]
        observation, info = self._observation()
        reward = float(self.table._cumulative_rewards[agent])
        return observation, reward, self.table.terminations[agent], self.table.truncations[agent], info

    def _others_play(self) -> None:
        """Opponents decide until it is the learner's turn or the episode is over."""
        while not self._over():
            turn = self.table._seats[self.table.agent_selection]
            if turn == self.seat:
                return
            other = self._opponents[(turn - self.seat) % len(self.table.possible_agents) - 1]
            self.table.step(decide_one(other, self.table.view(), self.table.states))

    def _over(self) -> bool:
        agent = self.table.possible_agents[self.seat]
        return self.table.terminations[agent] or self.table.truncations[agent]

    def _observation(self) -> tuple[np.ndarray, dict[str, Any]]:
        seen = self.table.observe(self.table.possible_agents[self.seat])
        return seen["observation"], {"action_mask": seen["action_mask"]}

    def action_masks(self) -> np.ndarray:
        """(actions,) bool: legal actions of the learner, in the form that sb3-contrib asks for."""
        return self.table.observe(self.table.possible_agents[self.seat])["action_mask"].astype(bool)

    def render(self) -> str | None:
        """The table as text (see `TrickEnv.render`)."""
        return self.table.render()

    def close(self) -> None:
        """Nothing is held open."""
