"""A person can follow the table: phases, hands, trick, signals and score; hidden hands stay hidden."""

from __future__ import annotations

import numpy as np
import pytest
from common import every_preset

from trickenv import trionfo_v0
from trickenv.engine.table import Table
from trickenv.render.text import draw


def test_a_table_shows_what_lies_on_it() -> None:
    table = Table("trionfo", "imola_four", seed=3)
    chooser = table.turn
    table.play("trump B")
    while table.game.module.Phase(table.state.phase).name == "cricca":
        table.play("pass")
    table.play("busso")
    card = table.legal()[0]
    table.play(card)
    text = str(table)
    assert f"trumps bastoni, chosen by seat {chooser}, signal busso" in text
    assert f"on the table: seat {chooser} {card.removeprefix('play ')}" in text
    assert f"> seat {(chooser + 1) % 4}" in text
    assert "deal 1, trick 1" in text
    assert text.count("seats 0+2") == 1


def test_other_hands_stay_hidden() -> None:
    table = Table("trionfo", seed=3)
    deck = table.game.module.DECK
    text = draw(table.game, table.states, seat=1)
    own = deck.text(int(table.states["hands"][0, 1]))
    assert own in text
    for seat in (0, 2, 3):
        hidden = set(deck.text(int(table.states["hands"][0, seat])).split()) - {"D4"}
        assert not hidden & set(text.replace(own, "").split())
    assert "10 cards" in text


def test_render_modes(capsys: pytest.CaptureFixture) -> None:
    ansi, human, silent = (trionfo_v0.raw_env(render_mode=mode) for mode in ("ansi", "human", None))
    for env in (ansi, human, silent):
        env.reset(seed=1)
    text = ansi.render()
    assert isinstance(text, str)
    assert human.render() is None
    assert capsys.readouterr().out == text + "\n"
    assert silent.render() is None


@every_preset
def test_every_phase_can_be_drawn(name: str, preset: str) -> None:
    """Two random deals, drawn openly and through each seat's eyes before every decision; the end names the winners."""
    table = Table(name, preset, seed=6, max_deals=2)
    luck = np.random.default_rng(6)
    while not table.over:
        assert f"> seat {table.turn}" in str(table)
        for seat in range(table.seats):
            assert max(len(line) for line in draw(table.game, table.states, seat).splitlines()) < 160
        table.step(int(luck.choice(table.legal_actions())))
    assert "change of score" in str(table)
    sheet = table.sheet().splitlines()
    assert len(sheet) == 1 + len(table.deals)
    assert sheet[-1].split()[-1] == str(table.scores[-1])


def test_cards_have_their_regional_names() -> None:
    table = Table("trionfo", seed=3)
    assert "C coppe, B bastoni, S spade, D denari, 1 asso, 8 fante, 9 cavallo, 10 re" in str(table)
    assert table.game.module.DECK.long_name(table.game.module.DECK.card("S9")) == "cavallo spade"
