"""The worked examples of the rules pages, kept as data: one runner for all games.

Each `<game>.toml` holds `[[scenario]]` tables:

    id       number on the rules page
    rules    numbers of the rules (in the docstring of the rules module) that it holds
    text     the situation in words
    preset, options, decks, first_dealer   how the table starts (all optional)
    set      fields of the state to overwrite: cards as text ("C1 B3"; lists by seat), suits by letter, phases by name
             (and so any field that is named like an enum of the module)
    do       actions in text, carried out in turn through the door (so each must be legal)
    call     a function of the rules module to call then, such as "score"
    expect   `legal` (the complete list), `refuses` (action -> words of the reason), `error` (words of the refusal of
             the options), `sees` (seat -> fields as that seat sees them, a card that lies face down being "??"), and
             any field of the state, written as in `set`; lists may stop early
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import assign, number

from trickenv.engine.table import IllegalAction, Table
from trickenv.games import load

FOLDER = Path(__file__).parent
CASES = [
    pytest.param(path.stem, case, id=f"{path.stem}-{case['id']}")
    for path in sorted(FOLDER.glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["scenario"]
]


def check(table: Table, states: np.ndarray, field: str, value: Any) -> None:
    wide = states.dtype[field].base == np.int64
    wanted = number(table.game.module, field, value, wide)
    found = states[field][0].tolist()
    assert (found[: len(wanted)] if isinstance(wanted, list) else found) == wanted, field


@pytest.mark.parametrize(("game", "case"), CASES)
def test_scenario(game: str, case: dict[str, Any]) -> None:
    expect = dict(case["expect"])
    start = {k: case[k] for k in ("preset", "decks", "first_dealer") if k in case} | case.get("options", {})
    if "error" in expect:
        with pytest.raises(ValueError, match=expect["error"]):
            Table(game, **start)
        return
    table = Table(game, **start)
    for field, value in case.get("set", {}).items():
        assign(table, field, value)
    for action in case.get("do", []):
        table.play(action)
    if "call" in case:
        getattr(table.game.module, case["call"])(table.state)
    if "legal" in expect:
        assert table.legal() == sorted(expect.pop("legal"))
    for action, words in expect.pop("refuses", {}).items():
        with pytest.raises(IllegalAction, match=words):
            table.play(action)
    for seat, fields in expect.pop("sees", {}).items():
        for field, value in fields.items():
            check(table, table.view(int(seat)).states, field, value)
    for field, value in expect.items():
        check(table, table.states, field, value)


def test_every_scenario_expects_something() -> None:
    assert all(case.values[1]["expect"] for case in CASES)  # type: ignore[index]


@pytest.mark.parametrize("game", sorted({case.values[0] for case in CASES}))  # type: ignore[type-var]
def test_every_rule_has_a_scenario(game: str) -> None:
    """The rules are the numbered sentences of the module's docstring."""
    numbered = {int(n) for n in re.findall(r"^ *(\d+)\. ", load(game).__doc__ or "", re.MULTILINE)}
    held = {rule for case in CASES if case.values[0] == game for rule in case.values[1]["rules"]}  # type: ignore[index]
    assert held == numbered
