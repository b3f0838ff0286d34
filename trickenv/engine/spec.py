"""What a game is to the engine: its rules module, checked against the contract, with sizes, presets and actions."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from trickenv import games
from trickenv.engine import rules as contract
from trickenv.options import Options, build, unknown
from trickenv.state import DEAL, OVER

_COMPILED = [name for name, f in vars(contract).items() if inspect.isfunction(f) and f.__module__ == contract.__name__]
_PLAIN = ["action_name", "concealed", "headline", "refusal", "score_sheet", "seat_notes"]
_DATA = ["ACTIONS", "DECK", "LONGEST_DEAL", "MAX_SEATS", "NAME", "OBSERVATION", "POINT_UNIT", "PRESETS", "PROBLEMS"]
_DATA += ["Phase", "Rules", "SEATS", "STATE"]


@dataclass(frozen=True)
class Game:
    """A game as the engine and the environments use it. Make one with `game(name)`."""

    name: str
    module: ModuleType

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return game, (self.name,)  # copies and pickles of a game are the game itself

    @property
    def num_actions(self) -> int:
        """Size of the action space, the same for all presets."""
        return self.module.ACTIONS.size

    @property
    def observation_size(self) -> int:
        """Length of the observation vector, the same for all presets."""
        return self.module.OBSERVATION.size

    @property
    def max_seats(self) -> int:
        """Most seats that any preset has."""
        return self.module.MAX_SEATS

    @functools.cached_property
    def kinds(self) -> np.ndarray:
        """(actions,) int64: number of the kind (block) of each action."""
        return self.module.ACTIONS.kinds()

    @functools.cached_property
    def action_names(self) -> tuple[str, ...]:
        """Text of every action, by its number."""
        return tuple(self.module.action_name(a) for a in range(self.num_actions))

    @functools.cached_property
    def _action_numbers(self) -> dict[str, int]:
        return {name: a for a, name in enumerate(self.action_names)}

    def parse_action(self, text: str) -> int:
        """Number of an action's text. Raises ValueError with the forms that exist."""
        try:
            return self._action_numbers[text.strip()]
        except KeyError:
            blocks = [self.action_names[b.start] + (" ..." if b.size > 1 else "") for b in self.module.ACTIONS]
            raise ValueError(f"no action {text!r} in {self.name}; actions look like {', '.join(blocks)}") from None

    def rules(self, preset: str | None = None, **options: Any) -> Options:
        """Options of a preset (the game's first by default) with single options set on top.

        Raises ValueError naming an unknown preset or option, a wrong value, or options that do not go together.
        """
        presets = self.module.PRESETS
        preset = next(iter(presets)) if preset is None else preset
        if preset not in presets:
            raise ValueError(unknown(f"preset of {self.name}", preset, presets))
        return build(self.module.Rules, presets[preset], options)

    def tables(self, n: int) -> Any:
        """(n,) structured array of states, all zero: room for n tables."""
        return np.zeros(n, self.module.STATE)

    def blank(self, rules: Options) -> Any:
        """(1,) states: a table with these options before its first match."""
        states = self.tables(1)
        states["rules"] = rules.record()
        return states


@functools.cache
def game(name: str) -> Game:
    """The game of a name. Raises ValueError with the known names, TypeError if its module breaks the contract."""
    module = games.load(name)
    missing = contract_breaches(module)
    if missing:
        raise TypeError(f"rules module {module.__name__} breaks the contract: {'; '.join(missing)}")
    return Game(name, module)


def contract_breaches(module: ModuleType) -> list[str]:
    """Sentences about what a rules module lacks or has in the wrong form; empty if it keeps the contract."""
    needed = [name for name in _COMPILED if not getattr(contract, name).usual]
    wrong = [f"{name} is missing" for name in _DATA + _PLAIN + needed if not hasattr(module, name)]
    if wrong:
        return wrong
    for name in filter(partial(hasattr, module), _COMPILED):
        wanted = list(inspect.signature(getattr(contract, name)).parameters)
        function = getattr(module, name)
        found = list(inspect.signature(getattr(function, "py_func", function)).parameters)
        if found != wanted:
            wrong.append(f"{name} takes ({', '.join(found)}), not ({', '.join(wanted)})")
    if (module.Phase(DEAL).name, module.Phase(OVER).name) != ("deal", "over"):
        wrong.append("the first two phases are not deal and over")
    if module.STATE["hands"].shape != (module.MAX_SEATS,) or max(module.SEATS) != module.MAX_SEATS:
        wrong.append("MAX_SEATS, SEATS and STATE differ about the number of seats")
    if module.Rules(seats=module.SEATS[0]).record().dtype != module.STATE["rules"]:
        wrong.append("STATE was not made for Rules")
    return wrong
