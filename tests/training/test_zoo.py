"""Shipped agents: how they are named, measured, written and shown, and that nothing in their folders is run."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from trained import Trap, small

from agents import policy, zoo
from experiments import curve, document, ladder, level, ship, train
from experiments.ladder import CHUNK
from trickenv.engine.duplicate import duel
from trickenv.engine.players import player
from trickenv.engine.spec import game
from trickenv.engine.table import Table

ROOT = Path(__file__).resolve().parents[2]
TRIONFO = game("trionfo")


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty zoo with a page of its own."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    for page in (ROOT / "docs").glob("*.md"):
        shutil.copy(page, tmp_path / "docs")
    monkeypatch.setattr(document, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(zoo, "FOLDER", tmp_path / "zoo")
    assert document.main([]) == 0
    return tmp_path / "zoo"


@pytest.fixture
def agent(shelf: Path, checkpoint: Callable[..., Path]) -> Path:
    """The folder of the one agent in a zoo, zoo:trionfo/four."""
    (shelf / "trionfo").mkdir(parents=True)
    return checkpoint().rename(shelf / "trionfo/four")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a second, with a curve."""
    run = tmp_path_factory.mktemp("runs") / "run"
    train.train(small(decisions=800), run)
    write_curve(run, "-0.4", "0.1")
    return run


def write_curve(run: Path, *margins: str, against: str = "heuristic") -> None:
    rows = [f"{1000 * k},{60 * k},{margin}" for k, margin in enumerate(margins, 1)]
    (run / curve.FILE).write_text("\n".join([f"decisions,seconds,{against}/margin", *rows]) + "\n")


def test_all_agents_that_are_shipped_play_and_are_small() -> None:
    for name in zoo.shipped():
        played = game(name.partition("/")[0])
        view = Table(played.name, name.partition("/")[2], seed=1).view()
        assert view.mask[player(f"zoo:{name}", played).act(view)], name
        files = {path.name: path.stat().st_size for path in (zoo.FOLDER / name).iterdir()}
        assert files.keys() == {policy.CARD, policy.WEIGHTS, curve.FILE}, name
        assert sum(files.values()) < 1 << 20, name


def test_an_agent_is_the_player_of_its_checkpoint(agent: Path) -> None:
    assert zoo.shipped() == ["trionfo/four"]
    rules = TRIONFO.rules("five")
    result = duel(TRIONFO, rules, player("zoo:trionfo/four", TRIONFO), player(f"ppo:{agent}", TRIONFO), blocks=10)
    assert result.margin.mean == pytest.approx(0, abs=1e-12)
    assert player("zoo:trionfo/four", TRIONFO).name == "zoo:trionfo/four"


def test_wrong_names_are_refused_with_those_that_exist(agent: Path) -> None:
    for text in ("zoo", "zoo:"):
        with pytest.raises(ValueError, match="needs an agent's name; shipped: trionfo/four"):
            player(text, TRIONFO)
    for name in ("trionfo/fuor", "tarock/four", "trionfo", "trionfo/four/", "../zoo/trionfo/four", "/tmp", "."):
        with pytest.raises(ValueError, match=rf"unknown agent of the zoo '{name}'.*known: trionfo/four"):
            player(f"zoo:{name}", TRIONFO)
    with pytest.raises(ValueError, match="'zoo:trionfo/four' does not play truf; none is shipped for truf"):
        player("zoo:trionfo/four", game("truf"))
    shutil.copytree(agent, agent.parents[1] / "truf/method1")
    with pytest.raises(ValueError, match="does not play truf; shipped for truf: truf/method1"):
        player("zoo:trionfo/four", game("truf"))
    with pytest.raises(ValueError, match=r"card\.json: game is 'trionfo', but truf"):  # the card, not the folder, tells
        player("zoo:truf/method1", game("truf"))


def test_an_empty_zoo_says_so(shelf: Path) -> None:
    assert zoo.shipped() == []
    with pytest.raises(ValueError, match="no agents are shipped"):
        player("zoo:trionfo/four", TRIONFO)
    assert "No agents are shipped yet." in (document.DOCS / "zoo.md").read_text(encoding="utf-8")


def test_agents_are_found_from_any_folder_without_torch(tmp_path: Path) -> None:
    code = (
        "import sys, trickenv, agents; from agents import zoo; "
        "from trickenv.engine.players import player\n"
        "for name in zoo.shipped(): player('zoo:' + name, trickenv.game(name.partition('/')[0]))\n"
        "print(zoo.FOLDER); sys.exit('torch' in sys.modules)"
    )
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()) == ROOT / "agents/zoo"


