"""Training configs: YAML files, checked when loaded; every complaint names file, line and key."""

# ruff: noqa: RUF009 - `_key` makes dataclass fields

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml

import agents  # noqa: F401 - makes the players known
from trickenv.engine.episode import episode
from trickenv.engine.players import player
from trickenv.engine.spec import Game, game
from trickenv.envs.mix import PAST, SELF
from trickenv.envs.suits import SUIT_ORDERS, TRUMP_FIRST
from trickenv.options import unknown


class ConfigError(ValueError):
    """A config that cannot be used; the message names file, line and key."""


def _number(kind: type, low: float, high: float = float("inf")) -> Callable[[Any], str | None]:
    word = "a whole number" if kind is int else "a number"
    bounds = f"of {low:g} or more" if high == float("inf") else f"from {low:g} to {high:g}"

    def check(value: Any) -> str | None:
        right = type(value) in ((int,) if kind is int else (int, float)) and low <= value <= high
        return None if right else f"must be {word} {bounds}"

    return check


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) and value else "must be a text"


def _texts(value: Any) -> str | None:
    return None if isinstance(value, list) and all(isinstance(v, str) for v in value) else "must be a list of texts"


def _options(value: Any) -> str | None:
    return None if isinstance(value, dict) else "must be options of the game, as `name: value`"


def _sizes(value: Any) -> str | None:
    right = isinstance(value, list) and value and all(type(v) is int and 1 <= v <= 4096 for v in value)
    return None if right else "must be a list of widths from 1 to 4096, such as [256, 128]"


def _fall(value: Any) -> str | None:
    right = isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) and v >= 0 for v in value)
    return None if right else "must be two numbers of 0 or more, at the start and at the end, such as [0.02, 0.005]"


def _one_of(*words: str) -> Callable[[Any], str | None]:
    return lambda value: None if value in words else f"must be one of {', '.join(words)}"


def _shares(value: Any) -> str | None:
    """A player, or shares by player."""
    if isinstance(value, dict) and value:
        right = all(isinstance(k, str) and type(v) in (int, float) and v > 0 for k, v in value.items())
    else:
        right = isinstance(value, str) and bool(value)
    return None if right else "must be a player, or shares above 0 by player, such as {self: 0.8, past: 0.2}"


def _table(**keys: tuple[Callable[[Any], str | None], Any]) -> Callable[[Any], str | None]:
    """Check of a mapping with these keys, each with its own check; `{}` where nothing is wanted."""

    def check(value: Any) -> str | None:
        if not isinstance(value, dict):
            return f"must hold {', '.join(keys)}, as `name: value`"
        for key, given in value.items():
            if key not in keys:
                return f"has an {unknown('key', key, keys)}; that is"
            complaint = keys[key][0](given)
            if complaint:
                return f"has a {key} that {complaint}; that is"
        return None

    return check


def _key(check: Callable[[Any], str | None], **default: Any) -> Any:
    return field(metadata={"check": check}, **default)


_POOL = {"every": (_number(int, 1), 200_000), "size": (_number(int, 1, 64), 4)}
_CLONE = {
    "player": (_text, "heuristic"),
    "learn": (_one_of("moves", "playouts"), "moves"),
    "temperature": (_number(float, 0.001, 100), 0.05),
    "imitation": (_fall, [1.0, 0.0]),
    "own": (_number(float, 0, 1), 0.0),
    "decisions": (_number(int, 1), 500_000),
    "passes": (_number(int, 1, 100), 2),
    "batch": (_number(int, 2), 512),
    "learning_rate": (_fall, [0.001, 0.0002]),
}


