"""The exact solver against plain full search on small hands, in every game and preset."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from common import every_preset, pick

from agents.search import solver
from trickenv.engine.rules import allies
from trickenv.engine.spec import game
from trickenv.engine.table import Table
from trickenv.state import side, sides

ROOMS: dict[str, solver.Space] = {}


def room(name: str) -> solver.Space:
    if name not in ROOMS:
        ROOMS[name] = solver.space(game(name), 1 << 12)  # small, so that positions push each other out
    return ROOMS[name]


def dealt_out(state: Any) -> bool:
    """Whether no cards are to be drawn from a stock any more."""
    sizes = [int(h).bit_count() for h in state.hands[: state.rules.seats]]
    return not getattr(state, "stock_left", 0) and max(sizes) < 5


def late_position(name: str, preset: str, seed: int, cards: int) -> Table | None:
    """A table in the play of a random deal where the seat on turn has at most so many cards and there is no stock."""
    luck = np.random.default_rng(seed)
    table = Table(name, preset, seed=seed)
    play = table.game.module.Phase.play
    while not table.over:
        state = table.state
        if state.phase == play and dealt_out(state) and int(state.hands[state.turn]).bit_count() <= cards:
            return table
        table.step(pick(table, luck))
    return None


def margin(state: Any, group: int) -> float:
    """Mean of the points of the group's sides less the mean of the others."""
    within = {int(side(state, q)) for q in range(state.rules.seats) if group >> q & 1}
    points = [int(state.points[k]) for k in range(sides(state))]
    return float(np.mean([points[k] for k in within]) - np.mean([v for k, v in enumerate(points) if k not in within]))


def full_search(states: np.ndarray, module: Any, group: int, mask: np.ndarray) -> float:
    """Every line of play to the end, every legal action, nothing cut off."""
    state = states[0]
    if state.turn < 0:
        return margin(state, group)
    module.legal(state, mask)
    values = []
    for action in np.flatnonzero(mask):
        child = states.copy()
        module.step(child[0], action)
        values.append(full_search(child, module, group, mask))
    return max(values) if group >> int(state.turn) & 1 else min(values)


def asked_alone(name: str, state: np.ndarray, group: int, action: int) -> float:
    """The margin after an action when no other is asked for."""
    mask = np.zeros(game(name).num_actions, np.int8)
    mask[action] = 1
    values = np.zeros((1, len(mask)))
    solver.solve_actions(room(name), state, group, mask, values, solver.ENDLESS)
    assert np.flatnonzero(mask).tolist() == [action]
    return values[0, action]


@every_preset
def test_as_plain_full_search(name: str, preset: str) -> None:
    """Value of the deal and of each action, from the start and the middle of tricks, three cards at most."""
    module = game(name).module
    for seed in range(6):
        table = late_position(name, preset, seed, 3 if seed % 2 else 2)
        if table is None:
            continue
        state = table.states.copy()
        state["scores"] = -100_000  # the solver plays for points, far from the end of a match
        group = int(allies(state[0], int(state["turn"][0])))
        value, actions = solver.solve(table.game, state[0], group, room(name))
        mask = np.zeros(table.game.num_actions, np.int8)
        assert value == pytest.approx(full_search(state, module, group, mask))
        for action, found in actions.items():
            child = state.copy()
            module.step(child[0], action)
            assert found == pytest.approx(full_search(child, module, group, mask)), (seed, action)
            assert asked_alone(name, state, group, action) == pytest.approx(found)
