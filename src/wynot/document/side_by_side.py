"""Two texts beside each other: only where they differ, with a few lines around it.

What is shown is not ours: every control character is written as an escape, so that it can be seen
and does no harm. What is no text is shown in hexadecimal.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from wynot.core.files import is_text
from wynot.core.foreign_text import for_terminal
from wynot.core.options.quantities import counted
from wynot.core.texts.difference import Change, Effort, changes
from wynot.document.blocks import StyledText
from wynot.document.text_width import LINE_COLUMNS, cells, cut

CONTEXT_LINES = 2
LEAST_COLUMNS = 40
"""Columns below which it would not be readable, and is wider than what was asked for."""
MAX_ROWS = 200
"""Rows that are shown; whoever wants all of them has the patch."""
MAX_EFFORT = 10_000_000
"""What all comparisons may cost; what cannot be afforded is compared from both of its ends only."""
MOST_VIEWS = 8
"""Rows that one long line takes."""
PER_ROW = 8
"""Bytes in a row of hexadecimal."""
COMMON, PASSING, FAILING, ASIDE, TITLE = "", "green", "yellow", "dim", "bold"
"""Styles, as an outlet has them; the first is none."""
_TAB = "    "
_BETWEEN = " | "


StyledLine: TypeAlias = list[StyledText]


class _Row(NamedTuple):
    """A line of one side: its number, and the characters or bytes that it is made of."""

    number: str
    atoms: Sequence[str]


class _Pair(NamedTuple):
    """What stands beside each other; None: there is no such line on this side."""

    left: _Row | None
    right: _Row | None
    differs: bool


def side_by_side(
    passing: bytes, failing: bytes, name: str, width: int = LINE_COLUMNS, *, coloured: bool = True
) -> list[StyledLine]:
    """Return the lines to show; without colours, marks below tell what differs."""
    width = max(LEAST_COLUMNS, width)
    effort = Effort(MAX_EFFORT)
    pairs = list(_pairs(passing, failing, effort))
    shown = _near(pairs)
    numbers = [row.number for at in shown for row in pairs[at][:2] if row]
    digits = max(map(len, numbers), default=1)
    table = _Table(width, digits, effort, coloured=coloured)
    lines = [[StyledText(TITLE, cut(for_terminal(name), width))], table.heads("passing", "failing")]
    if not shown:
        return [*lines, [StyledText(ASIDE, "no difference")]]
    last = -1
    for place, at in enumerate(shown):
        if place == MAX_ROWS:
            lines.append([StyledText(ASIDE, f"… {counted(len(shown) - MAX_ROWS, 'more row')}")])
            break
        if at > last + 1:
            lines.append([StyledText(ASIDE, "…")])
        lines += table.rows(pairs[at])
        last = at
    return lines


def _near(pairs: Sequence[_Pair]) -> list[int]:
    """Return the places of the pairs that differ, and of those around them."""
    found: list[int] = []
    for at, pair in enumerate(pairs):
        if pair.differs:
            first = max(found[-1] + 1 if found else 0, at - CONTEXT_LINES)
            found += range(first, min(len(pairs), at + CONTEXT_LINES + 1))
    return found


def _pairs(passing: bytes, failing: bytes, effort: Effort) -> Iterator[_Pair]:
    """Put the lines of both sides beside each other."""
    if not (is_text(passing) and is_text(failing)):
        left, right, blocks = _hexadecimal(passing, failing, effort)
    else:
        lines = _lines(passing), _lines(failing)
        left, right = ([_Row(str(at + 1), line) for at, line in enumerate(side)] for side in lines)
        blocks = changes(*lines, effort)
    here = there = 0
    for start, stop, begin, end in (*blocks, (len(left), len(left), len(right), len(right))):
        for one, other in zip(left[here:start], right[there:begin], strict=True):
            yield _Pair(one, other, differs=False)
        for at in range(max(stop - start, end - begin)):
            one_row = left[start + at] if start + at < stop else None
            other_row = right[begin + at] if begin + at < end else None
            yield _Pair(one_row, other_row, differs=True)
        here, there = stop, end


def _lines(content: bytes) -> list[str]:
    *lines, last = content.decode("utf-8", "surrogateescape").split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _hexadecimal(
    passing: bytes, failing: bytes, effort: Effort
) -> tuple[list[_Row], list[_Row], list[Change]]:
    """Cut bytes into rows that begin anew where the sides part, and where they meet again."""
    left: list[_Row] = []
    right: list[_Row] = []
    blocks: list[Change] = []
    here = there = 0
    ends = len(passing), len(passing), len(failing), len(failing)
    for start, stop, begin, end in (*changes(passing, failing, effort), ends):
        left += _dump(passing, here, start)
        right += _dump(failing, there, begin)
        before = len(left), len(right)
        left += _dump(passing, start, stop)
        right += _dump(failing, begin, end)
        blocks.append(Change(before[0], len(left), before[1], len(right)))
        here, there = stop, end
    return left, right, blocks


def _dump(content: bytes, start: int, stop: int) -> Iterator[_Row]:
    for at in range(start, stop, PER_ROW):
        row = content[at : min(stop, at + PER_ROW)]
        yield _Row(f"{at:x}", [f"{byte:02x} " for byte in row])


class _Table:
    """Two columns, each with a number before its text."""

    def __init__(self, width: int, digits: int, effort: Effort, *, coloured: bool) -> None:
        self._effort = effort
        self._digits = digits
        self._room = (width - len(_BETWEEN)) // 2 - digits - 1
        self._coloured = coloured

    def heads(self, left: str, right: str) -> StyledLine:
        """Return what stands above the columns."""
        room = self._room + self._digits + 1
        return [StyledText(ASIDE, cut(left, room).ljust(room) + _BETWEEN + cut(right, room))]

    def rows(self, pair: _Pair) -> Iterator[StyledLine]:
        """Return a pair of lines, and what marks the difference below it if colours do not.

        Of a long line only that is shown which is around a difference, in as many rows as it needs.
        """
        left, right = _atoms(pair.left, pair.right), _atoms(pair.right, pair.left)
        blocks = changes(left, right, self._effort) if pair.differs else []
        ones = [(start, stop) for start, stop, _, _ in blocks]
        others = [(begin, end) for _, _, begin, end in blocks]
        numbers = [row.number if row else "" for row in pair[:2]]
        for here, there in islice(self._views(left, right, blocks), MOST_VIEWS):
            one = _fitted(left, ones, PASSING, here, self._room)
            other = _fitted(right, others, FAILING, there, self._room)
            yield self._line(numbers, one, other)
            marks = _marks(one).ljust(self._room + len(_BETWEEN) + self._digits + 1) + _marks(other)
            if marks.strip() and not self._coloured:
                yield [StyledText(COMMON, " " * (self._digits + 1) + marks.rstrip())]
            numbers = ["", ""]

    def _line(self, numbers: Sequence[str], one: StyledLine, other: StyledLine) -> StyledLine:
        first, second = (StyledText(ASIDE, f"{number:>{self._digits}} ") for number in numbers)
        fill = StyledText(COMMON, " " * (self._room - _columns(one)))
        line = [first, *one, fill, StyledText(ASIDE, _BETWEEN), second, *other]
        return [span for span in line if span.text]

    def _views(
        self, left: Sequence[str], right: Sequence[str], blocks: Sequence[Change]
    ) -> Iterator[tuple[int, int]]:
        """Return from where on both lines are shown, for each row."""
        if not blocks or (self._fits(left) and self._fits(right)):
            yield 0, 0
            return
        here = there = reached = 0
        for place, (start, stop, begin, _) in enumerate(blocks):
            is_seen = self._fits(left[here:start]) and self._fits(right[there:begin])
            if not place or not is_seen:
                back = _back(left, start, reached, self._room // 3)
                here, there = start - back, begin - back
                yield here, there
            reached = stop

    def _fits(self, atoms: Sequence[str]) -> bool:
        return len(atoms) <= self._room and _columns([_span(COMMON, atoms)]) < self._room


def _atoms(row: _Row | None, other: _Row | None) -> Sequence[str]:
    """Return what a line is made of; that it ends need not be said if it stands alone."""
    if row is None:
        return ""
    is_plain = other is None and len(row.atoms) > 1 and row.atoms[-1] == "\n"
    return row.atoms[:-1] if is_plain else row.atoms


def _back(atoms: Sequence[str], start: int, least: int, room: int) -> int:
    """Return how many atoms before a place are shown: as many as fit, and none that differ."""
    at = start
    while at > least and room > 0:
        at -= 1
        room -= cells(_span(COMMON, atoms[at]).text)
    return start - at


def _fitted(
    atoms: Sequence[str], changes: Sequence[tuple[int, int]], style: str, first: int, room: int
) -> StyledLine:
    """Return a line from some atom on, in the room there is."""
    end = first + 4 * room  # no need to look at all of a line of megabytes
    found: StyledLine = [StyledText(ASIDE, "…")] if first else []
    reached = first
    for start, stop in (*changes, (end, end)):
        if stop >= first:
            found.append(_span(COMMON, atoms[reached : min(start, end)]))
            found.append(_span(style, atoms[max(start, first) : min(stop, end)]))
            reached = stop
    return _cut(found, room)


def _cut(spans: StyledLine, room: int) -> StyledLine:
    """Return spans, or as many of their characters as fit into so many columns."""
    if _columns(spans) <= room:
        return [span for span in spans if span.text]
    found: StyledLine = []
    left = room - 1
    for style, text in spans:
        fitting = len(text)
        while cells(text[:fitting]) > left:
            fitting -= 1
        found.append(StyledText(style, text[:fitting]))
        left -= cells(text[:fitting])
        if fitting < len(text):
            break
    return [span for span in (*found, StyledText(ASIDE, "…")) if span.text]


def _span(style: str, atoms: Sequence[str]) -> StyledText:
    """Return harmless text; where it differs, white space can be seen as well."""
    text = "".join(atoms)
    if not style:
        return StyledText(style, for_terminal(text.removesuffix("\n").replace("\t", _TAB)))
    return StyledText(style, for_terminal(text.replace(" ", "·") if text.isspace() else text))


def _columns(spans: StyledLine) -> int:
    return sum(cells(span.text) for span in spans)


def _marks(spans: StyledLine) -> str:
    return "".join(" ^"[span.style in (PASSING, FAILING)] * cells(span.text) for span in spans)
