"""Train a network by self-play with a masked PPO.

    python -m experiments.train configs/trionfo.yaml [--minutes N] [--out runs/NAME] [--resume]

The run's folder gets checkpoints (each names a player, `ppo:runs/NAME/checkpoints/000001234567`; `ppo:runs/NAME` is the
newest) and TensorBoard logs. Ctrl-C saves a checkpoint and ends; --resume goes on from the newest one with network,
optimiser and counters, on new deals. Exit status 2 for wrong arguments, configs and folders.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from stable_baselines3.common.utils import FloatSchedule
from tqdm import tqdm

from agents import policy as checkpoints
from agents.fast_policy import FastPolicy, network, weights_of
from experiments.config import Config, ConfigError, load
from trickenv import __version__
from trickenv.engine.batch import RUNNING
from trickenv.engine.duplicate import Result, duel
from trickenv.engine.players import player
from trickenv.engine.spec import game
from trickenv.envs.sb3 import SeatChains, TablesVecEnv

_NOT_SAVED = ["rollout_buffer_class", "rollout_buffer_kwargs", "tensorboard_log"]  # belong to the run, not to the agent


class Run(BaseCallback):
    """What happens around the learning: schedules, measurements, logs, progress bar, checkpoints, the end.

    config: the run's. folder: where it writes. seconds, decisions: already learned, when a run is resumed.
    """

    def __init__(self, config: Config, folder: Path, seconds: float = 0.0, decisions: int = 0) -> None:
        super().__init__()
        self.config, self.folder = config, folder
        self.game = game(config.game)
        self.rules = self.game.rules(config.preset, **config.options)
        self.opponents = {name: player(name, self.game) for name in config.evaluate_against}
        self.results: dict[str, Result] = {}
        self.stopped = False
        self.begun = time.monotonic() - seconds  # set again when learning starts
        self.decisions_before, self.seconds_before = decisions, seconds
        self.returns: list[np.ndarray] = []
        self.measured = self.saved = self.drawn = time.monotonic()
        self.bar = tqdm(
            total=100, bar_format="{l_bar}{bar}| {elapsed}<{remaining} {postfix}", desc="training", unit="%"
        )
        self.bar.set_postfix_str("compiling what is not compiled yet")

    @property
    def seconds(self) -> float:
        """Time learned, earlier parts of the run included."""
        return time.monotonic() - self.begun

    @property
    def progress(self) -> float:
        """How much of the run is done, 0 to 1."""
        parts = [self.seconds / (60 * self.config.minutes)] if self.config.minutes else []
        parts += [self.num_timesteps / self.config.decisions] if self.config.decisions else []
        return min(1.0, max(parts))

    @property
    def rate(self) -> float:
        """Free choices a second in this part of the run."""
        return (self.num_timesteps - self.decisions_before) / max(1e-9, self.seconds - self.seconds_before)

    def stop(self, *_: Any) -> None:
        """End after the current step; a second call interrupts at once."""
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True

    def _on_training_start(self) -> None:
        """Measure the network as it is, which also compiles whatever is not compiled yet; then the time runs."""
        self.measure()
        self.begun = time.monotonic() - self.seconds_before
        self.saved = self.drawn = time.monotonic()
        self.draw()

    def _on_step(self) -> bool:
        play = self.training_env.unwrapped.learners  # type: ignore[attr-defined]
        ended = play.status != RUNNING
        if ended.any():
            self.returns.append(play.rewards[ended, play.movers[ended]])
        now = time.monotonic()
        if now - self.drawn > 0.5:
            self.drawn = now
            self.draw()
        return not self.stopped and self.progress < 1

    def _on_rollout_end(self) -> None:
        done = self.progress
        start, end = self.config.entropy
        self.model.ent_coef = start + (end - start) * done  # type: ignore[attr-defined]
        start, end = self.config.learning_rate
        self.model.lr_schedule = FloatSchedule(start + (end - start) * done)  # type: ignore[assignment]
        if self.returns:
            paid = np.concatenate(self.returns)
            self.returns.clear()
            self.logger.record("rollout/return_mean", float(paid.mean()))
            self.logger.record("rollout/return_deviation", float(paid.std()))
        self.logger.record("time/decisions_per_second", self.rate)
        if time.monotonic() - self.measured > self.config.evaluate_seconds:
            self.measure()
        if time.monotonic() - self.saved > self.config.checkpoint_seconds:
            self.save()

    def measure(self) -> None:
        """Play duplicate deals, always the same ones, against the config's players, and log how it went."""
        relabel = checkpoints.relabel_for(self.game, self.config.suits)
        agent = checkpoints.PolicyPlayer(weights_of(self.model.policy), relabel=relabel)  # type: ignore[arg-type]
        for name, other in self.opponents.items():
            result = duel(self.game, self.rules, agent, other, self.config.evaluate_blocks, seed=1_000_000)
            self.results[name] = result
            key = f"against_{name.replace(':', '_').replace('/', '_')}"
            self.logger.record(f"{key}/margin", result.margin.mean)
            self.logger.record(f"{key}/won", result.won.mean)
        self.measured = time.monotonic()

    def draw(self) -> None:
        """Bring the progress bar up to date."""
        self.bar.n = round(100 * self.progress, 1)
        name = "heuristic" if "heuristic" in self.results else next(iter(self.results), None)
        won = f", wins {100 * self.results[name].won.mean:.1f} % against {name}" if name else ""
        self.bar.set_postfix_str(f"{self.rate:,.0f} decisions/s{won}")

    def save(self) -> Path:
        """Write a checkpoint; returns its folder. Raises OSError if that cannot be done."""
        folder = self.folder / checkpoints.CHECKPOINTS / f"{self.num_timesteps:012d}"
        model = self.model

        def write(path: Path) -> None:
            model.save(path, exclude=_NOT_SAVED)

        checkpoints.save(folder, weights_of(model.policy), self.card(), write)  # type: ignore[arg-type]
        self.saved = time.monotonic()
        return folder

    def card(self) -> dict[str, Any]:
        """What the checkpoint tells about itself."""
        config = self.config
        results = {
            name: {"margin": r.margin.mean, "margin_half": r.margin.half, "won": r.won.mean, "won_half": r.won.half,
                   "blocks": r.blocks}
            for name, r in self.results.items()
        }  # fmt: skip
        return checkpoints.card_for(
            self.game,
            trickenv=__version__,
            preset=config.preset,
            options=self.rules.plain(),
            suits=config.suits,
            network={"trunk": config.network, "activation": "relu"},
            training={"decisions": self.num_timesteps, "seconds": round(self.seconds, 1), "config": config.plain()},
            seeds={"run": config.seed, "measurement": 1_000_000},
            results=results,
        )


