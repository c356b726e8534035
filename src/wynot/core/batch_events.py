"""What a batch tells those who watch; what happens inside of each reduction is told by its own."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class BatchStarted(NamedTuple):
    """A batch began: the folder was read, and its inputs are about to be run once each."""

    folder: str
    inputs: int
    jobs: int
    options: Mapping[str, object] = MappingProxyType({})
    """The options that are not as usual, by their long names."""


class BatchGroup(NamedTuple):
    """Inputs that fail in the same way."""

    number: int
    """Which one, from 1, in the order in which they are reduced."""
    failure: str
    """What the failure looks like, in one line."""
    members: int
    size: int
    """Bytes of the smallest of them."""


class BatchSorted(NamedTuple):
    """Each input was run once, and those that fail are in groups."""

    groups: tuple[BatchGroup, ...]
    passing: int
    """How many inputs do not fail."""
    rejected: int
    """How many end with an ordinary error, where others crash."""
    hanging: int
    """How many did not end in time."""
    missing: int
    """How many could not be read."""
    known: int
    """How many were run by an earlier run of the same command, and not again."""


class GroupStarted(NamedTuple):
    """An input of a group is reduced now."""

    number: int
    name: str
    """The input, as it is called in the folder."""
    size: int


class GroupEnded(NamedTuple):
    """As much of a group is reduced as was asked for."""

    number: int
    state: str
    """reduced, stopped, duplicate or unusable."""
    name: str
    """The input that the result was made from."""
    before: int
    size: int
    tests: int
    seconds: float
    where: str = ""
    """The folder with the result; that of the other group if it is a duplicate."""
    why: str = ""
    """Why it was stopped, or cannot be reduced."""


class BatchEnded(NamedTuple):
    """A batch ended."""

    stopped: str
    """Why: a `Stop`, or the slug of an error."""
    inputs: int
    failing: int
    causes: int
    """Groups that are left when duplicates are not counted."""
    unfinished: int
    """Groups that were not reduced to the end, though they can be."""
    unusable: int
    """Groups of which no input fails reliably."""
    tests: int
    shared: int
    """Answers that were taken from the reduction of another input."""
    seconds: float
    where: str
    """The folder with the results."""
    runs: int = 0
    """Starts of the user's command, whatever for."""
    checks: int = 0
    """How many of them were to check the test or a result, and are not among `tests`."""
    repeated: int = 0
    """How many of them were to ask the same once more."""
