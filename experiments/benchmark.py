"""Measure steps per second of random legal play, from the compiled loop up to the wrapped PettingZoo environment.

    python -m experiments.benchmark [--game trionfo] [--preset four ...] [--batch 1024] [--runs 5]

Each figure is the median over runs of CPU time (not wall time) of one process; the runs of all layers take turns, so
that ratios hold when the machine's speed drifts. A step is one decision, with dealing and starting again included.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from trickenv.engine import batch
from trickenv.engine.episode import DECK_SPACE, episode
from trickenv.engine.spec import Game, game
from trickenv.engine.view import Views
from trickenv.envs.aec import TrickEnv
from trickenv.envs.aec import env as wrapped_env
from trickenv.games import GAMES

Layer = Callable[[], int]  # does some work and returns the number of steps


def compiled_loop(g: Game, rules: Any, tables: int) -> Layer:
    """Rules alone: choose and step inside one compiled call."""
    states, blank, match = g.tables(tables), g.blank(rules), episode(g, rules)
    words, deck = np.arange(tables, dtype=np.uint64), np.zeros(DECK_SPACE, np.int64)
    batch.seed_rows(states, 0)
    batch.reset_rows(states, np.arange(tables), blank, match, deck)

    def run() -> int:
        batch.play_random(states, blank, match, g.kinds, words, 300, False)
        return 300 * tables

    return run


def batched(g: Game, rules: Any, tables: int) -> Layer:
    """One call per step for all tables, with observation and mask of the seat on turn each time."""
    states, blank, match = g.tables(tables), g.blank(rules), episode(g, rules)
    rows, deck = np.arange(tables), np.zeros(DECK_SPACE, np.int64)
    words, actions, status = np.arange(tables, dtype=np.uint64), np.zeros(tables, np.int64), np.zeros(tables, np.int64)
    rewards, room, turn = np.zeros((tables, g.max_seats), np.float32), Views.space(g, tables), np.full(tables, -1)
    batch.seed_rows(states, 0)
    batch.reset_rows(states, rows, blank, match, deck)

    def run() -> int:
        for _ in range(200):
            batch.look_rows(states, rows, turn, room.states, room.observations, room.masks)
            batch.pick_rows(room.masks, g.kinds, words, actions)
            batch.step_rows(states, rows, actions, match, deck, rewards, status)
            ended = np.flatnonzero(status)
            if len(ended):
                batch.reset_rows(states, ended, blank, match, deck)
        return 200 * tables

    return run


def aec(make: Callable[[], Any]) -> Layer:
    """A PettingZoo loop: last(), a random legal action, step()."""
    env = make()
    env.reset(seed=0)
    luck = np.random.default_rng(0)

    def run() -> int:
        for _ in range(4000):
            _, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = np.flatnonzero(info["action_mask"])
            env.step(legal[int(luck.random() * len(legal))])
        return 4000

    return run


def rates(layers: dict[str, Layer], runs: int) -> dict[str, float]:
    """Median steps per second of CPU time of each layer, the layers taking turns; a first round is not counted."""
    seen: dict[str, list[float]] = {name: [] for name in layers}
    for number in range(runs + 1):
        for name, run in layers.items():
            start = time.process_time()
            steps = run()
            if number:
                seen[name].append(steps / (time.process_time() - start))
    return {name: statistics.median(values) for name, values in seen.items()}


def first_step_seconds(name: str, preset: str) -> float:
    """Wall seconds of a fresh process from first import to first step, from a warm cache."""
    code = f"import trickenv; t = trickenv.Table({name!r}, {preset!r}); t.play(t.legal()[0]); t.view()"
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def lines(names: list[str], presets: list[str] | None, tables: int, runs: int) -> Iterator[str]:
    """The table, line by line, as it is measured."""
    yield f"{'preset':<26}{'loop':>12}{'batched':>12}{'raw AEC':>12}{'wrapped':>12}{'batched/AEC':>13}{'start s':>9}"
    for name in names:
        g = game(name)
        for preset in presets or g.module.PRESETS:
            rules = g.rules(preset)
            layers = {
                "loop": compiled_loop(g, rules, tables),
                "batched": batched(g, rules, tables),
                "raw": aec(lambda name=name, preset=preset: TrickEnv(name, preset)),
                "wrapped": aec(lambda name=name, preset=preset: wrapped_env(name, preset)),
            }
            rate = rates(layers, runs)
            start = statistics.median(first_step_seconds(name, preset) for _ in range(3))
            figures = "".join(f"{rate[layer]:>12,.0f}" for layer in layers)
            yield f"{name + '/' + preset:<26}{figures}{rate['batched'] / rate['raw']:>13.1f}{start:>9.2f}"


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m experiments.benchmark", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game (may be repeated)")
    parser.add_argument("--preset", action="append", help="only this preset of the game (may be repeated)")
    parser.add_argument("--batch", type=int, default=1024, metavar="N", help="tables in a batch (default 1024)")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="counted runs of each layer (default 5)")
    arguments = parser.parse_args(argv)
    if arguments.batch < 1 or arguments.runs < 1:
        parser.error("--batch and --runs must be 1 or more")
    if arguments.preset and len(arguments.game or []) != 1:
        parser.error("--preset needs one --game")
    try:
        for line in lines(arguments.game or list(GAMES), arguments.preset, arguments.batch, arguments.runs):
            print(line, flush=True)
    except ValueError as error:
        parser.error(str(error))
    print("steps per second of CPU time, medians; start: wall seconds from import to first step, warm cache")
    return 0


if __name__ == "__main__":
    sys.exit(main())
