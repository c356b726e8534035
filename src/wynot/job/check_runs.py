"""Runs of the test that are no part of a search: the first ones, and those that ask once more."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from wynot.core.ending import Ending, ending_of
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.rows import VERDICTS
from wynot.job.evaluator import Evaluator
from wynot.oracle.guards import Refusal
from wynot.oracle.repetition import SAMPLE, Repetition
from wynot.oracle.trial import TrialResult

Subject = TypeVar("Subject")

BATCH_RUNS = 5
"""How many runs are made at once where the number of runs depends on what they show."""


class Confirmed(NamedTuple):
    """What came of asking again about a case that was accepted."""

    holds: bool
    shown: int
    runs: int


class TriedCase(NamedTuple, Generic[Subject]):
    """A case, and how the test has ended on it before."""

    subject: Subject
    endings: Sequence[Ending]


def ignore_run(_subject: object, _result: TrialResult) -> None:
    """The default observer of runs: it ignores them."""


class CheckRuns(Generic[Subject]):
    """Runs the test by the name of a check; what the journal has of that name is not run again.

    Without a journal everything is run. All of it is called by the thread that searches.
    """

    def __init__(
        self,
        evaluator: Evaluator[Subject],
        doing: Mapping[str, str],
        journal: Journal | None = None,
        note: Callable[[Subject, TrialResult], None] = ignore_run,
    ) -> None:
        """Take what is done, in words, by the first word of a check's name.

        ``note`` is called with runs of accepted cases: how the failure looks there may matter.
        """
        self.tests = 0
        """How many runs were made."""
        self._evaluator = evaluator
        self._doing = doing
        self._journal = journal
        self._note = note
        self._seen: Counter[tuple[int, Verdict]] = Counter()
        """Verdicts of single runs, by who the case is: a large one is not kept for that."""

    def counts(self, subject: Subject) -> tuple[int, int]:
        """Return how many single runs of a case have shown the failure, and how many have not.

        Only of one that was there all the time: another may have had its place before.
        """
        who = id(subject)
        return self._seen[who, Verdict.INTERESTING], self._seen[who, Verdict.UNINTERESTING]

    def some(self, name: str, subject: Subject) -> list[TrialResult]:
        """Run the test some times at once."""
        return self._run(name, [subject] * BATCH_RUNS)

    def once(self, name: str, subject: Subject) -> TrialResult:
        """Run the test once."""
        [result] = self.each([(name, subject)])
        return result

    def each(self, checks: Sequence[tuple[str, Subject]]) -> list[TrialResult]:
        """Run the test once for each check, all at once."""
        found = {name: _recalled(self._known(name)) for name, _ in checks}
        missing = [(name, subject) for name, subject in checks if found[name] is None]
        if missing:
            ran = self._run(missing[0][0], [subject for _, subject in missing])
            for (name, _), result in zip(missing, ran, strict=True):
                other = result.other and result.other.row
                self._keep(name, [result.verdict.value, result.ending.row, other])
                found[name] = result
        known = [result for result in found.values() if result is not None]
        for result in known:
            if result.verdict is Verdict.INTERESTING:
                self._evaluator.oracle.time_limit.learn(result.ending.seconds)
        return known

    def tried(self, subject: Subject, *names: str) -> TriedCase[Subject]:
        """Return a case with how its runs of these names have ended, if there were any."""
        results = [_recalled(self._known(name)) for name in names]
        return TriedCase(subject, [each.ending for each in results if each is not None])

    def rate(self, name: str, subject: Subject, runs: int = SAMPLE) -> float:
        """Return how often the failure shows."""
        known = self._known(name)
        if not isinstance(known, int | float) or not 0 <= known <= 1:
            self._evaluator.tell(f"finding out in {runs} runs how often the failure shows")
            results = self._evaluator.run(subject, runs)
            self.tests += runs
            known = _shown(results) / runs
            self._keep(name, known)
        return float(known)

    def verdict(self, name: str, subject: Subject) -> Verdict:
        """Ask about a case as a search does, whatever is known."""
        self._evaluator.tell(self._doing[name])
        self.tests += 1
        return self._evaluator.judge(subject).verdict

    def holds(self, names: Sequence[str], subject: Subject) -> bool:
        """Tell whether an accepted case still fails in each check, and passes the guards."""
        ran = self.each([(name, subject) for name in names])
        for result in ran:
            self._note(subject, result)
        return _shown(ran) == len(ran) and self.refusal(subject) is None

    def confirmed(self, name: str, subject: Subject, repetition: Repetition) -> Confirmed:
        """Ask about an accepted case of an unreliable test until it is clear whether it holds."""
        match self._known(name):
            case [bool(holds), int(shown), int(runs)]:
                return Confirmed(holds, shown, runs)
        is_so, results = None, list[TrialResult]()
        while is_so is None:
            results += self._run(name, [subject] * BATCH_RUNS)
            is_so = repetition.confirm(_shown(results), len(results))
        for each in results:
            self._note(subject, each)
        confirmed = Confirmed(is_so, _shown(results), len(results))
        self._keep(name, list(confirmed))
        return confirmed

    def _run(self, name: str, subjects: Sequence[Subject]) -> list[TrialResult]:
        self._evaluator.tell(self._doing[name.split(maxsplit=1)[0]])
        self.tests += len(subjects)
        ran = self._evaluator.run_all(subjects, capture=True)
        for subject, result in zip(subjects, ran, strict=True):
            self._seen[id(subject), result.verdict] += 1
        return ran

    def refusal(self, subject: Subject) -> Refusal | None:
        """Return the first of the guards that does not let a case pass, whatever the test says."""
        [refusal] = self._evaluator.do(partial(self._evaluator.oracle.refusal, subject))
        return refusal

    def _known(self, name: str) -> object:
        return None if self._journal is None else self._journal.check(name)

    def _keep(self, name: str, row: object) -> None:
        if self._journal is not None:
            self._journal.keep_check(name, row)


def _shown(results: Sequence[TrialResult]) -> int:
    return sum(each.verdict is Verdict.INTERESTING for each in results)


def _recalled(known: object) -> TrialResult | None:
    """Return what a run of the test came to; None if what is kept does not say."""
    match known:
        case [str(verdict), list(row), other] if verdict in VERDICTS:
            ending, second = ending_of(row), ending_of(other) if other else None
            if ending is not None and (second is not None or not other):
                return TrialResult(Verdict(verdict), ending, second)
    return None
