"""Passes over what is no text: ever finer chunks, and bytes that become plain.

Zeros only take up room, so the bytes that matter stand out. (afl-tmin and halfempty do so, too.)
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from wynot.core.deltas import Deltas
from wynot.core.files import Files, is_text
from wynot.core.round import Search
from wynot.core.texts.rewrites import Patch, Rewrite, RewritesCase
from wynot.formats.cuts import Format, chunks, octets, of_binary
from wynot.passes.progress import Progress, Runs
from wynot.passes.reduction_pass import Cut, DeleteParts, ProtectedPatterns, without_protected
from wynot.search.combinators import Step, one_after_another
from wynot.search.largest import NO_LESSONS, LargestFirst, Lessons, Segment

ALWAYS_TRIED_CHUNKS = 1024
"""Parts of binary data that are all tried, whether or not any of them can go."""
TESTS_PER_CHUNK = 128
"""Tests that a chunk may cost that goes."""
FINER_FACTOR = 4
"""How many times smaller the next chunks are."""


class _Chunks(NamedTuple):
    """What is remembered of cutting opaque bytes ever finer."""

    size: int
    cut: Format | None = None
    before: Progress | None = None


@dataclass(frozen=True, slots=True)
class FinerChunks:
    """A search from files that are no texts to what is left of them."""

    runs: Runs

    def __call__(self, progress: Progress) -> Search[Progress]:
        """Cut what is no text into chunks, and into finer ones as long as that pays; at last bytes.

        Where nothing can go, each level takes as many tests as it has chunks. So a large file is
        cut no finer than into ``ALWAYS_TRIED_CHUNKS``, unless some of those can go.
        """
        size = max(1, -(-_opaque_bytes(progress.view) // ALWAYS_TRIED_CHUNKS))
        return one_after_another(self._next_chunks, _Chunks(size), progress)

    def _next_chunks(
        self, chunked: _Chunks, progress: Progress
    ) -> tuple[Step[Progress], _Chunks] | None:
        size, coarse, before = chunked
        if before is not None:
            gone = (before.view.size - progress.view.size) // size
            tests = progress.cost.tests - before.cost.tests
            pays = gone > 0 and gone * TESTS_PER_CHUNK >= tests
            finer = -(-_opaque_bytes(progress.view) // ALWAYS_TRIED_CHUNKS)
            if size == 1 or not (pays or finer == 1):
                return None
            size = max(1, min(finer, size // FINER_FACTOR))
        cut = of_binary(octets if size == 1 else partial(chunks, size=size))
        step = DeleteParts("bytes", cut, coarse, proves="bytes" if size == 1 else "")
        return partial(self.runs.run_inside, step), _Chunks(size, cut, progress)


def _opaque_bytes(files: Files) -> int:
    return sum(len(content) for content in files.contents.values() if not is_text(content))


MOST_PLAIN_PARTS = 4096
"""Into how many parts files are cut: single bytes, if there are no more."""
ZEROS_PATIENCE = 256
"""Failures in a row after which bytes stay what they are."""
BLOCK, OF_ONE_VALUE, SINGLE_BYTE = "block", "of one value", "byte"
BLOCK_ODDS, BYTE_ODDS = 0.4, 0.2
_READABLE = re.compile(rb"[ -~]{4,}")


def plain(content: bytes) -> bytes:
    """Return the plainest content of the same length: zeros, and digits in readable text."""
    zeros = bytearray(len(content))
    for found in _READABLE.finditer(content):
        zeros[slice(*found.span())] = b"0" * len(found[0])
    for found in re.finditer(rb"0", content):
        zeros[found.start()] = content[found.start()]
    return bytes(zeros)


@dataclass(frozen=True, slots=True)
class ZeroBytes:
    """Make bytes plain: all, then halves and all bytes of one value, finally single bytes."""

    name: str = "zeros"
    proves: str = ""

    def cut(self, files: Files, keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each byte that is not plain as a part; in large files, several bytes."""
        size = part_size(files)
        found = [
            rewrite
            for path, content in _opaque(files)
            for rewrite in _plainer(path, content, size, keep)
        ]
        structure = ByteStructure(files, found)
        search = LargestFirst(structure, lessons=lessons, patience=ZEROS_PATIENCE)
        return Cut(RewritesCase(files, found), search=search)


def part_size(files: Files) -> int:
    """Return how many bytes become plain at once, at least."""
    return max(1, -(-sum(len(content) for _, content in _opaque(files)) // MOST_PLAIN_PARTS))


def _opaque(files: Files) -> Iterator[tuple[str, bytes]]:
    return ((path, content) for path, content in files.contents.items() if not is_text(content))


def _plainer(path: str, content: bytes, size: int, keep: ProtectedPatterns) -> Iterator[Rewrite]:
    zeros = plain(content)
    for start, stop in without_protected(chunks(content, size), content, keep).spans:
        if content[start:stop] != zeros[start:stop]:
            yield Rewrite(SINGLE_BYTE, (Patch(path, start, stop, zeros[start:stop]),))


@dataclass(slots=True)
class ByteStructure:
    """Bytes that could be plain: those of a file, in halves; and those of one value."""

    files: Files
    rewrites: Sequence[Rewrite]

    def begin(self) -> Sequence[Segment]:
        """Start with each file as a whole, and with each value that several bytes have."""
        wholes: dict[str, list[int]] = {}
        values: dict[tuple[str, bytes], list[int]] = {}
        for number, rewrite in enumerate(self.rewrites):
            ((path, start, stop, _),) = rewrite.patches
            wholes.setdefault(path, []).append(number)
            values.setdefault((path, self.files.contents[path][start:stop]), []).append(number)
        alike = [numbers for numbers in values.values() if 1 < len(numbers) < len(self.rewrites)]
        return [
            *map(_segment, wholes.values()),
            *(Segment(len(each), OF_ONE_VALUE, tuple(each), odds=BYTE_ODDS) for each in alike),
        ]

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        """Return the bytes that are not plain yet."""
        return [Deltas.of(self._left(segment, kept))]

    def finer(self, segment: Segment, kept: Deltas) -> Iterator[Segment]:
        """Cut a block in two; equal bytes are in blocks, too."""
        items = self._left(segment, kept)
        if segment.category != OF_ONE_VALUE and len(items) > 1:
            middle = len(items) // 2
            yield _segment(items[:middle])
            yield _segment(items[middle:])

    def fingerprint(self, segment: Segment) -> str:
        """Return the bytes and their places."""
        places = repr([self.rewrites[number].patches for number in segment.items])
        return "0" + sha256((segment.category + places).encode()).hexdigest()[:16]

    def _left(self, segment: Segment, kept: Deltas) -> list[int]:
        left = kept.marks(len(self.rewrites))
        return [number for number in segment.items if left[number]]


def _segment(items: Sequence[int]) -> Segment:
    if len(items) == 1:
        return Segment(1, SINGLE_BYTE, tuple(items), odds=BYTE_ODDS)
    return Segment(len(items), BLOCK, tuple(items), odds=BLOCK_ODDS)
