"""The player `greedy`: takes what it can get at once. Rules that need no word about any game.

It is also what searches play on with where a game has no rules of thumb. Has no luck of its own: where it tosses a
coin, the coin is made from what it sees.
"""

from __future__ import annotations

import numpy as np

from trickenv.cards import NO_CARD, count, lowest
from trickenv.engine.players import Player
from trickenv.engine.rng import below, from_seed
from trickenv.engine.rules import card_action, card_points, holder, stronger, wants_trick
from trickenv.engine.spec import Game
from trickenv.engine.view import Views
from trickenv.jit import jit
from trickenv.state import gone, side


@jit
def choose_rows(states, seats, masks, actions):
    """Choose at many tables: states (n,) censored, seats (n,), masks (n, actions); actions (n,) int64, overwritten."""
    for r in range(len(states)):
        actions[r] = choose(states[r], seats[r], masks[r])


@jit
def choose(s, seat, mask):
    """A legal action for a seat that is on turn, from its censored state."""
    best = -1
    most = -1 << 30
    cards = s.hands[seat]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if mask[card_action(s, card)]:
            value = gain(s, seat, card)
            if value > most:
                best = card_action(s, card)
                most = value
    return best if best >= 0 else toss(s, seat, mask)


@jit
def toss(s, seat, mask):
    """Outside of the play: the first or the last of the legal actions, such as the least bid or to pass."""
    first = last = -1
    for action in range(len(mask)):
        if mask[action]:
            first = action if first < 0 else first
            last = action
    return last if below(from_seed((s.hands[seat] >> 1) + s.asked + 7 * s.scores[seat]), 2) else first


@jit
def gain(s, seat, card):
    """What a card brings at once, in steps that keep points and strength apart."""
    points = card_points(s, card)
    strength = -count(stronger(s, card))
    wanted = wants_trick(s, seat)
    if s.played == 0:
        # Lead the richest card that no card still out can beat in its suit; without one, or where tricks are not
        # wanted, the poorest, weakest card.
        higher = ~gone(s) & ~s.hands[seat] & stronger(s, card)
        return -64 * points - strength if higher or not wanted else 4096 + 64 * points + strength
    total = points
    for q in range(s.rules.seats):
        if s.trick[q] >= 0:
            total += card_points(s, s.trick[q])
    keeper = holder(s)
    s.trick[seat] = card
    s.played += 1
    taker = holder(s)
    s.played -= 1
    s.trick[seat] = NO_CARD
    last = s.played == s.rules.seats - 1
    # A trick that is not wanted is left to others with the strongest card that can be; if it must be taken after all,
    # then last to play with the strongest card, before that with the weakest.
    if not wanted:
        return strength if taker >= 0 and taker != seat else -4096 + (strength if last and taker == seat else -strength)
    # Take the trick if it can be taken, last to play with the weakest card that does, before that with the strongest.
    if taker == seat and not (keeper >= 0 and side(s, keeper) == side(s, seat)):
        return 4096 + 64 * total + (-strength if last else strength)
    # Give points to a partner who holds it; else throw the poorest, weakest card.
    if taker >= 0 and taker != seat and side(s, taker) == side(s, seat):
        return 64 * points - strength
    return -64 * points - strength


class GreedyPlayer(Player):
    """Takes what it can get at once. Has no luck: the same view always gives the same action."""

    name = "greedy"

    def act_batch(self, views: Views) -> np.ndarray:
        """(n,) int64: a legal action for each view."""
        actions = np.empty(len(views), np.int64)
        choose_rows(views.states, views.seats, views.masks, actions)
        return actions


def make_greedy(game: Game, argument: str) -> GreedyPlayer:
    """The player `greedy`. Raises ValueError for an argument."""
    if argument:
        raise ValueError(f"player 'greedy' takes no argument, not {argument!r}")
    return GreedyPlayer()
