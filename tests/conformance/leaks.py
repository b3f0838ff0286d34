"""Search for anything that tells a seat what it may not know; used on every game, and on a game with a leak planted.

The hidden cards are dealt anew (a world). The seat's observation, mask and history must be the same bytes, and after
any action of its own, its reward may differ between two worlds only if its new observation does.
"""

from __future__ import annotations

import sys

import numpy as np

from trickenv.engine import batch
from trickenv.engine.episode import DECK_SPACE, episode
from trickenv.engine.table import Table, seen_history
from trickenv.engine.view import Views

WORLDS = 4


def find_leaks(name: str, preset: str, seed: int, decisions: int, phases: set[str] | None = None) -> list[str]:
    """Sentences about the leaks found in one random match, looked at before every third decision.

    phases: look only where the phase is not in this set yet, and add its name.
    """
    table = Table(name, preset, seed=seed)
    luck = np.random.default_rng(seed)
    found = []
    for number in range(decisions):
        if table.over:
            break
        phase = table.game.module.Phase(table.state.phase).name
        if number % 3 == 0 if phases is None else phase not in phases:
            if phases is not None:
                phases.add(phase)
            for seat in range(table.seats):
                found += _compare(table, seat, seed + number, luck)
        legal = np.array(table.legal_actions())
        kinds = table.game.kinds[legal]
        table.step(int(luck.choice(legal[kinds == luck.choice(np.unique(kinds))])))
    return found


def _compare(table: Table, seat: int, seed: int, luck: np.random.Generator) -> list[str]:
    view = table.view(seat)
    both = np.concatenate([table.states, view.worlds(WORLDS, seed)])
    where = f"seat {seat} in {table.game.module.Phase(table.state.phase).name}"
    seen = Views.space(table.game, len(both)).look(both, np.arange(len(both)), np.full(len(both), seat))
    found = []
    for k in range(1, len(both)):
        if seen.observations[k].tobytes() != seen.observations[0].tobytes():
            block = table.game.module.OBSERVATION.of(
                int(np.flatnonzero(seen.observations[k] != seen.observations[0])[0])
            )
            found.append(f"{where}: observation block {block.name}")
        if seen.masks[k].tobytes() != seen.masks[0].tobytes():
            found.append(f"{where}: mask")
        if seen_history(table.game, both[k], table.history, table.marks[-1], seat) != view.history:
            found.append(f"{where}: history")
    if table.turn == seat:
        found += _rewards(table, both, seat, int(luck.choice(table.legal_actions())), where)
    return found


def _rewards(table: Table, both: np.ndarray, seat: int, action: int, where: str) -> list[str]:
    """Rewards that tell more than the new observation does."""
    n, found = len(both), []
    rows, deck = np.arange(n), np.zeros(DECK_SPACE, np.int64)
    for reward in table.rules.rewards():
        states = both.copy()
        pay, status = np.zeros((n, table.game.max_seats), np.float32), np.zeros(n, np.int64)
        rules = episode(table.game, table.rules, reward=reward, by_hand=True)
        batch.step_rows(states, rows, np.full(n, action), rules, deck, pay, status)
        after = Views.space(table.game, n).look(states, rows, np.full(n, seat))
        for k in range(1, n):
            if pay[k, seat] != pay[0, seat] and after.observations[k].tobytes() == after.observations[0].tobytes():
                found.append(f"{where}: reward {reward}")
    return found


def plant(name: str) -> None:
    """Make the game's `censor` forget to blank the other hands. Works in plain Python only."""
    from trickenv.games import load

    module = load(name)
    honest = module.censor

    def leaky(s, seat):
        hands = s.hands.copy()
        honest(s, seat)
        other = (seat + 1) % s.rules.seats
        if s.holds[other] == 0 or hands[other]:
            s.may_hold[other] = 0
            s.scores[0] = int(hands[other]) % 37

    setattr(module, "censor", leaky)  # noqa: B010


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")  # plain numpy warns when the generator wraps around
    plant(sys.argv[1])
    from trickenv.games import load

    print(len(find_leaks(sys.argv[1], next(iter(load(sys.argv[1]).PRESETS)), 1, 12)))
