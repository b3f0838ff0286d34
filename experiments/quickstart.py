"""Train an agent for about two minutes, save it, plug it back in by name and show how it plays.

python -m experiments.quickstart [--minutes N] [--out runs/quickstart]
"""

from __future__ import annotations

import argparse
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from experiments.config import load
from experiments.evaluate import evaluate, table
from experiments.train import attempt, prepare, train
from trickenv.engine.spec import game

DEFAULT = Path("runs/quickstart")
CONFIG = Path(__file__).resolve().parent.parent / "configs" / "trionfo.yaml"


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.quickstart", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--minutes", type=float, help="length of the training, instead of the config's")
    parser.add_argument("--out", type=Path, help="a new folder for the run (default: runs/quickstart, emptied first)")
    parser.add_argument("--blocks", type=int, default=2000, help="packs played for the table (default: 2000)")
    arguments = parser.parse_args(argv)

    def work() -> int:
        config = load(CONFIG)
        config = replace(config, minutes=arguments.minutes or config.minutes)
        if arguments.out is None:
            shutil.rmtree(DEFAULT, ignore_errors=True)
        folder = arguments.out or DEFAULT
        prepare(config, folder, resume=False)
        print(f"Training on {config.game}/{config.preset} for {config.minutes:g} minutes; logs in {folder}/logs")
        run = train(config, folder)
        agent = f"ppo:{folder}"
        print(f"{run.num_timesteps:,} decisions learned from. Plugged back in as {agent}, on duplicate deals:\n")
        played = game(config.game)
        rules = played.rules(config.preset, **config.options)
        print(table(agent, evaluate(played, rules, agent, ["random", "heuristic"], arguments.blocks, seed=1)))
        return 0

    return attempt(work)


if __name__ == "__main__":
    sys.exit(main())
