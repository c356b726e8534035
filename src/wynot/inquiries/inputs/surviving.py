"""Where what is left of an input stood in it before.

A reduction takes parts out of an input, and says some shorter, one step after the other. Each step
is compared with the one before: what is the same in both stood where that stood, and what is new
where that was which it replaces. So of two parts that read the same it is known which one is left.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from wynot.core.difference import Change, Effort, changes
from wynot.core.files import Files
from wynot.formats.tokenizer import tokens
from wynot.inquiries.inputs.nearest import InputPiece

KEPT_SHARE = 0.5
"""How much smaller a case must be than the last one that was kept to be kept as well."""
_BLANKS = b" \t\n\r\f\v"


class Remnant(NamedTuple):
    """What is left of an input at some time, and where in the input each of its bytes stood."""

    files: Files
    origins: "Mapping[str, array[int]]"
    """By path; they never fall, as nothing is moved."""

    @property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Where in the input stood what is left, white space aside: offsets that rise, by path."""
        return {
            path: list(
                dict.fromkeys(
                    origin
                    for origin, byte in zip(self.origins[path], content, strict=True)
                    if byte not in _BLANKS
                )
            )
            for path, content in self.files.contents.items()
        }

    def within(self, piece: InputPiece) -> list[InputPiece]:
        """Return the part of what is left that stood in a piece of the input, if there is one."""
        path = piece.path
        if path not in self.files.contents:
            return []
        if piece.is_file:
            return [InputPiece.whole_file(path, self.files.contents[path])]
        start, stop = (
            bisect_left(self.origins[path], place) for place in (piece.start, piece.stop)
        )
        return [InputPiece(stop - start, path, start, stop)] if start < stop else []

    def after(self, files: Files) -> "Remnant":
        """Return what is left after one more step."""
        before = self.files.contents
        return Remnant(
            files,
            {
                path: (
                    self.origins[path]
                    if content == before[path]
                    else _followed(before[path], content, self.origins[path])
                )
                for path, content in files.contents.items()
            },
        )


class Surviving:
    """The smallest case so far of a reduction, and some of those before it."""

    def __init__(self, whole: Files) -> None:
        self.take: Callable[[int], None] = lambda _tests: None
        """Called when there is a smaller case, after so many tests; it may end the reduction."""
        origins = {
            path: array("q", range(len(content))) for path, content in whole.contents.items()
        }
        self.files = whole
        self.left = Remnant(whole, origins)
        self.earlier: list[Remnant] = []
        """What was left before, from large to small: each a good deal smaller than the last."""

    def accept(
        self, files: Files, _digest: bytes, _pass_name: str, _candidate: str, tests: int
    ) -> None:
        """Take a smaller case."""
        last = self.earlier[-1].files.size if self.earlier else inf
        if self.files.size <= last * KEPT_SHARE:
            self.earlier.append(self.left)
        self.files, self.left = files, self.left.after(files)
        self.take(tests)

    def count(self) -> int:
        """Return how many tokens are left, about."""
        return sum(len(tokens(content).stops) for content in self.files.contents.values())


def _followed(before: bytes, after: bytes, origins: "array[int]") -> "array[int]":
    """Return where the bytes of a text come from that was made of another by one step."""
    found = array("q")
    cursor = 0
    for start, stop, begin, end in _changes(before, after):
        found += origins[cursor:start]
        # Of what replaces something, each byte stands for one of that; what replaces nothing stands
        # for what is beside it.
        instead = origins[start:stop] or origins[start : start + 1] or origins[-1:] or [0]
        found.extend(instead[min(each, len(instead) - 1)] for each in range(end - begin))
        cursor = stop
    return found + origins[cursor:]


def _changes(before: bytes, after: bytes) -> Iterator[Change]:
    """Return what differs, in bytes, as closely as tokens can tell."""
    size = min(len(before), len(after))
    first = bisect_left(range(1, size + 1), 1, key=lambda n: before[:n] != after[:n])
    rest = range(1, size - first + 1)
    last = bisect_left(rest, 1, key=lambda n: before[-n:] != after[-n:])
    inner = before[first : len(before) - last], after[first : len(after) - last]
    (old, one), (new, other) = map(_cut, inner)
    for start, stop, begin, end in changes(one, other, Effort()):
        yield Change(*(first + each for each in (old[start], old[stop], new[begin], new[end])))


def _cut(text: bytes) -> tuple[list[int], list[bytes]]:
    """Return the boundaries of the tokens of a text, and the tokens."""
    bounds = [0, *tokens(text).stops]
    return bounds, [text[start:stop] for start, stop in pairwise(bounds)]
