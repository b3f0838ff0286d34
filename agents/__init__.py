"""Players by name. Importing this package makes them known to `trickenv.engine.players.player`."""

from agents import policy
from trickenv.engine.players import register

register("ppo", policy.load, "ppo:PATH")
