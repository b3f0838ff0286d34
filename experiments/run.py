"""What happens around the learning of a run: schedules, pool, measurements, logs, progress bar, checkpoints, the end.

Between two updates a run stands at a *boundary*. Only there it measures, saves and takes a new past self into the pool;
from there it goes on exactly as if it had never stopped, since all luck but the packs' starts anew at every boundary.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from agents import policy as checkpoints
from agents.fast_policy import weights_of
from experiments.config import Config
from experiments.curve import Curve
from experiments.learning import SelfPlayPPO, reseed
from experiments.standing import stand, standing
from trickenv import __version__
from trickenv.engine.batch import RUNNING
from trickenv.engine.duplicate import Result, duel
from trickenv.engine.players import player
from trickenv.engine.spec import game
from trickenv.envs.mix import PAST

STATE = "trainer.pt"  # a checkpoint's file with all that going on needs besides network and optimiser
_MEASURED_ON = 1_000_000  # first pack of the measurements
_NOT_SAVED = ["rollout_buffer_class", "rollout_buffer_kwargs", "tensorboard_log"]  # belong to the run, not to the agent


class Run(BaseCallback):
    """The course of a run. config: the run's. folder: where it writes. model: what learns.

    state: that of the checkpoint it goes on from.
    """

    model: SelfPlayPPO  # type: ignore[assignment]

    def __init__(self, config: Config, folder: Path, model: SelfPlayPPO, state: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.init_callback(model)
        self.config, self.folder = config, folder
        self.env: Any = model.env
        self.game = game(config.game)
        self.rules = self.game.rules(config.preset, **config.options)
        self.relabel = checkpoints.relabel_for(self.game, config.suits)
        self.opponents = {name: player(name, self.game) for name in config.evaluate_against if name != PAST}
        self.results: dict[str, Result] = {}
        self.figures: dict[str, float] = {}
        self.returns: list[np.ndarray] = []
        self.stopped = False
        self.trouble = ""  # why the last checkpoint could not be written
        self.cloned, self.pooled_at, self.earlier = 0, 0, 0.0
        if state:
            self._restore(state)
        self.begun = self.measured = self.saved = self.drawn = time.monotonic()
        self.boundary = self._state()
        self.marks: deque[tuple[float, int]] = deque(maxlen=30)  # time and decisions of the latest updates
        self.curve = Curve(folder, (model.num_timesteps, self.cloned) if state else None)
        self.bar = tqdm(total=100, bar_format="{l_bar}{bar}| {elapsed}{postfix}", desc="training", unit="%")
        self.bar.set_postfix_str("compiling what is not compiled yet")

    # --- where it stands ---------------------------------------------------------------------------------------------

    @property
    def seconds(self) -> float:
        """Time learned, earlier parts of the run included."""
        return self.earlier + time.monotonic() - self.begun

    @property
    def progress(self) -> float:
        """How much of the run is done, 0 to 1."""
        parts = [self.seconds / (60 * self.config.minutes)] if self.config.minutes else []
        parts += [self.model.num_timesteps / self.config.decisions] if self.config.decisions else []
        return min(1.0, max(parts))

    @property
    def rate(self) -> float:
        """Free choices a second over the latest updates, played and learned from; 0 before there were any."""
        if len(self.marks) < 2:
            return 0.0
        (since, before), (now, after) = self.marks[0], self.marks[-1]
        return (after - before) / max(1e-9, now - since)

    @property
    def cloning(self) -> bool:
        """Whether there is still to be cloned."""
        return bool(self.config.clone) and self.cloned < self.config.clone["decisions"]

    def stop(self, *_: Any) -> None:
        """End after the current step; a second call interrupts at once."""
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True

    # --- the course of it --------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Measure the network as it is, which also compiles whatever is not compiled yet; then the time runs."""
        if not self.curve.rows:
            self.measure()
        self.begun = self.measured = self.saved = time.monotonic()
        self.draw()

    def on_cloned(self, cloned: int) -> None:
        """Take note of a part of the cloning."""
        self.cloned = cloned
        self.marks.append((time.monotonic(), cloned))
        if not self.cloning:
            self.marks.clear()
        self._at_boundary(whole=not self.cloning)

    def on_update(self) -> bool:
        """At a boundary, before the next rollout; returns whether to go on."""
        decisions = self.model.num_timesteps
        self.marks.append((time.monotonic(), decisions))
        mix = self.env.learners.mix
        wanted = PAST in self.config.opponents or PAST in self.config.evaluate_against
        if wanted and (not mix.drawn or decisions - self.pooled_at >= self.config.pool["every"]):
            self.pooled_at = decisions
            mix.remember(self.agent(), self.config.pool["size"], self.env.learners.who)
        self._at_boundary()
        reseed(self.config.seed, "update", decisions, self.env)
        return not self.stopped and self.progress < 1

    def _at_boundary(self, whole: bool = False) -> None:
        """Measure and save what is due, or all of it."""
        self.boundary = self._state()
        if whole or time.monotonic() - self.measured > self.config.evaluate_seconds:
            self.measure()
        if whole or time.monotonic() - self.saved > self.config.checkpoint_seconds:
            self.save()
        self.draw()

    def _on_step(self) -> bool:
        play = self.env.learners
        ended = play.status != RUNNING
        if ended.any():
            self.returns.append(play.rewards[ended, play.movers[ended]])
        if time.monotonic() - self.drawn > 0.5:
            self.draw()
        return not self.stopped

    def _on_rollout_end(self) -> None:
        config, decisions, done = self.config, self.model.num_timesteps, self.progress
        rate, entropy = (start + (end - start) * done for start, end in (config.learning_rate, config.entropy))
        self.model.set_rates(rate * min(1.0, decisions / config.warmup if config.warmup else 1.0), entropy)
        learns = decisions > config.critic_updates * config.steps * config.tables
        for parameter in self.model.policy.actor_parameters():
            parameter.requires_grad_(learns)
        self._note_rollout()

    def _note_rollout(self) -> None:
        """Returns and kinds of action of the rollout, for log and curve."""
        if self.returns:
            paid = np.concatenate(self.returns)
            self.returns.clear()
            self.figures |= {"return_mean": float(paid.mean()), "return_deviation": float(paid.std())}
        actions = self.model.rollout_buffer.actions.astype(np.int64).ravel()
        blocks = list(self.game.module.ACTIONS)
        shares = np.bincount(self.game.kinds[actions], minlength=len(blocks)) / len(actions)
        self.figures |= {f"share/{block.name}": float(share) for block, share in zip(blocks, shares, strict=True)}
        self.figures["decisions_per_second"] = self.rate
        for name, value in self.figures.items():
            self.logger.record(f"rollout/{name}", value)

    def finish(self) -> None:
        """Measure and save a last time; after a Ctrl-C that is the last boundary. Raises OSError if it cannot."""
        self.num_timesteps = self.model.num_timesteps = int(self.boundary["decisions"])
        if not self.stopped:
            self.measure()
        self.logger.dump(self.model.num_timesteps)
        self.draw()
        if not self.save():
            raise OSError(self.trouble)

    # --- what it tells -----------------------------------------------------------------------------------------------

    def agent(self) -> checkpoints.PolicyPlayer:
        """A player with the network as it is."""
        return checkpoints.PolicyPlayer(weights_of(self.model.policy), relabel=self.relabel)

    def measure(self) -> None:
        """Play duplicate deals, always the same ones, against the config's players; log it and add it to the curve."""
        agent, others, mix = self.agent(), dict(self.opponents), self.env.learners.mix
        if PAST in self.config.evaluate_against and mix.drawn:
            others[PAST] = mix.players[mix.drawn[0]]
        learned = self.logger.name_to_value
        for name in ("approx_kl", "clip_fraction", "explained_variance"):
            if f"train/{name}" in learned:
                self.figures[name] = float(learned[f"train/{name}"])
        if "train/entropy_loss" in learned:
            self.figures["entropy"] = -float(learned["train/entropy_loss"])
        row: dict[str, float] = {"decisions": self.model.num_timesteps, "seconds": round(self.seconds, 1)}
        row |= {"cloned": self.cloned} | self.figures
        for name, other in others.items():
            other.reset(_MEASURED_ON)
            result = duel(self.game, self.rules, agent, other, self.config.evaluate_blocks, seed=_MEASURED_ON)
            self.results[name] = result
            figures = _figures(result)
            row |= {f"{name}/{key}": value for key, value in figures.items()}
            for key, value in figures.items():
                self.logger.record(f"against_{name.replace(':', '_').replace('/', '_')}/{key}", value)
        try:
            self.curve.add(row)
        except OSError as error:
            self._warn(f"{self.curve.path}: cannot be written ({error.strerror})")
        self.measured = time.monotonic()

    def draw(self) -> None:
        """Bring the progress bar up to date."""
        self.drawn = time.monotonic()
        name = "heuristic" if "heuristic" in self.results else next(iter(self.results), None)
        won = f", wins {100 * self.results[name].won.mean:.1f} % against {name}" if name else ""
        if self.cloning:
            wish = self.config.clone
            self.bar.n = round(100 * self.cloned / wish["decisions"], 1)
            self.bar.set_description_str(f"cloning {wish['player']}")
            left = (wish["decisions"] - self.cloned) / self.rate if self.rate else None
        else:
            self.bar.n = round(100 * self.progress, 1)
            self.bar.set_description_str("training")
            left = self._left()
        rest = f", {tqdm.format_interval(max(0, round(left)))} left" if left is not None else ""
        self.bar.set_postfix_str(f"{self.rate:,.0f} decisions/s{rest}{won}")

    def _left(self) -> float | None:
        """Seconds until the end, None if that cannot be told yet."""
        parts = [60 * self.config.minutes - self.seconds] if self.config.minutes else []
        if self.config.decisions and self.rate:
            parts.append((self.config.decisions - self.model.num_timesteps) / self.rate)
        return min(parts) if parts else None

    def _warn(self, sentence: str) -> None:
        self.bar.write(f"warning: {sentence}", file=sys.stderr)

    # --- what it keeps -----------------------------------------------------------------------------------------------

    def _state(self) -> dict[str, Any]:
        """All that going on from this boundary needs besides network and optimiser."""
        numbers = {"seconds": round(self.seconds, 3), "cloned": self.cloned, "pooled_at": self.pooled_at}
        return numbers | standing(self.model)

    def _restore(self, state: dict[str, Any]) -> None:
        self.earlier, self.cloned, self.pooled_at = state["seconds"], state["cloned"], state["pooled_at"]
        stand(self.model, state, self.relabel)

    def save(self) -> bool:
        """Write a checkpoint of the last boundary and drop old ones; if that fails, warn, and the old ones stand."""
        folder = self.folder / checkpoints.CHECKPOINTS / f"{self.boundary['decisions']:012d}"

        def model(path: Path) -> None:
            self.model.save(path, exclude=_NOT_SAVED)

        more = {STATE: lambda path: torch.save(self.boundary, path)}
        self.saved = time.monotonic()
        try:
            checkpoints.save(folder, weights_of(self.model.policy), self.card(), model, more)
            self.trouble = ""
        except (OSError, RuntimeError) as error:  # torch says RuntimeError when a disk is full
            reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
            self.trouble = f"{folder}: the checkpoint could not be written ({reason}); the one before it stands"
            self._warn(self.trouble)
            return False
        checkpoints.tidy(self.folder, self.config.checkpoints_kept)
        return True

    def card(self) -> dict[str, Any]:
        """What the checkpoint tells about itself."""
        config, stands = self.config, self.boundary
        training = {key: stands[key] for key in ("decisions", "cloned", "seconds")}
        return checkpoints.card_for(
            self.game,
            trickenv=__version__,
            preset=config.preset,
            options=self.rules.plain(),
            suits=config.suits,
            network={"trunk": config.network, "activation": "relu"},
            training=training | {"config": config.plain()},
            seeds={"run": config.seed, "measurement": _MEASURED_ON},
            results={name: _figures(result) | {"blocks": result.blocks} for name, result in self.results.items()},
        )


def _figures(result: Result) -> dict[str, float]:
    """A duel in numbers: points per deal, in standard deviations of a deal, share won, with half 95 % intervals."""
    return {
        "margin": result.margin.mean,
        "margin_half": result.margin.half,
        "d": result.in_deviations,
        "won": result.won.mean,
        "won_half": result.won.half,
    }
