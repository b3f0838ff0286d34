"""Exact play with all hands open: the best that a group of seats can do against all others, to the end of the deal.

What counts is the margin of `points`: the group's sides against the others, weighted so that the sides of both camps
count the same; divided by `unit` it is the mean of the group's sides less the mean of the others. All seats outside the
group play against it. Scores of the match do not matter.

A search may be given up after a number of positions, for a few hands take thousands of times as long as the others.

Method: null-window searches that close in on the value, with a table of positions between tricks. A position is known
by who holds the cards of each suit in order, so cards that have become equal give equal positions. Of cards in one hand
with no other card between them and equal points only one is tried.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from trickenv.cards import NO_CARD, adding, bit, count, has, highest, lowest
from trickenv.engine.rules import (
    allies,
    bearing,
    card_points,
    holder,
    legal,
    playable,
    points_left,
    speaks,
    step,
    stronger,
)
from trickenv.engine.spec import Game
from trickenv.jit import jit
from trickenv.state import gone, side, sides

FAR = 1 << 30  # beyond any margin
ENDLESS = 1 << 62  # positions: never given up
_MIX, _SPREAD = np.int64(-7046029254386353131), np.int64(-4417276706812531889)  # odd, with mixed bits
_FIRST = 1 << 24  # order of a move that was best before
STRIDE = 4  # of the first step away from a bound, in margin times the unit


class Space(NamedTuple):
    """Room for one search at a time; nothing in it has to be cleared between searches."""

    states: np.ndarray  # (plies,) records: the line being looked at
    desks: np.ndarray  # (1,) records, see `space`: all else that a search needs, passed on as one pointer
    table: np.ndarray  # (entries,) records: positions remembered


_ENTRY = np.dtype(
    [
        ("key", np.int64),  # which position the entry is about
        ("low", np.int32),  # least margin to come, times the unit
        ("high", np.int32),  # greatest margin to come, times the unit
        ("move", np.int32),  # what was best
        ("spare", np.int32),
    ]
)


def space(game: Game, entries: int = 1 << 18) -> Space:
    """Room for searches of a game; entries: positions remembered, a power of two."""
    plies, deck = game.module.LONGEST_DEAL + 3, game.module.DECK
    desk = np.dtype(
        [
            ("salt", np.int64),  # what tells this search from others in the table of positions
            ("nodes", np.int64),  # positions looked at
            ("most", np.int64),  # with more of them a search is given up
            ("group", np.int64),  # bit set of the seats whose margin is sought
            ("within", np.int64),  # number of their sides
            ("against", np.int64),  # number of the other sides
            ("play", np.int64),  # number of the first action that plays a card; the others follow in the order of cards
            ("slots", np.int64),  # entries of the table in use, less one: the shorter the search, the fewer
            ("cards", np.int64),  # cards of the deck
            ("suit", np.int64, (64,)),  # suit by card
            ("cost", np.int64, (64,)),  # what it costs to part with a card, in steps for the order of moves
            ("worth", np.int64, (64,)),  # points by card
            ("suits", np.int64, (len(deck.letters),)),  # card set by suit
            ("weights", np.int64, (game.max_seats,)),  # by side
            ("key", np.int64, (plies,)),  # by ply: number of the position, between tricks
            ("bound", np.int64, (plies,)),  # the search asks whether the margin to come reaches it
            ("found", np.int64, (plies,)),  # best margin to come so far
            ("gain", np.int64, (plies,)),  # margin that the move being tried brings at once
            ("best", np.int32, (plies,)),  # move that brings `found`
            ("ours", np.int32, (plies,)),  # 1 = a seat of the group is on turn
            ("listed", np.int32, (plies,)),  # moves to try
            ("tried", np.int32, (plies,)),  # those tried already
            ("moves", np.int32, (plies, game.num_actions)),  # to try
            ("order", np.int32, (plies, game.num_actions)),  # how promising each is
        ],
        align=True,
    )
    room = Space(
        game.tables(plies), np.zeros(1, np.dtype((np.record, desk))), np.zeros(entries, np.dtype((np.record, _ENTRY)))
    )
    room.desks["play"] = game.module.ACTIONS.start("play")
    room.desks["cards"] = deck.size
    ranks = len(deck.ranks)
    for card in range(deck.size):
        room.desks["suit"][0, card] = card // ranks
        room.desks["cost"][0, card] = card % ranks // 4
        room.desks["suits"][0, card // ranks] |= 1 << card
    return room


def solve(game: Game, state: Any, group: int, room: Space | None = None) -> tuple[float, dict[int, float]]:
    """Margin of the whole deal with best play, and the same after each action of the seat on turn.

    state: a full state in the play of the cards. group: bit set of seats, such as `allies(state, seat)`. Actions that
    only tell something are left out. The margin is the mean of `points` of the group's sides less that of the others.
    """
    room = space(game) if room is None else room
    one = np.array([state], game.module.STATE)
    values = np.zeros((1, game.num_actions))
    mask = np.zeros(game.num_actions, np.int8)
    legal(one[0], mask)
    solve_actions(room, one, group, mask, values, ENDLESS)
    found = {int(a): float(values[0, a]) for a in np.flatnonzero(mask)}
    ours = int(group) >> int(one["turn"][0]) & 1
    return (max if ours else min)(found.values()), found


@jit
def solve_actions(room, states, group, mask, values, most):
    """Margin of the deal with best play after some actions, for some states in which the same actions are legal.

    group: bit set of seats, or 0 for the seat on turn and its allies. mask: (actions,) int8, the legal actions asked
    for; those without a value, that only tell something, are taken out. values: (states, actions) float64, overwritten;
    NaN from where on a state took more than `most` positions.
    """
    line, desk, table = room.states, room.desks[0], room.table
    scratch = np.empty_like(mask)
    desk.most = most
    for k in range(len(states)):
        own = group if group else allies(states[k], states[k].turn)
        prepare(room, states[k], own)
        list_moves(line, desk, 0, in_others(line[0]), scratch)
        unit = desk.within * desk.against
        stand_in = -1  # the last of the listed moves: equal cards, which follow it, are worth the same
        value = np.nan
        for action in range(len(mask)):
            listed = False
            for i in range(desk.listed[0]):
                listed |= desk.moves[0, i] == action
            if listed:
                stand_in = action
                value = np.nan
            elif not 0 <= action - desk.play < desk.cards:
                mask[action] = 0
            if mask[action]:
                if np.isnan(value):
                    line[1] = line[0]
                    step(line[1], stand_in)
                    value = (worth_of(desk, line[1]) + close_in(line, desk, table, 1)) / unit
                values[k, action] = value if desk.nodes <= most else np.nan


@jit
def best_margin(room, s, group):
    """Margin to come from a state with best play, times the unit."""
    prepare(room, s, group)
    room.desks[0].most = ENDLESS
    return close_in(room.states, room.desks[0], room.table, 0)


@jit
def prepare(room, s, group):
    """Set the room up for a search from a state, for a group of seats."""
    desk = room.desks[0]
    room.states[0] = s
    root = room.states[0]
    root.scores[:] = -FAR  # far from any end of the match
    desk.group = group
    desk.salt += 1
    desk.nodes = 0
    within = held = 0
    for seat in range(root.rules.seats):
        held += count(root.hands[seat])
        if has(group, seat):
            within |= 1 << side(root, seat)
    desk.slots = min(len(room.table), 1 << (held // 2 + 2)) - 1
    desk.within = 0
    for k in range(sides(root)):
        desk.within += has(within, k)
    desk.against = sides(root) - desk.within
    for k in range(sides(root)):
        desk.weights[k] = desk.against if has(within, k) else -desk.within
    for card in range(desk.cards):
        desk.worth[card] = card_points(root, card)


@jit
def worth_of(desk, s):
    """Margin of the points so far, times the unit."""
    total = 0
    for k in range(sides(s)):
        total += desk.weights[k] * s.points[k]
    return total


@jit
def close_in(line, desk, table, ply):
    """Exact margin to come from a state of the line, by null windows from what plain play would bring."""
    mask = np.zeros(desk.moves.shape[1], np.int8)
    bound = plain_margin(line, desk, mask, ply)
    low, high, stride = -FAR, FAR, STRIDE
    while low < high and desk.nodes <= desk.most:
        found = search(line, desk, table, mask, ply, bound)
        if found < bound:
            high = found
        else:
            low = found
        if low > -FAR and high < FAR:
            bound = low + (high - low + 1) // 2
        else:  # a bound beyond the value is soon refuted: away from it with growing strides
            bound = found - stride + 1 if found < bound else found + stride
            stride *= 2
    return low


@jit
def plain_margin(line, desk, mask, ply):
    """Margin to come if everybody plays the move that looks most promising."""
    here = ply + 1
    line[here] = line[ply]
    s = line[here]
    while s.turn >= 0:
        others = in_others(s)
        list_moves(line, desk, here, others, mask)
        rate_moves(desk, s, here, others, -1)
        step(s, next_move(desk, here))
    return worth_of(desk, s) - worth_of(desk, line[ply])


@jit
def search(line, desk, table, mask, start, bound):
    """A margin to come that is at least `bound` if the true one is, and less if it is less; a bound of it anyway.

    Goes down and up the line by itself: machine code of functions that call each other does not survive on disk.
    """
    ply = start
    desk.bound[ply] = bound
    if settled(line, desk, table, ply, mask):
        return desk.found[ply]
    while desk.nodes <= desk.most:
        if desk.tried[ply] < desk.listed[ply] and not cut_off(desk, ply):
            try_next(line, desk, ply)
            ply += 1
            if not settled(line, desk, table, ply, mask):
                continue
        else:
            keep(line[ply], desk, table, ply)
            if ply == start:
                return desk.found[ply]
        ply -= 1
        value = desk.gain[ply] + desk.found[ply + 1]
        if (value > desk.found[ply]) if desk.ours[ply] else (value < desk.found[ply]):
            desk.found[ply] = value
            desk.best[ply] = desk.moves[ply, desk.tried[ply] - 1]
    return desk.found[start]


@jit
def settled(line, desk, table, ply, mask):
    """Whether a state needs no search: then its margin to come is `found`; else its moves are laid out."""
    s = line[ply]
    desk.nodes += 1
    first = -1
    if s.turn < 0:
        desk.found[ply] = 0
        return True
    if s.played == 0:
        left = points_left(s)
        bound = desk.bound[ply]
        desk.found[ply] = desk.against * left if desk.against * left < bound else -desk.within * left
        if desk.against * left < bound or -desk.within * left >= bound:
            return True
        key = position(desk, s)
        entry = table[(key ^ (key >> 29)) & desk.slots]
        desk.key[ply] = key
        if entry.key == key:
            desk.found[ply] = entry.low if entry.low >= bound else entry.high
            if entry.low >= bound or entry.high < bound:
                return True
            first = entry.move
    others = in_others(s)
    desk.ours[ply] = has(desk.group, s.turn)
    desk.found[ply] = -FAR if desk.ours[ply] else FAR
    list_moves(line, desk, ply, others, mask)
    rate_moves(desk, s, ply, others, first)
    return False


@jit
def cut_off(desk, ply):
    """Whether what was found settles on which side of the bound a state lies."""
    above = desk.found[ply] >= desk.bound[ply]
    return above if desk.ours[ply] else not above


@jit
def try_next(line, desk, ply):
    """Carry out the most promising move that is left; the line goes on where there is a choice again."""
    line[ply + 1] = line[ply]
    child = line[ply + 1]
    action = next_move(desk, ply)
    while action >= 0:
        step(child, action)
        action = forced_move(desk, child)
    desk.gain[ply] = worth_of(desk, child) - worth_of(desk, line[ply])
    desk.bound[ply + 1] = desk.bound[ply] - desk.gain[ply]


@jit
def keep(s, desk, table, ply):
    """Remember what the search of a position between tricks has shown."""
    if s.played > 0:
        return
    key = desk.key[ply]
    entry = table[(key ^ (key >> 29)) & desk.slots]
    if entry.key != key:
        entry.key = key
        entry.low, entry.high = -FAR, FAR
    entry.move = desk.best[ply]
    if desk.found[ply] >= desk.bound[ply]:
        entry.low = desk.found[ply]
    else:
        entry.high = desk.found[ply]


@jit
def forced_move(desk, s):
    """The play of the only card that may be played, where there is nothing else to do; -1 if there is a choice."""
    if s.turn < 0 or s.played == 0 or speaks(s):
        return -1
    cards = playable(s)
    return desk.play + lowest(cards) if cards & (cards - 1) == 0 else -1


@jit
def position(desk, s):
    """Number of a position between tricks: the holders of each suit's cards in order, who leads, and the rest."""
    key = (desk.salt * 64 + s.turn) * _SPREAD ^ (bearing(s) + 1) * _MIX
    rest = ~gone(s)
    for suit in range(len(desk.suits)):
        cards = rest & desk.suits[suit]
        holders = np.int64(1)
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            owner = desk.worth[card] * 64
            for seat in range(s.rules.seats):
                owner += ((s.hands[seat] >> card) & 1) << seat
            holders = holders * _SPREAD + owner
        key = (key ^ holders) * _MIX
        key ^= key >> 31
    return key ^ (key >> 33)


