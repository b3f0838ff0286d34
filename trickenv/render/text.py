"""A table as text that a person can follow: who sits where, what lies on the table, what was called, the score."""

from __future__ import annotations

from typing import Any

import numpy as np

from trickenv.cards import FACE_DOWN
from trickenv.engine.spec import Game
from trickenv.state import DEAL, OVER, side, sides

WIDTH = 78


def draw(game: Game, states: np.ndarray, seat: int | None = None) -> str:
    """The table states[0] as lines of text; seat: show only what this seat may know, None: all hands open."""
    if seat is not None:
        states = states.copy()
        game.module.censor(states[0], seat)
        game.module.possible(states[0], seat)
    s = states[0]
    lines = [_title(game, s), game.module.headline(s), f"({game.module.DECK.legend()})", ""]
    lines += [_seat_line(game, s, q, seat) for q in range(s.rules.seats)]
    if s.played > 0:
        lines += ["", "on the table: " + _trick(game, s)]
    lines += ["", *_scores(game, s)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _title(game: Game, s: Any) -> str:
    if s.phase == OVER:
        won = [f"seat {q}" for q in range(s.rules.seats) if int(s.winners) >> q & 1]
        where = f"match over, won by {' and '.join(won)}"
    elif s.phase == DEAL:
        where = f"deal {int(s.deals)} over"
    else:
        where = f"deal {int(s.deals) + 1}, trick {int(s.trick_no) + 1}" if s.leader >= 0 else f"deal {int(s.deals) + 1}"
    return f"-- {game.name}, {where} ".ljust(WIDTH, "-")


def _seat_line(game: Game, s: Any, q: int, viewer: int | None) -> str:
    deck = game.module.DECK
    marks = [name for name, other in (("dealer", s.dealer), ("leader", s.leader)) if other == q]
    notes = marks + game.module.seat_notes(s, q)
    hidden = int(s.holds[q]) if viewer is not None and viewer != q else 0
    hand = deck.text(int(s.hands[q])) if not hidden else f"{hidden} cards"
    known = int(s.shown[q])
    if hidden and known:
        hand += f", among them {deck.text(known)}"
    arrow = ">" if s.turn == q else " "
    return f"{arrow} seat {q}  {hand:<34}" + (f" ({', '.join(notes)})" if notes else "")


def _trick(game: Game, s: Any) -> str:
    """Cards of the open trick in the order played, the leader first."""
    seats = int(s.rules.seats)
    step = -1 if getattr(s, "direction", 1) == -1 else 1
    order = [(int(s.leader) + step * k) % seats for k in range(seats)]
    cards = [(q, int(s.trick[q])) for q in order]
    deck = game.module.DECK
    shown = [f"seat {q} {deck.name(c)} ({deck.long_name(c)})" for q, c in cards if c >= 0 or c == FACE_DOWN]
    return ", ".join(shown)


def _scores(game: Game, s: Any) -> list[str]:
    n = int(sides(s))
    rows = [(reason, [str(v) for v in values]) for reason, values in game.module.score_sheet(s)]
    if s.phase in (DEAL, OVER):
        rows.append(("change of score", [f"{v:+d}" for v in s.delta[:n].tolist()]))
    rows.append(("score of the match", [str(v) for v in s.scores[:n].tolist()]))
    return _columns(s, rows)


def draw_sheet(s: Any, deals: list[dict[str, Any]]) -> str:
    """The score sheet of a match: a line for each scored deal, as `Table.deals` lists them."""
    rows = []
    for number, deal in enumerate(deals, 1):
        pairs = zip(deal["delta"], deal["scores"], strict=True)
        rows.append((f"deal {number}, dealer {deal['dealer']}", [f"{change:+d} = {score}" for change, score in pairs]))
    return "\n".join(_columns(s, rows)) + "\n"


def _columns(s: Any, rows: list[tuple[str, list[str]]]) -> list[str]:
    """Lines with one column for each side."""
    n = int(sides(s))
    names = [f"seat {k}" for k in range(n)]
    if s.pairs:
        names = ["seats " + "+".join(str(q) for q in range(s.rules.seats) if side(s, q) == k) for k in range(n)]
    width = max(11, *(len(name) + 2 for name in names))
    return [f"{reason:<28}" + "".join(f"{v:>{width}}" for v in values) for reason, values in [("", names), *rows]]
