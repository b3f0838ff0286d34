"""Whether each player beats the one below it: random < greedy < heuristic < pimc:20:5 < pimc:100:6, by duplicate deals.

    python -m experiments.ladder [GAME/PRESET ...] [--blocks 5000] [--rungs P1 P2 ...] [--write docs/ladder.md]

Each rung plays the one below at all the other seats: a block is one pack, played once with the better player on every
side. Prints margin a deal with its 95 % interval over blocks, and both in d, standard deviations of one deal. Results
are kept in a file (--results), chunk by chunk: stop it at any time, and the same command goes on where it was. After
a change of a player, begin another file. --write makes a page of all that the file holds.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import agents  # noqa: F401 - makes the players known
from trickenv.engine.duplicate import NORMAL, Estimate, duel
from trickenv.engine.players import Player, player
from trickenv.engine.spec import Game, game
from trickenv.options import Options

TABLES = tuple(
    f"{name}/{preset}"
    for name, presets in {
        "trijumf": ("two", "three", "four"),
        "trionfo": ("three", "four", "five", "five_socio"),
        "truf": ("method1",),
        "hiljadu": ("standard",),
    }.items()
    for preset in presets
)
RUNGS = ("random", "greedy", "heuristic", "pimc:20:5", "pimc:100:6")
CHUNK = 250  # blocks played and written at a time

Key = tuple[str, str, str, int, int]  # game/preset, player, the one below, seed, first block of the chunk
Chunk = dict[str, float]  # means, variances between blocks, standard deviation of one deal, seconds


def kept(path: Path) -> dict[Key, Chunk]:
    """Chunks in a results file; the last line may be cut short by an interruption."""
    chunks: dict[Key, Chunk] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
                chunks[row["table"], row["player"], row["below"], row["seed"], row["first"]] = row["chunk"]
            except (json.JSONDecodeError, KeyError):
                continue
    return chunks


def chunk(
    done: dict[Key, Chunk], path: Path, key: Key, played: Game, rules: Options, who: Player | None = None
) -> Chunk:
    """The chunk of a key out of `done`, or else played now and kept in `done` and in the file.

    who: the player, where the name in the key does not make it.
    """
    if key not in done:
        table, name, below, seed, first = key
        done[key] = play_chunk(played, rules, who or name, below, seed, first)
        row = {"table": table, "player": name, "below": below, "seed": seed, "first": first, "chunk": done[key]}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    return done[key]


def play_chunk(played: Game, rules: Options, who: str | Player, below: str, seed: int, first: int) -> Chunk:
    """CHUNK blocks from a block on; what is played depends on seed and block alone."""
    better, worse = player(who, played), player(below, played)
    better.reset(seed)
    worse.reset(seed + first + 1)  # luck of its own for each chunk: `random` lives by it
    begun = time.process_time()
    result = duel(played, rules, better, worse, CHUNK, seed + first)
    return {
        "margin": result.margin.mean, "margin_between": _between(result.margin), "deviation": result.deviation,
        "won": result.won.mean, "won_between": _between(result.won), "seconds": time.process_time() - begun,
    }  # fmt: skip


def _between(estimate: Estimate) -> float:
    """Variance between the blocks of a chunk."""
    return estimate.half**2 / NORMAL**2 * CHUNK


def pooled(chunks: list[Chunk]) -> dict[str, float]:
    """Margin and share of deals won, halves of their 95 % intervals, deviation of one deal, blocks of all chunks."""
    found: dict[str, float] = {"blocks": len(chunks) * CHUNK}
    for name in ("margin", "won"):
        found[name], found[f"{name}_half"] = _together(
            [c[name] for c in chunks], [c[f"{name}_between"] for c in chunks]
        )
    deals = sum(c["deviation"] ** 2 + c["margin"] ** 2 for c in chunks) / len(chunks) - found["margin"] ** 2
    return found | {"deviation": math.sqrt(deals)}


def _together(means: list[float], variances: list[float]) -> tuple[float, float]:
    """Mean over all blocks and half its 95 % interval, from means and variances between blocks of the chunks."""
    n = len(means) * CHUNK
    mean = sum(means) / len(means)
    between = sum((CHUNK - 1) * v + CHUNK * (m - mean) ** 2 for m, v in zip(means, variances, strict=True)) / (n - 1)
    return mean, NORMAL * math.sqrt(between / n)


def steps(played: Game, rungs: list[str]) -> list[tuple[str, str]]:
    """Pairs (player, the one below) of the rungs that this game has. Raises ValueError for an unknown one."""
    there = []
    for rung in rungs:
        try:
            player(rung, played)
        except ValueError:
            if rung != "heuristic":
                raise
            print(f"{played.name} has no player 'heuristic' yet: left out", file=sys.stderr)
            continue
        there.append(rung)
    return list(zip(there[1:], there, strict=False))


def climb(tables: list[str], rungs: list[str], blocks: int, seed: int, path: Path) -> Iterator[tuple[Key, Chunk]]:
    """Play what is missing, round by round so that all rows grow together; yields each chunk as it is known."""
    done = kept(path)
    plans = []
    for table in tables:
        name, _, preset = table.partition("/")
        played = game(name)
        plans += [(table, played, played.rules(preset or None), *pair) for pair in steps(played, rungs)]
    path.parent.mkdir(parents=True, exist_ok=True)
    for first in range(0, blocks, CHUNK):
        for table, played, rules, who, below in plans:
            key = (table, who, below, seed, first)
            if key not in done:
                print(f"{table}: {who} against {below}, blocks {first + 1} to {first + CHUNK}", file=sys.stderr)
            yield key, chunk(done, path, key, played, rules)


PAGE = """# Ladder

