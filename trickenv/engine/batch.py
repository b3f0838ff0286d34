"""Compiled kernels over arrays of tables: start, step, look, choose at random. Every other part plays through these.

`rows` are indices into the tables. Nothing here knows a game.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trickenv.engine.rng import advance, below, fraction, from_seed
from trickenv.engine.rules import censor, deal, handicap, legal, observe, pack, possible, problems, start, step
from trickenv.jit import jit
from trickenv.state import DEAL, OVER, side, sides

RUNNING, TERMINATED, TRUNCATED = 0, 1, 2  # status of a table after a step
REWARDS = ("deal_points", "trick_points", "match")
_DEAL_POINTS, _TRICK_POINTS, _MATCH = range(3)
_DRAWN, _GIVEN = 1, 2


class Episode(NamedTuple):
    """What an episode is, as numbers for the kernels (see `engine.episode`)."""

    match: int  # 1 = to the end of the match, 0 = one scored deal
    max_deals: int  # scored deals after which a match is cut off, 0 = never
    reward: int  # index into REWARDS
    point_unit: int  # points in the state per point of reward
    scores: int  # matches start at: 0 = zero, 1 = drawn scores, 2 = the scores in the blank tables
    dealer: int  # first dealer, -1 = drawn
    by_hand: int  # 1 = the caller deals, with `deal_row`


@jit
def draw(s, n):
    """A number in 0..n-1 from the table's own generator."""
    s.rng = advance(s.rng)
    return below(s.rng, n)


@jit
def deal_next(s, deck):
    """Shuffle and deal until a deal is not void; deck: scratch, (pack,) int64."""
    while s.phase == DEAL:
        shuffle(s, deck)
        deal(s, deck)


@jit
def shuffle(s, deck):
    """Shuffle the table's pack into `deck` with its own generator; returns the number of cards."""
    n = pack(s, deck)
    for k in range(n - 1, 0, -1):
        j = draw(s, k + 1)
        deck[k], deck[j] = deck[j], deck[k]
    return n


@jit
def deal_row(tables, row, deck, given):
    """Deal once at a table that awaits a pack: the `given` cards in `deck`, or (given 0) shuffle one into it.

    Returns the number of cards in the pack.
    """
    n = shuffle(tables[row], deck) if given == 0 else given
    deal(tables[row], deck)
    return n


@jit
def seed_rows(tables, seed):
    """Give table i the generator of seed + i."""
    for i in range(len(tables)):
        tables[i].rng = from_seed(seed + i)


@jit
def reset_rows(tables, rows, blanks, episode, deck):
    """Start a new match at some tables and deal; each goes on with its own generator."""
    fractions = np.empty(16)
    for i in rows:
        rng = tables[i].rng
        tables[i] = blanks[i % len(blanks)]
        s = tables[i]
        s.rng = rng
        dealer = draw(s, s.rules.seats)
        start(s, episode.dealer if episode.dealer >= 0 else dealer)
        if episode.scores == _DRAWN:
            for k in range(16):
                s.rng = advance(s.rng)
                fractions[k] = fraction(s.rng)
            handicap(s, fractions)
        elif episode.scores == _GIVEN:
            s.scores[:] = blanks[i % len(blanks)].scores
        if not episode.by_hand:
            deal_next(s, deck)


@jit
def margin(s, values, seat):
    """A seat's side less the mean of the other sides."""
    n = sides(s)
    total = 0
    for k in range(n):
        total += values[k]
    own = values[side(s, seat)]
    return own - (total - own) / (n - 1)


@jit
def step_rows(tables, rows, actions, episode, deck, rewards, status):
    """Carry out one legal action at some tables; deal again within an episode.

    actions: (rows,) int64; rewards: (rows, seats) float32 and status: (rows,) int64, both overwritten.
    """
    for r in range(len(rows)):
        s = tables[rows[r]]
        seats = s.rules.seats
        deals = s.deals
        pay = rewards[r]
        pay[:] = 0
        if episode.reward == _TRICK_POINTS:
            for seat in range(seats):
                pay[seat] = -margin(s, s.points, seat) / episode.point_unit
        step(s, actions[r])
        if episode.reward == _TRICK_POINTS:
            for seat in range(seats):
                pay[seat] += margin(s, s.points, seat) / episode.point_unit
        elif episode.reward == _DEAL_POINTS and s.deals > deals:
            for seat in range(seats):
                pay[seat] = margin(s, s.delta, seat)
        elif episode.reward == _MATCH and s.phase == OVER:
            for seat in range(seats):
                pay[seat] = 1 if (s.winners >> seat) & 1 else -1
        status[r] = after_step(s, deals, episode, deck)


