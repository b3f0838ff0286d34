"""Hiljadu as PettingZoo modules are used: `hiljadu_v0.env(preset="standard", episode="match", ...)`."""

from functools import partial

from trickenv.envs.aec import TrickEnv
from trickenv.envs.aec import env as _env

env = partial(_env, "hiljadu")
raw_env = partial(TrickEnv, "hiljadu")

__all__ = ["env", "raw_env"]
