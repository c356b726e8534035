"""What a session tells those who watch: frozen records, in commit order.

``Asked`` and ``Finished`` are the same at any width.
"""

from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.verdict import Verdict


class Started(NamedTuple):
    """A session began on so many deltas."""

    deltas: int
    width: int


class Asked(NamedTuple):
    """A candidate got its verdict: from the test, or from the memo."""

    candidate: Candidate
    verdict: Verdict
    from_memo: bool
    decided: bool
    """Whether it is what its round looked for."""
    iteration: int
    so_far: object
    """What a search for several things had found before."""


class Finished(NamedTuple):
    """The session ended, and why."""

    stopped: str
    left: int


Event = Started | Asked | Finished
