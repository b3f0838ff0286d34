"""Players beyond `random`: importing this package makes them known by name."""

from agents.heuristics import make_heuristic
from trickenv.engine.players import register

register("heuristic", make_heuristic, "heuristic")
