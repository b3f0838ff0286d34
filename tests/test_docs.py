"""Docs are current, help texts exist, notebooks run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from experiments import document, ladder

ROOT = Path(__file__).parent.parent
COMMANDS = sorted(p.stem for p in (ROOT / "experiments").glob("[a-z]*.py") if "__main__" in p.read_text("utf-8"))


def test_tables_in_the_docs_are_printed_from_the_code() -> None:
    assert document.main(["--check"]) == 0


def test_the_ladder_tells_what_was_played() -> None:
    assert (document.DOCS / "ladder.md").read_text("utf-8") == ladder.page(document.DOCS / "ladder.jsonl")


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", f"experiments.{command}", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert f"python -m experiments.{command}" in run.stdout


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_notebooks_run(path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT)}}).execute()
    assert sum(cell.cell_type == "code" for cell in notebook.cells) >= 3
