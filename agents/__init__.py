"""Players by name. Importing this package makes them known to every environment and command."""

from agents import policy
from agents.heuristics import make_heuristic
from trickenv.engine.players import register

register("heuristic", make_heuristic, "heuristic")
register("ppo", policy.load, "ppo:PATH")
