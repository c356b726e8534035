"""An ordered set of deltas, held as the few places where it starts and stops.

A configuration of a million deltas is mostly one long run, so it is kept as run boundaries
``(start, stop, start, stop, …)`` rather than as indices. Two facts make that cheap to compute with:

- the boundaries of a symmetric difference are the symmetric difference of the boundaries, so that
  taking a chunk out of a configuration, or putting one in, *toggles* the chunk's boundaries;
- a set's ``key`` is the exclusive or of one random mark per boundary (Zobrist hashing), so that the
  key of "this configuration without that chunk" is one operation on two integers.

A candidate is therefore named and looked up without ever being written out.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from hashlib import blake2b
from itertools import accumulate, chain, pairwise
from operator import sub, xor
from typing import Self


@lru_cache(maxsize=1 << 16)
def _mark(boundary: int) -> int:
    """Return 128 bits that stand for one boundary; the same in every run and on every machine."""
    digest = blake2b(boundary.to_bytes(8, "big"), digest_size=16).digest()
    return int.from_bytes(digest, "big")


class Deltas:
    """An immutable, ordered set of delta indices.

    Positions count the members (``deltas[0:3]`` are the first three), indices name them.
    """

    __slots__ = ("_key", "_ranks", "_size", "bounds")

    def __init__(self, bounds: tuple[int, ...]) -> None:
        """Take strictly rising boundaries, an even number of them."""
        self.bounds = bounds
        self._size = sum(bounds[1::2]) - sum(bounds[::2])
        self._key: int | None = None
        self._ranks: list[int] | None = None

    @classmethod
    def first(cls, size: int) -> Self:
        """Return the deltas 0 … size-1."""
        return cls((0, size) if size else ())

    @classmethod
    def of(cls, indices: Iterable[int]) -> Self:
        """Return the deltas with these indices, in whatever order they are given."""
        ordered = sorted(set(indices))
        if not ordered:
            return cls(())
        gaps = [(left + 1, right) for left, right in pairwise(ordered) if left + 1 != right]
        return cls((ordered[0], *chain.from_iterable(gaps), ordered[-1] + 1))

    @classmethod
    def covering(cls, runs: Iterable[tuple[int, int]]) -> Self:
        """Return all that is in some of these runs, which may overlap."""
        bounds: list[int] = []
        for start, stop in sorted(runs):
            if bounds and start <= bounds[-1]:
                bounds[-1] = max(bounds[-1], stop)
            elif start < stop:
                bounds += (start, stop)
        return cls(tuple(bounds))

    @property
    def key(self) -> int:
        """A number that is the same for equal sets, and for no other two in practice."""
        if self._key is None:
            self._key = reduce(xor, map(_mark, self.bounds), 0)
        return self._key

    @property
    def runs(self) -> Iterator[tuple[int, int]]:
        """The maximal runs of neighbouring indices, as (start, stop)."""
        return zip(self.bounds[::2], self.bounds[1::2], strict=True)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(range(start, stop) for start, stop in self.runs)

    def __contains__(self, index: int) -> bool:
        return bisect_right(self.bounds, index) % 2 == 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deltas) and self.bounds == other.bounds

    def __hash__(self) -> int:
        return hash(self.bounds)

    def __repr__(self) -> str:
        shown = ",".join(f"{a}" if b == a + 1 else f"{a}-{b - 1}" for a, b in self.runs)
        return f"Deltas({shown})"

    def _ranks_of_starts(self) -> list[int]:
        """Return how many members come before each run; the last entry is the size."""
        if self._ranks is None:
            lengths = map(sub, self.bounds[1::2], self.bounds[::2])
            self._ranks = [0, *accumulate(lengths)]
        return self._ranks

    def rank(self, index: int) -> int:
        """Return how many members are below this index, member or not."""
        before = bisect_left(self.bounds, index)
        ranks = self._ranks_of_starts()
        run = before // 2
        return ranks[run] + (index - self.bounds[before - 1] if before % 2 else 0)

    def index(self, position: int) -> int:
        """Return the member at this position."""
        ranks = self._ranks_of_starts()
        run = bisect_right(ranks, position) - 1
        return self.bounds[2 * run] + position - ranks[run]

    def part(self, start: int, stop: int) -> "Deltas":
        """Return the members at these positions, start included, stop not."""
        if start >= stop:
            return Deltas(())
        low, high = self.index(start), self.index(stop - 1) + 1
        inner = self.bounds[bisect_right(self.bounds, low) : bisect_left(self.bounds, high)]
        return Deltas((low, *inner, high))

    def toggle(self, other: "Deltas") -> "Deltas":
        """Return what is in exactly one of the two.

        That is this set without the other when it holds the other, and their union when they have
        nothing in common: the only two cases a search needs.
        """
        if len(other.bounds) > len(self.bounds) // 8 + 8:
            bounds = sorted({*self.bounds} ^ {*other.bounds})
        else:
            bounds = list(self.bounds)
            for boundary in other.bounds:
                place = bisect_left(bounds, boundary)
                if place < len(bounds) and bounds[place] == boundary:
                    del bounds[place]
                else:
                    bounds.insert(place, boundary)
        toggled = Deltas(tuple(bounds))
        toggled._key = self.key ^ other.key
        return toggled

    def marks(self, count: int) -> bytearray:
        """Return a 1 for each of so many deltas that is a member, and a 0 for each other."""
        marks = bytearray(count)
        for start, stop in self.runs:
            marks[start:stop] = b"\1" * (stop - start)
        return marks

    def union(self, other: "Deltas") -> "Deltas":
        """Return what is in either."""
        return self.toggle(other.toggle(self.common(other)))

    def common(self, other: "Deltas") -> "Deltas":
        """Return what is in both."""
        bounds: list[int] = []
        theirs = other.bounds
        for start, stop in self.runs:
            place = bisect_right(theirs, start)
            if place % 2 and stop <= theirs[place]:  # all of it, as mostly
                bounds += (start, stop)
            else:
                bounds += other.part(other.rank(start), other.rank(stop)).bounds
        return Deltas(tuple(bounds))

    def holds(self, other: "Deltas") -> bool:
        """Tell whether every member of the other is a member of this one."""
        mine = self.bounds
        return all(
            (place := bisect_right(mine, start)) % 2 == 1 and stop <= mine[place]
            for start, stop in other.runs
        )


NONE = Deltas(())
"""No deltas."""
