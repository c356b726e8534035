"""Circumstances: what differs between a side that passes and a side that fails, as deltas.

Zeller & Hildebrandt 2002 (``003``), §2: a failure depends on *circumstances*, of which the input is
only one; a change of a program, an option, a package, an earlier test are others. With none of the
deltas applied the passing side is there, with all of them the failing one.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas

Subject_co = TypeVar("Subject_co", covariant=True)


class Level(NamedTuple):
    """One way to group the deltas; each level is finer than the one before."""

    name: str
    """What the groups are, as a plural: commits, files, hunks, lines."""
    units: Sequence[Deltas]
    """Groups that cover all deltas; each ends before the next begins, and is never empty."""


class Circumstances(Protocol[Subject_co]):
    """A case whose deltas lead from the passing to the failing side."""

    @property
    def deltas(self) -> Deltas:
        """All deltas."""
        ...

    @property
    def levels(self) -> Sequence[Level]:
        """How the deltas are grouped, from coarse to fine; at least one level."""
        ...

    def render(self, candidate: Candidate) -> Subject_co:
        """Return what is to be placed for this candidate; asked only if there is no objection."""
        ...

    def digest(self, candidate: Candidate) -> bytes:
        """Return a key that two candidates share exactly if the test cannot tell them apart.

        It is the same in every run, since verdicts are kept by it.
        """
        ...

    def size(self, deltas: Deltas) -> int:
        """Return how many deltas a configuration has."""
        ...

    def objection(self, candidate: Candidate) -> str:
        """Return why a candidate cannot exist, empty if it can: a change that does not apply."""
        ...
