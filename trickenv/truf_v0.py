"""Truf as PettingZoo modules are used: `truf_v0.env(preset="method1", episode="match", ...)`."""

from functools import partial

from trickenv.envs.aec import TrickEnv
from trickenv.envs.aec import env as _env

env = partial(_env, "truf")
raw_env = partial(TrickEnv, "truf")

__all__ = ["env", "raw_env"]