# --- moves -----------------------------------------------------------------------------------------------------------


@jit
def in_others(s):
    """All cards still in play, but for those in the hand of the seat on turn."""
    cards = ~gone(s)
    for seat in range(s.rules.seats):
        if s.trick[seat] >= 0:
            cards |= bit(s.trick[seat])
    return cards & ~s.hands[s.turn]


@jit
def list_moves(line, desk, ply, others, mask):
    """Write the moves worth trying at a ply, and their number; mask: scratch."""
    s = line[ply]
    desk.tried[ply] = 0
    desk.listed[ply] = 0
    if not speaks(s):
        list_cards(desk, ply, playable(s), others)
        return
    legal(s, mask)
    cards = np.int64(0)
    for action in range(len(mask)):
        if mask[action]:
            if 0 <= action - desk.play < desk.cards:
                cards = adding(cards, action - desk.play)
            elif gains(line, ply, action):
                desk.moves[ply, desk.listed[ply]] = action
                desk.listed[ply] += 1
    list_cards(desk, ply, cards, others)


@jit
def gains(line, ply, action):
    """Whether more comes of an action than a word: points, or a card on the table."""
    line[ply + 1] = line[ply]
    child = line[ply + 1]
    step(child, action)
    changed = child.played != line[ply].played
    for k in range(sides(child)):
        changed |= child.points[k] != line[ply].points[k]
    return changed


