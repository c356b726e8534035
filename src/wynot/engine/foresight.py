"""What a verdict is likely to be, so that idle workers run ahead on the likeliest continuation.

Most candidates are not interesting, so that is the first bet. But a chunk that could go from one
base can mostly go from the next as well (``002``'s unambiguity), so the last verdict on taking out
these very deltas is the better bet. A wrong bet costs tests, never the result.
"""

from wynot.core.candidate import Candidate
from wynot.core.verdict import Verdict
from wynot.engine.settle import Question


class Foresight:
    """Remembers, for each set of deltas that was taken out, what came of it last."""

    def __init__(self) -> None:
        self._last: dict[int, Verdict] = {}

    def learn(self, candidate: Candidate, verdict: Verdict) -> None:
        """Take note of what came of a drop."""
        if candidate.edit.verb == "drop":
            self._last[candidate.edit.deltas.key] = verdict

    def guess(self, question: Question) -> Verdict:
        """Return the verdict to bet on."""
        edit = question.candidate.edit
        if edit.verb == "drop":
            return self._last.get(edit.deltas.key, question.likely)
        return question.likely
