"""Checkpoints play as the network did, run no code, and are refused with a sentence where they do not fit."""

from __future__ import annotations

import json
import pickle
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save
from sb3_contrib import MaskablePPO
from trained import Trap

from agents import policy
from trickenv.engine.duplicate import duel
from trickenv.engine.players import player
from trickenv.engine.spec import game
from trickenv.engine.table import Table
from trickenv.envs.vector import Tables

TRIONFO = game("trionfo")


def observations(n: int = 64) -> tuple[np.ndarray, np.ndarray]:
    tables = Tables("trionfo", tables=n)
    now = tables.reset(8)
    for _ in range(12):
        now = tables.step(now.masks.argmax(1)).next
    return now.observations, now.masks


def test_numpy_plays_as_the_trained_network(checkpoint: Callable[..., Path]) -> None:
    folder = checkpoint()
    agent = player(f"ppo:{folder}", TRIONFO)
    assert isinstance(agent, policy.PolicyPlayer)
    model = MaskablePPO.load(folder / policy.MODEL, device="cpu")  # an ordinary SB3 file
    seen, masks = observations()
    with torch.no_grad():
        features = model.policy.extract_features(torch.as_tensor(seen))
        logits = model.policy.action_net(features)
    np.testing.assert_allclose(agent.logits(seen), logits.numpy(), atol=1e-5)
    chosen, _ = model.predict(seen, deterministic=True, action_masks=masks)
    view = Table("trionfo", seed=1).view()
    assert view.mask[agent.act(view)]
    tables = Tables("trionfo", tables=64)
    now = tables.reset(8)
    for _ in range(12):
        now = tables.step(now.masks.argmax(1)).next
    np.testing.assert_array_equal(agent.act_batch(tables.look(tables.rows)), chosen)


def test_loading_needs_no_torch(checkpoint: Callable[..., Path]) -> None:
    code = (
        "import sys, trickenv, agents; from trickenv.engine.players import player; "
        f"player('ppo:{checkpoint()}', trickenv.game('trionfo')); "
        "bad = [m for m in ('torch', 'stable_baselines3') if m in sys.modules]; sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=None, check=False)
    assert done.returncode == 0, done.stderr


def test_planted_code_does_not_run(checkpoint: Callable[..., Path], tmp_path: Path) -> None:
    folder, mark = checkpoint(), tmp_path / "caught"
    trap = pickle.dumps(Trap(mark))
    pickle.loads(trap)
    assert mark.exists(), "the trap does not work"
    mark.unlink()
    (folder / policy.MODEL).write_bytes(trap)
    player(f"ppo:{folder}", TRIONFO)
    (folder / policy.WEIGHTS).write_bytes(trap)
    rewrite(folder, weights_sha256=policy._digest(folder / policy.WEIGHTS))
    with pytest.raises(ValueError, match=r"weights\.safetensors: cannot be read"):
        player(f"ppo:{folder}", TRIONFO)
    (folder / policy.CARD).write_bytes(trap)
    with pytest.raises(ValueError, match=r"card\.json: cannot be read"):
        player(f"ppo:{folder}", TRIONFO)
    assert not mark.exists()


def rewrite(folder: Path, **changes: object) -> None:
    path = folder / policy.CARD
    card = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({k: v for k, v in card.items() if v is not None}))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"game": "truf"}, r"card\.json: game is 'truf', but trionfo"),
        ({"game": None}, r"card\.json: game is missing"),
        ({"format": 9}, "format is 9, this version reads 1"),
        ({"observation": {"size": 3, "digest": "x"}}, r"observation\.size is 3"),
        ({"observation": {"size": 688, "digest": "x"}}, r"observation\.digest is 'x'"),
        ({"actions": {"digest": "x"}}, r"actions\.number is missing"),
        ({"actions": {"number": 60, "digest": "x"}}, r"actions\.number is 60"),
        ({"network": {"trunk": [64, 16]}}, r"weights\.safetensors: trunk\.0\.weight is float32\(32, 688\)"),
        ({"network": {"trunk": [32, 16, 8]}}, r"trunk\.2\.weight is missing"),
        ({"network": {"trunk": "wide"}}, r"card\.json: network\.trunk must list"),
        ({"weights_sha256": "0"}, "damaged"),
        ({"suits": "mine"}, "suits is 'mine'"),
    ],
)
def test_what_does_not_fit_is_refused(checkpoint: Callable[..., Path], changes: dict, sentence: str) -> None:
    folder = checkpoint()
    rewrite(folder, **changes)
    with pytest.raises(ValueError, match=sentence):
        player(f"ppo:{folder}", TRIONFO)


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        (b"", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"[" * 200_000, "cannot be read"),  # deeper than a reader of JSON may go
        (b"[1, 2]", "must hold one object"),
        (b"{}", "format is missing"),
    ],
)
def test_a_card_that_is_none_is_refused(checkpoint: Callable[..., Path], card: bytes, sentence: str) -> None:
    folder = checkpoint()
    (folder / policy.CARD).write_bytes(card)
    with pytest.raises(policy.CheckpointError, match=rf"card\.json: .*{sentence}"):
        player(f"ppo:{folder}", TRIONFO)


def plant(folder: Path, weights: bytes) -> None:
    """Put other weights in a checkpoint, and their digest on its card."""
    (folder / policy.WEIGHTS).write_bytes(weights)
    rewrite(folder, weights_sha256=policy._digest(folder / policy.WEIGHTS))


