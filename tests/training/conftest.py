"""A small checkpoint for the training tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from trained import small

from agents import policy
from agents.fast_policy import weights_of
from experiments.train import new_model
from trickenv.engine.spec import game


@pytest.fixture
def checkpoint(tmp_path: Path) -> Callable[..., Path]:
    """Writes a checkpoint of an untrained network; `changes` go into its card."""

    def write(name: str = "agent", **changes: object) -> Path:
        model = new_model(small())
        card = policy.card_for(game("trionfo"), network={"trunk": [32, 16]}) | changes
        policy.save(tmp_path / name, weights_of(model.policy), card, model.save)
        return tmp_path / name

    return write
