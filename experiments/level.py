"""When a run was level with a player: decisions and minutes at the first measurement with a margin of 0 or more.

    python -m experiments.level RUN... [--against heuristic]

RUN: a run's folder, or a shipped agent's such as agents/zoo/trionfo/four; its `curve.csv` is read. Decisions are all
that were learned from, those of a cloned player among them.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

from experiments.curve import FILE

Curve = list[dict[str, float]]


def read_curve(folder: Path) -> Curve:
    """The measurements of a run, in order; cells left empty are left out. Raises ValueError for what is no curve."""
    try:
        with (folder / FILE).open(encoding="utf-8", newline="") as file:
            rows = [{key: float(cell) for key, cell in row.items() if cell} for row in csv.DictReader(file)]
    except (OSError, ValueError, TypeError, AttributeError) as error:  # the last two: a row longer than the head
        raise ValueError(f"{FILE} cannot be read ({error})") from None
    for row in rows:
        if not {"decisions", "seconds"} <= row.keys():
            raise ValueError(f"{FILE}: every row must hold decisions and seconds")
    return rows


def level(curve: Curve, against: str) -> dict[str, float] | None:
    """Decisions and seconds of the first measurement that is not below a player, None if there is none.

    Raises ValueError if the player was never measured against.
    """
    measured = [row for row in curve if f"{against}/margin" in row]
    if not measured:
        there = sorted({key.removesuffix("/margin") for row in curve for key in row if key.endswith("/margin")})
        raise ValueError(f"no measurements against {against!r}, only against {', '.join(there) or 'nobody'}")
    for row in measured:
        if row[f"{against}/margin"] >= 0:
            return {"decisions": learned(row), "seconds": row["seconds"]}
    return None


def learned(row: dict[str, float]) -> float:
    """Decisions that a run had learned from at a measurement, its own and those of the player it cloned before."""
    return row["decisions"] + row.get("cloned", 0)


def sentence(curve: Curve, against: str) -> str:
    """When a run was level, or where it stood at last. Raises ValueError as `level` does."""
    found = level(curve, against)
    if found is not None:
        return f"level with {against} after {found['decisions']:,.0f} decisions, {found['seconds'] / 60:.1f} minutes"
    last = [row for row in curve if f"{against}/margin" in row][-1]
    return f"not level with {against} up to {learned(last):,.0f} decisions: {last[f'{against}/margin']:+.3f} a deal"


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m experiments.level", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("runs", metavar="RUN", type=Path, nargs="+", help="folders with a curve.csv")
    parser.add_argument("--against", default="heuristic", metavar="PLAYER", help="(default: heuristic)")
    arguments = parser.parse_args(argv)
    try:
        for run in arguments.runs:
            try:
                print(f"{run}: {sentence(read_curve(run), arguments.against)}")
            except ValueError as error:
                raise ValueError(f"{run}: {error}") from None
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