def test_planted_code_does_not_run(agent: Path, tmp_path: Path) -> None:
    mark = tmp_path / "caught"
    trap = pickle.dumps(Trap(mark))
    pickle.loads(trap)
    assert mark.exists(), "the trap does not work"
    mark.unlink()
    card = json.loads((agent / policy.CARD).read_text())
    for name in (policy.MODEL, "trainer.pt", "weights.pkl", "weights.pt", "__init__.py", curve.FILE):
        (agent / name).write_bytes(trap)
    player("zoo:trionfo/four", TRIONFO)
    (agent / policy.WEIGHTS).write_bytes(trap)
    with pytest.raises(ValueError, match=r"weights\.safetensors: damaged"):
        player("zoo:trionfo/four", TRIONFO)
    digest = policy._digest(agent / policy.WEIGHTS)
    (agent / policy.CARD).write_text(json.dumps(card | {"weights_sha256": digest}))
    with pytest.raises(ValueError, match=r"weights\.safetensors: cannot be read"):
        player("zoo:trionfo/four", TRIONFO)
    (agent / policy.CARD).write_bytes(trap)
    with pytest.raises(ValueError, match=r"card\.json: cannot be read"):
        player("zoo:trionfo/four", TRIONFO)
    assert not mark.exists()


def test_shipping_measures_writes_and_shows(shelf: Path, trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ship.main([str(trained), "--against", "random", "greedy", "--blocks", str(2 * CHUNK)]) == 0
    assert "zoo:trionfo/four: " in capsys.readouterr().out
    folder = shelf / "trionfo/four"
    assert {path.name for path in folder.iterdir()} == {policy.CARD, policy.WEIGHTS, curve.FILE}
    assert [path.name for path in shelf.rglob(".*")] == []
    source = policy.newest(trained)
    kept, whole = (policy.read_weights(f, policy.read_card(f)) for f in (folder, source))
    assert kept.keys() == whole.keys()
    for key, array in kept.items():
        step = np.abs(whole[key]).max(-1, keepdims=True) / 127 if array.ndim == 2 else 0  # of a row
        assert (np.abs(array - whole[key]) <= 0.501 * step).all()
    assert (folder / policy.WEIGHTS).stat().st_size < 0.35 * (source / policy.WEIGHTS).stat().st_size
    assert (folder / curve.FILE).read_bytes() == (trained / curve.FILE).read_bytes()
    card, before = (json.loads((f / policy.CARD).read_text()) for f in (folder, source))
    assert card["training"] == before["training"] | {"level_with": {"heuristic": {"decisions": 2000, "seconds": 120}}}
    assert card["seeds"] == before["seeds"] | {"measurement": ship.SEED}
    assert card["training"]["config"] == small(decisions=800).plain()
    found = card["results"]["random"]
    agent, other = (player(name, TRIONFO) for name in ("zoo:trionfo/four", "random"))
    parts = []
    for first in (0, CHUNK):
        other.reset(ship.SEED + first + 1)
        parts.append(duel(TRIONFO, TRIONFO.rules("four"), agent, other, CHUNK, ship.SEED + first))
    assert found["blocks"] == 2 * CHUNK
    assert found["fair"] == 0.5
    assert found["margin"] == pytest.approx(sum(part.margin.mean for part in parts) / 2)
    assert found["won"] == pytest.approx(sum(part.won.mean for part in parts) / 2)
    page = (document.DOCS / "zoo.md").read_text(encoding="utf-8")
    assert page.count("| `zoo:trionfo/four` |") == 2
    assert "| 2,000, 2.0 min | `random` |" in page
    assert f"| {100 * found['won']:.1f} % ± {100 * found['won_half']:.1f} | 50.0 % | {2 * CHUNK} |" in page
    assert document.main(["--check"]) == 0
    assert ship.main([str(trained), "--against", "random", "--blocks", str(CHUNK)]) == 0
    again = json.loads((folder / policy.CARD).read_text())["results"]
    assert again["greedy"] == card["results"]["greedy"]  # the same weights: what was measured before stays
    assert again["random"]["blocks"] == CHUNK
    (folder / policy.CARD).write_text(json.dumps(card | {"results": {"random": found}}))
    assert document.main(["--check"]) == 1


def test_chunks_together_are_the_whole_measurement() -> None:
    rules = TRIONFO.rules("four")
    chunks = [ladder.play_chunk(TRIONFO, rules, "greedy", "heuristic", 5, first) for first in (0, CHUNK, 2 * CHUNK)]
    found = ladder.pooled(chunks)
    whole = duel(TRIONFO, rules, player("greedy", TRIONFO), player("heuristic", TRIONFO), 3 * CHUNK, seed=5)
    assert (found["margin"], found["margin_half"]) == pytest.approx((whole.margin.mean, whole.margin.half))
    assert (found["won"], found["won_half"]) == pytest.approx((whole.won.mean, whole.won.half))
    assert (found["deviation"], found["blocks"]) == pytest.approx((whole.deviation, 3 * CHUNK))


def test_a_stopped_measurement_goes_on(shelf: Path, trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ship.main([str(trained), "--against", "greedy", "--blocks", str(3 * CHUNK)]) == 0
    unbroken = json.loads((shelf / "trionfo/four/card.json").read_text())["results"]
    shutil.rmtree(shelf)
    (trained / ship.MEASURED).unlink()
    played = []

    def play(*arguments: object) -> ladder.Chunk:
        if len(played) == 2:
            played.append(None)
            raise KeyboardInterrupt
        played.append(arguments[-1])
        return original(*arguments)  # type: ignore[arg-type]

    original = ladder.play_chunk
    monkeypatch.setattr(ladder, "play_chunk", play)
    assert ship.main([str(trained), "--against", "greedy", "--blocks", str(3 * CHUNK)]) == 130
    assert zoo.shipped() == []
    assert ship.main([str(trained), "--against", "greedy", "--blocks", str(3 * CHUNK)]) == 0
    assert played == [0, CHUNK, None, 2 * CHUNK]
    assert json.loads((shelf / "trionfo/four/card.json").read_text())["results"] == unbroken


def test_an_agent_is_replaced_whole_or_not_at_all(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ship.write(shelf / "truf/method1", {"a": b"old", "b": b"old"})

    def broken(path: Path, content: bytes) -> int:
        if path.name == "b":
            raise OSError("disk full")
        return original(path, content)

    original = Path.write_bytes
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", broken)
        with pytest.raises(OSError, match="disk full"):
            ship.write(shelf / "truf/method1", {"a": b"new", "b": b"new"})
    assert {path.name: path.read_bytes() for path in (shelf / "truf/method1").iterdir()} == {"a": b"old", "b": b"old"}
    ship.write(shelf / "truf/method1", {"a": b"new"})
    assert {path.name: path.read_bytes() for path in (shelf / "truf/method1").iterdir()} == {"a": b"new"}
    assert [path.name for path in (shelf / "truf").iterdir()] == ["method1"]


def test_what_cannot_be_shipped_is_told(
    shelf: Path, tmp_path: Path, checkpoint: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    four = {"preset": "four", "options": TRIONFO.rules("four").plain()}
    training = {"decisions": 1, "seconds": 1.0, "config": {}}
    signals = TRIONFO.rules("four", signals="free").plain()
    whole = checkpoint("whole", **four, training=training)
    (whole / curve.FILE).write_text("decisions\n1\n")
    wrong = {
        str(tmp_path / "nowhere"): "no such checkpoint",
        str(checkpoint("truf", game="truf", preset="method1")): "but truf has observations of size",
        str(checkpoint("six", preset="six")): "unknown preset of trionfo 'six'",
        str(checkpoint("untold", **four)): "training must tell decisions, seconds and config",
        str(
            checkpoint("signals", **four | {"options": signals}, training=training)
        ): "other options than those of preset",
        str(whole): "every row must hold decisions and seconds",
    }
    for run, told in wrong.items():
        assert ship.main([run]) == 2
        assert told in capsys.readouterr().err
    (whole / curve.FILE).unlink()
    assert ship.main([str(whole), "--against", "random", "randm"]) == 2
    assert "unknown player 'randm'" in capsys.readouterr().err
    assert not (whole / ship.MEASURED).exists()
    assert zoo.shipped() == []


def test_level_is_the_first_measurement_not_below(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_curve(tmp_path, "-2", "", "0", "-1", "3")
    assert level.main([str(tmp_path)]) == 0
    assert "level with heuristic after 3,000 decisions, 3.0 minutes" in capsys.readouterr().out
    write_curve(tmp_path, "-2", "-0.5", against="pimc:20:5")
    assert level.main([str(tmp_path), "--against", "pimc:20:5"]) == 0
    assert "not level with pimc:20:5 up to 2,000 decisions: -0.500 a deal" in capsys.readouterr().out
    assert level.main([str(tmp_path)]) == 2
    assert "no measurements against 'heuristic', only against pimc:20:5" in capsys.readouterr().err
    (tmp_path / curve.FILE).write_text("decisions,seconds,cloned,heuristic/margin\n5,6,300,1\n")
    assert level.level(level.read_curve(tmp_path), "heuristic") == {"decisions": 305, "seconds": 6}
    for text in ("decisions,seconds\n1,2,3\n", "decisions,seconds\nmany,2\n", "seconds\n1\n"):
        (tmp_path / curve.FILE).write_text(text)
        assert level.main([str(tmp_path)]) == 2
    assert level.main([str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.count("error: ") == 4
