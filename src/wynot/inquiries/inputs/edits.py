"""A text of one side, where it can be cut, and what was taken out of it and put in.

Lines are aligned first; tokens only inside of lines that changed, and characters only inside of
tokens that did. So a large text with a small difference costs little more than its lines.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from wynot.core.files import is_text
from wynot.core.texts.difference import Change, Effort, changes
from wynot.core.texts.parts import Parts
from wynot.core.texts.tree import Tree
from wynot.formats.cuts import characters, lines, octets, tokens
from wynot.formats.language import Language
from wynot.formats.language_table import BRACKETS
from wynot.formats.source import parsable_as, tree_up_to

MAX_PARSED_BYTES = 384 << 10
"""Bytes of a text up to which it is parsed: a grammar takes a second for that."""
_BLANKS = b" \t"


class InputSource:
    """One file. What is costly to know of it is found out when it is first asked for."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.content = content

    @cached_property
    def language(self) -> Language | None:
        """What it is written in; None: it is no text."""
        return parsable_as(self.path, self.content)[0]

    @property
    def is_known(self) -> bool:
        """Tell whether there is more known of its language than brackets and lines."""
        return self.language not in (None, BRACKETS)

    @cached_property
    def tree(self) -> Tree | None:
        """Its tree; a large text has none."""
        return tree_up_to(self.language, self.content, MAX_PARSED_BYTES) if self.language else None

    @cached_property
    def lines(self) -> Sequence[int]:
        """The boundaries of all lines, from the start of the text to its end."""
        return _bounds(lines(self.content), 0)

    def tokens(self, start: int, stop: int) -> Sequence[int]:
        """Return the boundaries of the tokens from start to stop, both of them included."""
        if start == stop or self._tokens is None:
            return _bounds(tokens(self.content[start:stop]), start)
        low, high = bisect_right(self._tokens, start), bisect_left(self._tokens, stop)
        return [start, *self._tokens[low:high], stop]

    def characters(self, start: int, stop: int) -> Sequence[int]:
        """Return the boundaries of the characters; where it is no text, of the bytes."""
        cut = characters if is_text(self.content) else octets
        return _bounds(cut(self.content[start:stop]), start)

    @cached_property
    def _tokens(self) -> "array[int] | None":
        """The boundaries of tokens as the grammar has them.

        As with tokens of no language, the blanks after a token are part of it, and those that begin
        a line are not.
        """
        if not self.is_known or len(self.content) > MAX_PARSED_BYTES or self.tree is None:
            return None
        found, content, cursor = array("q", [0]), self.content, 0
        starts, stops = self.tree.starts, self.tree.stops
        for start, stop in [
            *((starts[n], stops[n]) for n in self.tree.tokens),
            (len(content),) * 2,
        ]:
            if cursor < start:
                gap = content[cursor:start]
                blanks = len(gap) - len(gap.lstrip(_BLANKS)) if cursor else 0
                found.extend(_bounds(tokens(gap[blanks:]), cursor + blanks))
            found.append(start)
            cursor = stop
        rising = array("q", [0])
        rising.extend(after for before, after in pairwise(found) if before < after)
        return rising


def _bounds(parts: Parts, offset: int) -> Sequence[int]:
    """Return the boundaries of parts that tile a text which stands somewhere in another."""
    if not parts.starts:
        return (offset,)
    if isinstance(parts.starts, range):
        return range(offset, offset + len(parts.starts) + 1)
    return [*(offset + start for start in parts.starts), offset + parts.stops[-1]]


EditAtoms: TypeAlias = Literal["lines", "tokens", "characters"]

VAST_BYTES = 1 << 17
"""Bytes of lines that changed in a row, from where on they are compared one by one if they can."""
STEP, STRIDE = 200, 3
"""How many steps it takes to look into a change, and into each byte of it."""
LINE_STEPS = 50
"""How many steps it takes to tell whether two lines are alike."""

_Cut: TypeAlias = Callable[[InputSource, int, int], Sequence[int]]


class Region(NamedTuple):
    """A change, in bytes, and its deltas: first those that take out, then those that put in."""

    start: int
    stop: int
    """From where to where the passing side is replaced."""
    begin: int
    end: int
    """By which part of the failing side."""
    first: int
    middle: int
    """The first delta that puts something in."""
    after: int

    def adjoins(self, before: "Region") -> bool:
        """Tell whether nothing lies between it and the one before: they are one hunk."""
        return (before.stop, before.end) == (self.start, self.begin)


