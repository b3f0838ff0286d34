"""Checkpoints: folders that name a trained network as a player, `ppo:PATH`.

A checkpoint holds `model.zip` (Stable-Baselines3's own file, to train on), `weights.safetensors` and `card.json` (what
it was trained for and how). Playing reads the last two only, so no code of a checkpoint ever runs, and needs no torch.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from trickenv.blocks import Blocks
from trickenv.engine.players import Player
from trickenv.engine.spec import Game
from trickenv.engine.view import Views
from trickenv.envs.suits import AS_DEALT, SUIT_ORDERS, Relabel

FORMAT = 1
CARD, WEIGHTS, MODEL = "card.json", "weights.safetensors", "model.zip"
CHECKPOINTS = "checkpoints"  # folder of a run's checkpoints, named by the decisions learned from
_CLOSED = np.float32(-1e8)
_SCALE = ".scale"  # behind the name of weights kept as int8: by what their rows are multiplied
Weights = dict[str, np.ndarray]
Writer = Callable[[Path], Any]


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message names file and key."""


class PolicyPlayer(Player):
    """Plays the legal action that a network likes best: ReLU layers, then one number per action.

    weights: `trunk.I.weight` (out, in), `trunk.I.bias`, `action.*`, float32. name: the string that makes it.
    relabel: how the suits were relabelled when it learned, None = not at all.
    """

    def __init__(self, weights: Weights, name: str = "ppo", relabel: Relabel | None = None) -> None:
        self.weights, self.name, self.relabel = weights, name, relabel
        depth = sum(key.startswith("trunk.") for key in weights) // 2
        self._trunk = [(weights[f"trunk.{i}.weight"].T, weights[f"trunk.{i}.bias"]) for i in range(depth)]

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """(n, actions) float32 of (n, size) float32 observations, before masking."""
        if self.relabel:
            orders = self.relabel.orders(observations)
            return self.relabel.real_actions(self._logits(self.relabel.observations(observations, orders)), orders)
        return self._logits(observations)

    def _logits(self, features: np.ndarray) -> np.ndarray:
        for weight, bias in self._trunk:
            features = np.maximum(features @ weight + bias, 0)
        return features @ self.weights["action.weight"].T + self.weights["action.bias"]

    def act_batch(self, views: Views) -> np.ndarray:
        """(n,) int64: the best liked legal action of each view."""
        return np.where(views.masks == 0, _CLOSED, self.logits(views.observations)).argmax(1)


def layout_digest(blocks: Blocks) -> str:
    """Short digest of names and places of all blocks: equal only for equal layouts."""
    rows = [(block.name, block.start, block.size) for block in blocks]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def card_for(game: Game, **more: Any) -> dict[str, Any]:
    """The part of a card that says what a network fits; `more`: preset, options, network, training, seeds, results."""
    return {
        "format": FORMAT,
        "game": game.name,
        "observation": {"size": game.observation_size, "digest": layout_digest(game.module.OBSERVATION)},
        "actions": {"number": game.num_actions, "digest": layout_digest(game.module.ACTIONS)},
        **more,
    }


def save(
    folder: Path,
    weights: Weights,
    card: dict[str, Any],
    model: Writer | None = None,
    more: Mapping[str, Writer] | None = None,
) -> None:
    """Write a checkpoint, whole or not at all; one that is there already is replaced only when the new one is whole.

    model: writes SB3's file to the path it is given; more: writers of further files, by name. Raises OSError if the
    folder cannot be written.
    """
    from safetensors.numpy import save as packed  # kept out of `import agents`

    with whole_folder(folder) as part:
        (part / WEIGHTS).write_bytes(packed(weights))
        for name, write in (({MODEL: model} if model else {}) | dict(more or {})).items():
            write(part / name)
        card = card | {"weights_sha256": _digest(part / WEIGHTS)}
        (part / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A new folder to write to, which takes the place of `folder` when all went well; else that stays as it was."""
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    old = part.with_suffix(".old")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        yield part
        if folder.exists():
            folder.rename(old)
        part.rename(folder)
    except BaseException:
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def tidy(run: Path, keep: int) -> None:
    """Remove a run's oldest checkpoints but `keep`, and what killed writers have left."""
    for folder in [*_found(run)[:-keep], *(run / CHECKPOINTS).glob(".*.part"), *(run / CHECKPOINTS).glob(".*.old")]:
        shutil.rmtree(folder, ignore_errors=True)


def _found(run: Path) -> list[Path]:
    """A run's checkpoints, oldest first."""
    return sorted(p for p in (run / CHECKPOINTS).glob("[0-9]*") if (p / CARD).exists())


def newest(folder: Path) -> Path:
    """The checkpoint that a path means: itself, or the newest one of a run. Raises CheckpointError if there is none."""
    if (folder / CARD).exists():
        return folder
    if not folder.exists():
        raise CheckpointError(f"{folder}: no such checkpoint")
    found = _found(folder)
    if not found:
        raise CheckpointError(f"{folder}: not a checkpoint, {CARD} is missing")
    return found[-1]


def read_card(folder: Path, game: Game | None = None) -> dict[str, Any]:
    """The card of a checkpoint. Raises CheckpointError naming the key that is wrong or does not fit the game."""
    path = folder / CARD
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path}: cannot be read ({error})") from None
    if not isinstance(card, dict):
        raise CheckpointError(f"{path}: not a card, it must hold one object")
    if _value(card, path, "format") != FORMAT:
        raise CheckpointError(f"{path}: format is {card['format']!r}, this version reads {FORMAT}")
    if game is not None:
        for keys, what in _FITTING.items():
            found, wanted = _value(card, path, keys), _value(card_for(game), path, keys)
            if found != wanted:
                raise CheckpointError(f"{path}: {keys} is {found!r}, but {game.name} {what} {wanted!r}")
    return card


