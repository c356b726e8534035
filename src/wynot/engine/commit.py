"""What is done with a verdict once it is final: the one place where a search leaves a mark.

Verdicts are committed one after the other, in the order in which a single worker would get them,
and only on the scheduler's thread. Whatever follows from one (a smaller case that is accepted and
written down, a count, the end of a budget) follows here. Observers are told of it, and only watch.
"""

from collections.abc import Hashable
from typing import NamedTuple, Protocol

from wynot.core.events import CandidateJudged
from wynot.core.round import Stage


class Commit(NamedTuple):
    """A verdict that is committed, and what it is a verdict on."""

    stage: Stage
    asked: CandidateJudged
    digest: Hashable
    is_final: bool
    """Whether the test had all its time; if not, the candidate may be asked about again."""


class Ledger(Protocol):
    """Takes commits; what it raises ends the search."""

    def enter(self, stage: Stage) -> None:
        """Begin a stage: all verdicts before it are committed, and its first one is awaited."""

    def commit(self, commit: Commit) -> None:
        """Take a verdict."""
