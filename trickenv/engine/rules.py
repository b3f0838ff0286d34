"""The functions of a rules module, as the engine calls them: each picks the module by the type of its state.

Their meaning is the contract that every game keeps; `engine/spec.py` checks that a module has them all.
"""

from __future__ import annotations

from typing import Any

from trickenv.jit import generic


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


@generic
def problems(s) -> Any:
    """Everything wrong with a full state, as a bit set over the module's PROBLEMS."""
