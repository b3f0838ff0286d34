"""No seat can tell what it may not know; and the search for leaks finds one that is planted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from leaks import find_leaks

from trickenv.engine.spec import game


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_leaks(name: str, preset: str, seed: int) -> None:
    assert find_leaks(name, preset, seed, 130) == []


def test_the_search_comes_to_every_phase(name: str) -> None:
    module, seen = game(name).module, set()
    wanted = {phase.name for phase in module.Phase} - {"deal", "over"}
    for seed in range(40):
        for preset in module.PRESETS:
            if seen != wanted:
                assert find_leaks(name, preset, seed, 60, seen) == []
    assert seen == wanted


@pytest.mark.slow
def test_a_planted_leak_is_found(name: str) -> None:
    script = Path(__file__).with_name("leaks.py")
    run = subprocess.run(
        [sys.executable, str(script), name], env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 0
