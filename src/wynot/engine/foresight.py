"""How likely a verdict is, so that idle workers run ahead on the likeliest continuations.

A chunk that could go from one base can mostly go from the next as well (``002``'s unambiguity), so
the last verdict on taking out these very deltas is the best bet. Else what the search itself says
is, which may know how often the like has worked; else what came of the last few candidates: at
first most chunks of a case can go, at the end hardly any. But nothing is expected of a kind that
hung when it was tried last: while such a one runs into its time limit, the others are not to work
on what would follow if it were of use. A wrong bet costs tests, never the result.
"""

from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import RoundQuestion

REMEMBERED_CANDIDATES = 4
"""How many candidates the estimate is of, about."""
FIRST_ODDS = 0.25
"""How likely it is to be interesting what comes first."""
REPEATED_ODDS = 0.85
"""How likely it is that what was taken out before has the same effect again."""
HUNG_ODDS = 0.02
"""How likely it is to be interesting what hung when it was tried last."""
HIGHEST_ODDS = 0.97
"""Nothing is likelier than this, and nothing less likely than the rest to one."""


class Odds(NamedTuple):
    """How likely the verdicts are; the rest is unresolved."""

    interesting: float
    uninteresting: float

    def items(self) -> tuple[tuple[Verdict, float], ...]:
        """Return each with its verdict."""
        return (
            (Verdict.INTERESTING, self.interesting),
            (Verdict.UNINTERESTING, self.uninteresting),
        )


class _Seen:
    """What came of the candidates of one stage."""

    def __init__(self) -> None:
        self.last: dict[int, Verdict] = {}
        self.successes = FIRST_ODDS
        self.resolved = HIGHEST_ODDS
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
        """Take note of what came of a candidate."""
        seen = self._seen.setdefault(stage, _Seen())
        is_resolved = verdict is not Verdict.UNRESOLVED
        if candidate.edit.verb == "drop":
            seen.last[candidate.edit.deltas.key] = verdict
            (seen.unresolved.discard if is_resolved else seen.unresolved.add)(candidate.name)
        seen.successes += _step(seen.successes, is_so=verdict is Verdict.INTERESTING)
        seen.resolved += _step(seen.resolved, is_so=is_resolved)

    def odds(self, question: RoundQuestion, stage: Stage) -> Odds:
        """Return how likely each verdict is."""
        edit, seen = question.candidate.edit, self._seen.get(stage) or _Seen()
        interesting = seen.successes if question.odds is None else question.odds
        if edit.verb == "drop":
            last = seen.last.get(edit.deltas.key)
            if last is Verdict.INTERESTING:
                interesting = REPEATED_ODDS
            elif last is not None:
                interesting = min(interesting, 1 - REPEATED_ODDS)
            elif question.candidate.name in seen.unresolved:
                interesting = HUNG_ODDS
        interesting = min(HIGHEST_ODDS, max(1 - HIGHEST_ODDS, interesting))
        return Odds(interesting, (1 - interesting) * min(HIGHEST_ODDS, seen.resolved))


def _step(estimate: float, *, is_so: bool) -> float:
    """Return by how much one more observation moves an estimate."""
    return (is_so - estimate) / REMEMBERED_CANDIDATES
