"""Options: conversion, sentences, and the record that compiled code reads."""

from __future__ import annotations

import pytest

from trickenv.engine.spec import game
from trickenv.games.trionfo import Rules, Signals


def test_texts_and_members_are_the_same() -> None:
    assert Rules(signals="truthful") == Rules(signals=Signals.truthful)  # type: ignore[arg-type]
    assert Rules(signals="truthful").record()["signals"] == 2  # type: ignore[arg-type]


def test_defaults_that_depend_on_others() -> None:
    assert game("trionfo").rules("imola_five").plain()["cricca_scope"] == "none"
    assert game("trionfo").rules("imola_five", cricca_scope="any_suit").plain()["cricca_scope"] == "any_suit"


def test_changed_lists_what_differs_from_the_game() -> None:
    assert game("trionfo").rules("imola_five", target=31).changed() == {
        "seats": 5,
        "mode5": "imola_call",
        "target": 31,
    }


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": 0}, "option target must be 1 or more, not 0"),
        ({"target": 41.0}, "option target must be a whole number, not 41.0"),
        ({"seats": 6}, "option seats must be one of 3, 4, 5, not 6"),
        ({"seats": True}, "option seats must be one of 3, 4, 5, not True"),
        ({"last_trick": "yes"}, "option last_trick must be true or false, not 'yes'"),
        ({"signals": 2}, "option signals must be one of off, free, truthful, not 2"),
    ],
)
def test_wrong_values_get_a_sentence(options: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        game("trionfo").rules("four", **options)
