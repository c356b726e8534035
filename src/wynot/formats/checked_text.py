"""How well a text parses, and how well texts do that are much the same.

Candidates differ from their base in a few places. So tree-sitter is told of these, and parses only
what is around them; and where we parse ourselves, only what can be wrong is looked at.

What tree-sitter finds in a text with errors can depend on where it began, if only once in a
thousand times. So whoever asks derives a text always from the same others: results must not depend
on what else was parsed before.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from wynot.core.splice import Splice, spliced
from wynot.formats.detect import syntax_errors_of
from wynot.formats.grammar import errors_in, has_errors, sitter_tree
from wynot.formats.language import Language

if TYPE_CHECKING:
    import tree_sitter

SMALL_TEXT_BYTES = 4096
"""Bytes of a text that is always parsed from its first: that takes a fraction of a millisecond."""
MIN_BYTES_PER_SPLICE = 60
"""Of a text with more splices than one for so many bytes all is parsed: it takes less time."""

Point: TypeAlias = tuple[int, int]
"""A line, and the bytes before a place in it."""


class CheckedText:
    """A text that was parsed."""

    def __init__(
        self, language: Language, content: bytes, parsed: "tree_sitter.Tree | None" = None
    ) -> None:
        """Take what tree-sitter has made of a text; without it, it is parsed from its start."""
        self.language = language
        self.content = content
        if parsed is None and language.parser is None:
            parsed = sitter_tree(language, content)
        self._parsed = parsed

    @cached_property
    def has_errors(self) -> bool:
        """Whether it does not follow its grammar; to count the places may take longer."""
        return self.errors > 0 if self.language.parser else has_errors(self._parsed)

    @cached_property
    def errors(self) -> int:
        """In how many places it does not follow its grammar."""
        if self.language.parser is not None:
            return syntax_errors_of(self.language, self.content)
        return errors_in(self._parsed)

    def edited(self, splices: Sequence[Splice], content: bytes) -> "CheckedText":
        """Return what some splices make of it, which is a text with this content."""
        if not splices:
            return self
        least = max(SMALL_TEXT_BYTES, len(splices) * MIN_BYTES_PER_SPLICE)
        if self._parsed is None or len(content) < least:
            return CheckedText(self.language, content)
        tree = copy(self._parsed)  # since to edit a tree changes it; nodes are shared
        points = list(_points(self.content, splices))
        # From the last one on, so that none changes where the others are.
        for (start, stop, instead), (begin, old, new) in zip(
            reversed(splices), reversed(points), strict=True
        ):
            tree.edit(start, stop, start + len(instead), begin, old, new)
        return CheckedText(self.language, content, sitter_tree(self.language, content, tree))

    def breaks(self, splices: Sequence[Splice], content: bytes) -> bool:
        """Tell whether some splices bring errors into a text that has none."""
        is_apart = self.language.parsed_apart and len(content) >= SMALL_TEXT_BYTES
        windows = self._windows(splices) if is_apart else []
        size = sum(stop - start for start, stop, _ in windows)
        if not windows or 2 * size > len(content):
            return self.edited(splices, content).has_errors
        return any(
            CheckedText(self.language, self._cut_out(*window)).has_errors for window in windows
        )

    def _windows(self, splices: Sequence[Splice]) -> list[tuple[int, int, list[Splice]]]:
        """Return the statements that splices are in, with one before and behind, and the splices.

        What goes on with an earlier statement, such as an ``else``, is right there or wrong.
        """
        starts = self._statements
        found: list[tuple[int, int, list[Splice]]] = []
        for splice in splices:
            first = bisect_right(starts, splice.start) - 1
            after = bisect_right(starts, splice.stop) + 1
            begin = starts[max(0, first - 1)]
            end = starts[after] if after < len(starts) else len(self.content)
            if found and begin <= found[-1][1]:
                found[-1][2].append(splice)
                found[-1] = found[-1][0], end, found[-1][2]
            else:
                found.append((begin, end, [splice]))
        return found

    def _cut_out(self, begin: int, end: int, splices: Sequence[Splice]) -> bytes:
        moved = [Splice(start - begin, stop - begin, text) for start, stop, text in splices]
        return spliced(self.content[begin:end], moved)

    @cached_property
    def _statements(self) -> list[int]:
        """Where the statements of the top begin, if at the start of a line; the first is at 0."""
        if self._parsed is None:
            return [0]
        nodes = self._parsed.root_node.children
        return [0, *(node.start_byte for node in nodes[1:] if _is_first(node))]


def _is_first(node: "tree_sitter.Node") -> bool:
    """Tell whether a node of the top begins a line, and is no comment, which parts nothing."""
    return node.start_point.column == 0 and not node.is_extra


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
