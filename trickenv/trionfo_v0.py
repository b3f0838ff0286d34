"""Trionfo as PettingZoo modules are used: `trionfo_v0.env(preset="four", episode="match", ...)`."""

from functools import partial

from trickenv.envs.aec import TrickEnv
from trickenv.envs.aec import env as _env

env = partial(_env, "trionfo")
raw_env = partial(TrickEnv, "trionfo")

__all__ = ["env", "raw_env"]
