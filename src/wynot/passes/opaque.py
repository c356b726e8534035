"""Bytes that are no text: cut into chunks, and into finer ones as long as that pays; at last bytes.

Where nothing can go, each level takes as many tests as it has chunks. So a large file is cut no
finer than into ``ALWAYS_TRIED_CHUNKS``, unless some of those can go.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from wynot.core.files import Files
from wynot.formats.characters import chunks, octets
from wynot.formats.format import Format, is_text
from wynot.passes.catalog import of_binary
from wynot.passes.progress import Progress
from wynot.passes.reduction_pass import DeleteParts, Pass
from wynot.search.combinators import Step

ALWAYS_TRIED_CHUNKS = 1024
"""Parts of binary data that are all tried, whether or not any of them can go."""
TESTS_PER_CHUNK = 128
"""Tests that a chunk may cost that goes."""
FINER_FACTOR = 4
"""How many times smaller the next chunks are."""


class Chunks(NamedTuple):
    """What is remembered of cutting opaque bytes ever finer."""

    size: int
    cut: Format | None = None
    before: Progress | None = None

    @classmethod
    def of(cls, progress: Progress) -> "Chunks":
        """Return how it begins."""
        return cls(max(1, -(-_opaque_bytes(progress.view) // ALWAYS_TRIED_CHUNKS)))


def next_chunks(
    as_step: Callable[[Pass], Step[Progress]], chunked: Chunks, progress: Progress
) -> tuple[Step[Progress], Chunks] | None:
    """Return the next level, unless it is not worth it."""
    size, coarse, before = chunked
    if before is not None:
        gone = (before.view.size - progress.view.size) // size
        pays = gone * TESTS_PER_CHUNK >= progress.cost.tests - before.cost.tests
        finer = -(-_opaque_bytes(progress.view) // ALWAYS_TRIED_CHUNKS)
        if size == 1 or not (pays or finer == 1):
            return None
        size = max(1, min(finer, size // FINER_FACTOR))
    cut = of_binary(octets if size == 1 else partial(chunks, size=size))
    step = DeleteParts("bytes", cut, coarse, proves="bytes" if size == 1 else "")
    return as_step(step), Chunks(size, cut, progress)


def _opaque_bytes(files: Files) -> int:
    return sum(len(content) for content in files.contents.values() if not is_text(content))
