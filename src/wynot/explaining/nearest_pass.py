"""The nearest variant that passes: of all that were seen to pass, the one that differs least.

What it differs in is narrowed further as long as it passes (``ddmax``): the case itself stays the
failing side.
"""

from wynot.core.deltas import NONE
from wynot.core.files import Files
from wynot.core.round import Search
from wynot.explaining.driven_search import driven
from wynot.explaining.findings import Findings, NearPass
from wynot.explaining.variant_questions import OutOfTests, VariantQuestions
from wynot.explaining.variants import applied
from wynot.inquiries.inputs.circumstance import InputDifference
from wynot.search.dd import Pair
from wynot.search.ddmax import ddmax
from wynot.search.ddmin import ddmin


class TokenDifference(InputDifference):
    """The difference of two inputs by tokens; candidates are known by their content alone."""

    def __init__(self, passing: Files, failing: Files) -> None:
        super().__init__(passing, failing, "tokens")

    def _digest(self, files: Files) -> bytes:
        return files.digest


def nearest_pass(questions: VariantQuestions, findings: Findings) -> Search[None]:
    """Find what makes the least difference between passing and failing."""
    if not questions.passing:
        return
    nearest = min(questions.passing, key=lambda variant: variant.cost)
    passing, failing = applied(questions.files, nearest.patches), questions.files
    findings.nearest = NearPass(passing, failing)
    case = TokenDifference(passing, failing)
    if len(case.deltas) < 2:  # noqa: PLR2004 - one difference is as near as can be
        return
    try:
        pair = yield from driven(questions, case, ddmax(Pair(NONE, case.deltas), ddmin), "nearest")
    except OutOfTests:
        return
    findings.nearest = NearPass(case.written(pair.passing), failing)
