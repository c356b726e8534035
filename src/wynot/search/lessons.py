"""What a search has learned of what is worth trying, from the answers alone."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

BELIEF_TRIES = 2.0
"""How many tries it is worth what was believed before any."""


class Record(NamedTuple):
    """How often something was tried, and how often it worked."""

    tries: int = 0
    worked: int = 0

    def rate(self, odds: float) -> float:
        """How often it can be expected to work, if these were the odds."""
        return (self.worked + odds * BELIEF_TRIES) / (self.tries + BELIEF_TRIES)

    def after(self, *, worked: bool) -> "Record":
        """Return the record with one more try."""
        return Record(self.tries + 1, self.worked + worked)


Lessons: TypeAlias = Mapping[str, Record]
"""What was learned of sorts, and of single segments."""
NO_RECORD = Record()
NO_LESSONS: Lessons = MappingProxyType({})
