"""A text in pieces that can be parsed apart, to see how well a text parses that differs from it.

A statement of the top is right or wrong whatever the others are, but for those next to it; and so
is an element of a long list in its brackets. So of a candidate only those pieces are parsed that
have changed. What came of a piece is remembered: when a thousand changes were tried at once, their
halves come next, and halves of these, which are the same pieces again and again.

Whether that holds is not taken on trust: a piece of a text counts only if it has as many flaws when
it is parsed alone as it has in the whole.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import accumulate
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from wynot.core.patched_text import Splice
from wynot.core.recent import Recent
from wynot.formats.detect import syntax_errors_of
from wynot.formats.grammar import (
    BYTES_PER_SECOND,
    USUAL_SECONDS,
    errors_in,
    errors_under,
    sitter_tree,
)
from wynot.formats.language import Language

if TYPE_CHECKING:
    import tree_sitter

MIN_TEXT_BYTES = 1024
"""Bytes of a text that it is worth the while to cut."""
MAX_PIECE_BYTES = 1024
"""How many bytes are enough for a piece: to parse them takes a fraction of a millisecond."""
MIN_PIECES = 4
"""In how many pieces a text must fall."""
MOST_PIECES = 16
"""In how many a short one falls: with smaller ones it would take as long to parse what is next to
them."""
MAX_FRAME_BYTES = 2048
"""Bytes around a list that is taken for the whole text."""

MAX_WASTED_SECONDS = 2
"""Processor time that texts of a language may take beyond the usual, before no candidate is parsed
any more: error recovery can take a thousand times as long as it should."""
REMEMBERED_PIECES = 1 << 14
"""Of how many pieces it is remembered what came of them."""


class KnownErrors:
    """How many flaws texts of a language have, of those that were asked about last."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._known: Recent[bytes, int] = Recent(REMEMBERED_PIECES)
        self._wasted = 0.0

    @property
    def are_slow(self) -> bool:
        """Whether texts took so long to parse that another one is not worth the time."""
        return self._wasted > MAX_WASTED_SECONDS

    def parsed(
        self, text: bytes, like: "tree_sitter.Tree | None" = None
    ) -> "tree_sitter.Tree | None":
        """Return what tree-sitter makes of a text; None: it gave up."""
        begun = thread_time()
        found = sitter_tree(self._language, text, like)
        usual = (USUAL_SECONDS + len(text) / BYTES_PER_SECOND) / 2
        self._wasted += max(0.0, thread_time() - begun - usual)
        return found

    def of(self, text: bytes) -> int:
        """Return how many flaws a text has."""
        key = blake2b(text, digest_size=16).digest()
        return self._known.get(key, lambda: self._counted(text))

    def _counted(self, text: bytes) -> int:
        if self._language.parser is not None:
            return syntax_errors_of(self._language, text)
        return errors_in(self.parsed(text))


class Element(NamedTuple):
    """A statement, or a member of a list."""

    start: int
    stop: int
    flaws: int


