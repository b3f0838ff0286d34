"""Options of a game: a frozen dataclass for people, a nested record of small integers for compiled code.

A game's `Rules` derives from `Options` and declares each option once, with `option(default, doc, choices)`. An option
is a bool, an int, a member of an IntEnum (its member names are the texts users write) or a set of such members (kept
as a tuple; stored as a bit mask).
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import IntEnum
from typing import Any

import numpy as np


def option(default: Any, doc: str, choices: Any = None, least: int | None = None) -> Any:
    """A dataclass field with its one-sentence meaning, the values it may take, or the least number allowed.

    default: a value, or None where it depends on other options (`Options.fill` then sets it).
    choices: an IntEnum class, or the allowed numbers. A tuple default means "a set of members".
    """
    meta = {"doc": doc, "choices": choices, "least": least, "many": isinstance(default, tuple)}
    return field(default=default, metadata=meta)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Checks and converts every option when it is made; raises ValueError with a sentence."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if value is not None:
                object.__setattr__(self, f.name, _checked(f, value))
        for name, value in self.fill().items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        for sentence in self.contradictions():
            raise ValueError(sentence)

    def fill(self) -> dict[str, Any]:
        """Values of the options left at None, which depend on others."""
        return {}

    def contradictions(self) -> Iterable[str]:
        """Sentences about options that do not go together."""
        return ()

    def rewards(self) -> Collection[str]:
        """Names of the rewards that may be used without giving a secret away."""
        return ("deal_points", "trick_points", "match")

    def plain(self) -> dict[str, Any]:
        """All options as bool, int, text or list of texts."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}

    def changed(self) -> dict[str, Any]:
        """The options that differ from the game's defaults, as `plain` values (the form of the trace files)."""
        default = type(self)().plain()
        kept = {name: value for name, value in self.plain().items() if value != default[name]}
        for name in [f.name for f in fields(self) if f.default is None and f.name in kept]:
            others = {k: v for k, v in kept.items() if k != name}
            if type(self)(**others) == self:  # it follows from the others
                kept = others
        return kept

    def record(self) -> np.ndarray:
        """The options as one element of `rules_dtype`."""
        values = tuple(_number(getattr(self, f.name)) for f in fields(self))
        return np.array(values, rules_dtype(type(self)))


def rules_dtype(rules: type[Options]) -> np.dtype:
    """Record with one int32 per option, in the order of the dataclass."""
    return np.dtype((np.record, [(f.name, np.int32) for f in fields(rules)]))


def options_table(rules: type[Options]) -> list[tuple[str, str, str, str]]:
    """Rows (name, default, other values, meaning) of every option, for help texts and docs."""
    rows = []
    for f in fields(rules):
        default = None if f.default is MISSING else f.default
        text = "depends" if default is None else _text(_plain(default))
        rows.append((f.name, text, _text(_values(f)), f.metadata["doc"]))
    return rows


def build(rules: type[Options], base: Mapping[str, Any], changes: Mapping[str, Any]) -> Options:
    """Options of a preset with single options set on top. Raises ValueError naming an unknown option."""
    known = [f.name for f in fields(rules)]
    for name in changes:
        if name not in known:
            raise ValueError(unknown("option", name, known))
    return rules(**{**base, **changes})


def unknown(kind: str, name: Any, known: Iterable[str]) -> str:
    """Sentence for a name that is not among the known ones, with the nearest of them first."""
    names = sorted(known)
    near = difflib.get_close_matches(str(name), names, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"unknown {kind} {name!r}{hint}; known: {', '.join(names)}"


def _values(f: Any) -> list[Any]:
    choices = f.metadata["choices"]
    if choices is not None:
        return [_plain(c) for c in choices]
    if isinstance(f.default, bool):
        return [True, False]
    least = f.metadata["least"]
    return [] if least is None else [f"{least} or more"]


def _checked(f: Any, value: Any) -> Any:
    """The value in its stored form. Raises ValueError saying what would be right."""
    choices = f.metadata["choices"]
    if f.metadata["many"]:
        items = [value] if isinstance(value, str) else list(value)
        if not items:
            raise ValueError(f"option {f.name} needs at least one of {_text(_values(f))}")
        return tuple(sorted({_member(f, v) for v in items}))
    if choices is not None:
        return _member(f, value)
    wanted = bool if isinstance(f.default, bool) else int
    if type(value) is not wanted:
        kind = "true or false" if wanted is bool else "a whole number"
        raise ValueError(f"option {f.name} must be {kind}, not {value!r}")
    least = f.metadata["least"]
    if least is not None and value < least:
        raise ValueError(f"option {f.name} must be {least} or more, not {value!r}")
    return value


def _member(f: Any, value: Any) -> Any:
    for choice in f.metadata["choices"]:
        if type(value) in (type(choice), type(_plain(choice))) and value in (choice, _plain(choice)):
            return choice
    raise ValueError(f"option {f.name} must be one of {_text(_values(f))}, not {value!r}")


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value.name if isinstance(value, IntEnum) else value


def _number(value: Any) -> int:
    if isinstance(value, tuple):
        return sum(1 << int(v) for v in value)
    return int(value)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_text(v) for v in value)
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
