"""What an answer, a report or a page says, as a list of blocks.

Their texts are as they were met: each rendering makes them harmless for its own reader.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias


class StyledText(NamedTuple):
    """A piece of text in one style: a colour, ``code``, ``mark``, or ``path`` (never wrapped)."""

    style: str
    text: str


class Hyperlink(NamedTuple):
    """A text that leads to a part of the same page, ``#key``, or to a file beside it."""

    text: str
    target: str


class Bar(NamedTuple):
    """A share from 0 to 1, drawn; where nothing can be drawn it is left out."""

    share: float


Inline: TypeAlias = str | StyledText | Hyperlink
Text: TypeAlias = str | Sequence[Inline]
"""A text in one piece, or in several."""
Cell: TypeAlias = Text | float | Bar


class Paragraph(NamedTuple):
    """A paragraph of the usual kind, or one that stands out more or less."""

    text: Text
    kind: Literal["", "heading", "lead", "note"] = ""


class Items(NamedTuple):
    """Sentences one below the other."""

    items: Sequence[Text]


class Facts(NamedTuple):
    """Names of facts, and the facts."""

    rows: Sequence[tuple[str, Text]]


class CodeBlock(NamedTuple):
    """Lines as they are, such as code or what a program prints."""

    text: Text
    name: str = ""
    language: str = ""
    kind: Literal["result", "diff"] | None = None
    """What it looks like on a page."""
    most_lines: int | None = None
    """With it, a terminal folds long lines, and shows at most so many."""


class Difference(NamedTuple):
    """The two sides of a file."""

    name: str
    passing: bytes
    failing: bytes


class TextTable(NamedTuple):
    """Rows of cells; a terminal has room for the first two columns only."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    group: Sequence[str] = ()
    """With it, a terminal shows the first cells only, grouped by this text of each row."""


class Fold(NamedTuple):
    """Blocks that a page shows when somebody asks for them."""

    title: str
    blocks: "Sequence[Block]"


Block: TypeAlias = Paragraph | Items | Facts | CodeBlock | Difference | TextTable | Fold


def code(text: str) -> StyledText:
    """Return a piece of code inside a sentence."""
    return StyledText("code", text)


def pieces(text: Text) -> Sequence[Inline]:
    """Return the pieces of a text."""
    return [text] if isinstance(text, str) else text


def plain(piece: Inline) -> str:
    """Return the text of a piece."""
    return piece if isinstance(piece, str) else piece.text
