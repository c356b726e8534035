"""What a verdict is likely to be, so that idle workers run ahead on the likeliest continuation.

A chunk that could go from one base can mostly go from the next as well (``002``'s unambiguity), so
the last verdict on taking out these very deltas is the best bet. Else what came of the last few
drops is: at first most chunks of a case can go, at the end hardly any. But nothing is expected of a
kind that hung when it was tried last: while such a one runs into its time limit, the others are not
to work on what would follow if it were of use. A wrong bet costs tests, never the result.
"""

from wynot.core.candidate import Candidate
from wynot.core.verdict import Verdict
from wynot.engine.settle import Question

MEMORY = 4
"""How many drops the estimate is of, about."""

EVEN = 0.5


class Foresight:
    """Remembers what came of each drop last, and how many of the last few succeeded."""

    def __init__(self) -> None:
        self._last: dict[int, Verdict] = {}
        self._successes = 0.0
        self._unresolved: set[str] = set()
        """Kinds of which the last one was unresolved, as it is if it hangs."""

    def learn(self, candidate: Candidate, verdict: Verdict) -> None:
        """Take note of what came of a drop."""
        if candidate.edit.verb == "drop":
            self._last[candidate.edit.deltas.key] = verdict
            if verdict is Verdict.UNRESOLVED:
                self._unresolved.add(candidate.name)
            else:
                self._unresolved.discard(candidate.name)
            self._successes += ((verdict is Verdict.INTERESTING) - self._successes) / MEMORY

    def guess(self, question: Question) -> Verdict:
        """Return the verdict to bet on."""
        edit = question.candidate.edit
        if edit.verb != "drop":
            return question.likely
        last = self._last.get(edit.deltas.key)
        if last is not None:
            return last
        if question.candidate.name in self._unresolved:
            return question.likely
        return Verdict.INTERESTING if self._successes > EVEN else question.likely
