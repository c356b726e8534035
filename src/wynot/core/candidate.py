"""A candidate: a configuration that a search would like to know the verdict of."""

from typing import NamedTuple

from wynot.core.deltas import Deltas
from wynot.core.edit import Edit


class Candidate(NamedTuple):
    """A base, an edit of it, and a name to read: ``r3/c2`` is complement 2 of iteration 3."""

    base: Deltas
    edit: Edit
    name: str

    @classmethod
    def whole(cls, deltas: Deltas) -> "Candidate":
        """Return the candidate that is just these deltas."""
        return cls(deltas, Edit.keep(deltas), "whole" if deltas else "empty")

    @property
    def kept(self) -> Deltas:
        """The deltas this candidate consists of."""
        return self.edit.apply(self.base)

    @property
    def key(self) -> int:
        """The key of ``kept``, at the cost of one operation."""
        return self.edit.key(self.base)
