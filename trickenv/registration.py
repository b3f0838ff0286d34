"""Names of all games in the registries of Gymnasium (`trickenv/Trionfo-v0`) and PettingZoo (the same)."""

from __future__ import annotations

from functools import partial

import gymnasium

from trickenv.games import GAMES


def env_id(game: str) -> str:
    """Registered name of a game."""
    return f"trickenv/{game.capitalize()}-v0"


def _seat_env(game: str, **arguments: object) -> gymnasium.Env:
    from trickenv.envs.single import SeatEnv  # the environments are loaded when one is made

    return SeatEnv(game, **arguments)  # type: ignore[arg-type]


def _vector_env(game: str, num_envs: int = 1024, **arguments: object) -> gymnasium.vector.VectorEnv:
    from trickenv.envs.vector import VectorEnv

    return VectorEnv(game, num_envs=num_envs, **arguments)  # type: ignore[arg-type]


def register_all() -> None:
    """Register every game; done once, when the package is imported."""
    for game in GAMES:
        if env_id(game) not in gymnasium.registry:
            gymnasium.register(
                env_id(game), entry_point=partial(_seat_env, game), vector_entry_point=partial(_vector_env, game)
            )
    try:
        from pettingzoo.env_registry.registration import aec_registry, register
    except ImportError:  # before PettingZoo 1.27
        return
    for game in GAMES:
        if env_id(game) not in aec_registry:
            register("aec", env_id(game), f"trickenv.{game}_v0:env")
