"""The values of a pickle, as they are written in a text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from wynot.formats.containers.symbolic.float_texts import float_text
from wynot.formats.containers.symbolic.symbolic_lists import quoted_bytes

CONSTANT_HEADS = frozenset({"global", "bytes", "str"})
_LARGE_NUMBER = 1 << 64


@dataclass(slots=True)
class PickledValue:
    """A value: a word, or a list that begins with what it is."""

    word: str = ""
    """If it has nothing inside."""
    head: str = ""
    inside: list["PickledValue"] = field(default_factory=list)
    literal: str | None = None
    """The text that it is, if it is one."""
    name: str = ""
    """By which others mention it, if it is no constant."""

    @property
    def is_constant(self) -> bool:
        """Whether it does not matter if two of them are the same one."""
        return bool(self.word) or self.head in CONSTANT_HEADS

    @property
    def size(self) -> int:
        """How long it is in a text, if it is a constant."""
        inside = sum(len(each.word) + 1 for each in self.inside)
        return len(self.word) + len(self.head) + inside + 3


ValuePiece: TypeAlias = "str | PickledValue"


def number_word(number: int) -> str:
    """Return a whole number; a large one in a form that takes no time to read."""
    return str(number) if -_LARGE_NUMBER < number < _LARGE_NUMBER else hex(number)


def float_word(content: bytes) -> str:
    """Return a floating-point number that is packed with its last byte first."""
    text = float_text(content, "d")
    return text if any(sign in text for sign in ".en") else f"{text}.0"


def text_value(text: str) -> PickledValue:
    """Return a text."""
    word = quoted_bytes(text.encode("utf-8", "surrogatepass"))
    return PickledValue(word, literal=text)


def written_values(values: Iterable[PickledValue]) -> Iterator[str]:
    """Return values as a text, in pieces; however deep they are."""
    waiting: list[ValuePiece] = [*reversed([*values])]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            yield piece
        elif piece.word:
            yield f" {piece.word}"
        else:
            yield f"\n({piece.head}" + (f" ={piece.name}" if piece.name else "")
            waiting += (")", *reversed(piece.inside))
