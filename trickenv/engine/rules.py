"""The functions of a rules module, as the engine calls them: each picks the module by the type of its state.

Their meaning is the contract that every game keeps; `engine/spec.py` checks that a module has them all. A function
with a body is what most games do: a module needs its own only where it differs.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from trickenv.jit import generic
from trickenv.state import members, side


@generic
def start(s, dealer) -> Any:
    """Begin a match in a blank state: all counters at zero, `dealer` deals first, phase DEAL."""


@generic
def handicap(s, fractions) -> Any:
    """Move a new match to a drawn score; fractions: (seats,) float64 in [0, 1), one for each side."""


@generic
def pack(s, deck) -> Any:
    """Fill `deck` with the cards to shuffle and return their number."""


@generic
def deal(s, deck) -> Any:
    """Deal a shuffled pack, top card first. The deal may turn out void: the phase is DEAL again."""


@generic
def step(s, action) -> Any:
    """Carry out a legal action of the seat on turn."""


@generic
def legal(s, mask) -> Any:
    """Overwrite mask, (actions,) int8, with the actions of the seat on turn."""


@generic
def observe(s, seat, out) -> Any:
    """Overwrite out, (observation size,) float32, with what a censored state holds; returns its end."""


@generic
def censor(s, seat) -> Any:
    """Blank all that a seat may not know."""


@generic
def possible(s, seat) -> Any:
    """In a censored state: which unseen cards each hidden place may hold, and how many it does."""


@generic
def fits(s, seat) -> Any:
    """Whether assumed hidden cards agree with what is known of several cards together."""


@generic
def settle(s, seat, places, order) -> Any:
    """Put assumed hidden cards into a censored state.

    places: (places,) int64 card sets. order: (64,) int64, all hidden cards in random order, for places with an order.
    """


@partial(generic, usual=True)
def rewind(s) -> Any:
    """Take a full state in the play of the cards back to its first lead; whether it tells how that was.

    All but `log` is then as it was for everybody, with the hidden cards as they lie now. Where it does not tell, as
    after draws from a stock, nothing has changed.
    """
    return False


@generic
def holder(s) -> Any:
    """Seat that holds the open trick, with a card on the table; -1 if a censored state does not tell."""


@partial(generic, usual=True)
def allies(s, seat) -> Any:
    """Bit set of the seats that win or lose a full state's deal together with a seat, itself included."""
    return members(s, side(s, seat))


@generic
def card_points(s, card) -> Any:
    """Points that a card brings to whoever wins its trick, in the unit of `points`."""


@generic
def stronger(s, card) -> Any:
    """The cards of a card's suit that are stronger, as a set."""


@generic
def card_action(s, card) -> Any:
    """Number of the action that plays a card."""


@generic
def points_left(s) -> Any:
    """An upper bound of the points that the sides of a full state can still win in its deal, all together.

    Where points can be lost, it is also at least the number of other sides times any loss.
    """


@generic
def pays_points(s) -> Any:
    """Whether a state's deal pays each side the points it wins, so that they alone are worth playing for."""


@generic
def bearing(s) -> Any:
    """Whatever else bears on the points still to be won in the play of a full state, as a number.

    That is: besides hands, seat on turn and order of the cards, and besides points and scores. Called between tricks.
    """


@generic
def playable(s) -> Any:
    """Cards that the seat on turn may play without a word, as a set; only in the play of the cards."""


@partial(generic, usual=True)
def speaks(s) -> Any:
    """Whether the seat on turn may do more than play a card, and gain points by it; only in the play of a full state.

    What only tells others something gains nothing with all hands open.
    """
    return False


@partial(generic, usual=True)
def wants_trick(s, seat) -> Any:
    """Whether a seat gains by one trick more, from its censored state; only in the play of the cards."""
    return True


@generic
def problems(s) -> Any:
    """Everything wrong with a full state, as a bit set over the module's PROBLEMS."""
