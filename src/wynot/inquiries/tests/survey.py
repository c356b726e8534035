"""What kind of failure it is: polluted by earlier tests, or in need of some."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from wynot.agents.sandbox import Sandbox
from wynot.core.deltas import NONE
from wynot.core.ending import Ending
from wynot.core.errors import InvalidOption, NothingToReduce, NotInteresting, NotPassing
from wynot.core.verdict import Verdict
from wynot.failures.criteria import Criterion
from wynot.inquiries.tests.circumstance import EarlierTests
from wynot.inquiries.tests.collection import run
from wynot.inquiries.tests.selection import Listed, Selection, TestRuns
from wynot.job.inquiry_log import InquiryLog
from wynot.oracle.provisioner import Inapplicable
from wynot.oracle.trial import TrialResult
from wynot.wire.run_request import Limits


class Surveyed(NamedTuple):
    """What to look for, and what is known already."""

    case: EarlierTests
    criterion: Criterion
    """Who judges: it knows in which way the test fails."""
    seconds: float
    """How long the longer one of the two runs took: that of all tests."""


def survey(
    tests: Sequence[Listed],
    at: int,
    runs: TestRuns,
    criterion: Criterion,
    ran: Callable[[Selection, str], Ending],
) -> Surveyed:
    """See the test run after all that come before it, and alone; say what that shows.

    Raise if it fails either way or neither. ``ran`` runs some tests; it is told what to call that.
    """
    case = EarlierTests(tuple(tests[:at]), tests[at], runs, later=_later(tests, at))
    if not case.deltas:
        raise _first_of_all(case)
    sides = case.selected(case.deltas), case.selected(NONE)
    try:
        endings = [ran(each, case.called(each)) for each in sides]
    except Inapplicable as why:
        raise InvalidOption(
            f"{at + 1:,} tests cannot be run at once: {why}",
            hint="give a shorter list, or a command that reads the names from a file",
        ) from None
    # A crash is the failure only if that is how it fails: what would each of the two teach?
    found = [criterion.after(ending).judge(ending) for ending in endings]
    case = replace(case, is_brittle=found[0] is Verdict.UNINTERESTING)
    _refuse_neither(case, found, [runs.outcome_of(ending) for ending in endings])
    seconds = max(ending.seconds for ending in endings)
    return Surveyed(case, criterion.after(endings[case.is_brittle]), seconds)


def _later(tests: Sequence[Listed], at: int) -> tuple[Listed, ...]:
    """Return the files of which all tests come later: they are imported before any test runs."""
    before = {test.path for test in tests[: at + 1]}
    files = {test.path: test.name.partition("::")[0] for test in tests[at + 1 :]}
    return tuple(Listed(name, path) for path, name in files.items() if path and path not in before)


def _first_of_all(case: EarlierTests) -> NothingToReduce:
    return NothingToReduce(
        f"{case.target.name!r} is the first test: nothing runs before it",
        hint="if it fails alone, its input can be reduced: wynot reduce",
    )


def _refuse_neither(case: EarlierTests, found: list[Verdict], outcomes: list[str]) -> None:
    """Raise unless the test fails on one side and passes on the other."""
    name, at = case.target.name, len(case.earlier)
    after, by_itself = outcomes
    if not at and found[0] is found[1]:
        raise _first_of_all(case)
    if found == [Verdict.INTERESTING] * 2:
        raise NotPassing(
            f"{name!r} fails alone as well ({by_itself}): no earlier test is to blame",
            hint="debug it by itself: " + case.runs.line(case.selected(NONE)),
        )
    if found == [Verdict.UNINTERESTING] * 2:
        raise NotInteresting(
            f"{name!r} passes, after the {at} tests before it and alone",
            hint="is that the order in which it failed? for a random one give its seed: "
            "wynot tests TEST -- python -m pytest --randomly-seed=N; or look for one: --shuffle",
        )
    if Verdict.UNRESOLVED in found:
        raise NotInteresting(
            f"{name!r} neither passes nor fails: {after} after the {at} tests before it, "
            f"{by_itself} alone",
            hint="it has to fail on one side and to pass on the other",
        )


@dataclass(slots=True)
class SideRuns:
    """Runs some tests before there is an inquiry, unless that was done, and writes it down."""

    runs: TestRuns
    criterion: Criterion
    sandbox: Sandbox
    limits: Limits
    log: InquiryLog
    replay: str
    whole: Ending | None = None
    """How the first of the runs ended, if it was made along with the collection."""
    done: dict[bytes, Ending] = field(default_factory=dict)

    def survey(self, tests: Sequence[Listed], at: int) -> Surveyed:
        """See one of the tests run after those before it, and alone."""
        return survey(tests, at, self.runs, self.criterion, self._ran)

    def _ran(self, subject: Selection, name: str) -> Ending:
        """Return how a run of these tests ended."""
        if subject.digest in self.done:
            return self.done[subject.digest]
        self.log.call(subject, subject.digest, name)
        self.log.require(subject, self.replay)
        ending, self.whole = self.whole, None
        known = self.log.recall_runs(subject, 1)
        if known:
            ending = known[0].ending
        elif ending is None:
            ending = run(self.runs.provision(subject, self.sandbox), self.sandbox, self.limits)
        verdict = self.criterion.after(ending).judge(ending)
        self.log.note_run(subject, TrialResult(verdict, ending))
        self.done[subject.digest] = ending
        return ending
