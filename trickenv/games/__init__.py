"""Registry of the games: name -> rules module, loaded on first use."""

from __future__ import annotations

import importlib
from types import ModuleType

from trickenv.jit import register
from trickenv.options import unknown

GAMES = ("trionfo", "hiljadu")


def load(name: str) -> ModuleType:
    """The rules module of a game, known to the compiled kernels. Raises ValueError with the known names."""
    if name not in GAMES:
        raise ValueError(unknown("game", name, GAMES))
    module = importlib.import_module(f"trickenv.games.{name}")
    register(module)
    return module
