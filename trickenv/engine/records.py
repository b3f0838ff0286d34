"""Records of matches: the JSON lines of the trace files, written from a table and replayed move by move.

One match is one object with the keys game, preset, seats, options, first_dealer, decks, steps ([seat, action, legal
actions sorted as text]), deals ({steps, dealer, delta, scores}) and winners (null where it stops at max_deals).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trickenv.engine.table import Table

_KEYS = ("game", "preset", "seats", "options", "first_dealer", "decks", "steps", "deals", "winners")


def record(table: Table) -> dict[str, Any]:
    """A finished or running match as a trace, by playing it once more for the legal sets."""
    options = table.rules.changed() | ({"max_deals": table.max_deals} if table.max_deals else {})
    trace = {
        "game": table.game.name,
        "preset": table.preset,
        "seats": table.seats,
        "options": options,
        "first_dealer": table.first_dealer,
        "decks": table.packs,
        "steps": [],
        "deals": table.deals,
        "winners": table.winners,
    }
    again = _table(trace)
    for seat, action in table.history:
        trace["steps"].append([seat, table.game.action_names[action], again.legal()])
        again.step(action)
    return trace


def _table(trace: dict[str, Any]) -> Table:
    options = dict(trace["options"])
    limit = options.pop("max_deals", None)
    return Table(trace["game"], decks=trace["decks"], first_dealer=trace["first_dealer"], max_deals=limit, **options)


def replay(trace: dict[str, Any]) -> str | None:
    """Play a trace move by move; the first difference from it in words, None if there is none."""
    missing = [key for key in _KEYS if key not in trace]
    if missing:
        return f"the record lacks {', '.join(missing)}"
    try:
        return _first_difference(trace, _table(trace))
    except (ValueError, TypeError, KeyError, IndexError) as error:
        return f"the record cannot be played: {error}"


def _first_difference(trace: dict[str, Any], table: Table) -> str | None:
    for number, (seat, action, legal) in enumerate(trace["steps"], 1):
        where = f"step {number} (deal {len(table.deals) + 1}, seat {seat}, {action!r})"
        if table.over:
            return f"{where}: the match is over here"
        if table.turn != seat:
            return f"{where}: it is seat {table.turn}'s turn"
        mine = table.legal()
        if mine != legal:
            extra, lacking = sorted(set(mine) - set(legal)), sorted(set(legal) - set(mine))
            return f"{where}: legal here only: {extra or 'nothing'}; in the record only: {lacking or 'nothing'}"
        done = len(table.deals)
        table.play(action)
        if len(table.deals) > done and table.deals[done : done + 1] != trace["deals"][done : done + 1]:
            recorded = trace["deals"][done] if done < len(trace["deals"]) else "no such deal"
            return f"{where}: deal {done + 1} ends with {table.deals[done]}, the record has {recorded}"
    return _last_difference(trace, table)


def _last_difference(trace: dict[str, Any], table: Table) -> str | None:
    pairs = [
        ("scored deals", len(table.deals), len(trace["deals"])),
        ("winners", table.winners, trace["winners"]),
        ("packs", len(table.packs), len(trace["decks"])),
    ]
    for what, mine, recorded in pairs:
        if mine != recorded:
            return f"after the last step: {what} {mine}, in the record {recorded}"
    return None


def read(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, match) of a file of JSON lines, plain or gzipped. Raises ValueError naming file and line."""
    opener = gzip.open if path.suffix == ".gz" else open
    number = 0
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    match = json.loads(line)
                    if not isinstance(match, dict):
                        raise ValueError("not a JSON object")
                    yield number, match
    except (OSError, EOFError, ValueError) as error:
        raise ValueError(f"{path}, line {max(number, 1)}: {error}") from None


def write(path: Path, matches: list[dict[str, Any]]) -> None:
    """Write matches as JSON lines, gzipped if the name ends in .gz."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "wt", encoding="utf-8") as lines:
        for match in matches:
            lines.write(json.dumps(match, separators=(",", ":")) + "\n")
