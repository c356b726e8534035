"""Turns the commits of a search into its trace, its counts, its best case.

Verdicts are committed one after the other, in the order in which a single worker would get them,
and only on the scheduler's thread. Whatever follows from one (a smaller case that is accepted and
written down, a count, the end of a budget) follows here. Observers get its event, and only watch.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.events import CandidateJudged
from wynot.core.options.quantities import counted
from wynot.core.result import Trace
from wynot.core.round import Stage
from wynot.core.verdict import Verdict


class Commit(NamedTuple):
    """An answer that is committed, and what it is an answer on."""

    stage: Stage
    judged: CandidateJudged
    digest: Hashable
    answer: Answer


class Ledger(Protocol):
    """Takes commits; what it raises ends the search."""

    def enter(self, stage: Stage) -> None:
        """Begin a stage: all verdicts before it are committed, and its first one is awaited."""

    def commit(self, commit: Commit) -> None:
        """Take a verdict."""


class Recorder:
    """All facts of a session so far, since it may end at any moment."""

    def __init__(
        self,
        case: Case[object],
        passing: Deltas,
        failing: Deltas,
        *,
        memo_proves: bool = False,
    ) -> None:
        """Start from two sides; ``memo_proves``: what the memo recalls counts as tested."""
        self.passing = passing
        self.failing = failing
        self.memo_hits = 0
        self.iterations = 0
        self.so_far: object = None
        self.trace = Trace(failing)
        self._case = case
        self._memo_proves = memo_proves
        self._tested: dict[Hashable, Verdict] = {}
        self._step_of: dict[int, int] = {failing.key: -1}

    def size(self, deltas: Deltas) -> str:
        """Return how many items the test sees of a configuration, in words."""
        return counted(self._case.size(deltas), "item")

    def checked(self, deltas: Deltas, verdict: Verdict) -> None:
        """Take note of a test from before the search."""
        self._tested[self._case.digest(Candidate.whole(deltas))] = verdict

    def enter(self, stage: Stage) -> None:
        """Begin: there is one stage only."""

    def commit(self, commit: Commit) -> None:
        """Take note of a verdict; one that is not final proves nothing."""
        judged, trace = commit.judged, self.trace
        candidate = judged.candidate
        step = len(trace.edits)
        parent = self._step_of.get(candidate.base.key)
        trace.parents.append(-1 if parent is None else parent)
        trace.edits.append(Edit.keep(candidate.kept) if parent is None else candidate.edit)
        trace.names.append(candidate.name)
        trace.verdicts.append(judged.verdict)
        trace.from_memo.append(judged.from_memo)
        self.iterations = max(self.iterations, judged.iteration)
        if judged.so_far != self.so_far:  # the search is after the next thing
            self.so_far, self.failing = judged.so_far, candidate.base
        if judged.from_memo:
            self.memo_hits += 1
        if commit.answer.is_final and (self._memo_proves or not judged.from_memo):
            self._tested[commit.digest] = judged.verdict
        if judged.decided and self._is_progress(judged):
            trace.accepted.add(step)
            self._step_of[candidate.key] = step

    def _is_progress(self, judged: CandidateJudged) -> bool:
        """Move a side that this verdict moves, and tell whether it did."""
        kept = judged.candidate.kept
        if judged.verdict is Verdict.UNINTERESTING:
            self.passing = kept
        elif len(kept) < len(self.failing):
            self.failing = kept
        else:
            return False
        return True

    def is_minimal(self, kept: Deltas) -> bool:
        """Tell whether it is proved that no single delta can go (``003`` Def. 10)."""
        return self.none_can_go(kept, _singles(kept))

    def none_can_go(self, failing: Deltas, units: Iterable[Deltas]) -> bool:
        """Tell whether it is proved that none of these can be taken out of what fails."""
        return all(
            self._has(failing, Edit.drop(unit), Verdict.INTERESTING) is False for unit in units
        )

    def none_can_come(self, passing: Deltas, units: Iterable[Deltas]) -> bool:
        """Tell whether it is proved that none of these can be put into what passes."""
        return all(
            self._has(passing, Edit.add(unit), Verdict.UNINTERESTING) is False for unit in units
        )

    def is_minimal_difference(self, passing: Deltas, failing: Deltas) -> bool:
        """Tell whether it is proved that no single delta can change sides (``003`` Def. 15)."""
        return self.none_can_change_sides(passing, failing, list(_singles(failing.toggle(passing))))

    def none_can_change_sides(
        self, passing: Deltas, failing: Deltas, units: Sequence[Deltas]
    ) -> bool:
        """Tell whether it is proved that none of these, all of the difference, can."""
        if len(units) == 1:  # the two sides themselves are the proof
            ends = (passing, Verdict.UNINTERESTING), (failing, Verdict.INTERESTING)
            return all(self._has(side, Edit.drop(NONE), verdict) is True for side, verdict in ends)
        return self.none_can_come(passing, units) and self.none_can_go(failing, units)

    def _has(self, base: Deltas, edit: Edit, verdict: Verdict) -> bool | None:
        """Tell whether a test gave this verdict; None: it was never run."""
        known = self._tested.get(self._case.digest(Candidate(base, edit, "")))
        return None if known is None else known is verdict


def _singles(deltas: Deltas) -> Iterator[Deltas]:
    return (deltas.part(at, at + 1) for at in range(len(deltas)))
