"""Train a network by self-play with a masked PPO.

    python -m experiments.train configs/trionfo.yaml [--minutes N] [--out runs/NAME] [--resume]

The run's folder gets checkpoints (each names a player, `ppo:runs/NAME/checkpoints/000001234567`; `ppo:runs/NAME` is the
newest), `curve.csv` with all measurements, and TensorBoard logs. Ctrl-C saves a checkpoint and ends. --resume goes on
from the newest one exactly as an unbroken run would: with network, optimiser, counters, past selves and tables. Exit
status 2 for wrong arguments, configs and folders, and when the last checkpoint could not be written.
"""

from __future__ import annotations

import argparse
import itertools
import pickle
import shutil
import signal
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat

from agents import policy as checkpoints
from experiments.cloning import Lessons, clone
from experiments.config import Config, ConfigError, load
from experiments.learning import SelfPlayPPO, new_model
from experiments.run import STATE, Run
from trickenv.engine.spec import game
from trickenv.envs.hidden import hidden_size

# What a run cannot change when it is resumed.
_FIXED = ("game", "preset", "options", "reward", "reward_scale", "suits", "seed", "tables", "steps", "opponents")
_FIXED += ("clone", "network", "critic", "critic_network")
_SPARE = 50 << 20  # bytes that a disk should have left


def resumed_model(config: Config, folder: Path) -> tuple[SelfPlayPPO, dict[str, Any]]:
    """PPO with network and optimiser of a checkpoint, and its other state. Raises CheckpointError if it misfits."""
    card = checkpoints.read_card(folder, game(config.game))
    before, now = card["training"]["config"], config.plain()
    for key in _FIXED:
        if before.get(key) != now[key]:
            raise checkpoints.CheckpointError(
                f"{folder / checkpoints.CARD}: {key} is {before.get(key)!r}, the config has {now[key]!r}"
            )
    model = new_model(config)
    state = _read(folder / STATE, lambda path: torch.load(path, weights_only=True))
    _read(folder / checkpoints.MODEL, lambda path: model.set_parameters(str(path), device="cpu"))
    return model, state


def _read(path: Path, reader: Callable[[Path], Any]) -> Any:
    """What a reader makes of a checkpoint's file; neither of the readers above runs code. Raises CheckpointError."""
    try:
        return reader(path)
    except (OSError, RuntimeError, ValueError, EOFError, KeyError, pickle.UnpicklingError, zipfile.BadZipFile) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise checkpoints.CheckpointError(f"{path}: cannot be read ({reason})") from None


def train(config: Config, folder: Path, resume: bool = False) -> Run:
    """Train to the end of the config's time, or to a Ctrl-C, into a run's folder; the last checkpoint is written.

    Raises CheckpointError if there is nothing to resume or it does not fit, OSError if the last checkpoint cannot be
    written.
    """
    torch.set_num_threads(config.threads)
    model, state = resumed_model(config, checkpoints.newest(folder)) if resume else (new_model(config), None)
    model.set_logger(Logger(str(folder), [TensorBoardOutputFormat(str(folder / "logs"))]))
    run = Run(config, folder, model, state)
    handlers = {number: signal.signal(number, run.stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        lessons = Lessons(config, model) if run.cloning else None
        run.start()
        if lessons:
            for cloned in clone(lessons, run.cloned):
                run.on_cloned(cloned)
                if run.stopped or run.progress >= 1:
                    break
        if not run.stopped and not run.cloning:
            model.learn(1 << 62, callback=run, reset_num_timesteps=False)
        run.finish()
    finally:
        run.bar.close()
        model.logger.close()
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return run


def prepare(config: Config, folder: Path, resume: bool) -> None:
    """See that a run can write its folder, and that it does not mix with another. Raises ConfigError otherwise."""
    if not resume and (folder / checkpoints.CHECKPOINTS).exists():
        raise ConfigError(f"{folder}: there is a run already; go on with --resume, or give another folder with --out")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written ({error.strerror})") from None
    free, wanted = shutil.disk_usage(folder).free, space(config)
    if free < wanted:
        raise ConfigError(f"{folder}: {free >> 20} MB are free on this disk, the run wants {wanted >> 20} MB")


def space(config: Config) -> int:
    """Bytes that the run's folder may come to hold: checkpoints, logs and some to spare."""
    known = game(config.game)
    actor = _parameters([known.observation_size, *config.network, known.num_actions])
    critic = _parameters([known.observation_size + hidden_size(known), *config.critic_network, 1])
    tables = config.tables * known.tables(1).nbytes
    one = 4 * (3 * (actor + critic) + actor * (2 + config.pool["size"])) + 2 * tables  # two moments a parameter
    return (config.checkpoints_kept + 1) * one + _SPARE


def _parameters(widths: list[int]) -> int:
    return sum((a + 1) * b for a, b in itertools.pairwise(widths))


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
        prepare(config, folder, arguments.resume)
        run = train(config, folder, arguments.resume)
        print(f"{run.num_timesteps:,} decisions in {run.seconds:.0f} s; play it as ppo:{folder}")
        return 0

    return attempt(work)


if __name__ == "__main__":
    sys.exit(main())
