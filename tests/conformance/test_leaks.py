"""No seat can tell what it may not know; and the search for leaks finds one that is planted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from leaks import find_leaks


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_leaks(name: str, preset: str, seed: int) -> None:
    assert find_leaks(name, preset, seed, 130) == []


@pytest.mark.slow
def test_a_planted_leak_is_found(name: str) -> None:
    script = Path(__file__).with_name("leaks.py")
    run = subprocess.run(
        [sys.executable, str(script), name], env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 0
