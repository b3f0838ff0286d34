"""What the training tests share: a player without luck, planted code, and small runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from experiments.config import Config
from trickenv.engine.players import Player
from trickenv.engine.view import View

torch.set_num_threads(1)


class Steady(Player):
    """Picks by a sum over the legal actions: no luck, and no simple pattern either."""

    name = "steady"

    def act(self, view: View) -> int:
        return steady(view.legal)


def steady(legal: np.ndarray | list[int]) -> int:
    return int(legal[int(7 * sum(legal) + 3) % len(legal)])


class Trap:
    """Unpickling this writes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple:
        return Path.write_text, (self.path, "caught")


def small(**changes: Any) -> Config:
    """A run of a second or so."""
    run: dict[str, Any] = {"game": "trionfo", "preset": "four", "decisions": 2000, "tables": 16, "steps": 48}
    learning = {"batch": 256, "epochs": 1, "network": [32, 16], "reward_scale": 0.2, "seed": 3}
    measuring = {"evaluate_against": ["random"], "evaluate_blocks": 4}
    return Config(**(run | learning | measuring | changes))
