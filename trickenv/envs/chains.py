"""Advantages along the chains of decisions that each seat makes, as self-play needs them."""

from __future__ import annotations

import numpy as np

from trickenv.jit import jit


@jit
def chain_advantages(seats, paid, ended, values, last_seats, last_values, discount, decay, advantages, whole):
    """Generalised advantages along each seat's own decisions, in one pass back through the rollout.

    seats, ended, values: (steps, rows); paid: (steps, rows, seats), what each seat got from a row's decision to the
    next one; last_seats, last_values: (rows,), the decision after the last step. Overwritten: advantages (steps, rows)
    float32, and whole (steps, rows): whether the transition is complete.
    """
    steps, rows = seats.shape
    number = paid.shape[2]
    pay, value, advantage = np.zeros(number), np.zeros(number), np.zeros(number)  # up to each seat's next decision
    known = np.zeros(number, np.bool_)  # whether it has one in this episode and rollout, or the episode ends before
    for row in range(rows):
        pay[:] = value[:] = advantage[:] = 0
        known[:] = False
        known[last_seats[row]] = True
        value[last_seats[row]] = last_values[row]
        for t in range(steps - 1, -1, -1):
            if ended[t, row]:
                pay[:] = value[:] = advantage[:] = 0
                known[:] = True
            for k in range(number):
                pay[k] += paid[t, row, k]
            seat = seats[t, row]
            whole[t, row] = known[seat]
            gained = pay[seat] + discount * value[seat] - values[t, row] + discount * decay * advantage[seat]
            advantage[seat] = gained if known[seat] else 0.0
            advantages[t, row] = advantage[seat]
            known[seat] = True
            value[seat] = values[t, row]
            pay[seat] = 0
