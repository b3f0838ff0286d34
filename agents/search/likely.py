"""Worlds weighed by how the other seats have played: those in which they would have done what they did come up most.

A world fits what a seat knows; whether it is likely is another matter. Each drawn world is taken back to the first
lead, with the hidden cards as they lie in it, and played again as it was. Wherever another seat had a choice, the rules
of thumb are asked what they would have done with that hand: a world in which they agree with what was played is
(1 - ERROR) / ERROR times as likely as one in which they do not, as far as that choice goes. What is told before the
first lead, such as bids, is not weighed.

After M. Buro et al., Improving State Evaluation, Inference, and Search in Trick-Based Card Games (2009), and
D. Rebstock et al., Policy Based Inference in Trick-Taking Card Games (2019).
"""

from __future__ import annotations

import numpy as np

from agents.search import playout
from trickenv.engine.batch import only_action
from trickenv.engine.rng import fraction, from_seed
from trickenv.engine.rules import censor, legal, possible, rewind, step
from trickenv.engine.worlds import LINK, SHAKES, fill_worlds
from trickenv.jit import jit
from trickenv.state import UNSEEN

ERROR = 0.1  # how often a seat does not play as the rules of thumb would, at a guess
MOST = 16  # candidates for each world wanted
HOPELESS = 7.0  # a world so much below the best one so far, in logarithms, is left out
_LOG_ERROR = np.log(ERROR)
_LOG_AGREED = np.log(1 - ERROR)


@jit
def fill_likely(view, seat, seed, worlds, pool, scratch, mask):
    """Fill `worlds` from the censored state view[0], likely ones more often; returns how many could be drawn.

    Candidates are drawn until they are worth as many equally likely ones, by Kish's (sum w)^2 / sum w^2.
    pool: records, room for MOST candidates a world; scratch: (2,) records; mask: (actions,) int8, scratch.
    """
    n = len(worlds)
    scratch[0] = view[0]
    if view[0].logged == 0 or not rewind(scratch[0]):
        return fill_worlds(view, seat, seed, worlds, SHAKES)
    weights = np.zeros(len(pool))
    total = squares = 0.0
    best = -np.inf
    drawn = 0
    while drawn == 0 or (drawn < len(pool) and total * total < n * squares):
        part = pool[drawn : drawn + n]
        if fill_worlds(view, seat, seed + 7919 * drawn, part, SHAKES, LINK) < len(part):
            return 0
        for w in range(drawn, drawn + len(part)):
            found = likelihood(pool[w], seat, scratch, mask, best - HOPELESS)
            best = max(best, found)
            weights[w] = np.exp(found)
            total += weights[w]
            squares += weights[w] ** 2
        drawn += len(part)
    pick(weights[:drawn], total, fraction(from_seed(seed)), pool, worlds)
    return n


@jit
def likelihood(world, seat, scratch, mask, least):
    """Logarithm of how likely the others are to have played as they did in a world, less what all worlds share.

    -inf if it is below `least`.
    """
    scratch[0] = world
    s = scratch[0]
    found = 0.0
    rewind(s)
    for k in range(world.logged):
        action = np.int64(world.log[k])
        legal(s, mask)
        if action == UNSEEN or s.turn < 0 or not mask[action]:
            break
        if s.turn != seat and only_action(mask) < 0:
            scratch[1] = s
            v = scratch[1]
            censor(v, s.turn)
            possible(v, s.turn)
            found += _LOG_AGREED if playout.choose(v, s.turn, mask) == action else _LOG_ERROR
            if found < least:
                return -np.inf
        step(s, action)
    return found


@jit
def pick(weights, total, luck, pool, worlds):
    """Fill `worlds` from the pool in proportion to the weights, evenly spread; luck: in [0, 1)."""
    passed = 0.0
    w = 0
    for i in range(len(worlds)):
        mark = (i + luck) / len(worlds) * total
        while w < len(weights) - 1 and passed + weights[w] <= mark:
            passed += weights[w]
            w += 1
        worlds[i] = pool[w]
