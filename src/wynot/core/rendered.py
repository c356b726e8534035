"""The last candidates that were written out: first one's digest is asked for, then its files."""

from collections.abc import Callable

from wynot.core.candidate import Candidate
from wynot.core.files import Files

ROOM = 16 << 20
"""Bytes of written candidates that are kept until their test is started."""


class Rendered:
    """A small store of files by candidate."""

    def __init__(self, size: int) -> None:
        self._room = max(1, ROOM // (size + 1))
        self._known: dict[int, tuple[Files, bytes]] = {}

    def of(self, candidate: Candidate, write: Callable[[Candidate], Files]) -> tuple[Files, bytes]:
        """Return a candidate's files and their digest."""
        key = candidate.key
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= self._room:
                del self._known[next(iter(self._known))]
            files = write(candidate)
            known = self._known[key] = files, files.digest
        return known
