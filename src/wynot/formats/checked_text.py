"""How well a text parses, and how well texts do that are much the same.

Candidates differ from their base in a few places. So tree-sitter is told of these, and parses only
what is around them; and where we parse ourselves, only what can be wrong is looked at.

What tree-sitter finds in a text with errors can depend on where it began, if only once in a
thousand times. So whoever asks derives a text always from the same others: results must not depend
on what else was parsed before.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from wynot.core.patched_text import Splice
from wynot.formats.grammar import errors_in, has_errors
from wynot.formats.language import Language
from wynot.formats.pieces import MIN_TEXT_BYTES, KnownErrors, Pieces

if TYPE_CHECKING:
    import tree_sitter

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
