"""Remembers what was made of texts: from one candidate to the next most of them stay the same."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Result = TypeVar("Result")
MOST_KEPT_BYTES = 48 << 20
"""Of the texts; what is made of them takes about as much again."""


class KeptResults(Generic[Result]):
    """Results by what they were made of, until those are too many; then it begins anew."""

    def __init__(self) -> None:
        self._results: dict[Hashable, Result] = {}
        self._size = 0

    def get(self, key: Hashable, size: int, make: Callable[[], Result]) -> Result:
        """Return what is known, or make it; ``size``: how many bytes it is made of."""
        found = self._results.get(key)
        if found is None:
            found = make()
            if self._size + size > MOST_KEPT_BYTES:
                self._results, self._size = {}, 0
            self._results[key] = found
            self._size += size
        return found
