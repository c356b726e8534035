"""Any text: lines nested by indentation, and parted by brackets, commas and semicolons."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.texts.tree import Tree
from wynot.formats.cuts import CLOSES_BLOCK
from wynot.formats.parsers.nesting import (
    NEWLINE,
    STRING,
    STRING_CLOSES,
    STRING_GOES_ON,
    STRING_OPENS,
    BracketGroups,
    Token,
    Work,
    peeled,
    text_tokens,
    unpaired,
    word_pairs,
)

_STRING_OR_BRACKET = re.compile(STRING + rb"|[()\[\]{}]", re.VERBOSE)
"""What of the tokens of a text matters to brackets; each begins with a character of its own: so the
many others are skipped quickly."""
TAB_COLUMNS = 8


def flaws(content: bytes) -> int:
    """Return how many brackets of a text have no partner: nothing else can be wrong."""
    return unpaired(loose(content))


def loose(content: bytes) -> bytes:
    """Return the brackets of a text but for pairs: nothing else of it matters to what is around it.

    No string goes on in the next line, so that holds of any lines of a text.
    """
    return peeled(b"".join(each for each in _STRING_OR_BRACKET.findall(content) if len(each) == 1))


def parse(content: bytes) -> Tree:
    """Return the tree of a text of which nothing is known."""
    return _Text(content, text_tokens(content)).parse()


class _Line(NamedTuple):
    """Tokens first … last-1, up to a line end that is in no bracket."""

    first: int
    last: int
    indent: int
    closes: bool
    """Whether it looks like the end, or the going on, of the block above it."""


class _Text(BracketGroups):
    def __init__(self, content: bytes, found: Sequence[Token]) -> None:
        super().__init__("text", content, found)
        self.pairs.update(_strings(found))
        keywords = word_pairs(content, found, self.pairs, frozenset(self.pairs.values()))
        self._opening = keywords.closed.keys()
        self._keyword_tokens = {*keywords.closed, *keywords.closed.values(), *keywords.parting}
        self._parting = keywords.parting | {
            number for number, token in enumerate(found) if token.kind == STRING_GOES_ON
        }
        self.pairs.update(keywords.closed)

    def leaf(self, number: int, parent: int) -> None:
        """Add a token to the tree; words that are like brackets are marks."""
        if number in self._keyword_tokens:
            token = self.tokens[number]
            name = self.text(number).lower().decode()
            self.tree.leaf(name, token.start, token.stop, parent, named=False)
        else:
            super().leaf(number, parent)

    def group(self, at: int, parent: int) -> None:
        """Add a bracket, a string with values or words like brackets, and what is in it."""
        is_string = self.tokens[at].kind == STRING_OPENS
        inside = self._parts if is_string or at in self._opening else self._inside
        self.bracket(at, parent, "string" if is_string else "group", inside)

    def _parts(self, first: int, last: int, parent: int) -> None:
        """Add what words, or the letters of a string, are between."""
        parting = [at for at in self.top(first, last) if at in self._parting]
        work: list[Work] = []
        for at in parting:
            work += self.part("element", first, at, parent, self._content)
            work.append(partial(self.leaf, at, parent))
            first = at + 1
        work += self.part("element", first, last, parent, self._content)
        self.then(*work)

    def parse(self) -> Tree:
        lines = list(self._lines())
        work: list[Work] = []
        self._blocks: list[tuple[int, int]] = []
        """The blocks that are open: how far each is indented, and its node."""
        for number, line in enumerate(lines):
            deeper = number + 1 < len(lines) and lines[number + 1].indent > line.indent
            work.append(partial(self._line, line, deeper=deeper))
        work.append(partial(self._leave, -1))
        return self.grow(*work)

    def _lines(self) -> Iterator[_Line]:
        begin = 0
        count = len(self.tokens)
        for at in [*self.top(0, count), count]:
            if at == count or self.tokens[at].kind == NEWLINE:
                first, last = self.trim(begin, at)
                begin = at + 1
                if first < last:
                    start = self.tokens[first].start
                    yield _Line(
                        first,
                        last,
                        self._indent(start),
                        closes=CLOSES_BLOCK.match(self.content, start) is not None,
                    )

    def _indent(self, start: int) -> int:
        """Return how far a line is indented whose first token starts here."""
        blanks = self.content[self.content.rfind(b"\n", 0, start) + 1 : start]
        return len(blanks.expandtabs(TAB_COLUMNS))

    def _line(self, line: _Line, *, deeper: bool) -> None:
        """Add a line, after ending the blocks that it is not in, and before one that it begins."""
        self._leave(line.indent)
        if self._blocks and self._blocks[-1][0] == line.indent and not line.closes:
            self._end_block()
        if deeper and not (self._blocks and self._blocks[-1][0] == line.indent):
            parent = self._blocks[-1][1] if self._blocks else 0
            self._blocks.append((line.indent, self.wrap("block", line.first, parent)))
        parent = self._blocks[-1][1] if self._blocks else 0
        self.then(*self.part("line", line.first, line.last, parent, self._content))

    def _content(self, first: int, last: int, parent: int) -> None:
        """Add what is in a line, or in a part: its statements, or the elements of the only one."""
        ends = [at for at in self.top(first, last) if self.text(at) == b";"]
        if ends and ends != [last - 1]:
            self.statements(first, last, parent)
        else:
            self.elements(first, last, parent)

    def _leave(self, indent: int) -> None:
        """End the blocks that are indented more than this."""
        while self._blocks and self._blocks[-1][0] > indent:
            self._end_block()

    def _end_block(self) -> None:
        _, node = self._blocks.pop()
        self.tree.close(node, self.tree.stops[-1])


def _strings(found: Sequence[Token]) -> dict[int, int]:
    """Return where strings with values in them are closed."""
    closed: dict[int, int] = {}
    waiting: list[int] = []
    for number, token in enumerate(found):
        if token.kind == STRING_OPENS:
            waiting.append(number)
        elif token.kind == STRING_CLOSES:
            closed[waiting.pop()] = number
    return closed
