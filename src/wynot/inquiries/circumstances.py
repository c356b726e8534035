"""Circumstances: what differs between a side that passes and a side that fails, as deltas.

Zeller & Hildebrandt 2002 (``003``), §2: a failure depends on *circumstances*, of which the input is
only one; a change of a program, an option, a package, an earlier test are others. With none of the
deltas applied the passing side is there, with all of them the failing one.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.deltas import Deltas

Subject_co = TypeVar("Subject_co", covariant=True)


class Known(Protocol):
    """What a test can be given, if it is known by a digest."""

    @property
    def digest(self) -> bytes:
        """A key that is the same for the same thing, in every run."""


Known_co = TypeVar("Known_co", bound=Known, covariant=True)


class Level(NamedTuple):
    """One way to group the deltas; each level is finer than the one before."""

    name: str
    """What the groups are, as a plural: commits, files, hunks, lines."""
    units: Sequence[Deltas]
    """Groups that cover all deltas; each ends before the next begins, and is never empty."""


class Circumstances(Case[Subject_co], Protocol[Subject_co]):
    """A case whose deltas lead from the passing to the failing side."""

    @property
    def levels(self) -> Sequence[Level]:
        """How the deltas are grouped, from coarse to fine; at least one level."""

    def digest(self, candidate: Candidate) -> bytes:
        """Return a key as of any case; the same in every run, since verdicts are kept by it."""

    def objection(self, candidate: Candidate) -> str:
        """Return why a candidate cannot exist, empty if it can: a change that does not apply.

        What cannot exist is not rendered.
        """


@runtime_checkable
class Describable(Protocol):
    """Circumstances whose candidates can be told in the words of whoever asks."""

    def describe(self, candidate: Candidate) -> str:
        """Return what a candidate is: a commit, a command line, the tests that run."""


class Choice(ABC, Generic[Known_co]):
    """Circumstances of which any choice can be made, each delta for itself."""

    __slots__ = ()

    @property
    @abstractmethod
    def deltas(self) -> Deltas:
        """All deltas."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """What the deltas are, as a plural."""

    @abstractmethod
    def chosen(self, kept: Deltas) -> Known_co:
        """Return what is to be placed if these deltas are applied."""

    @property
    def levels(self) -> Sequence[Level]:
        """One level: to find a group first and then one of it takes no fewer tests."""
        return [Level(self.kind, [Deltas.of([delta]) for delta in self.deltas])]

    def render(self, candidate: Candidate) -> Known_co:
        """Return what is to be placed for a candidate."""
        return self.chosen(candidate.kept)

    def digest(self, candidate: Candidate) -> bytes:
        """Return the key of what is to be placed."""
        return self.chosen(candidate.kept).digest

    def size(self, deltas: Deltas) -> int:
        """Return how many deltas there are."""
        return len(deltas)

    def objection(self, _candidate: Candidate) -> str:
        """None: any choice can exist."""
        return ""
