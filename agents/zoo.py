"""Agents that come with the project: `zoo:GAME/PRESET` is the checkpoint in `agents/zoo/GAME/PRESET/`.

An agent is named by what it was trained on and sits down at every preset of its game. Its card tells how it was trained
and measured; `docs/zoo.md` shows all cards.
"""

from __future__ import annotations

from pathlib import Path

from agents import policy
from trickenv.engine.spec import Game
from trickenv.options import unknown

FOLDER = Path(__file__).with_name("zoo")
FORM = "zoo:GAME/PRESET"


def shipped() -> list[str]:
    """Names of all agents there are, `game/preset`, in alphabetical order."""
    return sorted("/".join(card.parent.parts[-2:]) for card in FOLDER.glob(f"[!.]*/[!.]*/{policy.CARD}"))


def load(game: Game, argument: str) -> policy.PolicyPlayer:
    """The player `zoo:GAME/PRESET`. Raises CheckpointError listing those there are, or saying what does not fit."""
    there = shipped()
    if not there:
        raise policy.CheckpointError(f"player 'zoo:{argument}': no agents are shipped, {FOLDER} is empty")
    if not argument:
        raise policy.CheckpointError(f"player 'zoo' needs an agent's name; shipped: {', '.join(there)}")
    if argument not in there:
        raise policy.CheckpointError(unknown("agent of the zoo", argument, there))
    if argument.partition("/")[0] != game.name:
        own = [name for name in there if name.startswith(f"{game.name}/")]
        hint = f"shipped for {game.name}: {', '.join(own)}" if own else f"none is shipped for {game.name}"
        raise policy.CheckpointError(f"player 'zoo:{argument}' does not play {game.name}; {hint}")
    return policy.opened(FOLDER / argument, game, f"zoo:{argument}")
