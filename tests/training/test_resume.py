"""Long work behaves: a run that was broken goes on to the same curve, and nothing breaks the last good checkpoint."""

from __future__ import annotations

import csv
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from test_checkpoints import Trap
from trained import small

from agents import policy
from experiments import train
from experiments.curve import Curve
from experiments.run import STATE, Run

ROOT = Path(__file__).resolve().parents[2]
TIMES = ("seconds", "decisions_per_second")  # columns that no two runs share


def mixed(**changes: Any) -> Any:
    """A small run that uses whatever has state: luck of players and seats, past selves, cloning, a schedule."""
    wishes: dict[str, Any] = {
        "opponents": {"self": 0.4, "past": 0.3, "random": 0.3},
        "pool": {"every": 700, "size": 2},
        "clone": {"player": "heuristic", "decisions": 2000, "batch": 256},
        "decisions": 4000,
        "evaluate_against": ["random", "past"],
    }
    return small(**(wishes | changes))


def curve(folder: Path) -> list[dict[str, str]]:
    with (folder / "curve.csv").open() as file:
        return [{k: v for k, v in row.items() if k not in TIMES} for row in csv.DictReader(file)]


def end(folder: Path) -> tuple[str, bytes]:
    newest = policy.newest(folder)
    return newest.name, (newest / policy.WEIGHTS).read_bytes()


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unbroken") / "run"
    train.train(mixed(), folder)
    return folder


def broken_after(steps: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that gets a Ctrl-C at its n-th step; parts of the cloning count as steps."""
    passed = 0

    def counted(method: Any) -> Any:
        def call(self: Run, *arguments: Any) -> Any:
            nonlocal passed
            passed += 1
            if passed == steps:
                self.stop()
            return method(self, *arguments)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(Run, "_on_step", counted(Run._on_step))
        patch.setattr(Run, "on_cloned", counted(Run.on_cloned))
        train.train(mixed(), folder)


@pytest.mark.parametrize("steps", [1, 2, 3 + 48 * 2 + 17, 3 + 48 * 4 + 40])
def test_a_broken_run_goes_on_to_the_same_curve(
    steps: int, unbroken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    broken_after(steps, folder, monkeypatch)
    assert end(folder)[0] < end(unbroken)[0]
    train.train(mixed(), folder, resume=True)
    assert end(folder) == end(unbroken)
    assert curve(folder)[-1] == curve(unbroken)[-1]
    places = [(row["decisions"], row["cloned"]) for row in curve(folder)]
    assert len(set(places)) == len(places)


def test_another_seed_is_another_run(unbroken: Path, tmp_path: Path) -> None:
    train.train(mixed(seed=4), tmp_path / "run")
    assert end(tmp_path / "run") != end(unbroken)


def test_a_resumed_run_forgets_later_rows_of_the_curve(tmp_path: Path) -> None:
    whole = Curve(tmp_path)
    for decisions, cloned in [(0, 0), (0, 50), (100, 50), (200, 50)]:
        whole.add({"decisions": decisions, "cloned": cloned, "a/margin": 0.5})
    again = Curve(tmp_path, until=(100, 50))
    assert [row["decisions"] for row in again.rows] == ["0", "0", "100"]
    again.add({"decisions": 100, "cloned": 50, "b/margin": 1.0})
    with (tmp_path / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["decisions"], row["a/margin"], row["b/margin"]) for row in rows][-1] == ("100", "", "1")
    assert len(rows) == 3


def test_only_the_newest_checkpoints_are_kept(tmp_path: Path) -> None:
    train.train(mixed(clone={}, checkpoint_seconds=0, checkpoints_kept=2), tmp_path / "run")
    left = sorted(p.name for p in (tmp_path / "run" / policy.CHECKPOINTS).iterdir())
    assert len(left) == 2
    assert int(left[1]) >= 4000


def test_planted_code_in_the_trainers_state_does_not_run(unbroken: Path, tmp_path: Path) -> None:
    shutil.copytree(unbroken, tmp_path / "run")
    trap = pickle.dumps(Trap(tmp_path / "caught"), protocol=2)
    for name in (STATE, policy.MODEL):
        (policy.newest(tmp_path / "run") / name).write_bytes(trap)
        with pytest.raises(ValueError, match="cannot be read"):
            train.train(mixed(), tmp_path / "run", resume=True)
    assert not (tmp_path / "caught").exists()


def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    train.train(mixed(clone={}, decisions=1000), tmp_path / "run")
    good = end(tmp_path / "run")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("agents.policy._digest", full)
    with pytest.raises(OSError, match=r"could not be written \(No space left on device\); the one before it stands"):
        train.train(mixed(clone={}, decisions=2500, checkpoint_seconds=0), tmp_path / "run", resume=True)
    monkeypatch.undo()
    assert capfd.readouterr().err.count("No space left on device") > 2  # it went on after the first
    assert end(tmp_path / "run") == good
    assert [p.name for p in (tmp_path / "run" / policy.CHECKPOINTS).iterdir()] == [good[0]]


def test_too_little_space_is_told_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: used._replace(free=1 << 20))
    with pytest.raises(ValueError, match=r"run: 1 MB are free on this disk, the run wants \d+ MB"):
        train.prepare(small(), tmp_path / "run", resume=False)


def test_the_announced_space_is_enough(unbroken: Path) -> None:
    assert sum(p.stat().st_size for p in unbroken.rglob("*") if p.is_file()) < train.space(mixed()) - train._SPARE


_CHILD = """
import sys
sys.path.insert(0, "tests/training")
from pathlib import Path
from test_resume import mixed
from experiments.train import train
train(mixed(decisions=10**9, checkpoint_seconds=0.2, evaluate_against=[]), Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_killed_at_any_moment_a_run_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    for part in range(3):
        code = _CHILD.replace("Path(sys.argv[1]))", "Path(sys.argv[1]), resume=True)") if part else _CHILD
        child = subprocess.Popen([sys.executable, "-c", code, str(folder)], cwd=ROOT, stderr=subprocess.PIPE)
        before = end(folder)[0] if part else ""
        while child.poll() is None and not (list(folder.glob("checkpoints/[0-9]*")) and end(folder)[0] > before):
            time.sleep(0.05)
        time.sleep(0.1 * part)
        os.kill(child.pid, signal.SIGKILL)
        assert b"Traceback" not in child.communicate()[1]
        assert end(folder)[0] > before
    config = mixed(decisions=int(end(folder)[0]) + 1000, evaluate_against=[])
    train.train(config, folder, resume=True)
    assert not list((folder / policy.CHECKPOINTS).glob(".*"))
