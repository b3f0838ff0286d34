"""Every test here runs on every game and preset, without a word about any of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from common import PRESETS, pick

from trickenv.engine.table import Table
from trickenv.games import GAMES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "preset" in metafunc.fixturenames:
        metafunc.parametrize(("name", "preset"), PRESETS, ids=["/".join(p) for p in PRESETS])
    elif "name" in metafunc.fixturenames:
        metafunc.parametrize("name", GAMES)


@pytest.fixture
def wander() -> Callable[..., Table]:
    """A table after some random decisions (kinds of action first), at least one of them left to take."""

    def walk(name: str, preset: str, seed: int, decisions: int, **options: object) -> Table:
        luck = np.random.default_rng(seed)
        table = Table(name, preset, seed=seed, **options)  # type: ignore[arg-type]
        for _ in range(decisions):
            before = table.copy()
            table.step(pick(table, luck))
            if table.over:
                return before
        return table

    return walk