Whether each player beats the one below it: the player on one side, the one below in all other seats, and the same pack
again with the player on every other side. Margins are points of a deal, own side less the mean of the others, with 95 %
intervals over blocks (packs); d is the margin in standard deviations of one deal. What was played is kept in
`ladder.jsonl`, and this goes on where it ends:

```sh
python -m experiments.ladder --blocks 5000 --results docs/ladder.jsonl --write docs/ladder.md
```

"""


def page(results: Path) -> str:
    """The page of all that a results file holds."""
    return PAGE + report(kept(results)) + "\n"


def report(chunks: dict[Key, Chunk]) -> str:
    """Markdown table of all rows, game by game, from the lowest rung up."""
    lines = ["| game | player | against | margin a deal | in d | blocks |", "| --- | --- | --- | --- | --- | --- |"]
    rows: dict[tuple[str, str, str], list[Chunk]] = {}
    for (table, who, below, _, _), part in chunks.items():
        rows.setdefault((table, who, below), []).append(part)
    for (table, who, below), found in sorted(rows.items(), key=lambda row: _place(*row[0])):
        r = pooled(found)
        d = r["deviation"] or math.inf
        lines.append(
            f"| {table} | {who} | {below} | {r['margin']:+.3f} ± {r['margin_half']:.3f} "
            f"| {r['margin'] / d:+.3f} ± {r['margin_half'] / d:.3f} | {r['blocks']:.0f} |"
        )
    return "\n".join(lines)


def _place(table: str, who: str, below: str) -> tuple:
    """Where a row stands in the table."""
    known = [
        list(names).index(name) if name in names else len(names) for name, names in ((table, TABLES), (who, RUNGS))
    ]
    return known[0], table, known[1], who, below


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m experiments.ladder", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tables", metavar="GAME[/PRESET]", nargs="*", help=f"(default: {' '.join(TABLES)})")
    parser.add_argument("--rungs", nargs="+", default=list(RUNGS), metavar="PLAYER", help="players, weakest first")
    parser.add_argument("--blocks", type=int, default=1000, help=f"packs, in chunks of {CHUNK} (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of packs and players (default: 0)")
    parser.add_argument("--results", type=Path, default=Path("runs/ladder.jsonl"), help="(default: runs/ladder.jsonl)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="make a page of all that the results file holds")
    arguments = parser.parse_args(argv)
    if arguments.blocks < 1 or arguments.seed < 0 or len(arguments.rungs) < 2:
        parser.error("--blocks must be 1 or more, --seed 0 or more, and there must be two rungs at least")
    tables = arguments.tables or list(TABLES)
    chunks: dict[Key, Chunk] = {}
    try:
        for key, part in climb(tables, arguments.rungs, arguments.blocks, arguments.seed, arguments.results):
            chunks |= {key: part}
    except ValueError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
    print(report(chunks))
    if arguments.write:
        arguments.write.write_text(page(arguments.results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
