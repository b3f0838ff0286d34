"""Matches played move by move by other code, from the rules pages alone: legal sets, scores and winners agree."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from common import PRESETS

from experiments import replay as command
from trickenv.engine.records import read, replay
from trickenv.engine.spec import game
from trickenv.games import GAMES

FOLDER = Path(__file__).parent
FILES = sorted(p for name in GAMES for p in (FOLDER / name).glob("*.jsonl.gz"))


@pytest.mark.parametrize("path", FILES, ids=[f"{p.parent.name}/{p.name.partition('.')[0]}" for p in FILES])
def test_trace(path: Path) -> None:
    matches = list(read(path))
    assert matches
    for _, trace in matches:
        assert replay(trace) is None
        rules = game(trace["game"]).rules(trace["preset"])
        assert rules.changed() == {k: v for k, v in trace["options"].items() if k != "max_deals"}


def test_every_preset_has_a_trace() -> None:
    held = {(p.parent.name, trace["preset"]) for p in FILES for _, trace in read(p)}
    assert held == set(PRESETS)


def sample() -> dict:
    return next(read(FOLDER / "trionfo/four.jsonl.gz"))[1]


def write(path: Path, *traces: dict | str) -> Path:
    path.write_text("".join((t if isinstance(t, str) else json.dumps(t)) + "\n" for t in traces))
    return path


def test_the_command_counts_and_exits(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    good = sample()
    assert command.main([str(write(tmp_path / "good.jsonl", good, good))]) == 0
    assert capsys.readouterr().out.endswith(f"2 matches, {2 * len(good['steps'])} steps, 0 differences\n")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t["steps"][3][2].pop(), "step 4 .*legal here only"),
        (lambda t: t["steps"][3].__setitem__(0, 9), "it is seat .*turn"),
        (lambda t: t["deals"][0]["delta"].__setitem__(0, 99), "deal 1 ends with"),
        (lambda t: t.__setitem__("winners", [7]), "winners"),
        (lambda t: t["decks"][0].pop(), "must hold each of the .* cards once"),
        (lambda t: t["decks"].pop(), "packs were given"),
        (lambda t: t.pop("first_dealer"), "the record lacks first_dealer"),
        (lambda t: t["options"].__setitem__("speed", 3), "unknown option 'speed'"),
        (lambda t: t.__setitem__("game", "chess"), "unknown game 'chess'"),
        (lambda t: t["steps"][0].__setitem__(1, "sing loudly"), "no action 'sing loudly'"),
    ],
)
def test_the_command_tells_the_first_difference(
    change, words: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    bad = sample()
    change(bad)
    assert command.main([str(write(tmp_path / "bad.jsonl", sample(), bad))]) == 1
    out = capsys.readouterr().out
    assert "line 2: " in out
    assert "2 matches" in out
    assert "1 differences" in out
    assert re.search(words, out)


@pytest.mark.parametrize("text", ["not json", "[1, 2]"])
def test_a_broken_file_is_named_with_its_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = write(tmp_path / "broken.jsonl", sample(), text)
    assert command.main([str(path)]) == 1
    assert f"{path}, line 2" in capsys.readouterr().out


def test_a_damaged_archive_is_named(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}" * 999)[:20])
    assert command.main([str(path)]) == 1
    assert str(path) in capsys.readouterr().out


def test_no_file_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as status:
        command.main([str(tmp_path / "none.jsonl")])
    assert status.value.code == 2
    assert "no trace file there" in capsys.readouterr().err
