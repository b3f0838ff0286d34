"""Measure a player against others on duplicate deals: the same packs, played once with it on every side.

    python -m experiments.evaluate AGENT OPPONENT... --game trionfo --preset four --blocks 2000 [--seed N]

Players are named as everywhere: random, heuristic, ppo:PATH. Each OPPONENT is measured by itself and takes all other
seats. Prints margin (points a deal of the agent's side, less the mean of the other sides) and share of deals won with
95 % intervals, and the margin in standard deviations of one deal. Exit status 2 for wrong names.
"""

from __future__ import annotations

import argparse
import sys
import time

import agents  # noqa: F401 - makes the players known
from trickenv.engine.duplicate import Result, duel
from trickenv.engine.players import player
from trickenv.engine.spec import Game, game
from trickenv.options import Options

HEADS = ("agent", "against", "margin a deal", "in deviations", "deals won", "deals")


def evaluate(
    played: Game, rules: Options, agent: str, opponents: list[str], blocks: int, seed: int = 0
) -> dict[str, Result]:
    """How a player does against each opponent. Raises ValueError for unknown names, before anything is played."""
    players = {name: player(name, played) for name in opponents}
    who = player(agent, played)
    results = {}
    for name, other in players.items():
        who.reset(seed)
        other.reset(seed + 1)
        results[name] = duel(played, rules, who, other, blocks, seed)
    return results


def table(agent: str, results: dict[str, Result]) -> str:
    """Aligned lines of the results."""
    rows: list[tuple[str, ...]] = [HEADS]
    for name, r in results.items():
        won = f"{100 * r.won.mean:.1f} % ± {100 * r.won.half:.1f}"
        rows.append((agent, name, str(r.margin), f"{r.in_deviations:+.3f}", won, f"{r.blocks} x {r.deals // r.blocks}"))
    widths = [max(len(row[k]) for row in rows) for k in range(len(HEADS))]
    return "\n".join("  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m experiments.evaluate", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("agent", metavar="AGENT", help="player to measure")
    parser.add_argument("opponents", metavar="OPPONENT", nargs="+", help="players to measure it against")
    parser.add_argument("--game", default="trionfo", help="(default: trionfo)")
    parser.add_argument("--preset", help="(default: the game's first)")
    parser.add_argument("--blocks", type=int, default=2000, help="packs (default: 2000)")
    parser.add_argument("--seed", type=int, default=0, help="of the packs (default: 0)")
    arguments = parser.parse_args(argv)
    try:
        if arguments.blocks < 1:
            raise ValueError(f"--blocks must be 1 or more, not {arguments.blocks}")
        if arguments.seed < 0:
            raise ValueError(f"--seed must be 0 or more, not {arguments.seed}")
        played = game(arguments.game)
        rules = played.rules(arguments.preset)
        begun = time.monotonic()
        results = evaluate(played, rules, arguments.agent, arguments.opponents, arguments.blocks, arguments.seed)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(table(arguments.agent, results))
    print(f"margin and deals won with 95 % intervals over blocks; {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
