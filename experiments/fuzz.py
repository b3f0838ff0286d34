"""Play random matches of every preset and look through every state for anything wrong.

    python -m experiments.fuzz [--game trionfo] [--matches 10000] [--seed 0]

Compiled with bounds checks. A match without a natural end is cut off after --deals scored deals. Prints a line for each
preset; exits with 1 if any problem was found.
"""

from __future__ import annotations

import os

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")  # before the first import of numba

import argparse
import sys
import time

import numpy as np

from trickenv.engine import batch
from trickenv.engine.episode import DECK_SPACE, episode
from trickenv.engine.spec import game
from trickenv.games import GAMES


def fuzz(name: str, preset: str, matches: int, deals: int, seed: int) -> tuple[int, int, list[str]]:
    """Play at least `matches` matches; returns (matches, steps, problems found)."""
    g = game(name)
    rules = g.rules(preset)
    tables = min(256, matches)
    states, blank, match = g.tables(tables), g.blank(rules), episode(g, rules, max_deals=deals)
    deck, words = np.zeros(DECK_SPACE, np.int64), np.arange(tables, dtype=np.uint64)
    batch.seed_rows(states, seed)
    batch.reset_rows(states, np.arange(tables), blank, match, deck)
    ended = steps = found = 0
    while ended < matches:
        more, wrong = batch.play_random(states, blank, match, g.kinds, words, 500, True)
        ended, steps, found = ended + more, steps + 500 * tables, found | wrong
    return ended, steps, [text for k, text in enumerate(g.module.PROBLEMS) if found >> k & 1]


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m experiments.fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game (may be repeated)")
    parser.add_argument(
        "--matches", type=int, default=10_000, metavar="N", help="matches of each preset (default 10000)"
    )
    parser.add_argument(
        "--deals", type=int, default=20, metavar="N", help="scored deals after which a match is cut off"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the packs")
    arguments = parser.parse_args(argv)
    if min(arguments.matches, arguments.deals) < 1 or arguments.seed < 0:
        parser.error("--matches and --deals must be 1 or more, --seed 0 or more")
    bad = 0
    for name in arguments.game or GAMES:
        for preset in game(name).module.PRESETS:
            start = time.perf_counter()
            ended, steps, problems = fuzz(name, preset, arguments.matches, arguments.deals, arguments.seed)
            bad += bool(problems)
            verdict = "; ".join(problems) or "no problem"
            seconds = time.perf_counter() - start
            print(f"{name}/{preset}: {ended} matches, {steps} steps, {seconds:.0f} s: {verdict}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
