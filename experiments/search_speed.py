"""Measure the exact solver and the search players: CPU time of one core, by hands and by moves.

    python -m experiments.search_speed trionfo/four --cards 5 7 10 --positions 100
    python -m experiments.search_speed trionfo/four --players heuristic pimc:20:5 ismcts:200 --positions 20

With --cards: time and positions looked at for the value of a deal, all hands open, from random play up to a lead with
so many cards in hand. With --players: time a move over all decisions of so many deals that the player plays with
itself, and time a simulated step, a decision of a simulated deal, for `ismcts`.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

import agents  # noqa: F401 - makes the players known
from agents.search import solver
from trickenv.engine.players import decide_one, player
from trickenv.engine.rules import allies
from trickenv.engine.spec import Game, game
from trickenv.engine.table import Table


def lead(played: Game, preset: str | None, seed: int, cards: int) -> Table:
    """A table of random play, kinds of action first, at the first lead with so many cards in hand or fewer."""
    luck = np.random.default_rng(seed)
    table = Table(played.name, preset, seed=seed)
    play = played.module.Phase.play
    while not (table.state.phase == play and not table.state.played and held(table) <= cards):
        legal = np.array(table.legal_actions())
        kinds = played.kinds[legal]
        table.step(int(luck.choice(legal[kinds == luck.choice(np.unique(kinds))])))
    return table


def held(table: Table) -> int:
    """Cards in the hand of the seat on turn."""
    return int(table.state.hands[table.state.turn]).bit_count()


def solver_line(played: Game, preset: str | None, cards: int, positions: int, room: solver.Space) -> str:
    """Time and positions of the solver with so many cards a hand."""
    seconds, nodes = [], []
    for seed in range(-1, positions):
        table = lead(played, preset, max(seed, 0), cards)
        group = int(allies(table.state, int(table.state.turn)))
        begun = time.process_time()
        solver.best_margin(room, table.states[0], group)
        if seed >= 0:  # the first call compiles
            seconds.append(time.process_time() - begun)
            nodes.append(int(room.desks["nodes"][0]))
    ms = 1e3 * np.array(seconds)
    return (
        f"{cards:>2} cards: mean {ms.mean():9.3f} ms, median {np.median(ms):9.3f}, greatest {ms.max():9.2f}; "
        f"{np.mean(nodes):12,.0f} positions, {1e3 * ms.sum() / np.sum(nodes):.3f} us each"
    )


def player_line(played: Game, preset: str | None, text: str, deals: int) -> str:
    """Time of a player a move, forced moves left out, and a simulated step."""
    who = player(text, played)
    simulations = int(text.partition(":")[2]) if text.startswith("ismcts:") else 0
    seconds, moves, steps = 0.0, 0, 0
    for seed in range(-1, deals):
        table, waits = Table(played.name, preset, seed=max(seed, 0)), []
        number = 0
        while table.state.deals == 0 and not table.over:
            view = table.view()
            begun = time.process_time()
            action = decide_one(who, view, table.states)
            if view.mask.sum() > 1:
                waits.append((number, time.process_time() - begun))
            table.step(action)
            number += 1
        if seed >= 0:
            seconds += sum(wait for _, wait in waits)
            moves += len(waits)
            steps += simulations * sum(number - at for at, _ in waits)
    per_step = f", {1e6 * seconds / steps:.2f} us a simulated step" if steps else ""
    return f"{text}: {1e3 * seconds / moves:.3f} ms a move over {moves} moves with a choice{per_step}"


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.search_speed", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("table", metavar="GAME[/PRESET]")
    parser.add_argument("--cards", type=int, nargs="+", default=[], help="hands of the solver")
    parser.add_argument("--players", nargs="+", default=[], help="players to time")
    parser.add_argument("--positions", type=int, default=100, help="positions or deals of each (default: 100)")
    arguments = parser.parse_args(argv)
    name, _, preset = arguments.table.partition("/")
    try:
        played = game(name)
        room = solver.space(played, 1 << 21)
        for cards in arguments.cards:
            print(solver_line(played, preset or None, cards, arguments.positions, room), flush=True)
        for text in arguments.players:
            print(player_line(played, preset or None, text, arguments.positions), flush=True)
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
