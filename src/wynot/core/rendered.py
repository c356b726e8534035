"""What cases of files have in common: a candidate is written out, and the last ones are kept.

First a candidate's digest is asked for, then its files; so both come out of one writing.
"""

from abc import ABC, abstractmethod

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.recent import Recent

KEPT_BYTES = 8 << 20
"""Bytes of written candidates that are kept until their test is started."""
KEPT_BASES = 3
"""How many bases are kept, from which candidates are written: whoever looks ahead has several in
turn."""


class RenderedCase(ABC):
    """Files, of which deltas can be left out."""

    def __init__(self, files: Files, count: int) -> None:
        self.files = files
        self.deltas = Deltas.first(count)
        self._known: Recent[int, tuple[Files, bytes]] = Recent(
            max(1, KEPT_BYTES // (files.size + 1))
        )

    @abstractmethod
    def _write(self, candidate: Candidate) -> Files:
        """Return the files of a candidate."""

    def _digest(self, files: Files) -> bytes:
        """Return what files are known by."""
        return files.digest

    def size(self, deltas: Deltas) -> int:
        """Return how many parts a configuration has."""
        return len(deltas)

    def digest(self, candidate: Candidate) -> bytes:
        """Return the digest of the content: the same in every pass, and in every run."""
        return self._rendered(candidate)[1]

    def render(self, candidate: Candidate) -> Files:
        """Return the files of a candidate."""
        return self._rendered(candidate)[0]

    def _rendered(self, candidate: Candidate) -> tuple[Files, bytes]:
        return self._known.get(candidate.key, lambda: self._written_out(candidate))

    def _written_out(self, candidate: Candidate) -> tuple[Files, bytes]:
        files = self._write(candidate)
        return files, self._digest(files)