@jit
def list_cards(desk, ply, cards, others):
    """Append the play of one card of each run of equal ones to the moves."""
    last = -1
    n = desk.listed[ply]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if last < 0 or not equal(desk, others, last, card):
            desk.moves[ply, n] = desk.play + card
            n += 1
        last = card
    desk.listed[ply] = n


@jit
def equal(desk, others, low, high):
    """Whether two cards of a hand, low < high, are as good as each other."""
    if desk.worth[low] != desk.worth[high] or desk.suit[low] != desk.suit[high]:
        return False
    return others & (bit(high) - bit(low)) == 0


@jit
def rate_moves(desk, s, ply, others, first):
    """How promising the moves of a ply look; `first`, if among them, most of all."""
    if count(s.hands[s.turn]) < 3:  # too little to gain
        for i in range(desk.listed[ply]):
            desk.order[ply, i] = desk.moves[ply, i] == first
        return
    if desk.listed[ply] < 2:
        return
    friends = foes = np.int64(0)  # cards of the seats still to play, by camp
    for q in range(s.rules.seats):
        if s.trick[q] == NO_CARD and q != s.turn:
            if has(desk.group, q) == has(desk.group, s.turn):
                friends |= s.hands[q]
            else:
                foes |= s.hands[q]
    if s.played > 0:
        rate_replies(desk, s, ply, friends, foes)
    else:
        rate_leads(desk, s, ply, others, foes)
    for i in range(desk.listed[ply]):
        card = desk.moves[ply, i] - desk.play
        if desk.moves[ply, i] == first or not 0 <= card < desk.cards:
            desk.order[ply, i] = _FIRST if desk.moves[ply, i] == first else _FIRST >> 1


