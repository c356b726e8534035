"""The options that the list searches have in common."""

from collections.abc import Iterator as Iterates
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.search.lists.split import Chunks, Iterator, Split, forward, skip, zeller

LEAST_CHUNKS = 2

Offset: TypeAlias = Fraction | int
"""Which chunk comes next; scaled when chunks are cut finer, exactly, so that none is left out."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How ddmin and its kin go about it; every field is a choice that a paper leaves or makes."""

    subsets: bool = False
    """Whether "reduce to subset" is tried at all (``000`` §3.3)."""
    subsets_first: bool = True
    """Whether subsets come before complements (``003`` Fig. 5) or after them (``000`` §3.3)."""
    combined: bool = False
    """Whether both are asked in one round (``000`` Alg. 4)."""
    split: Split = zeller
    granularity: float = 2
    """How many chunks at the start, and how many times finer after nothing worked."""
    restart: bool = False
    """Whether a removed chunk sends the search back to the first one, or on to the next."""
    subset_iterator: Iterator = forward
    complement_iterator: Iterator = forward
    seed: int = 0
    groups: Chunks = ()
    """The chunks to start with, if it is known already that coarser ones are no use."""

    def start(self, kept: Deltas) -> Chunks:
        """Return the first chunks of a configuration."""
        groups = tuple(filter(kept.holds, self.groups))
        if len(groups) > 1 and sum(map(len, groups)) == len(kept):
            return groups
        return self.split(kept, (kept,), self.granularity)

    def finer(self, kept: Deltas, chunks: Chunks) -> Chunks:
        """Return the chunks of the next granularity."""
        return self.split(kept, chunks, self.granularity)

    def order(self, chunks: Chunks, offset: Offset, iteration: int) -> list[int]:
        """Return in what order complements are tried, starting with the chunk at the offset."""
        count, first = len(chunks), int(offset)
        visits = self.complement_iterator(count, f"{self.seed}/c{iteration}")
        return [(visit + first) % count for visit in visits]

    def alone(self, kept: Deltas, chunks: Chunks, iteration: int) -> Iterates[Candidate]:
        """Return the subsets: each chunk by itself."""
        for index in self.subset_iterator(len(chunks), f"{self.seed}/s{iteration}"):
            yield Candidate(kept, Edit.keep(chunks[index]), f"r{iteration}/s{index}")

    def phases(
        self, kept: Deltas, chunks: Chunks, offset: Offset, iteration: int
    ) -> list[Iterates[Candidate]]:
        """Return the rounds of one iteration: subsets and complements, in order or as one."""
        complements = (
            Candidate(kept, Edit.drop(chunks[index]), f"r{iteration}/c{index}")
            for index in self.order(chunks, offset, iteration)
        )
        if not self.subsets:
            return [complements]
        subsets = self.alone(kept, chunks, iteration)
        both = [subsets, complements] if self.subsets_first else [complements, subsets]
        if self.restart and len(chunks) == LEAST_CHUNKS and self.complement_iterator is not skip:
            return both[:1]  # as the textbooks draw it: of two chunks, each is the other's rest
        return [chain(*both)] if self.combined else both


CLASSIC = Rules()
