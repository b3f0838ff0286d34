"""Training, evaluation and their configs, as a user meets them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from trained import Steady, small

from agents import policy
from experiments import evaluate, train
from experiments.config import ConfigError, load
from trickenv.engine.duplicate import duel, seatings
from trickenv.engine.players import RandomPlayer, player
from trickenv.engine.spec import game

TRIONFO = game("trionfo")
ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "configs" / "trionfo.yaml"


def test_the_committed_config_is_valid_and_explains_every_key() -> None:
    config = load(CONFIG)
    lines = CONFIG.read_text().splitlines()
    for key in config.plain():
        assert any(line.startswith(f"{key}:") for line in lines), f"{key} is not in the file"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("game: trionfo\npreset: four\nminutes: 1\nbach: 3", r"line 4: unknown key 'bach' \(did you mean 'batch'\?\)"),
        (
            "game: trionfo\npreset: four\nminutes: 1\nbatch: 2.5",
            "line 4: batch must be a whole number of 2 or more, not 2.5",
        ),
        ("game: trionfo\npreset: four\nminutes: yes", "line 3: minutes must be a number"),
        ("game: trionfo\npreset: four\nminutes: 1\nminutes: 2", "line 4: minutes stands there twice"),
        (
            "game: trionfo\npreset: fuor\nminutes: 1",
            r"line 2: preset: unknown preset of trionfo 'fuor' \(did you mean 'four'",
        ),
        ("game: tarock\npreset: four\nminutes: 1", "line 1: game: unknown game 'tarock'"),
        ("game: trionfo\npreset: four\nminutes: 1\noptions: {signal: on}", "line 4: options: unknown option 'signal'"),
        ("game: trionfo\npreset: four\nminutes: 1\nreward: match", "line 4: reward: .*does not go with"),
        ("game: trionfo\npreset: four\nminutes: 1\nopponents: me", "line 4: opponents: unknown player 'me'"),
        (
            "game: trionfo\npreset: four\nminutes: 1\nopponents: {self: 0}",
            "line 4: opponents must be a player, or shares",
        ),
        ("game: trionfo\npreset: four\nminutes: 1\nopponents: {me: 1}", "line 4: opponents: unknown player 'me'"),
        ("game: trionfo\npreset: four\nminutes: 1\npool: {evry: 1}", "line 4: pool has an unknown key 'evry'"),
        (
            "game: trionfo\npreset: four\nminutes: 1\nclone: {batch: 1}",
            "line 4: clone has a batch that must be a whole",
        ),
        ("game: trionfo\npreset: four\nminutes: 1\nclone: {player: me}", "line 4: clone: unknown player 'me'"),
        ("game: trionfo\npreset: four\nminutes: 1\ncritic: shut", "line 4: critic must be one of open, public"),
        ("game: trionfo\npreset: four\nminutes: 1\nnetwork: [0]", "line 4: network must be a list of widths"),
        ("game: trionfo\npreset: four\nminutes: 1\nentropy: 0.02", "line 4: entropy must be two numbers"),
        ("game: trionfo\npreset: four\nminutes: 1\nsuits: mine", "line 4: suits must be one of as_dealt, trump_first"),
        ("game: trionfo\nminutes: 1", "preset is missing"),
        ("game: trionfo\npreset: four", "would never end"),
        ("game: [", "not YAML"),
        ("- 1", "must hold `key: value` lines"),
    ],
)
def test_wrong_configs_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=sentence):
        load(path)


def test_bad_arguments_end_with_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main([str(tmp_path / "none.yaml")]) == 2
    (tmp_path / "file").write_text("")
    assert train.main([str(CONFIG), "--out", str(tmp_path / "file" / "run")]) == 2
    assert train.main([str(CONFIG), "--out", str(tmp_path / "new"), "--resume"]) == 2
    assert evaluate.main(["random", "randm"]) == 2
    assert evaluate.main(["random", "random", "--game", "chess"]) == 2
    assert evaluate.main(["random", "random", "--preset", "six"]) == 2
    assert evaluate.main(["random", "random", "--blocks", "0"]) == 2
    assert evaluate.main([f"ppo:{tmp_path}", "random"]) == 2
    told = capsys.readouterr().err
    assert "none.yaml: cannot be read" in told
    assert "cannot be written" in told
    assert "unknown player 'randm'" in told
    assert "unknown game 'chess'" in told
    assert "unknown preset" in told
    assert told.count("error: ") == 8
    assert "Traceback" not in told


@pytest.mark.parametrize("preset", ["four", "three", "five"])
def test_an_agent_against_itself_scores_exactly_nothing(preset: str) -> None:
    rules = TRIONFO.rules(preset)
    result = duel(TRIONFO, rules, Steady(), Steady(), blocks=50, seed=1)
    sides = 2 if preset == "four" else rules.seats  # type: ignore[attr-defined]
    assert result.margin.mean == pytest.approx(0, abs=1e-12)
    assert result.margin.half == pytest.approx(0, abs=1e-12)
    assert result.won.mean == pytest.approx(1 / sides)
    assert result.deals == 50 * sides
    assert result.deviation > 1


def test_the_agent_sits_on_every_side_of_the_same_deals() -> None:
    assert seatings(TRIONFO, TRIONFO.rules("four")) == [(0, 2), (1, 3)]
    assert seatings(TRIONFO, TRIONFO.rules("three")) == [(0,), (1,), (2,)]
    ours = duel(TRIONFO, TRIONFO.rules("four"), Steady(), player("heuristic", TRIONFO), blocks=40, seed=2)
    theirs = duel(TRIONFO, TRIONFO.rules("four"), player("heuristic", TRIONFO), Steady(), blocks=40, seed=2)
    assert ours.margin.mean == -theirs.margin.mean
    assert ours.margin.half == pytest.approx(theirs.margin.half)
    assert ours.won.mean == pytest.approx(1 - theirs.won.mean)


def test_evaluate_prints_an_aligned_table(checkpoint: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    folder = checkpoint()
    assert evaluate.main([f"ppo:{folder}", "random", "heuristic", f"ppo:{folder}", "--blocks", "30"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("  ")[0] == "agent"
    assert "+0.000 ± 0.000" in lines[3]
    assert "50.0 % ± 0.0" in lines[3]
    assert len({line.index("30 x 2") for line in lines[1:4]}) == 1


def test_a_run_saves_logs_and_goes_on(tmp_path: Path) -> None:
    config = small(checkpoint_seconds=1e9)
    run = train.train(config, tmp_path / "run")
    first = policy.newest(tmp_path / "run")
    card = json.loads((first / policy.CARD).read_text())
    assert card["training"]["decisions"] == run.num_timesteps >= 2000
    assert card["results"]["random"]["blocks"] == 4
    assert list((tmp_path / "run" / "logs").glob("events.*"))
    again = train.train(replace(config, decisions=4000), tmp_path / "run", resume=True)
    second = policy.newest(tmp_path / "run")
    assert again.num_timesteps >= 4000
    assert second != first
    before, after = (policy.read_weights(p, policy.read_card(p)) for p in (first, second))
    change = np.abs(before["trunk.0.weight"] - after["trunk.0.weight"]).max()
    assert 0 < change < 0.1  # went on from the first part instead of starting anew
    with pytest.raises(ConfigError, match="there is a run already"):
        train.prepare(config, tmp_path / "run", resume=False)
    with pytest.raises(policy.CheckpointError, match="suits is 'trump_first'"):
        train.train(replace(config, suits="as_dealt"), tmp_path / "run", resume=True)
    with pytest.raises(policy.CheckpointError, match="network is"):
        train.train(replace(config, network=[8]), tmp_path / "run", resume=True)


def test_training_against_a_player(tmp_path: Path) -> None:
    run = train.train(small(opponents="heuristic", decisions=800), tmp_path / "run")
    assert run.num_timesteps >= 800


@pytest.mark.slow
def test_interrupting_saves_and_ends_cleanly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "experiments.train", str(CONFIG), "--out", str(tmp_path / "run")]
    process = subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
    )
    while not list((tmp_path / "run" / "logs").glob("events.*")) and process.poll() is None:
        time.sleep(0.2)
    time.sleep(8)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert "Traceback" not in err
    assert "play it as ppo:" in out
    player(f"ppo:{tmp_path / 'run'}", TRIONFO)


@pytest.mark.slow
def test_twenty_seconds_of_training_beat_random(tmp_path: Path) -> None:
    config = replace(load(CONFIG), minutes=1 / 3, evaluate_against=[])
    train.train(config, tmp_path / "run")
    result = duel(
        TRIONFO, TRIONFO.rules("four"), player(f"ppo:{tmp_path / 'run'}", TRIONFO), RandomPlayer(), 1000, seed=7
    )
    assert result.margin.mean - 2 * result.margin.half > 0.3
