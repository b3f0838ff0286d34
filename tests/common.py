"""What tests of several folders share: all presets, random play, a player without luck, fields of a state from text."""

from __future__ import annotations

import os
import subprocess
import sys
from enum import EnumType
from typing import Any

import numpy as np
import pytest

from trickenv.cards import FACE_DOWN, NO_CARD
from trickenv.engine.players import Player
from trickenv.engine.spec import game
from trickenv.engine.table import Table
from trickenv.engine.view import View
from trickenv.games import GAMES

PRESETS = [(name, preset) for name in GAMES for preset in game(name).module.PRESETS]
every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS, ids=["/".join(p) for p in PRESETS])


class Lowest(Player):
    """Plays the first legal action; needs no luck, so that a table can repeat the game."""

    name = "lowest"

    def act(self, view: View) -> int:
        return int(view.legal[0])


def pick(table: Table, luck: np.random.Generator) -> int:
    """A random legal action, kinds of action first."""
    legal = np.array(table.legal_actions())
    kinds = table.game.kinds[legal]
    return int(luck.choice(legal[kinds == luck.choice(np.unique(kinds))]))


def assert_compiled_as_plain(script: str) -> None:
    """A script prints the same with compiled functions and with the same functions as plain Python."""
    printed = []
    for plain in ("0", "1"):
        run = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", script],
            env=os.environ | {"NUMBA_DISABLE_JIT": plain},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        printed.append(run.stdout)
    assert printed[0] == printed[1] != ""


def number(module: Any, field: str, value: Any, wide: bool) -> Any:
    """A field's value from its text: card set, card, suit, phase or other named value, or plain number."""
    if isinstance(value, list):
        return [number(module, field, v, wide) for v in value]
    if not isinstance(value, str):
        return int(value)
    named = getattr(module, field.capitalize(), None)
    if isinstance(named, EnumType):
        return int(getattr(named, value))
    if wide:
        return module.DECK.cards("" if value == "-" else value)
    if value in ("-", "none"):
        return NO_CARD
    if value == "??":
        return FACE_DOWN
    return module.DECK.suit(value) if len(value) == 1 else module.DECK.card(value)


def assign(table: Table, field: str, value: Any) -> None:
    """Overwrite a field of the state, written as `number` reads it; a list may stop early."""
    new = number(table.game.module, field, value, table.states.dtype[field].base == np.int64)
    if isinstance(new, list):
        table.states[field][0, : len(new)] = new
    else:
        table.states[field][0] = new