def new_model(config: Config, logs: str | None = None) -> MaskablePPO:
    """PPO on fresh tables, as a config says."""
    everyone = config.opponents == "self"
    env = TablesVecEnv(
        config.game, config.preset, num_envs=config.tables, reward=config.reward, reward_scale=config.reward_scale,
        seat="all" if everyone else None, opponents="random" if everyone else config.opponents,
        skip_forced=True, suits=config.suits, seed=config.seed, episode="deal", **config.options,
    )  # fmt: skip
    model = MaskablePPO(
        FastPolicy, env, n_steps=config.steps, batch_size=config.batch, n_epochs=config.epochs, gamma=config.discount,
        gae_lambda=config.decay, clip_range=config.clip, vf_coef=config.value_weight, ent_coef=config.entropy[0],
        learning_rate=config.learning_rate[0], policy_kwargs=network(tuple(config.network)), seed=config.seed,
        rollout_buffer_class=SeatChains, tensorboard_log=logs, device="cpu",
    )  # fmt: skip
    model.rollout_buffer.watch(env)  # type: ignore[attr-defined]
    return model


def resumed_model(config: Config, folder: Path) -> tuple[MaskablePPO, dict[str, Any]]:
    """PPO with network, optimiser and counters of a checkpoint, and its card. Raises CheckpointError if it misfits."""
    card = checkpoints.read_card(folder, game(config.game))
    if card["network"]["trunk"] != config.network:
        raise checkpoints.CheckpointError(
            f"{folder / checkpoints.CARD}: network.trunk is {card['network']['trunk']}, the config has {config.network}"
        )
    if card.get("suits") != config.suits:
        raise checkpoints.CheckpointError(
            f"{folder / checkpoints.CARD}: suits is {card.get('suits')!r}, the config has {config.suits!r}"
        )
    decisions = int(card["training"]["decisions"])
    model = new_model(replace(config, seed=config.seed + decisions))  # other deals than the first part
    model.set_parameters(str(folder / checkpoints.MODEL), device="cpu")
    model.num_timesteps = decisions
    return model, card


def train(config: Config, folder: Path, resume: bool = False) -> Run:
    """Train to the end of the config's time, or to a Ctrl-C, into a run's folder; the last checkpoint is written.

    Raises CheckpointError if there is nothing to resume or it does not fit, OSError if the folder cannot be written.
    """
    torch.set_num_threads(config.threads)
    before: dict[str, Any] = {"seconds": 0.0, "decisions": 0}
    if resume:
        model, card = resumed_model(config, checkpoints.newest(folder))
        before = card["training"]
    else:
        model = new_model(config)
    model.set_logger(Logger(str(folder), [TensorBoardOutputFormat(str(folder / "logs"))]))
    run = Run(config, folder, before["seconds"], before["decisions"])
    handlers = {number: signal.signal(number, run.stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        model.learn(1 << 62, callback=run, reset_num_timesteps=False)
        run.measure()
        run.logger.dump(run.num_timesteps)
        run.save()
        run.draw()
    finally:
        run.bar.close()
        model.logger.close()
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return run


def prepare(folder: Path, resume: bool) -> None:
    """See that a run can write its folder, and that it does not mix with another. Raises ConfigError otherwise."""
    if not resume and (folder / checkpoints.CHECKPOINTS).exists():
        raise ConfigError(f"{folder}: there is a run already; go on with --resume, or give another folder with --out")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written ({error.strerror})") from None


def attempt(work: Callable[[], int]) -> int:
    """Exit status of a command whose errors in names, files and folders are told in a sentence."""
    try:
        return work()
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m experiments.train", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("config", type=Path, help="YAML file, such as configs/trionfo.yaml")
    parser.add_argument("--minutes", type=float, help="length of the run, instead of the config's")
    parser.add_argument("--out", type=Path, help="the run's folder (default: runs/ and the config's name)")
    parser.add_argument("--resume", action="store_true", help="go on from the folder's newest checkpoint")
    arguments = parser.parse_args(argv)
    if arguments.minutes is not None and not arguments.minutes > 0:
        parser.error(f"--minutes must be above 0, not {arguments.minutes:g}")
    folder = arguments.out or Path("runs") / arguments.config.stem

    def work() -> int:
        config = load(arguments.config)
        config = config if arguments.minutes is None else replace(config, minutes=arguments.minutes)
        prepare(folder, arguments.resume)
        run = train(config, folder, arguments.resume)
        print(f"{run.num_timesteps:,} decisions in {run.seconds:.0f} s; play it as ppo:{folder}")
        return 0

    return attempt(work)


if __name__ == "__main__":
    sys.exit(main())
