"""A deal taken back to its first lead, and played again: it becomes what it was, to the last byte."""

from __future__ import annotations

import numpy as np
from common import every_preset, pick

from trickenv.engine.rules import legal, rewind, step
from trickenv.engine.table import Table


@every_preset
def test_the_log_leads_back_to_the_same_state(name: str, preset: str) -> None:
    luck = np.random.default_rng(8)
    told = seats = 0
    for seed in range(12):
        table = Table(name, preset, seed=seed)
        seats = table.seats
        play = table.game.module.Phase.play
        mask = np.zeros(table.game.num_actions, np.int8)
        first = None
        while not table.over and len(table.deals) < 3:
            state = table.states.copy()
            if state[0].phase == play:
                if state[0].logged == 0:
                    first = state.copy()
                again = state.copy()
                if rewind(again[0]):
                    told += 1
                    assert first is not None
                    differing = [
                        f for f in first.dtype.names or () if not np.array_equal(again[f], first[f]) and f != "log"
                    ]
                    assert not differing, (seed, differing)
                    for action in state[0].log[: state[0].logged].astype(int):
                        legal(again[0], mask)
                        assert mask[action]
                        step(again[0], action)
                    assert again.tobytes() == state.tobytes()
            table.step(pick(table, luck))
    assert (told == 0) == (seats == 2)
