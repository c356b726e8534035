"""What is no text, in chunks: ever finer ones, as long as that pays."""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.round import Search
from wynot.formats.characters import chunks, octets
from wynot.formats.format import Format, is_text, of_binary
from wynot.passes.progress import Progress, Runs
from wynot.passes.reduction_pass import DeleteParts
from wynot.search.combinators import Step, one_after_another

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