class Pieces:
    """A text that is a list of elements in a frame; each piece is some of them."""

    def __init__(
        self, content: bytes, elements: Sequence[Element], firsts: Sequence[int], known: KnownErrors
    ) -> None:
        self._content = content
        self._elements = elements
        self._firsts = firsts
        """The first element of each piece, and the number of elements."""
        self._starts = [elements[at].start for at in firsts[:-1]]
        self._stops = [elements[at - 1].stop for at in firsts[1:]]
        self._flaws = [0, *accumulate(element.flaws for element in elements)]
        self._known = known

    @classmethod
    def of(
        cls, parsed: "tree_sitter.Tree", content: bytes, errors: int, known: KnownErrors
    ) -> "Pieces | None":
        """Cut a text with so many flaws; None: it does not fall into pieces."""
        elements = list(_elements(parsed, len(content)))
        if sum(each.flaws for each in elements) != errors:
            return None  # some are between them
        firsts, enough = [0], min(MAX_PIECE_BYTES, len(content) // MOST_PIECES)
        for at in range(1, len(elements)):
            is_long = elements[at - 1].stop - elements[firsts[-1]].start >= enough
            if is_long and not elements[at - 1].flaws and not elements[at].flaws:
                firsts.append(at)
        if len(firsts) < MIN_PIECES:
            return None
        return cls(content, elements, [*firsts, len(elements)], known)

    def added_errors(self, splices: Sequence[Splice], content: bytes) -> int | None:
        """Return how many flaws more a text has that differs by splices; None: it cannot tell.

        If this has none, the first one that is found is enough.
        """
        starts, stops = [each.start for each in splices], [each.stop for each in splices]
        begin, end = self._starts[0], self._stops[-1]
        if starts[0] < begin or stops[0] == begin or stops[-1] > end or starts[-1] == end:
            return None
        moved = [0, *accumulate(len(text) - (stop - start) for start, stop, text in splices)]
        head, tail = self._content[:begin], self._content[end:]
        added = 0
        for first, last in self._windows(starts, stops):
            start, stop = self._elements[first].start, self._elements[last].stop
            before = self._flaws[last + 1] - self._flaws[first]
            if self._known.of(head + self._content[start:stop] + tail) != before:
                return None
            start += moved[bisect_right(stops, start)]
            stop += moved[bisect_left(starts, stop)]
            added += self._known.of(head + content[start:stop] + tail) - before
            if added and not self._flaws[-1]:
                break
        return added

    def _windows(self, starts: Sequence[int], stops: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Return the first and the last element of each stretch that is to be looked at.

        That is pieces that have changed, with one element before and behind: what goes on with an
        earlier statement, such as an ``else``, is right there or wrong. Where flaws are counted,
        none may be in two stretches.
        """
        waiting: tuple[int, int] | None = None
        for low, high in self._changed(starts, stops):
            first = max(0, self._firsts[low] - 1)
            while first and _is_inside(self._elements[first].start, starts, stops):
                first -= 1
            last = min(len(self._elements) - 1, self._firsts[high])
            while last + 1 < len(self._elements) and _is_inside(
                self._elements[last].stop, starts, stops
            ):
                last += 1
            if waiting and self._flaws[-1] and first <= waiting[1]:
                first = waiting[0]
            elif waiting:
                yield waiting
            waiting = first, last
        if waiting:
            yield waiting

    def _changed(self, starts: Sequence[int], stops: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Return the pieces that have changed; those together between which something has."""
        at = 0
        while at < len(starts):
            low = bisect_right(self._starts, starts[at]) - 1
            high = low + 1 + (starts[at] > self._stops[low])
            while True:
                at = bisect_right(starts, self._stops[high - 1], at)
                if stops[at - 1] <= self._stops[high - 1]:
                    break
                high = bisect_right(self._starts, stops[at - 1], high + 1)
            yield low, high


def _is_inside(place: int, starts: Sequence[int], stops: Sequence[int]) -> bool:
    """Tell whether a place is inside of a splice."""
    before = bisect_left(starts, place)
    return before > 0 and stops[before - 1] > place


def _elements(parsed: "tree_sitter.Tree", size: int) -> Iterator[Element]:
    """Yield the statements of the top, or the members of the list that is nearly all of a text."""
    node, is_top = parsed.root_node, True
    while True:
        children = node.children
        long = [
            each for each in children if each.end_byte - each.start_byte > size - MAX_FRAME_BYTES
        ]
        if len(long) != 1:
            break
        node, is_top = long[0], False
    waiting: Element | None = None
    for child in children:
        flaws = errors_under(child) if child.has_error else 0
        if child.is_named and not child.is_extra and (not is_top or child.start_point.column == 0):
            if waiting:
                yield waiting
            waiting = Element(child.start_byte, child.end_byte, flaws)
        elif flaws and waiting:
            waiting = Element(waiting.start, child.end_byte, waiting.flaws + flaws)
    if waiting:
        yield waiting
