"""Cards as small integers, sets of cards as int64 bit masks, and their text.

A card id is `suit * ranks + strength`: inside a suit the greater id is the stronger card, in every game. Sets are
changed through the helpers below only; they work compiled and as plain Python (where numpy would shift a 16-bit
field as 16 bits).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from trickenv.jit import instruction, jit

NO_CARD = -1  # "no card here"
FACE_DOWN = -2  # "a card lies here, its face unknown to the viewer"


@jit
def bit(card):
    """The set that holds just this card."""
    return np.int64(1) << np.int64(card)


@jit
def has(cards, card):
    """Whether the card is in the set."""
    return (np.int64(cards) >> np.int64(card)) & 1 == 1


@jit
def adding(cards, card):
    """The set with the card in it."""
    return np.int64(cards) | bit(card)


@jit
def without(cards, card):
    """The set with the card taken out."""
    return np.int64(cards) & ~bit(card)


@jit
def count(cards):
    """Number of cards in the set."""
    return ones(np.int64(cards))


@jit
def lowest(cards):
    """Smallest card id of a set that is not empty."""
    return zeros_below(np.int64(cards))


@jit
def highest(cards):
    """Greatest card id of a set that is not empty."""
    return 63 - zeros_above(np.int64(cards))


@jit
def suit_cards(suit, ranks):
    """All cards of a suit, with `ranks` cards a suit."""
    return ((np.int64(1) << np.int64(ranks)) - 1) << np.int64(suit * ranks)


_WORD = (1 << 64) - 1  # an int64 as Python's own integer without a sign


@instruction("ctpop")
def ones(x):
    """Bits set in an int64."""
    return np.int64((int(x) & _WORD).bit_count())


@instruction("cttz", False)
def zeros_below(x):
    """Zeros below the lowest bit of an int64; 64 for 0."""
    return np.int64(((int(x) & -int(x) & _WORD) - 1 & _WORD).bit_count())


@instruction("ctlz", False)
def zeros_above(x):
    """Zeros above the highest bit of an int64; 64 for 0."""
    return np.int64(64 - (int(x) & _WORD).bit_length())


class Deck:
    """The cards of one game: suits and ranks, and the text of each card.

    suits: a letter and a name for each suit, in id order. ranks: text of each rank, weakest first. rank_names: names
    that people of the region give to some ranks.
    """

    def __init__(
        self, suits: Sequence[tuple[str, str]], ranks: Sequence[str], rank_names: Mapping[str, str] | None = None
    ) -> None:
        self.letters = "".join(letter for letter, _ in suits)
        self.suit_names = [name for _, name in suits]
        self.ranks = list(ranks)
        self.rank_names = dict(rank_names or {})
        self.names = [letter + rank for letter in self.letters for rank in ranks]
        self.size = len(self.names)
        self._ids = {name: card for card, name in enumerate(self.names)}

    def card(self, text: str) -> int:
        """Card id of a text such as `C10`. Raises ValueError with the valid form."""
        try:
            return self._ids[text]
        except KeyError:
            form = f"a suit of {', '.join(self.letters)} and a rank of {', '.join(self.ranks)}"
            raise ValueError(f"no card {text!r}: a card is {form}, such as {self.names[0]}") from None

    def cards(self, text: str | Iterable[str]) -> int:
        """Set of the cards named in a text (separated by blanks) or a list of texts."""
        names = text.split() if isinstance(text, str) else text
        return sum({1 << self.card(name) for name in names})

    def name(self, card: int) -> str:
        """Text of a card id; `??` for a card that lies face down."""
        return "??" if card == FACE_DOWN else self.names[card]

    def long_name(self, card: int) -> str:
        """Name of a card as people say it, such as `fante coppe`."""
        if card == FACE_DOWN:
            return "a card face down"
        suit, rank = divmod(card, len(self.ranks))
        return f"{self.rank_names.get(self.ranks[rank], self.ranks[rank])} {self.suit_names[suit]}"

    def legend(self) -> str:
        """What letters and ranks stand for."""
        suits = [f"{letter} {name}" for letter, name in zip(self.letters, self.suit_names, strict=True)]
        return ", ".join([*suits, *(f"{rank} {name}" for rank, name in self.rank_names.items())])

    def list(self, cards: int) -> list[int]:
        """Card ids of a set, ascending."""
        return [card for card in range(self.size) if int(cards) >> card & 1]

    def text(self, cards: int) -> str:
        """Cards of a set as text, strongest of each suit first; `-` for none."""
        suits = range(len(self.letters))
        order = [s * len(self.ranks) + r for s in suits for r in reversed(range(len(self.ranks)))]
        return " ".join(self.names[card] for card in order if int(cards) >> card & 1) or "-"

    def suit(self, text: str) -> int:
        """Suit number of a letter. Raises ValueError with the valid letters."""
        if len(text) == 1 and text in self.letters:
            return self.letters.index(text)
        raise ValueError(f"no suit {text!r}: the suits are {', '.join(self.letters)}")
