"""Trick-taking card games as reinforcement-learning environments.

`trickenv.trionfo_v0.env(preset="four")` is a PettingZoo AEC environment; `gymnasium.make("trickenv/Trionfo-v0")` seats
one learner among named opponents; `trickenv.Table("trionfo")` plays by text. Every environment is registered with
Gymnasium and, from PettingZoo 1.27 on, with PettingZoo under the same name.
"""

from trickenv import registration
from trickenv.engine.players import Player, register
from trickenv.engine.spec import game
from trickenv.engine.table import IllegalAction, Table
from trickenv.engine.view import View
from trickenv.games import GAMES

__version__ = "0.1.0"
__all__ = ["GAMES", "IllegalAction", "Player", "Table", "View", "__version__", "game", "register"]

registration.register_all()
