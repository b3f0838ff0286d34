"""Print the tables in docs/ anew: options, presets, actions, observation blocks, tests of each rule; shipped agents.

    python -m experiments.document [--check]

A table stands between `<!-- begin NAME -->` and `<!-- end NAME -->`. With --check nothing is written; exits with 1 if a
page is not current.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from agents import policy, zoo
from trickenv.blocks import Blocks
from trickenv.engine.spec import Game, game
from trickenv.games import GAMES
from trickenv.options import options_table

DOCS = Path(__file__).parent.parent / "docs"
ZOO = "zoo"  # the page of the shipped agents
AGENT_HEAD = ["agent", "decisions", "minutes", "level with heuristic"]
AGENT_HEAD += ["against", "margin in d", "deals won", "fair share", "blocks"]


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in lines)


def blocks(layout: Blocks) -> list[list[str]]:
    """Rows of an action space or observation."""
    return [[f"`{b.name}`", f"{b.start}..{b.stop - 1}", str(b.size), b.doc] for b in layout]


def scenarios(g: Game) -> dict[int, list[str]]:
    """Names of the worked examples in tests/scenarios that hold each rule."""
    found: dict[int, list[str]] = {}
    text = (DOCS.parent / "tests" / "scenarios" / f"{g.name}.toml").read_text(encoding="utf-8")
    for case in tomllib.loads(text)["scenario"]:
        for rule in case["rules"]:
            found.setdefault(rule, []).append(case["id"])
    return found


def tables(g: Game) -> dict[str, str]:
    """All tables of a game's page, by the name in their markers."""
    module = g.module
    presets = []
    for name, options in module.PRESETS.items():
        text = ", ".join(f"`{k}={v}`".replace("'", "") for k, v in options.items()) or "the defaults"
        presets.append([f"`{name}`", str(g.rules(name).plain()["seats"]), text])
    options = [[f"`{name}`", default, values, doc] for name, default, values, doc in options_table(module.Rules)]
    size = f"\n\n{g.num_actions} actions."
    length = f"\n\n{g.observation_size} numbers in all. Blocks by seat begin with the own seat."
    held = [[str(rule), ", ".join(f"`{i}`" for i in ids)] for rule, ids in sorted(scenarios(g).items())]
    return {
        "scenarios": table(["rule", "scenarios that hold it"], held),
        "options": table(["option", "default", "values", "meaning"], options),
        "presets": table(["preset", "seats", "options that differ"], presets),
        "actions": table(["block", "numbers", "size", "meaning"], blocks(module.ACTIONS)) + size,
        "observation": table(["block", "numbers", "size", "meaning"], blocks(module.OBSERVATION)) + length,
    }


def agents_table() -> str:
    """The shipped agents, one row for each player that they were measured against, from their cards."""
    rows = []
    for name in sorted(zoo.shipped(), key=_place):
        card = policy.read_card(zoo.FOLDER / name)
        training = card["training"]
        cloned = f" + {training['cloned']:,} cloned" if training.get("cloned") else ""
        for against, r in card["results"].items():
            d = r["deviation"] or 1
            rows.append([
                f"`zoo:{name}`", f"{training['decisions']:,}{cloned}", f"{training['seconds'] / 60:.1f}",
                _level(training),
                f"`{against}`", f"{r['margin'] / d:+.3f} ± {r['margin_half'] / d:.3f}",
                f"{100 * r['won']:.1f} % ± {100 * r['won_half']:.1f}", f"{100 * r['fair']:.1f} %", f"{r['blocks']:,}",
            ])  # fmt: skip
    return table(AGENT_HEAD, rows) if rows else "No agents are shipped yet."


def _place(name: str) -> tuple[int, int]:
    """Where an agent stands in the table: in the order of games and presets."""
    played, _, preset = name.partition("/")
    return [*map(str, GAMES)].index(played), [*game(played).module.PRESETS].index(preset)


def _level(training: dict[str, Any]) -> str:
    """After how many decisions and minutes a run was level with `heuristic`."""
    if "heuristic" not in training.get("level_with", {}):
        return "not measured"
    at = training["level_with"]["heuristic"]
    return f"{at['decisions']:,.0f}, {at['seconds'] / 60:.1f} min" if at else "never"


def page_tables(name: str) -> dict[str, str]:
    """All tables of docs/NAME.md, by the name in their markers."""
    return {"agents": agents_table()} if name == ZOO else tables(game(name))


def filled(page: str, made: dict[str, str]) -> str:
    """A page with its tables put in. Raises ValueError naming a missing marker."""
    for name, text in made.items():
        pattern = rf"<!-- begin {name} -->.*?<!-- end {name} -->"
        if not re.search(pattern, page, re.DOTALL):
            raise ValueError(f"no markers <!-- begin {name} --> and <!-- end {name} -->")
        new = f"<!-- begin {name} -->\n\n{text}\n\n<!-- end {name} -->"
        page = re.sub(pattern, lambda _, new=new: new, page, flags=re.DOTALL)
    return page


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m experiments.document", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, exit with 1 if a page is not current")
    arguments = parser.parse_args(argv)
    stale = 0
    for name in [*GAMES, ZOO]:
        path = DOCS / f"{name}.md"
        try:
            page = path.read_text(encoding="utf-8")
            new = filled(page, page_tables(name))
        except (OSError, ValueError) as error:
            print(f"{path.name}: {error}")
            stale += 1
            continue
        if new != page:
            stale += 1
            print(f"{path.name}: {'not current' if arguments.check else 'written'}")
            if not arguments.check:
                path.write_text(new, encoding="utf-8")
    return 1 if stale and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
