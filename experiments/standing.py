"""Where a run stands between two updates, as numbers and tensors: torch.load reads them with weights_only."""

from __future__ import annotations

from typing import Any

import torch

from agents.policy import PolicyPlayer
from experiments.learning import SelfPlayPPO
from trickenv.engine.batch import RUNNING
from trickenv.envs.suits import Relabel


def standing(model: SelfPlayPPO) -> dict[str, Any]:
    """Counters, past selves, and (once it plays) the tables of a model; copies."""
    play: Any = model.env.learners  # type: ignore[union-attr]
    past = {k: play.mix.players[k].weights for k in range(play.mix.named, len(play.mix.players))}
    playing = model._last_obs is not None
    return {
        "decisions": model.num_timesteps,
        "updates": model._n_updates,
        "drawn": list(play.mix.drawn),
        "past": {k: {name: torch.from_numpy(array) for name, array in weights.items()} for k, weights in past.items()},
        "tables": {name: torch.from_numpy(array) for name, array in play.state().items()} if playing else {},
    }


def stand(model: SelfPlayPPO, state: dict[str, Any], relabel: Relabel | None) -> None:
    """Put a new model where another stood. Raises ValueError if its tables are others."""
    env: Any = model.env
    play = env.learners
    model.num_timesteps, model._n_updates = state["decisions"], state["updates"]
    for weights in state["past"].values():
        plain = {name: array.numpy() for name, array in weights.items()}
        play.mix.players.append(PolicyPlayer(plain, relabel=relabel))
    play.mix.drawn = list(state["drawn"])
    if state["tables"]:
        play.restore({name: array.numpy() for name, array in state["tables"].items()})
        model._last_obs = env.latest()
        model._last_episode_starts = play.status != RUNNING
