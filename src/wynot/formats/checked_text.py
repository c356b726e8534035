"""How well a text parses, piece by piece.

A statement of the top is right or wrong whatever the others are, but for those next to it; and so
is an element of a long list in its brackets. So of a candidate only those pieces are parsed that
have changed. What came of a piece is remembered: when a thousand changes were tried at once, their
halves come next, and halves of these, which are the same pieces again and again.

Whether that holds is not taken on trust: a piece of a text counts only if it has as many flaws when
it is parsed alone as it has in the whole.

Candidates differ from their base in a few places. So tree-sitter is told of these, and parses only
what is around them; and where we parse ourselves, only what can be wrong is looked at.

What tree-sitter finds in a text with errors can depend on where it began, if only once in a
thousand times. So whoever asks derives a text always from the same others: results must not depend
on what else was parsed before.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import accumulate
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from wynot.core.system.recent import Recent
from wynot.core.texts.patched_text import Splice
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
from collections.abc import Callable
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from wynot.formats.grammar import has_errors

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
        start = thread_time()
        found = sitter_tree(self._language, text, like)
        usual = (USUAL_SECONDS + len(text) / BYTES_PER_SECOND) / 2
        self._wasted += max(0.0, thread_time() - start - usual)
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


SMALL_TEXT_BYTES = 4096
"""Bytes of a text that is always parsed from its first: that takes a fraction of a millisecond."""
MIN_BYTES_PER_SPLICE = 60
"""Of a text with more splices than one for so many bytes all is parsed: it takes less time."""

Loose: TypeAlias = Callable[[bytes], bytes]
Point: TypeAlias = tuple[int, int]
"""A line, and the bytes before a place in it."""


class CheckedText:
    """A text that was parsed."""

    def __init__(
        self,
        language: Language,
        content: bytes,
        like: "tree_sitter.Tree | None" = None,
        known: KnownErrors | None = None,
    ) -> None:
        """Parse a text, from its start or where it differs from a tree that was told of that."""
        self.language = language
        self.content = content
        self._known = known or KnownErrors(language)
        self._parsed = self._known.parsed(content, like) if language.parser is None else None

    @cached_property
    def has_errors(self) -> bool:
        """Whether it does not follow its grammar; to count the places may take longer."""
        return self.errors > 0 if self.language.parser else has_errors(self._parsed)

    @cached_property
    def errors(self) -> int:
        """In how many places it does not follow its grammar."""
        return self._known.of(self.content) if self.language.parser else errors_in(self._parsed)

    def edited(self, splices: Sequence[Splice], content: bytes) -> "CheckedText":
        """Return what some splices make of it, which is a text with this content."""
        if not splices:
            return self
        if self._parsed is None or _is_all_parsed(splices, content):
            return CheckedText(self.language, content, known=self._known)
        tree = copy(self._parsed)  # since to edit a tree changes it; nodes are shared
        points = list(_points(self.content, splices))
        # From the last one on, so that none changes where the others are.
        for (start, stop, instead), (begin, old, new) in zip(
            reversed(splices), reversed(points), strict=True
        ):
            tree.edit(start, stop, start + len(instead), begin, old, new)
        return CheckedText(self.language, content, tree, self._known)

    def added_errors(self, splices: Sequence[Splice], content: bytes) -> int:
        """Return how many flaws more what some splices make of it has; in a text without, if any.

        It is the same whether all of it is parsed or only the pieces that have changed.
        """
        if self.language.parser is None and (self._parsed is None or self._known.are_slow):
            return 0  # tree-sitter gave up, as it will again
        if splices and self._pieces:
            added = self._pieces.added_errors(splices, content)
            if added is not None:
                return added
        if self.language.loose and self._is_as_loose(self.language.loose, splices, content):
            return 0
        if splices and _is_all_parsed(splices, content):
            errors = self._known.of(content)  # of equal texts, which are many, only once
            return errors - self.errors if self.has_errors else errors
        text = self.edited(splices, content)
        return text.errors - self.errors if self.has_errors else int(text.has_errors)

    def _is_as_loose(self, loose: Loose, splices: Sequence[Splice], content: bytes) -> bool:
        """Tell whether the lines that have changed matter as much to the others as before."""
        moved = at = 0
        while at < len(splices):
            start, stop, _ = splices[at]
            begin = was = self.content.rfind(b"\n", 0, start) + 1
            begin += moved
            while True:
                end = self.content.find(b"\n", stop)
                end = len(self.content) if end < 0 else end
                while at < len(splices) and splices[at].start <= end:
                    start, stop, instead = splices[at]
                    moved += len(instead) - (stop - start)
                    at += 1
                if stop <= end:
                    break
            if loose(self.content[was:end]) != loose(content[begin : end + moved]):
                return False
        return True

    @cached_property
    def _pieces(self) -> Pieces | None:
        if self._parsed is None or len(self.content) < MIN_TEXT_BYTES:
            return None
        return Pieces.of(self._parsed, self.content, self.errors, self._known)


def _is_all_parsed(splices: Sequence[Splice], content: bytes) -> bool:
    """Tell whether a text that some splices have made is parsed from its start."""
    return len(content) < max(SMALL_TEXT_BYTES, len(splices) * MIN_BYTES_PER_SPLICE)


def _points(content: bytes, splices: Sequence[Splice]) -> Iterator[tuple[Point, Point, Point]]:
    """Yield where each splice starts, where it stops, and where what stands there instead does."""
    line = reached = 0
    for start, stop, instead in splices:
        line += content.count(b"\n", reached, start)
        begin = line, start - content.rfind(b"\n", 0, start) - 1
        line += content.count(b"\n", start, stop)
        reached = stop
        lines = instead.count(b"\n")
        column = len(instead) - instead.rfind(b"\n") - 1
        after = begin[0] + lines, column if lines else begin[1] + len(instead)
        yield begin, (line, stop - content.rfind(b"\n", 0, stop) - 1), after