@jit
def after_step(s, deals, episode, deck):
    """Whether the episode ends here; otherwise deal again where a deal has ended."""
    if s.phase == OVER:
        return TERMINATED
    if s.phase == DEAL:
        if s.deals > deals and not episode.match:
            return TERMINATED
        if s.deals > deals and 0 < episode.max_deals <= s.deals:
            return TRUNCATED
        if not episode.by_hand:
            deal_next(s, deck)
    return RUNNING


@jit
def look_rows(tables, rows, seats, views, observations, masks):
    """What a seat sees at each of some tables; all outputs are overwritten.

    seats: (rows,) int64, -1 = the seat on turn; views: (rows,) censored states; observations: (rows, size) float32;
    masks: (rows, actions) int8, zero for a seat that is not on turn.
    """
    for r in range(len(rows)):
        seat = seats[r] if seats[r] >= 0 else tables[rows[r]].turn
        views[r] = tables[rows[r]]
        v = views[r]
        censor(v, seat)
        possible(v, seat)
        observe(v, seat, observations[r])
        if v.turn == seat:
            legal(v, masks[r])
        else:
            masks[r, :] = 0


@jit
def only_action(mask):
    """The only legal action, -1 if there are several."""
    found = -1
    for action in range(len(mask)):
        if mask[action]:
            if found >= 0:
                return -1
            found = action
    return found


@jit
def first_action(mask):
    """The first legal action."""
    for action in range(len(mask)):
        if mask[action]:
            return action
    return -1


@jit
def pick_by_kind(mask, kinds, rng, found):
    """An action drawn uniformly over the kinds that have legal ones, then within the kind; rng: generator state.

    found: (actions,) int64, scratch.
    """
    n = 0
    for a in range(len(mask)):
        found[n] = a
        n += mask[a]
    legal_kinds = 0
    last = -1
    for k in range(n):
        legal_kinds += kinds[found[k]] != last
        last = kinds[found[k]]
    left = below(rng, legal_kinds) if legal_kinds > 1 else 0
    first = 0
    while left > 0:
        first += 1
        left -= kinds[found[first]] != kinds[found[first - 1]]
    stop = first + 1
    while stop < n and kinds[found[stop]] == kinds[found[first]]:
        stop += 1
    return found[first + below(advance(rng), stop - first)] if n > 0 else -1


@jit
def pick_rows(masks, kinds, rngs, actions):
    """Random actions, uniform over kinds first; rngs: (rows,) uint64, moved on; actions: (rows,) int64, overwritten."""
    found = np.empty(masks.shape[1], np.int64)
    for r in range(len(masks)):
        actions[r] = pick_by_kind(masks[r], kinds, rngs[r], found)
        rngs[r] = advance(advance(rngs[r]))


@jit
def play_random(tables, blanks, episode, kinds, rngs, steps, check):
    """Play `steps` random actions at every table, starting again as episodes end.

    Returns (episodes ended, bit set of all `problems` found); with check, every state is looked through.
    """
    deck = np.empty(64, np.int64)
    mask = np.empty(len(kinds), np.int8)
    one = np.empty(1, np.int64)
    rewards = np.empty((1, len(tables[0].hands)), np.float32)
    row = np.empty(1, np.int64)
    status = np.empty(1, np.int64)
    scratch = np.empty(len(kinds), np.int64)
    ended = found = 0
    for i in range(len(tables)):
        row[0] = i
        for _ in range(steps):
            legal(tables[i], mask)
            one[0] = pick_by_kind(mask, kinds, rngs[i], scratch)
            rngs[i] = advance(advance(rngs[i]))
            step_rows(tables, row, one, episode, deck, rewards, status)
            if check:
                found |= problems(tables[i])
            if status[0] != RUNNING:
                ended += 1
                reset_rows(tables, row, blanks, episode, deck)
    return ended, found
