"""Replay trace files move by move and compare legal actions, scores and winners with the rules in this library.

    python -m experiments.replay PATH...

PATH is a trace file (.jsonl or .jsonl.gz) or a folder of them. Prints the first difference of each file in words, then
`N matches, N steps, N differences`; exits with 1 if anything differs or cannot be read, with 2 for wrong arguments.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from trickenv.engine.records import read, replay


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m experiments.replay", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("paths", nargs="+", metavar="PATH", type=Path, help="trace file (.jsonl, .jsonl.gz) or folder")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not list the files without a difference")
    arguments = parser.parse_args(argv)
    files: list[Path] = []
    for path in arguments.paths:
        found = (
            sorted(p for p in path.rglob("*") if p.name.endswith((".jsonl", ".jsonl.gz"))) if path.is_dir() else [path]
        )
        if not found or not found[0].exists():
            parser.error(f"{path}: no trace file there (.jsonl or .jsonl.gz)")
        files += found
    matches = steps = differences = 0
    for path in files:
        m, s, d, first = replay_file(path)
        matches, steps, differences = matches + m, steps + s, differences + d
        if first or not arguments.quiet:
            print(f"{path}: {m} matches, {s} steps, {first or 'no difference'}", flush=True)
    print(f"{matches} matches, {steps} steps, {differences} differences")
    return 1 if differences else 0


def replay_file(path: Path) -> tuple[int, int, int, str | None]:
    """(matches, steps, matches that differ, first difference in words) of one file."""
    matches = steps = differences = 0
    first = None
    try:
        for line, trace in read(path):
            matches += 1
            steps += len(trace.get("steps", ()))
            difference = replay(trace)
            if difference:
                differences += 1
                first = first or f"line {line}: {difference}"
    except ValueError as error:
        return matches, steps, differences + 1, first or str(error)
    return matches, steps, differences, first


if __name__ == "__main__":
    sys.exit(main())