_FITTING = {
    "game": "is the game at this table:",
    "observation.size": "has observations of size",
    "observation.digest": "lays its observation out as",
    "actions.number": "has this number of actions:",
    "actions.digest": "orders its actions as",
}


def _value(card: dict[str, Any], path: Path, keys: str) -> Any:
    value: Any = card
    for key in keys.split("."):
        if not isinstance(value, dict) or key not in value:
            raise CheckpointError(f"{path}: {keys} is missing")
        value = value[key]
    return value


def read_weights(folder: Path, card: dict[str, Any]) -> Weights:
    """The weights that a card announces, float32, whether kept as that or rounded as `rounded` does.

    Raises CheckpointError naming the key that is missing or misshapen.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    path = folder / WEIGHTS
    if not path.is_file():
        raise CheckpointError(f"{path}: is missing")
    if _digest(path) != _value(card, folder / CARD, "weights_sha256"):
        raise CheckpointError(f"{path}: damaged, its digest is not the card's weights_sha256")
    try:
        weights = load_file(path)
    except (OSError, SafetensorError, TypeError, AttributeError) as error:  # the last two: numbers unknown to numpy
        raise CheckpointError(f"{path}: cannot be read ({error})") from None
    return {key: _unpacked(weights, key, shape, path) for key, shape in _shapes(card, folder / CARD).items()}


def _unpacked(weights: Weights, key: str, shape: tuple[int, ...], path: Path) -> np.ndarray:
    """One of the arrays in a file, as float32. Raises CheckpointError."""
    array = _shaped(weights, key, shape, path, (np.float32, np.int8))
    if array.dtype == np.int8:
        scale = _shaped(weights, key + _SCALE, shape[:1], path, (np.float32,))
        with np.errstate(invalid="ignore"):  # told below
            array = (array.T * scale).T
    if not np.isfinite(array).all():
        raise CheckpointError(f"{path}: {key} holds numbers that are not finite")
    return array


def _shaped(weights: Weights, key: str, shape: tuple[int, ...], path: Path, kinds: tuple[type, ...]) -> np.ndarray:
    if key not in weights:
        raise CheckpointError(f"{path}: {key} is missing")
    if weights[key].shape != shape or weights[key].dtype not in kinds:
        raise CheckpointError(f"{path}: {key} is {weights[key].dtype}{weights[key].shape}, not float32{shape}")
    return weights[key]


def _shapes(card: dict[str, Any], path: Path) -> dict[str, tuple[int, ...]]:
    trunk = _value(card, path, "network.trunk")
    if not isinstance(trunk, list) or not trunk or not all(type(n) is int and n > 0 for n in trunk):
        raise CheckpointError(f"{path}: network.trunk must list the widths of the layers, not {trunk!r}")
    widths = [_value(card, path, "observation.size"), *trunk]
    ends = {f"trunk.{i}": (widths[i + 1], widths[i]) for i in range(len(trunk))}
    ends["action"] = (_value(card, path, "actions.number"), trunk[-1])
    shapes: dict[str, tuple[int, ...]] = {}
    for name, shape in ends.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    return shapes


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def load(game: Game, argument: str) -> PolicyPlayer:
    """The player `ppo:PATH`; PATH: a checkpoint, or a run, of which the newest is taken. Raises CheckpointError."""
    if not argument:
        raise CheckpointError("player 'ppo' needs the path of a checkpoint, as in ppo:runs/trionfo")
    return opened(newest(Path(argument)), game, f"ppo:{argument}")


def opened(folder: Path, game: Game, name: str) -> PolicyPlayer:
    """The player that a checkpoint's folder holds, under a name. Raises CheckpointError for what does not fit."""
    card = read_card(folder, game)
    return PolicyPlayer(read_weights(folder, card), name, relabel_for(game, card.get("suits", AS_DEALT), folder))


def rounded(weights: Weights) -> tuple[bytes, Weights]:
    """Weights in a quarter of the space: a file's bytes, and the float32 weights that it is read back as.

    Each row of a matrix is whole numbers from -127 to 127 (int8) times a scale, kept beside it as `NAME.scale`.
    """
    from safetensors.numpy import save as packed

    small: Weights = {}
    for key, array in weights.items():
        small[key] = array
        if array.ndim == 2:
            scale = np.maximum(np.abs(array).max(1), np.finfo(np.float32).tiny) / np.float32(127)
            small |= {key: np.rint(array / scale[:, None]).astype(np.int8), key + _SCALE: scale}
    return packed(small), {key: _unpacked(small, key, array.shape, Path(WEIGHTS)) for key, array in weights.items()}


def relabel_for(game: Game, suits: Any, folder: Path | str = "") -> Relabel | None:
    """How an order of suits relabels them. Raises CheckpointError for an unknown one."""
    if suits not in SUIT_ORDERS:
        raise CheckpointError(f"{Path(folder) / CARD}: suits is {suits!r}, not one of {', '.join(SUIT_ORDERS)}")
    return None if suits == AS_DEALT else Relabel(game, suits)
