"""What a verdict is likely to be, so that idle workers run ahead on the likeliest continuation.

A chunk that could go from one base can mostly go from the next as well (``002``'s unambiguity), so
the last verdict on taking out these very deltas is the best bet. Else what came of the last few
drops is: at first most chunks of a case can go, at the end hardly any. But nothing is expected of a
kind that hung when it was tried last: while such a one runs into its time limit, the others are not
to work on what would follow if it were of use. A wrong bet costs tests, never the result.
"""

from wynot.core.candidate import Candidate
from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import RoundQuestion

REMEMBERED_DROPS = 4
"""How many drops the estimate is of, about."""

EVEN_ODDS = 0.5


class _Seen:
    """What came of the drops of one stage."""

    def __init__(self) -> None:
        self.last: dict[int, Verdict] = {}
        self.successes = 0.0
        self.unresolved: set[str] = set()
        """Kinds of which the last one was unresolved, as it is if it hangs."""


class Foresight:
    """Remembers, for each stage, what came of a drop last, and how many of the last few worked."""

    def __init__(self) -> None:
        self._seen: dict[Stage, _Seen] = {}

    def forget_all_but(self, *stages: Stage) -> None:
        """Keep what is known of these stages; others are over."""
        self._seen = {stage: self._seen[stage] for stage in stages if stage in self._seen}

    def learn(self, candidate: Candidate, stage: Stage, verdict: Verdict) -> None:
        """Take note of what came of a drop."""
        if candidate.edit.verb == "drop":
            seen = self._seen.setdefault(stage, _Seen())
            seen.last[candidate.edit.deltas.key] = verdict
            if verdict is Verdict.UNRESOLVED:
                seen.unresolved.add(candidate.name)
            else:
                seen.unresolved.discard(candidate.name)
            seen.successes += ((verdict is Verdict.INTERESTING) - seen.successes) / REMEMBERED_DROPS

    def guess(self, question: RoundQuestion, stage: Stage) -> Verdict:
        """Return the verdict to bet on."""
        edit, seen = question.candidate.edit, self._seen.get(stage)
        if edit.verb != "drop" or seen is None:
            return question.likely
        last = seen.last.get(edit.deltas.key)
        if last is not None:
            return last
        if question.candidate.name in seen.unresolved:
            return question.likely
        return Verdict.INTERESTING if seen.successes > EVEN_ODDS else question.likely