@jit
def rate_leads(desk, s, ply, others, foes):
    """Points to the camp with the strongest card of the suit, above all by a card that nobody beats."""
    for i in range(desk.listed[ply]):
        card = desk.moves[ply, i] - desk.play
        if 0 <= card < desk.cards:
            higher = others & stronger(s, card)
            if higher == 0:
                desk.order[ply, i] = 64 + 8 * desk.worth[card]
            else:
                desk.order[ply, i] = -8 * desk.worth[card] if has(foes, highest(higher)) else 8 * desk.worth[card]


@jit
def rate_replies(desk, s, ply, friends, foes):
    """Points to the own camp, with the cheapest card that brings them there."""
    winner = holder(s)
    best = s.trick[winner]
    led = desk.suit[s.trick[s.leader]]
    points = 0  # on the table
    for q in range(s.rules.seats):
        if s.trick[q] >= 0:
            points += desk.worth[s.trick[q]]
    ours = has(desk.group, winner) == has(desk.group, s.turn)
    unsure = desk.suit[best] == led and stronger(s, best) & (foes if ours else friends) != 0
    wins, asked = stronger(s, best), desk.suits[desk.suit[best]]  # cards that take the trick, of those looked into
    for i in range(desk.listed[ply]):
        card = desk.moves[ply, i] - desk.play
        if 0 <= card < desk.cards:
            if not has(asked, card):
                suit = desk.suits[desk.suit[card]]
                asked |= suit
                wins |= suit if takes(s, card) else 0
            gain = points + desk.worth[card]
            if has(wins, card):
                risky = desk.suit[card] == led and stronger(s, card) & foes != 0
                desk.order[ply, i] = (-4 * gain if risky else 8 * gain + 4) - desk.cost[card]
            else:
                sign = 1 if ours else -1
                desk.order[ply, i] = sign * (-4 if unsure else 8) * gain - desk.cost[card]


@jit
def takes(s, card):
    """Whether the seat on turn would hold the trick with a card."""
    s.trick[s.turn] = card
    s.played += 1
    found = holder(s) == s.turn
    s.played -= 1
    s.trick[s.turn] = NO_CARD
    return found


@jit
def next_move(desk, ply):
    """The most promising of the moves not tried yet, which counts as tried from now on."""
    i = best = desk.tried[ply]
    desk.tried[ply] += 1
    for j in range(i + 1, desk.listed[ply]):
        if desk.order[ply, j] > desk.order[ply, best]:
            best = j
    action, order = desk.moves[ply, best], desk.order[ply, best]
    desk.moves[ply, best], desk.order[ply, best] = desk.moves[ply, i], desk.order[ply, i]
    desk.moves[ply, i], desk.order[ply, i] = action, order
    return action
