"""The curve of a training run, as a table in its folder: one row per measurement."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path

FILE = "curve.csv"  # decisions, seconds, cloned, PLAYER/margin and more


class Curve:
    """`curve.csv` of a run; it is written whole at every row, so that it is never cut in the middle.

    until: (decisions, cloned) of the checkpoint that a run goes on from; later rows are forgotten, since they are
    measured again. None = a new curve. Numbers are kept as they stand in the file.
    """

    def __init__(self, folder: Path, until: tuple[int, int] | None = None) -> None:
        self.path = folder / FILE
        self.rows: list[dict[str, str]] = []
        if until is not None and self.path.exists():
            with self.path.open(newline="", encoding="utf-8") as file:
                self.rows = [row for row in csv.DictReader(file) if _place(row) <= until]

    def add(self, row: Mapping[str, float]) -> None:
        """Add a measurement, in the place of an earlier one after as many decisions. Raises OSError."""
        texts = {key: f"{value:.6g}" if isinstance(value, float) else str(value) for key, value in row.items()}
        self.rows = [old for old in self.rows if _place(old) != _place(texts)] + [texts]
        columns = list(dict.fromkeys(key for old in self.rows for key in old))
        part = self.path.with_name(f".{FILE}.part")
        with part.open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, columns, restval="", lineterminator="\n")
            table.writeheader()
            table.writerows(self.rows)
        os.replace(part, self.path)


def _place(row: Mapping[str, str]) -> tuple[int, int]:
    return int(row["decisions"]), int(row["cloned"])
