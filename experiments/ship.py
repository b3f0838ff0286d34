"""Measure a run's newest checkpoint and put it among the agents that come with the project.

    python -m experiments.ship RUN [--against heuristic pimc:20:5] [--blocks 5000]

Plays duplicate deals against each player, which takes all other seats; then writes `agents/zoo/GAME/PRESET/` (weights,
card with the results, curve), which is then the player `zoo:GAME/PRESET`, and the table in `docs/zoo.md`. What was
played is kept in the run's folder: stop it at any time, and the same command goes on where it was. Exit status 2 for
wrong names and folders; an agent shipped before is then left as it is. Weights are rounded before they are measured, to
keep the project small; results of the same weights against further players are kept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

import agents  # noqa: F401 - makes the players known
from agents import policy, zoo
from experiments import document
from experiments.curve import FILE as CURVE
from experiments.ladder import CHUNK, chunk, kept, pooled
from experiments.level import level, read_curve
from experiments.train import attempt
from trickenv.engine.duplicate import seatings
from trickenv.engine.players import Player, player
from trickenv.engine.spec import Game, game
from trickenv.options import Options

MEASURED = "measured.jsonl"  # in the run's folder: chunks of blocks already played
SEED = 2_000_000  # of the first pack: not those that training is watched on
LEVEL = "heuristic"  # the card tells when the run was level with it


def shippable(run: Path) -> tuple[Path, dict[str, Any], Game, Options]:
    """A run's newest checkpoint, its card, game and options. Raises CheckpointError if it bears no preset's name."""
    folder = policy.newest(run)
    card = policy.read_card(folder)
    played = game(str(card.get("game")))
    policy.read_card(folder, played)
    rules = played.rules(str(card.get("preset")))
    training = card.get("training")
    if not isinstance(training, dict) or not {"decisions", "seconds", "config"} <= training.keys():
        raise policy.CheckpointError(f"{folder / policy.CARD}: training must tell decisions, seconds and config")
    if card.get("options") != rules.plain():
        raise policy.CheckpointError(
            f"{folder / policy.CARD}: trained with other options than those of preset {card.get('preset')}; "
            "a shipped agent bears the name of what it was trained on"
        )
    return folder, card, played, rules


def measure(
    path: Path, table: str, played: Game, rules: Options, who: Player, against: list[str], blocks: int
) -> dict[str, Any]:
    """Results of a player at a table (`game/preset`) against each of the others; path: the file that keeps chunks.

    blocks: rounded up to whole chunks. Raises ValueError for unknown players, before anything is played.
    """
    for name in against:
        player(name, played)
    done, results = kept(path), {}
    fair = 1 / len(seatings(played, rules))
    for name in against:
        bar = tqdm(range(0, blocks, CHUNK), desc=f"against {name}", unit_scale=CHUNK, unit=" blocks")
        chunks = [chunk(done, path, (table, who.name, name, SEED, first), played, rules, who) for first in bar]
        results[name] = pooled(chunks) | {"fair": fair}
    return results


def level_of(run: Path) -> dict[str, Any]:
    """For the card: when the run was level with `LEVEL`, None = never; empty where no curve tells.

    Raises ValueError for a damaged curve.
    """
    curve = read_curve(run) if (run / CURVE).exists() else []
    told = any(f"{LEVEL}/margin" in row for row in curve)
    return {"level_with": {LEVEL: level(curve, LEVEL)}} if told else {}


def results_before(target: Path, digest: str) -> dict[str, Any]:
    """Results against other players that the very same weights were shipped with."""
    try:
        card = json.loads((target / policy.CARD).read_text(encoding="utf-8"))
        return dict(card["results"]) if card["weights_sha256"] == digest else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def write(target: Path, files: dict[str, bytes]) -> None:
    """Make `target` a folder of these files, whole or not at all. Raises OSError if that cannot be done."""
    with policy.whole_folder(target) as part:
        for name, content in files.items():
            (part / name).write_bytes(content)


def ship(run: Path, against: list[str], blocks: int) -> str:
    """Measure a run and make it a shipped agent; returns its name. Raises ValueError or OSError with a sentence."""
    folder, card, played, rules = shippable(run)
    run = run.parent.parent if run.parent.name == policy.CHECKPOINTS else run
    name = f"{played.name}/{card['preset']}"
    card["training"] |= level_of(run)
    packed, weights = policy.rounded(policy.read_weights(folder, card))
    card["weights_sha256"] = hashlib.sha256(packed).hexdigest()
    relabel = policy.relabel_for(played, card.get("suits", policy.AS_DEALT), folder)
    who = policy.PolicyPlayer(weights, f"weights:{card['weights_sha256'][:16]}", relabel)
    results = measure(run / MEASURED, name, played, rules, who, against, blocks)
    card["results"] = results_before(zoo.FOLDER / name, card["weights_sha256"]) | results
    card["seeds"] = card.get("seeds", {}) | {"measurement": SEED}
    files = {
        policy.CARD: (json.dumps(card, indent=2) + "\n").encode(),
        policy.WEIGHTS: packed,
    }
    if (run / CURVE).exists():
        files[CURVE] = (run / CURVE).read_bytes()
    write(zoo.FOLDER / name, files)
    player(f"zoo:{name}", played)
    print(f"zoo:{name}: {sum(map(len, files.values())) / 1024:,.0f} kB in {zoo.FOLDER / name}")
    return name


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m experiments.ship", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("run", metavar="RUN", type=Path, help="a run's folder, or one checkpoint")
    parser.add_argument("--against", metavar="PLAYER", nargs="+", default=["heuristic"], help="(default: heuristic)")
    parser.add_argument(
        "--blocks", type=int, default=5000, help=f"packs against each, in chunks of {CHUNK} (default: 5000)"
    )
    arguments = parser.parse_args(argv)
    if arguments.blocks < 1:
        parser.error(f"--blocks must be 1 or more, not {arguments.blocks}")

    def work() -> int:
        try:
            ship(arguments.run, arguments.against, arguments.blocks)
        except KeyboardInterrupt:
            print("stopped; the same command goes on from here", file=sys.stderr)
            return 130
        return document.main([])

    return attempt(work)


if __name__ == "__main__":
    sys.exit(main())
