"""One table in plain Python: play by text, look through a seat's eyes, keep the record."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from trickenv.engine import batch
from trickenv.engine.episode import DECK_SPACE, blank_tables, checked_seed, episode
from trickenv.engine.spec import Game, game
from trickenv.engine.view import View, Views
from trickenv.state import DEAL, OVER, sides

_ROW = np.zeros(1, np.int64)


class IllegalAction(ValueError):  # noqa: N818 - reads as what it is
    """An action that the rules refuse; the message names the rule. Nothing has changed."""


class Table:
    """A match of one game, from the first pack to its end.

    name: the game. preset and options: as for `Game.rules`. seed: of the packs and the first dealer. decks: packs to
    deal instead of shuffled ones, as lists of card texts, top card first. first_dealer: a seat instead of a drawn one.
    max_deals: scored deals after which play stops. scores: as for `engine.episode`.
    """

    def __init__(
        self,
        name: str,
        preset: str | None = None,
        *,
        seed: int = 0,
        decks: Sequence[Sequence[str]] | None = None,
        first_dealer: int | None = None,
        max_deals: int | None = None,
        scores: str | list[int] = "zero",
        **options: Any,
    ) -> None:
        self.game: Game = game(name)
        self.preset = preset or next(iter(self.game.module.PRESETS))
        self.rules = self.game.rules(preset, **options)
        self.max_deals = max_deals
        self.history: list[tuple[int, int]] = []
        self.packs: list[list[str]] = []
        self.deals: list[dict[str, Any]] = []
        self.marks: list[int] = []  # len(history) when each pack was dealt
        self._decks = None if decks is None else [self._deck(d) for d in decks]
        self._episode = episode(
            self.game, self.rules, max_deals=max_deals, first_dealer=first_dealer, scores=scores, by_hand=True
        )
        self._deck_space = np.zeros(DECK_SPACE, np.int64)
        self._rewards = np.zeros((1, self.game.max_seats), np.float32)
        self._status = np.zeros(1, np.int64)
        blanks = blank_tables(self.game, self.rules, scores)
        self.states = blanks.copy()
        batch.seed_rows(self.states, checked_seed(seed))
        batch.reset_rows(self.states, _ROW, blanks, self._episode, self._deck_space)
        self.first_dealer = int(self.state.dealer)
        self._deal()

    def _deck(self, deck: Sequence[str]) -> list[int]:
        """Card ids of a given pack. Raises ValueError if it is not the pack of these rules."""
        space = np.zeros(DECK_SPACE, np.int64)
        n = int(self.game.module.pack(self.game.blank(self.rules)[0], space))
        cards = [self.game.module.DECK.card(text) for text in deck]
        if sorted(cards) != sorted(space[:n].tolist()):
            names = self.game.module.DECK.names
            wrong = sorted(set(cards) ^ set(space[:n].tolist()))
            detail = f"check {' '.join(names[c] for c in wrong)}" if wrong else "a card is there twice"
            raise ValueError(f"a given pack must hold each of the {n} cards once, not {len(cards)} cards ({detail})")
        return cards

    def _deal(self) -> None:
        """Deal, again after void deals, unless the match stands at an end."""
        while self.state.phase == DEAL and not self.over:
            given = 0
            if self._decks is not None:
                if int(self.state.packs) == len(self._decks):
                    raise ValueError(f"only {len(self._decks)} packs were given, and the match needs another")
                deck = self._decks[int(self.state.packs)]
                given = len(deck)
                self._deck_space[:given] = deck
            n = batch.deal_row(self.states, 0, self._deck_space, given)
            self.packs.append([self.game.module.DECK.names[card] for card in self._deck_space[:n]])
            self.marks.append(len(self.history))

    @property
    def state(self) -> Any:
        """The full state, hidden cards included."""
        return self.states[0]

    @property
    def turn(self) -> int:
        """Seat to act, -1 when the match is over."""
        return int(self.state.turn)

    @property
    def over(self) -> bool:
        """Whether the match has ended or reached max_deals."""
        return self.state.phase == OVER or (self.max_deals is not None and len(self.deals) >= self.max_deals)

    @property
    def winners(self) -> list[int] | None:
        """Seats that won the match, None before its end."""
        won = [q for q in range(self.seats) if int(self.state.winners) >> q & 1]
        return won or None

    @property
    def seats(self) -> int:
        """Number of seats."""
        return int(self.state.rules.seats)

    @property
    def scores(self) -> list[int]:
        """Score of the match by side."""
        return self.state.scores[: sides(self.state)].tolist()

    def legal_actions(self) -> list[int]:
        """Numbers of the legal actions of the seat on turn; empty when the match is over."""
        if self.over:
            return []
        mask = np.zeros(self.game.num_actions, np.int8)
        self.game.module.legal(self.state, mask)
        return np.flatnonzero(mask).tolist()

    def legal(self) -> list[str]:
        """Texts of the legal actions of the seat on turn, sorted; empty when the match is over."""
        return sorted(self.game.action_names[a] for a in self.legal_actions())

    def play(self, text: str) -> None:
        """Carry out an action given as text. Raises ValueError for no such action, IllegalAction with the rule."""
        self.step(self.game.parse_action(text))

    def step(self, action: int) -> None:
        """Carry out an action of the seat on turn. Raises IllegalAction with the rule; nothing has changed then."""
        if action not in self.legal_actions():
            raise IllegalAction(explain(self.game, self.state, action))
        dealer, deals = int(self.state.dealer), int(self.state.deals)
        self.history.append((self.turn, int(action)))
        actions = np.array([action], np.int64)
        batch.step_rows(self.states, _ROW, actions, self._episode, self._deck_space, self._rewards, self._status)
        if self.state.deals > deals:
            self.deals.append(self._deal_report(dealer))
        self._deal()

    def _deal_report(self, dealer: int) -> dict[str, Any]:
        delta = self.state.delta[: sides(self.state)].tolist()
        return {"steps": len(self.history), "dealer": dealer, "delta": delta, "scores": self.scores}

    def view(self, seat: int | None = None) -> View:
        """What a seat (by default the one on turn) may know."""
        seat = self.turn if seat is None else seat
        if not 0 <= seat < self.seats:
            raise ValueError(f"no seat {seat}: the seats are 0 to {self.seats - 1}")
        view = Views.space(self.game, 1).look(self.states, _ROW, np.array([seat]))[0]
        start = self.marks[-1] if self.marks else 0
        history = seen_history(self.game, self.state, self.history, start, seat)
        return View(view.game, seat, view.states, view.observation, view.mask, history)

    def copy(self) -> Table:
        """An independent table at the same point."""
        return copy.deepcopy(self)

    def __str__(self) -> str:
        from trickenv.render.text import draw  # drawing is not needed to play

        return draw(self.game, self.states)

    def sheet(self) -> str:
        """The score sheet of the match so far, a line for each scored deal."""
        from trickenv.render.text import draw_sheet

        return draw_sheet(self.state, self.deals)


def explain(game: Game, state: Any, action: int) -> str:
    """Sentence on why an action is refused to the seat on turn."""
    if not 0 <= action < game.num_actions:
        return f"no action {action}: {game.name} has actions 0 to {game.num_actions - 1}"
    who = (
        f"seat {int(state.turn)} may not {game.action_names[action]}" if state.turn >= 0 else game.action_names[action]
    )
    return f"{who}: {game.module.refusal(state, action)}"


def seen_history(
    game: Game, state: Any, history: list[tuple[int, int]], start: int, viewer: int
) -> list[tuple[int, str | None]]:
    """Decisions as a viewer knows them now; those of the current deal begin at `start`, earlier ones are open."""
    seen: list[tuple[int, str | None]] = []
    for i, (seat, action) in enumerate(history):
        hidden = i >= start and game.module.concealed(state, seat, action, viewer)
        seen.append((seat, None if hidden else game.action_names[action]))
    return seen
