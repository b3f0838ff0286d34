"""Trijumf as PettingZoo modules are used: `trijumf_v0.env(preset="four", episode="match", ...)`."""

from functools import partial

from trickenv.envs.aec import TrickEnv
from trickenv.envs.aec import env as _env

env = partial(_env, "trijumf")
raw_env = partial(TrickEnv, "trijumf")

__all__ = ["env", "raw_env"]
