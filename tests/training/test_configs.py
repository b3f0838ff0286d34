"""The configs that come with the project load, and their first updates learn in every game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from experiments.config import load
from experiments.train import train
from trickenv.engine.players import player
from trickenv.engine.spec import game
from trickenv.games import GAMES

FOLDER = Path(__file__).resolve().parent.parent.parent / "configs"


def test_every_game_has_a_config() -> None:
    assert {load(path).game for path in FOLDER.glob("*.yaml")} == set(GAMES)


def test_every_default_preset_has_a_config_for_an_agent() -> None:
    """`<game>_<preset>.yaml`, and nothing else."""
    configs = {path.stem: load(path) for path in (FOLDER / "zoo").glob("*.yaml")}
    assert len(configs) == 9
    assert all(name == f"{config.game}_{config.preset}" for name, config in configs.items())


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_short_run_ends_with_a_player(name: str, tmp_path: Path) -> None:
    config = load(FOLDER / f"{name}.yaml")
    config = replace(
        config,
        minutes=0,
        decisions=3000,
        tables=32,
        network=[16],
        clone=config.clone | {"decisions": 3000},
        evaluate_against=[],
    )
    train(config, tmp_path / "run")
    assert player(f"ppo:{tmp_path / 'run'}", game(name)).name.startswith("ppo:")