@dataclass(frozen=True, kw_only=True)
class Config:
    """A training run; the keys are explained in configs/trionfo.yaml."""

    game: str = _key(_text)
    preset: str = _key(_text)
    options: dict[str, Any] = _key(_options, default_factory=dict)
    reward: str = _key(_text, default="deal_points")
    reward_scale: float = _key(_number(float, 1e-6), default=1.0)
    suits: str = _key(_one_of(*SUIT_ORDERS), default=TRUMP_FIRST)
    opponents: str | dict[str, float] = _key(_shares, default="self")
    pool: dict[str, int] = _key(_table(**_POOL), default_factory=dict)
    clone: dict[str, Any] = _key(_table(**_CLONE), default_factory=dict)
    seed: int = _key(_number(int, 0), default=0)
    minutes: float = _key(_number(float, 0), default=0)
    decisions: int = _key(_number(int, 0), default=0)
    tables: int = _key(_number(int, 1, 65536), default=256)
    steps: int = _key(_number(int, 2, 4096), default=48)
    batch: int = _key(_number(int, 2), default=512)
    epochs: int = _key(_number(int, 1, 100), default=3)
    network: list[int] = _key(_sizes, default_factory=lambda: [128, 128])
    critic: str = _key(_one_of("open", "public"), default="open")
    critic_network: list[int] = _key(_sizes, default_factory=lambda: [128, 128])
    precision: str = _key(_one_of("float32", "bfloat16"), default="float32")
    critic_updates: int = _key(_number(int, 0), default=0)
    warmup: int = _key(_number(int, 0), default=0)
    learning_rate: list[float] = _key(_fall, default_factory=lambda: [0.001, 0.0003])
    entropy: list[float] = _key(_fall, default_factory=lambda: [0.02, 0.005])
    discount: float = _key(_number(float, 0, 1), default=1.0)
    decay: float = _key(_number(float, 0, 1), default=0.95)
    clip: float = _key(_number(float, 0.01, 1), default=0.2)
    value_weight: float = _key(_number(float, 0), default=0.5)
    threads: int = _key(_number(int, 1, 256), default=1)
    evaluate_against: list[str] = _key(_texts, default_factory=lambda: ["random"])
    evaluate_seconds: float = _key(_number(float, 1), default=20)
    evaluate_blocks: int = _key(_number(int, 2), default=500)
    checkpoint_seconds: float = _key(_number(float, 1), default=60)
    checkpoints_kept: int = _key(_number(int, 1, 1000), default=3)

    def __post_init__(self) -> None:
        for name, keys in (("pool", _POOL), ("clone", _CLONE)):
            if getattr(self, name) or name == "pool":
                object.__setattr__(self, name, {k: default for k, (_, default) in keys.items()} | getattr(self, name))

    @property
    def shares(self) -> dict[str, float]:
        """Opponents with their shares of the episodes."""
        return {self.opponents: 1.0} if isinstance(self.opponents, str) else dict(self.opponents)

    def plain(self) -> dict[str, Any]:
        """The config as it would stand in a file."""
        return asdict(self)


def load(path: Path) -> Config:
    """Read and check a config. Raises ConfigError with a sentence."""
    try:
        text = path.read_text(encoding="utf-8")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(root, yaml.MappingNode) or not isinstance(values, dict):
        raise ConfigError(f"{path}: must hold `key: value` lines")
    lines: dict[str, int] = {}
    for node, _ in root.value:
        if node.value in lines:
            raise ConfigError(f"{path}, line {node.start_mark.line + 1}: {node.value} stands there twice")
        lines[node.value] = node.start_mark.line + 1
    return checked(values, lambda key: f"{path}, line {lines[str(key)]}" if str(key) in lines else str(path))


def checked(values: dict[str, Any], where: Callable[[str], str]) -> Config:
    """A config from its values; where: how to name the place of a key. Raises ConfigError with a sentence."""
    known = {f.name: f for f in fields(Config)}
    for key, value in values.items():
        if key not in known:
            raise ConfigError(f"{where(key)}: {unknown('key', key, known)}")
        complaint = known[key].metadata["check"](value)
        if complaint:
            raise ConfigError(f"{where(key)}: {key} {complaint}, not {value!r}")
    for key in ("game", "preset"):
        if key not in values:
            raise ConfigError(f"{where(key)}: {key} is missing")
    config = Config(**values)
    if not config.minutes and not config.decisions:
        raise ConfigError(f"{where('minutes')}: the run would never end: set minutes or decisions above 0")
    _check_game(config, where)
    return config


def _check_player(name: str, played: Game, words: tuple[str, ...] = ()) -> None:
    if name not in words:
        player(name, played)


def _check_game(config: Config, where: Callable[[str], str]) -> None:
    """Raises ConfigError for names and options that the game does not know."""
    key = "game"
    try:
        played = game(config.game)
        key = "preset"
        played.rules(config.preset)
        key = "options"
        rules = played.rules(config.preset, **config.options)
        key = "reward"
        episode(played, rules, length="deal", reward=config.reward)
        key = "opponents"
        for name in config.shares:
            _check_player(name, played, (SELF, PAST))
        if config.clone:
            key = "clone"
            _check_player(config.clone["player"], played)
        key = "evaluate_against"
        for name in config.evaluate_against:
            _check_player(name, played, (PAST,))
    except (ValueError, TypeError) as error:
        raise ConfigError(f"{where(key)}: {key}: {error}") from None
