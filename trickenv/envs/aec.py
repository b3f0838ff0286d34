"""PettingZoo AEC environment of any game: one table, turn by turn.

Agents are `player_0`, `player_1`, ... in seat order. An observation is a dict: `observation`, the flat float32 vector
of the seat (see `observation_layout`), and `action_mask`, int8, all zero unless the seat is on turn; the mask is
mirrored in the info of the seat on turn.
"""

from __future__ import annotations

import copy
from typing import Any

import gymnasium.spaces
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from trickenv.blocks import Block
from trickenv.engine import batch
from trickenv.engine.episode import DECK_SPACE, blank_tables, checked_seed, episode
from trickenv.engine.spec import game
from trickenv.engine.table import IllegalAction, explain, seen_history
from trickenv.engine.view import View
from trickenv.render.text import draw

_ROW = np.zeros(1, np.int64)
RENDER_MODES = ("ansi", "human")


class TrickEnv(AECEnv):
    """One table of a game.

    name: the game. preset and further options: as for `Game.rules`. episode: "match", or "deal" for one scored deal.
    reward, scores, max_deals, first_dealer: as for `trickenv.engine.episode.episode`. illegal: what an illegal action
    does, "raise" (IllegalAction with the rule, nothing changes) or "terminate" (the episode ends, the seat gets -1).
    render_mode: None, "ansi" (render returns text) or "human" (render prints). render_seat: draw what this seat may
    know; all hands open by default.

    `reset(options=...)` takes `scores` and `first_dealer` for the coming episode; other keys are ignored.
    Raises ValueError with a sentence for any wrong argument.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 2}

    def __init__(
        self,
        name: str,
        preset: str | None = None,
        *,
        episode: str = "match",
        reward: str = "deal_points",
        scores: str | list[int] = "zero",
        max_deals: int | None = None,
        first_dealer: int | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        render_seat: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be None, 'ansi' or 'human', not {render_mode!r}")
        if illegal not in ("raise", "terminate"):
            raise ValueError(f"illegal must be 'raise' or 'terminate', not {illegal!r}")
        self.game = game(name)
        self.rules = self.game.rules(preset, **options)
        self.metadata = {**self.metadata, "name": f"{name}_v0"}
        self.render_mode, self.render_seat, self.illegal = render_mode, render_seat, illegal
        self._episode_options = {
            "length": episode, "reward": reward, "scores": scores, "max_deals": max_deals, "first_dealer": first_dealer
        }  # fmt: skip
        self._make_episode({})
        seats = range(self.rules.seats)  # type: ignore[attr-defined]
        self.possible_agents = [f"player_{seat}" for seat in seats]
        self.agents = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_space = gymnasium.spaces.Dict(
            observation=gymnasium.spaces.Box(-1, 1, (self.game.observation_size,), np.float32),
            action_mask=gymnasium.spaces.Box(0, 1, (self.game.num_actions,), np.int8),
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observation_space)
        self.action_spaces = {a: gymnasium.spaces.Discrete(self.game.num_actions) for a in self.possible_agents}
        self.states = self.game.tables(1)
        self._view = self.states.copy()
        self._deck = np.zeros(DECK_SPACE, np.int64)
        self._action, self._status, self._seat = np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._pay = np.zeros((1, self.game.max_seats), np.float32)
        self._seeded = False

    def _make_episode(self, changes: dict[str, Any]) -> None:
        options = self._episode_options | changes
        self._episode = episode(self.game, self.rules, **options)
        self._blank = blank_tables(self.game, self.rules, options["scores"])

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        """Dict of the observation vector and the action mask, the same object for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        """Discrete space of all actions of the game; the mask says which are legal."""
        return self.action_spaces[agent]

    def observation_layout(self) -> list[Block]:
        """Named blocks of the observation vector, in order."""
        return list(self.game.module.OBSERVATION)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode. seed: of the packs and the first dealer; without one, the next of the same generator."""
        known = {k: v for k, v in (options or {}).items() if k in ("scores", "first_dealer")}
        self._make_episode(known)
        if seed is None and not self._seeded:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        if seed is not None:
            batch.seed_rows(self.states, checked_seed(seed))
            self._seeded = True
        batch.reset_rows(self.states, _ROW, self._blank, self._episode, self._deck)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._history: list[tuple[int, int]] = []
        self._deal_start, self._packs = 0, int(self.states["packs"][0])
        self._turn_to(int(self.states["turn"][0]))

    def _look(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """Fresh observation and mask of a seat."""
        observation = np.empty((1, self.game.observation_size), np.float32)
        mask = np.empty((1, self.game.num_actions), np.int8)
        self._seat[0] = seat
        batch.look_rows(self.states, _ROW, self._seat, self._view, observation, mask)
        return observation[0], mask[0]

    def _turn_to(self, seat: int) -> None:
        self.agent_selection = self.possible_agents[seat]
        self._seen = self._look(seat)
        self.infos[self.agent_selection] = {"action_mask": self._seen[1]}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees now; its mask is all zero when it is not on turn."""
        seat = self._seats[agent]
        playing = agent == self.agent_selection and self.states["turn"][0] == seat
        observation, mask = self._seen if playing else self._look(seat)
        return {"observation": observation.copy(), "action_mask": mask.copy()}

    def view(self, agent: str | None = None) -> View:
        """The view that a player (`trickenv.engine.players`) chooses from, of the agent on turn by default."""
        seat = self._seats[self.agent_selection if agent is None else agent]
        observation, mask = self._look(seat)
        history = seen_history(self.game, self.states[0], self._history, self._deal_start, seat)
        return View(self.game, seat, self._view.copy(), observation, mask, history)

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent on turn. Raises IllegalAction naming the rule (see `illegal`)."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < self.game.num_actions or not self._seen[1][action]:
            self._refuse(agent, action)
            return
        seat = self._seats[agent]
        self._history.append((seat, int(action)))
        self._action[0] = action
        batch.step_rows(self.states, _ROW, self._action, self._episode, self._deck, self._pay, self._status)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        if self._pay.any() or any(self.rewards.values()):
            self.rewards = dict(zip(self.agents, self._pay[0].tolist(), strict=False))
            self._accumulate_rewards()
        if self._status[0] != batch.RUNNING:
            self._end(truncated=bool(self._status[0] == batch.TRUNCATED))
            return
        if self.states["packs"][0] != self._packs:
            self._packs, self._deal_start = int(self.states["packs"][0]), len(self._history)
        self._turn_to(int(self.states["turn"][0]))
        if self.render_mode == "human":
            self.render()

    def _refuse(self, agent: str, action: int | None) -> None:
        if self.illegal == "raise":
            number = -1 if action is None else int(action)
            raise IllegalAction(explain(self.game, self.states[0], number))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {a: -1.0 if a == agent else 0.0 for a in self.agents}
        self._accumulate_rewards()
        self._end(truncated=False)

    def _end(self, truncated: bool) -> None:
        """The episode is over for everybody; each agent still collects its last reward."""
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = {a: {"action_mask": np.zeros(self.game.num_actions, np.int8)} for a in self.agents}
        self.agent_selection = self.agents[0]
        if self.render_mode == "human":
            self.render()

    def clone(self) -> TrickEnv:
        """An independent copy at the same point, with the same packs to come."""
        return copy.deepcopy(self)

    def render(self) -> str | None:
        """The table as text, returned ("ansi") or printed ("human")."""
        if self.render_mode is None:
            return None
        text = draw(self.game, self.states, self.render_seat)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""


def env(name: str, preset: str | None = None, **arguments: Any) -> AECEnv:
    """`TrickEnv` with PettingZoo's usual wrappers: it checks the order of calls and the bounds of actions."""
    inner = TrickEnv(name, preset, **arguments)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))
