"""The answer of a test on one candidate, with all that came with its verdict."""

from typing import NamedTuple

from wynot.core.diagnostics import Diagnostics
from wynot.core.verdict import Verdict


class Answer(NamedTuple):
    """What the future of a runner holds; what it says does not change any more."""

    verdict: Verdict
    is_final: bool = True
    """Whether the test had all its time; if not, the candidate may be asked about again."""
    diagnostics: Diagnostics | None = None
    """What the program reports, in a stage that wants it; None: nobody looked."""
    refused_by: str = ""
    """The guard that has refused the candidate, if one has."""
    not_placed: str = ""
    """Why the candidate could not be put in place, if so."""
    seconds: float = 0.0
    """How long the test took, if it was run just now."""


CUT_OFF = Answer(Verdict.UNRESOLVED, is_final=False)
"""The answer of a test that had less time than it may take."""
