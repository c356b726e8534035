"""What a session tells those who watch: frozen records, in commit order, the same at any width."""

from collections.abc import Hashable
from dataclasses import dataclass

from wynot.core.candidate import Candidate
from wynot.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Started:
    """A session began on so many deltas."""

    deltas: int
    width: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A candidate got its verdict: from the test, or from the memo."""

    candidate: Candidate
    digest: Hashable
    verdict: Verdict
    from_memo: bool
    decided: bool
    """Whether it is what its round looked for."""
    iteration: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The session ended, and why."""

    stopped: str
    left: int


Event = Started | Asked | Finished
