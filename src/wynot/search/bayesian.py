"""A search for the step at which a rate changes, where every answer may be wrong.

Any state may be run many times. Each question is about one more run of one state: the one from
which most is to be expected (``changepoint``), until one step is likely enough, or that there is
none, or all runs are spent.

Cost: chance decides. With rates p and 1 - p that are known, about log₂n / (1 - H(p)) runs; up to
twice as many where they have to be found out as well.
Result: what is known of the step by then.
"""

from functools import partial

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import RESOLVED, Pick, Round, Search
from wynot.core.verdict import Verdict
from wynot.search.changepoint import Changepoint

LEAST_CHANCE = 0.97
"""The probability at which a step is taken for the one."""


def bayesian(
    known: Changepoint, confidence: float, most: int, iteration: int = 1
) -> Search[Changepoint]:
    """Run the most telling state, until one answer is this likely or so many runs were made."""
    last = known.runs[-1][0]
    while iteration <= most and known.surest < confidence:
        state = known.next_state
        if state is None:
            break
        again = partial(bayesian, known, confidence, most, iteration)
        candidate = run_of(state, sum(known.counts(state)), last)
        pick = yield Round.first(
            [candidate],
            iteration=iteration,
            wanted=RESOLVED,
            again=again,
            odds=known.odds(state),
        )
        verdict = pick.verdict if isinstance(pick, Pick) else Verdict.UNRESOLVED
        known = known.after(state, verdict)
        iteration += 1
    return known


def run_of(state: int, number: int, last: int) -> Candidate:
    """Return the question for one more run of a state: its steps, and a delta for the number."""
    return Candidate(
        Deltas.first(state), Edit.add(Deltas.of([last + number])), f"s{state}/{number}"
    )
