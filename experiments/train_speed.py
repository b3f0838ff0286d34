"""Measure training end to end, our learner against MaskablePPO as it comes, in decisions learned from a second.

    python -m experiments.train_speed [configs/trionfo.yaml] [--seconds 30] [--envs 8]

Ours: the config's settings, all seats of all tables. The other: MaskablePPO with its defaults and layers of the same
widths, over a DummyVecEnv of single-seat Gymnasium environments with `random` in the other seats, the quickest there
is. Both play and update on the same torch threads, in whole rounds of a rollout and an update, up to the first one to
end after so many seconds; nothing is measured or logged meanwhile, and a short run before has compiled everything.

Ours are choices between two legal actions or more, of whole transitions, since others are not learned from; for the
other all decisions are counted, and again only those with such a choice.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from agents.fast_policy import weights_of
from agents.policy import PolicyPlayer, relabel_for
from experiments.config import Config, load
from experiments.learning import SelfPlayPPO, new_model
from experiments.train import attempt
from trickenv.envs.single import SeatEnv

CONFIG = Path(__file__).resolve().parent.parent / "configs" / "trionfo.yaml"


@dataclass
class Speed:
    """What a learner did in some seconds of wall and CPU time: rounds, decisions learned from, free ones among them."""

    rounds: int = 0
    learned: int = 0
    free: int = 0
    seconds: float = 0.0
    cpu: float = 0.0


class Clock(BaseCallback):
    """Counts whole rounds of a rollout and an update, until some seconds have passed."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds
        self.speed, self.next = Speed(), Speed()  # up to the last update; with the round that is being played
        self.done = False

    def _on_training_start(self) -> None:
        self.begun = time.perf_counter(), time.process_time()

    def _on_rollout_start(self) -> None:
        """A round has just been learned from, if one was played before."""
        seconds, cpu = time.perf_counter() - self.begun[0], time.process_time() - self.begun[1]
        self.speed = replace(self.next, seconds=seconds, cpu=cpu)
        self.done = self.speed.rounds > 0 and seconds >= self.seconds

    def _on_step(self) -> bool:
        return not self.done

    def _on_rollout_end(self) -> None:
        buffer = self.model.rollout_buffer  # type: ignore[attr-defined]
        choices = buffer.action_masks.reshape(buffer.buffer_size * buffer.n_envs, -1).sum(1) > 1
        whole = getattr(buffer, "whole", np.ones(choices.size, np.bool_)).reshape(-1)
        self.next.rounds += 1
        self.next.learned += int(whole.sum())
        self.next.free += int((whole & choices).sum())


def own_learner(config: Config) -> SelfPlayPPO:
    """Our learner as a config says, a past self at hand to play those episodes that it asks for."""
    model = new_model(config)
    play = model.env.learners  # type: ignore[union-attr]
    past = PolicyPlayer(weights_of(model.policy), relabel=relabel_for(play.tables.game, config.suits))
    play.mix.remember(past, config.pool["size"], play.who)
    return model


def stock(config: Config, envs: int, steps: int = 2048) -> MaskablePPO:
    """MaskablePPO with its defaults on single-seat environments, as a config says: game, options, reward, widths."""

    def seat() -> SeatEnv:
        return SeatEnv(
            config.game, config.preset, seat=None, opponents="random", episode="deal", reward=config.reward,
            **config.options,
        )  # fmt: skip

    kwargs = {"net_arch": list(config.network)}
    return MaskablePPO(
        "MlpPolicy", DummyVecEnv([seat] * envs), n_steps=steps, policy_kwargs=kwargs, seed=config.seed, device="cpu"
    )


def measured(model: MaskablePPO, seconds: float) -> Speed:
    """Let a learner learn for some seconds, one whole round at least."""
    clock = Clock(seconds)
    model.learn(1 << 62, callback=clock)
    return clock.speed


def compare(config: Config, envs: int, seconds: float) -> tuple[Speed, Speed]:
    """Our learner and the stock one, in this order."""
    torch.set_num_threads(config.threads)
    brief = replace(config, steps=4, batch=4 * config.tables)
    for model in (own_learner(brief), stock(config, envs, steps=64)):
        measured(model, 0)
    return measured(own_learner(config), seconds), measured(stock(config, envs), seconds)


def report(ours: Speed, theirs: Speed, envs: int) -> Iterator[str]:
    """Lines of both speeds and of their ratios."""
    heads = (
        ("rounds", 7),
        ("seconds", 9),
        ("CPU s", 8),
        ("learned", 12),
        ("free", 12),
        ("learned/s", 11),
        ("free/s", 10),
    )
    yield f"{'learner':<34}" + "".join(f"{text:>{width}}" for text, width in heads)
    for name, s in (("trickenv, all seats of all tables", ours), (f"MaskablePPO, DummyVecEnv of {envs}", theirs)):
        counted = f"{s.learned:>12,}{s.free:>12,}{s.learned / s.seconds:>11,.0f}{s.free / s.seconds:>10,.0f}"
        yield f"{name:<34}{s.rounds:>7}{s.seconds:>9.1f}{s.cpu:>8.1f}{counted}"
    for clock, own, other in (("wall", ours.seconds, theirs.seconds), ("CPU", ours.cpu, theirs.cpu)):
        every, free = (ours.free / own * other / max(1, n) for n in (theirs.learned, theirs.free))
        yield f"ratio by {clock} time: {every:.1f} times all its decisions, {free:.1f} times its free ones"


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.train_speed", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("config", type=Path, nargs="?", default=CONFIG, help="(default: configs/trionfo.yaml)")
    parser.add_argument("--seconds", type=float, default=30, help="of each learner, at least one round (default: 30)")
    parser.add_argument("--envs", type=int, default=8, help="single-seat environments of the other (default: 8)")
    arguments = parser.parse_args(argv)
    if not arguments.seconds > 0 or arguments.envs < 1:
        parser.error("--seconds must be above 0 and --envs 1 or more")

    def work() -> int:
        ours, theirs = compare(load(arguments.config), arguments.envs, arguments.seconds)
        print("\n".join(report(ours, theirs, arguments.envs)))
        return 0

    return attempt(work)


if __name__ == "__main__":
    sys.exit(main())