def test_weights_of_unknown_numbers_are_refused(checkpoint: Callable[..., Path]) -> None:
    folder = checkpoint()
    for kind, size in (("BF16", 2), ("F8_E4M3", 1), ("X9", 1)):
        head = json.dumps({"action.bias": {"dtype": kind, "shape": [4], "data_offsets": [0, 4 * size]}}).encode()
        plant(folder, struct.pack("<Q", len(head)) + head + bytes(4 * size))
        with pytest.raises(policy.CheckpointError, match=r"weights\.safetensors: cannot be read"):
            player(f"ppo:{folder}", TRIONFO)


def test_weights_that_are_not_finite_or_float32_are_refused(checkpoint: Callable[..., Path]) -> None:
    folder = checkpoint()
    weights = load_file(folder / policy.WEIGHTS)
    plant(folder, save(weights | {"action.bias": weights["action.bias"] * np.float32("nan")}))
    with pytest.raises(policy.CheckpointError, match=r"action\.bias holds numbers that are not finite"):
        player(f"ppo:{folder}", TRIONFO)
    plant(folder, save(weights | {"action.bias": weights["action.bias"].astype(np.float64)}))
    with pytest.raises(policy.CheckpointError, match=r"action\.bias is float64"):
        player(f"ppo:{folder}", TRIONFO)


def test_rounded_weights_are_whole_numbers_times_a_scale_by_row(checkpoint: Callable[..., Path]) -> None:
    matrix = np.array([[254, -3, 1], [0, 0, 0], [-0.127, 0.0004, 0.0006]], np.float32)
    packed, read = policy.rounded({"a.weight": matrix, "a.bias": matrix[0]})
    np.testing.assert_allclose(read["a.weight"], [[254, -4, 0], [0, 0, 0], [-0.127, 0, 0.001]], rtol=1e-6)
    np.testing.assert_array_equal(read["a.bias"], matrix[0])
    folder = checkpoint()
    packed, read = policy.rounded(load_file(folder / policy.WEIGHTS))
    plant(folder, packed)
    loaded = policy.load(TRIONFO, str(folder)).weights
    assert loaded.keys() == read.keys()
    assert all(np.array_equal(loaded[key], read[key]) for key in read)


def test_rounded_weights_without_a_scale_are_refused(checkpoint: Callable[..., Path]) -> None:
    folder = checkpoint()
    packed, _ = policy.rounded(load_file(folder / policy.WEIGHTS))
    (folder / policy.WEIGHTS).write_bytes(packed)
    whole = load_file(folder / policy.WEIGHTS)
    scale = whole.pop("action.weight.scale")
    for more, sentence in (
        ({}, r"action\.weight\.scale is missing"),
        ({"action.weight.scale": scale[1:]}, r"action\.weight\.scale is float32\(58,\), not float32\(59,\)"),
        ({"action.weight.scale": scale * np.float32("inf")}, r"action\.weight holds numbers that are not finite"),
    ):
        plant(folder, save(whole | more))
        with pytest.raises(policy.CheckpointError, match=sentence):
            player(f"ppo:{folder}", TRIONFO)


def test_weights_beside_the_announced_ones_are_not_used(checkpoint: Callable[..., Path]) -> None:
    folder = checkpoint()
    seen, _ = observations()
    before = player(f"ppo:{folder}", TRIONFO).logits(seen)  # type: ignore[attr-defined]
    more = {"trunk.7.weight": np.ones((3, 3), np.float32), "trunk.7.bias": np.ones(3, np.float32)}
    plant(folder, save(load_file(folder / policy.WEIGHTS) | more))
    np.testing.assert_array_equal(player(f"ppo:{folder}", TRIONFO).logits(seen), before)  # type: ignore[attr-defined]


def test_one_checkpoint_plays_every_preset_of_its_game(checkpoint: Callable[..., Path]) -> None:
    agent = player(f"ppo:{checkpoint()}", TRIONFO)
    for preset in TRIONFO.module.PRESETS:
        result = duel(TRIONFO, TRIONFO.rules(preset), agent, player("random", TRIONFO), blocks=2)
        assert result.blocks == 2, preset
    with pytest.raises(policy.CheckpointError, match=r"game is 'trionfo', but truf is the game at this table"):
        player(agent.name, game("truf"))


def test_missing_and_damaged_files_are_named(checkpoint: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="needs the path"):
        player("ppo", TRIONFO)
    with pytest.raises(ValueError, match="nowhere: no such checkpoint"):
        player(f"ppo:{tmp_path / 'nowhere'}", TRIONFO)
    with pytest.raises(ValueError, match=r"card\.json is missing"):
        player(f"ppo:{tmp_path}", TRIONFO)
    folder = checkpoint()
    weights = folder / policy.WEIGHTS
    weights.write_bytes(weights.read_bytes()[:-40])
    with pytest.raises(ValueError, match=r"weights\.safetensors: damaged"):
        player(f"ppo:{folder}", TRIONFO)
    weights.unlink()
    with pytest.raises(ValueError, match=r"weights\.safetensors: is missing"):
        player(f"ppo:{folder}", TRIONFO)


def test_a_checkpoint_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def broken(path: Path) -> None:
        path.write_text("half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        policy.save(tmp_path / "agent", {"a": np.zeros(3, np.float32)}, {}, broken)
    assert list(tmp_path.iterdir()) == []