class Edits:
    """What became of one text; its deltas are numbered from ``first`` on."""

    def __init__(
        self, passing: InputSource, failing: InputSource, atoms: EditAtoms, first: int
    ) -> None:
        self.passing, self.failing = passing, failing
        self.first = first
        self.atoms = atoms
        self.regions: list[Region] = []
        self._starts, self._stops = array("q"), array("q")
        cut = _CUTS[atoms]
        for change in _narrowed(passing, failing, atoms):
            begin = self.after
            self._add(cut(passing, change.start, change.stop))
            middle = self.after
            self._add(cut(failing, change.begin, change.end))
            self.regions.append(Region(*change, begin, middle, self.after))

    @property
    def after(self) -> int:
        """The number of the first delta that is not of this text."""
        return self.first + len(self._starts)

    def span(self, delta: int) -> tuple[int, int]:
        """Return from where to where an atom goes, in the text of the side that it is of."""
        return self._starts[delta - self.first], self._stops[delta - self.first]

    def spans(self, first: int, after: int) -> list[tuple[int, int]]:
        """Return the same for all atoms from one to another."""
        places = slice(first - self.first, after - self.first)
        return [*zip(self._starts[places], self._stops[places], strict=True)]

    def written(self, bounds: tuple[int, ...]) -> bytes:
        """Write it out with the deltas that have these run boundaries."""
        passing, failing = self.passing.content, self.failing.content
        pieces: list[bytes] = []
        cursor = place = 0
        for region in self.regions:
            place = bisect_right(bounds, region.first, place)
            inner = bisect_left(bounds, region.after, place)
            if place == inner and place % 2 == 0:  # nothing of it: the passing side goes on
                continue
            pieces.append(passing[cursor : region.start])
            cursor = region.stop
            if place == inner:
                pieces.append(failing[region.begin : region.end])
            else:
                pieces += self._mixed(region, bounds[place:inner], is_in=place % 2 == 1)
        return b"".join((*pieces, passing[cursor:]))

    def _mixed(self, region: Region, inner: tuple[int, ...], *, is_in: bool) -> Iterator[bytes]:
        """Return what is left of both sides where only some deltas are applied."""
        for low, high in pairwise((region.first, *inner, region.after)):
            stop, start = min(high, region.middle), max(low, region.middle)
            if not is_in and low < stop:
                yield self.passing.content[self.span(low)[0] : self.span(stop - 1)[1]]
            elif is_in and start < high:
                yield self.failing.content[self.span(start)[0] : self.span(high - 1)[1]]
            is_in = not is_in

    def _add(self, bounds: Sequence[int]) -> None:
        self._starts.extend(bounds[:-1])
        self._stops.extend(bounds[1:])


def _lines(source: InputSource, start: int, stop: int) -> Sequence[int]:
    bounds = source.lines
    return bounds[bisect_left(bounds, start) : bisect_right(bounds, stop)]


_CUTS: dict[EditAtoms, _Cut] = {
    "lines": _lines,
    "tokens": InputSource.tokens,
    "characters": InputSource.characters,
}


def _narrowed(passing: InputSource, failing: InputSource, atoms: EditAtoms) -> Iterator[Change]:
    """Return what changed, in bytes, as closely as atoms can tell."""
    effort = Effort()
    whole = Change(0, len(passing.content), 0, len(failing.content))
    for block in _within(passing, failing, whole, _lines, effort):
        for change in _single(passing, failing, block, atoms, effort):
            if atoms == "lines":
                yield change
                continue
            tokens = _within(passing, failing, change, InputSource.tokens, effort)
            if atoms == "tokens":
                yield from tokens
                continue
            for inner in tokens:
                yield from _within(passing, failing, inner, InputSource.characters, effort)


def _single(
    passing: InputSource, failing: InputSource, change: Change, atoms: EditAtoms, effort: Effort
) -> Iterator[Change]:
    """Take lines that changed one by one, if each became one that is much like it.

    Else half of such a change would be the old lines without the new ones: a text of no side. If
    there are vastly many, they are compared so in any case, unless lines are the atoms.
    """
    start, stop, begin, end = change
    left, right = _lines(passing, start, stop), _lines(failing, begin, end)
    is_vast = max(stop - start, end - begin) > VAST_BYTES
    if len(left) != len(right) or (is_vast and atoms == "lines"):
        yield change
        return
    pairs = [Change(*old, *new) for old, new in zip(pairwise(left), pairwise(right), strict=True)]
    one, other = _pieces(passing, left), _pieces(failing, right)
    if is_vast or (effort.affords(LINE_STEPS * len(pairs)) and all(map(_are_alike, one, other))):
        yield from pairs
    else:
        yield change


def _are_alike(one: bytes, other: bytes) -> bool:
    """Tell whether two lines begin and end alike, for half of the longer one or more."""
    one, other = sorted((one.strip(), other.strip()), key=len)
    lengths = range(1, len(one) + 1)
    before = bisect_left(lengths, 1, key=lambda length: one[:length] != other[:length])
    rest = range(1, len(one) - before + 1)
    behind = bisect_left(rest, 1, key=lambda length: one[-length:] != other[-length:])
    return 2 * (before + behind) >= len(other)


def _within(
    passing: InputSource, failing: InputSource, change: Change, cut: _Cut, effort: Effort
) -> Iterator[Change]:
    """Narrow a change, in bytes, to what differs of the pieces that both sides are cut into."""
    start, stop, begin, end = change
    cost = 0 if cut is _lines else STEP + STRIDE * (stop - start + end - begin)
    if start == stop or begin == end or not effort.affords(cost):
        if start < stop or begin < end:
            yield change
        return
    left, right = cut(passing, start, stop), cut(failing, begin, end)
    one, other = _pieces(passing, left), _pieces(failing, right)
    for each in changes(one, other, effort):
        yield Change(left[each.start], left[each.stop], right[each.begin], right[each.end])


def _pieces(source: InputSource, bounds: Sequence[int]) -> list[bytes]:
    return [source.content[start:stop] for start, stop in pairwise(bounds)]
