"""Players by name. Importing this package makes them known to every environment and command."""

from agents import policy, zoo
from agents.heuristics import make_heuristic
from agents.search import cheat, greedy, ismcts, pimc
from trickenv.engine.players import register

register("heuristic", make_heuristic, "heuristic")
register("ppo", policy.load, "ppo:PATH")
register("zoo", zoo.load, zoo.FORM)
register("greedy", greedy.make_greedy, "greedy")
register("pimc", pimc.make_pimc, pimc.FORM)
register("ismcts", ismcts.make_ismcts, ismcts.FORM)
register("cheat", cheat.make_cheat, cheat.FORM)
