"""Worlds: full states drawn from those that fit what a seat knows.

Method: an assignment of the unseen cards to the hidden places is found by filling the tightest cards first (with
chains of exchanges where a place is full), then shaken by many random exchanges of two or three cards, each kept if
every card may lie in its new place and the rules module finds that the whole fits. The exchanges are symmetric, so
their limit is the uniform distribution over all worlds; `SHAKES` per card is what the bias test in the tests
measures. Every world is drawn afresh, unless a chain is wanted: there each is the one before, shaken some more.
"""

from __future__ import annotations

import numpy as np

from trickenv.cards import adding, bit, has, lowest, without
from trickenv.engine.rng import advance, below, from_seed
from trickenv.engine.rules import fits, settle
from trickenv.jit import jit

SHAKES = 12  # exchanges tried per hidden card
LINK = 3  # the same from one world of a chain to the next


def draw_worlds(view: np.ndarray, seat: int, n: int, seed: int = 0) -> np.ndarray:
    """(n,) full states for a seat from its censored state, given as (1,) array.

    Raises ValueError if no world fits, which only a state that breaks the rules can cause.
    """
    worlds: np.ndarray = np.zeros(n, view.dtype)
    if fill_worlds(view, seat, seed, worlds, SHAKES) < n:
        raise ValueError(f"no deal of the hidden cards fits what seat {seat} knows: the state breaks the rules")
    return worlds


@jit
def fill_worlds(view, seat, seed, worlds, shakes, link=0):
    """Fill `worlds` from the censored state view[0]; returns how many could be drawn.

    shakes: exchanges tried per hidden card; link: the same from world to world in a chain, 0 = none.
    """
    rng = from_seed(seed)
    places = view[0].may_hold
    n_places = len(places)
    sets = np.zeros(n_places, np.int64)
    cards = np.zeros(64, np.int64)
    where = np.zeros(64, np.int64)
    hidden = 0
    for w in range(len(worlds)):
        worlds[w] = view[0]
        s = worlds[w]
        if w == 0 or link == 0:
            hidden, rng = first_fit(s, cards, where, rng)
            if hidden < 0:
                return w
        rng = shake(s, seat, cards, where, hidden, sets, (link if w > 0 and link > 0 else shakes) * hidden, rng)
        put_sets(cards, where, hidden, sets)
        for i in range(hidden - 1, 0, -1):
            rng = advance(rng)
            j = below(rng, i + 1)
            cards[i], cards[j] = cards[j], cards[i]
            where[i], where[j] = where[j], where[i]
        settle(s, seat, sets, cards)
        if not fits(s, seat):
            return w
        rng = advance(rng)
        s.rng = from_seed(below(rng, 1 << 31))
    return len(worlds)


@jit
def put_sets(cards, where, hidden, sets):
    """Card set of every place, from the place of every card."""
    sets[:] = 0
    for i in range(hidden):
        sets[where[i]] = adding(sets[where[i]], cards[i])


@jit
def first_fit(s, cards, where, rng):
    """Put every hidden card somewhere it may lie; returns (number of hidden cards, -1 if impossible; generator)."""
    n_places = len(s.may_hold)
    room = np.zeros(n_places, np.int64)
    every = np.int64(0)
    for p in range(n_places):
        room[p] = s.holds[p]
        every |= s.may_hold[p]
    hidden = 0
    for choices in range(1, n_places + 1):  # tightest cards first, in random order among equals
        start = hidden
        rest = every
        while rest:
            card = lowest(rest)
            rest = without(rest, card)
            open_places = 0
            for p in range(n_places):
                open_places += has(s.may_hold[p], card)
            if open_places == choices:
                rng = advance(rng)
                j = start + below(rng, hidden - start + 1)
                cards[hidden] = cards[j]
                cards[j] = card
                hidden += 1
    for i in range(hidden):
        rng = advance(rng)
        if not place_card(s, cards, where, room, i, rng):
            return -1, rng
    for p in range(n_places):
        if room[p] != 0:
            return -1, rng
    return hidden, rng


@jit
def place_card(s, cards, where, room, i, rng):
    """Put card i in a random place with room, moving earlier cards along a chain if there is none."""
    n_places = len(room)
    start = below(rng, n_places)
    for k in range(n_places):
        p = (start + k) % n_places
        if room[p] > 0 and has(s.may_hold[p], cards[i]):
            where[i] = p
            room[p] -= 1
            return True
    # breadth first from the places that may take card i to one with room; mover[p]: the card that leaves p
    came = np.full(n_places, -2, np.int64)
    mover = np.full(n_places, -1, np.int64)
    queue = np.zeros(n_places, np.int64)
    head = tail = 0
    for p in range(n_places):
        if has(s.may_hold[p], cards[i]):
            came[p] = -1
            queue[tail] = p
            tail += 1
    while head < tail:
        p = queue[head]
        head += 1
        for c in range(i):
            if where[c] == p:
                for q in range(n_places):
                    if came[q] == -2 and has(s.may_hold[q], cards[c]):
                        came[q] = p
                        mover[q] = c
                        queue[tail] = q
                        tail += 1
                        if room[q] > 0:
                            room[q] -= 1
                            while came[q] >= 0:
                                where[mover[q]] = q
                                q = came[q]
                            where[i] = q
                            return True
    return False


@jit
def shake(s, seat, cards, where, hidden, sets, steps, rng):
    """Random exchanges of two cards, or of three in a ring, that keep every card where it may lie and all fitting."""
    if hidden < 2:
        return rng
    put_sets(cards, where, hidden, sets)
    settle(s, seat, sets, cards)
    fitting = fits(s, seat)
    done = 0
    while done < steps or (not fitting and done < 1000 * steps):
        done += 1
        rng = advance(rng)
        a = below(rng, hidden)
        rng = advance(rng)
        b = below(rng, hidden)
        c = b
        if done % 3 == 0:
            rng = advance(rng)
            c = below(rng, hidden)
        if not exchange(s, cards, where, sets, a, b, c):
            continue
        settle(s, seat, sets, cards)
        if fits(s, seat):
            fitting = True
        elif fitting:
            first, last = (a, b) if b == c else (c, a)
            exchange(s, cards, where, sets, first, b, last)
    return rng


@jit
def exchange(s, cards, where, sets, a, b, c):
    """Card a goes where b lies, b where c lies, c where a lies (b = c: only two); False if one may not."""
    pa, pb, pc = where[a], where[b], where[c]
    if pa == pb or (b != c and (pb == pc or pa == pc)):
        return False
    to_b, to_c = pb, (pa if b == c else pc)
    if not has(s.may_hold[to_b], cards[a]) or not has(s.may_hold[to_c], cards[b]):
        return False
    if b != c and not has(s.may_hold[pa], cards[c]):
        return False
    sets[pa] = without(sets[pa], cards[a])
    sets[pb] = without(sets[pb], cards[b])
    if b != c:
        sets[pc] = without(sets[pc], cards[c])
        where[c] = pa
        sets[pa] |= bit(cards[c])
    where[a], where[b] = to_b, to_c
    sets[to_b] |= bit(cards[a])
    sets[to_c] |= bit(cards[b])
    return True
