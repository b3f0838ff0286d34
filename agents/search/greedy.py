"""The player `greedy`: what brings most at once, by three rules that need no word about the game.

It looks at the trick on the table and at nothing else, and takes the first action open to it outside of the play, or
one drawn at random; it is what a search falls back on where a game has no rules of thumb.
"""

from __future__ import annotations

import numpy as np

from trickenv.engine.players import Player
from trickenv.engine.rules import card_points, holder
from trickenv.engine.spec import Game
from trickenv.engine.view import Views
from trickenv.jit import jit
from trickenv.state import side
