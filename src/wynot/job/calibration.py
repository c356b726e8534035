"""What is found out before a search: whether its test can be used, and how.

A program that is refused a file may fail in a way of its own, which would then be reduced. So where
tests are confined without having been asked to be, the original is also run once as it would be
without that. Where it was asked for, nothing is ever run unconfined.

A test is tried on a case that fails, twice, and on one that should not: the original and an empty
file, or the two sides of an inquiry. If it does not say the same each time, it is measured how
often the failure shows, and where it is not, how often it seems to; from then on every candidate is
asked about as often as that takes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from wynot.agents.sandbox import AgentLost, Sandbox
from wynot.core.ending import Ending
from wynot.core.errors import NotInteresting, OnlyUnconfined, Unreliable, WynotError
from wynot.core.events import Event, Noticed
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.failures.expectation import Expectation
from wynot.job.check_runs import BATCH_RUNS, CheckRuns, ignore_run
from wynot.job.evaluator import Evaluator
from wynot.oracle.appearance import looks
from wynot.oracle.confining import Confinement
from wynot.oracle.oracle import Oracle
from wynot.oracle.repetition import (
    LARGE_SAMPLE,
    RAREST_RATE,
    RELIABLE,
    SAMPLE,
    Repetition,
)
from wynot.oracle.trial import NOT_FOUND, JudgedCommand, Trial, TrialResult


@dataclass(frozen=True)
class OriginalRun:
    """See `wynot.agents.agent_source.MachineCheck`: it is one of those."""

    oracle: Oracle[Any]
    original: Any

    def run(self, sandbox: Sandbox) -> TrialResult:
        """Run the test on the original; that it cannot be run is an answer, too."""
        try:
            return self.oracle.once(self.original, sandbox, capture=True)
        except AgentLost:
            raise
        except WynotError as error:
            return TrialResult(Verdict.UNRESOLVED, NOT_FOUND, why=error.message)

    def shows_failure(self, result: TrialResult) -> bool:
        """Tell whether the failure shows."""
        return result.verdict is Verdict.INTERESTING

    def is_same(self, one: TrialResult, other: TrialResult) -> bool:
        """Tell whether two answers are the same to somebody who has learned from the first."""
        if one.verdict is not other.verdict or bool(one.why) != bool(other.why):
            return False
        try:
            trial = self.oracle.trial.calibrated(one).relaxed(one, other)
        except NotInteresting:
            return True
        return trial.judged(one).verdict is trial.judged(other).verdict

    def describe(self, result: TrialResult) -> str:
        """Return what came of it, in a few words."""
        return result.words


Subject = TypeVar("Subject")

HINT = (
    "give each folder that it has to write to, --writable DIR; or --no-confine, if a mangled "
    "version of it can do no harm"
)
MAX_UNCONFINED_TRIES = 2
DENIED = "confinement denied a write of the test to {path}; use --writable {folder} or --no-confine"


def refuse_if_free_shows(evaluator: Evaluator[Subject], subject: Subject, unsettled: Trial) -> None:
    """Raise if a failure that does not show when the test is confined shows when it is not."""
    if not evaluator.oracle.confinement.is_usual:
        return
    try:
        trial = unsettled.calibrated(evaluator.run_unconfined(subject, unsettled))
    except NotInteresting:
        return
    if evaluator.run_unconfined(subject, trial).verdict is Verdict.INTERESTING:
        raise OnlyUnconfined(
            "the failure shows, but not while the test can write to its private folder only",
            hint=HINT,
        )


def denied_write_notices(confinement: Confinement, endings: Iterable[Ending]) -> Iterable[Noticed]:
    """Yield a notice for each file that a test would write to if it were not confined."""
    outputs = [output for ending in endings for output in (ending.stdout, ending.stderr)]
    for path in confinement.denied(outputs):
        yield Noticed("denied-write", DENIED.format(path=path, folder=Path(path).parent))


def require_same_freely(evaluator: Evaluator[Subject], subject: Subject) -> None:
    """Raise if the failure that shows when the test is confined is not the one without that."""
    if not evaluator.oracle.confinement.is_usual:
        return
    for _ in range(MAX_UNCONFINED_TRIES):
        result = evaluator.run_unconfined(subject, evaluator.oracle.trial)
        if result.verdict is Verdict.INTERESTING:
            return
    raise OnlyUnconfined(
        "while the test can write to its private folder only, it does not fail as it does "
        f"otherwise: {result.words}{result.ending.tail}",
        hint=HINT,
    )


MAX_TRIES = 24
"""How often a test that says no at first is asked, in case it is unreliable: a failure that shows
in one run of five is found but for one time in two hundred."""

MAX_TRY_SECONDS, LEAST_TRIES = 20.0, 4
"""Seconds after which that is given up, if it was asked so often."""

ALWAYS_SHOWN = Repetition(1.0)
"""What the rates come to if the failure shows in each run where it is, and nowhere else."""

PASSING_TRIES = 3
"""How often a case that must not fail does so, without ever not failing, before it is refused."""


@dataclass(frozen=True, slots=True)
class Sides(Generic[Subject]):
    """A case that fails and one that should not; and what is said if they are not like that."""

    failing: Subject
    passing: Subject
    name: str
    """What the failing one is called."""
    doing: Mapping[str, str]
    """What is done in a check, in words, by the first word of its name."""
    does_not_fail: Callable[
        [TrialResult, Callable[[], TrialResult], NotInteresting | None], WynotError
    ]
    """Returns what to raise; given a way to run the passing one, and why nothing could be learned
    from a run of the failing one, if so."""
    fails_as_well: Callable[[TrialResult, Trial], WynotError] | None = None
    """Returns what to raise if the passing one fails too; None: that is for others to say."""


class VaryingSides(NamedTuple):
    """Runs of both cases, where the failure shows now and then on either."""

    failing: tuple[int, int] = (0, 0)
    """How many have shown the failure, and how many have not."""
    passing: tuple[int, int] = (0, 0)

    def plus(self, other: "VaryingSides") -> "VaryingSides":
        """Return the runs of both."""
        (a, b), (c, d) = self
        (e, f), (g, h) = other
        return VaryingSides((a + e, b + f), (c + g, d + h))


class FirstRuns(NamedTuple):
    """What the first runs have shown."""

    first: TrialResult
    again: TrialResult
    is_steady: bool
    """Whether the failing case failed in each run."""
    varies: bool = False
    """Whether the passing case was seen to fail now and then as well."""

    @property
    def seconds(self) -> float:
        """How long a run takes."""
        return min(self.first.ending.seconds, self.again.ending.seconds)


class Calibration(Generic[Subject]):
    """Tries the test, and has the tester use an oracle that knows what was found out.

    All of it is called by the thread that searches.
    """

    def __init__(
        self,
        evaluator: Evaluator[Subject],
        sides: Sides[Subject],
        observe: Callable[[Event], None],
        journal: Journal | None = None,
        note: Callable[[Subject, TrialResult], None] = ignore_run,
    ) -> None:
        """Take a journal to keep the checks in, if any; ``note`` is told of accepted cases."""
        self.runs = CheckRuns(evaluator, sides.doing, journal, note)
        self._evaluator = evaluator
        self.sides = sides
        self._observe = observe

    def choose_machines(self) -> None:
        """Use only machines that say the same of the failing case, if there are several."""
        agents, oracle = self._evaluator.agents, self._evaluator.oracle
        if agents is not None:
            agents.check_machines(OriginalRun(oracle, self.sides.failing), self._observe)

    def require_guards(self) -> Sequence[str]:
        """Raise if a guard does not let the failing case pass; return what to tell of them."""
        name, oracle = self.sides.name, self._evaluator.oracle
        notices: Sequence[str] = ()
        if oracle.guards.each:
            self._evaluator.tell(f"trying the guards on {name}")
            settled = self._evaluator.learn_guards(self.sides.failing)
            settled.require(name)
            notices = settled.notices
        if oracle.confinement.missing:
            self._observe(Noticed("unconfined", oracle.confinement.missing))
        return notices

    def first_runs(
        self, *, is_known: bool, once: bool = False, by_chance: bool = False
    ) -> FirstRuns:
        """Return what is known now; raise if the test is no good, or only if it is confined.

        ``is_known``: an earlier run has found the latter not to be so. ``once``: a run that shows
        the failure is enough, since what is found will be looked at again. ``by_chance``: it is
        known that both cases fail now and then.
        """
        unsettled = self._evaluator.oracle.trial
        try:
            found = self._tried_by_chance() if by_chance else self._tried(once=once)
        except NotInteresting:
            refuse_if_free_shows(self._evaluator, self.sides.failing, unsettled)
            raise
        endings = found.first.ending, found.again.ending
        for notice in denied_write_notices(self._evaluator.oracle.confinement, endings):
            self._observe(notice)
        if found.is_steady and not is_known:
            require_same_freely(self._evaluator, self.sides.failing)
        return found

    @property
    def varying(self) -> VaryingSides:
        """What single runs of both cases have shown."""
        return VaryingSides(
            self.runs.counts(self.sides.failing), self.runs.counts(self.sides.passing)
        )

    def is_by_chance(self) -> bool:
        """Tell whether the passing case, which has failed, passes now and then as well."""
        results = [self._run_passing() for _ in range(PASSING_TRIES)]
        return any(each.verdict is Verdict.UNINTERESTING for each in results)

    def fails_by_chance(self) -> bool:
        """Tell whether the failure shows on the passing case, too, in one run of some."""
        for _ in range(SAMPLE // BATCH_RUNS):
            results = self.runs.some("empty", self.sides.passing)
            if any(each.verdict is Verdict.INTERESTING for each in results):
                return self.runs.refusal(self.sides.passing) is None
        return False

    def rates(self, when: str) -> tuple[float, float]:
        """Return how often the failing case fails, and how often the passing one seems to."""
        return (
            self.runs.rate(f"rate {when}", self.sides.failing, LARGE_SAMPLE),
            self._chance(f"empty rate {when}", LARGE_SAMPLE),
        )

    def measure(self) -> float:
        """Return how often the failing case fails; raise if that is too rare."""
        rate = self.runs.rate("rate", self.sides.failing)
        if rate < RAREST_RATE:
            raise Unreliable(
                f"the test is not reliable: the failure showed in {round(rate * SAMPLE)} of "
                f"{SAMPLE} runs on {self.sides.name}",
                hint="make it more likely inside the test, say by running the program 20 times",
            )
        return rate

    def repetition(self, rate: float) -> Repetition:
        """Return how often to ask at such a rate, given what chance does to the passing case."""
        if self.sides.fails_as_well is None:  # that was looked at before
            return Repetition(rate)
        noise = self._chance("empty rate", SAMPLE)
        if noise:
            rate, noise = self.rates("at first")
        return Repetition(rate, noise)

    def use(self, repetition: Repetition) -> None:
        """Ask so often from now on; raise if that cannot tell anything."""
        repetition.require_apart()
        self._evaluator.use(replace(self._evaluator.oracle, repetition=repetition))

    def passing(self) -> TrialResult:
        """Return what the test says of the passing case, asked as often as it takes."""
        result = self._run_passing()
        if self._evaluator.oracle.repetition is not RELIABLE:
            result = result._replace(verdict=self.runs.verdict("empty", self.sides.passing))
        return self._guarded(result)

    def _tried(self, *, once: bool) -> FirstRuns:
        """Run the test on the failing case, and again; and on the passing one, if it must pass."""
        self._evaluator.log.remark("the first run shows what the failure looks like")
        first = again = self.runs.once("original", self.sides.failing)
        self._learn_from(first)
        if first.verdict is not Verdict.INTERESTING or not once:
            again = self._compared(first, self.runs.once("again", self.sides.failing))
        rate, found = 1.0, ALWAYS_SHOWN
        # What was learned from the first run is what the second one is held against.
        if first.verdict is Verdict.UNINTERESTING or again.verdict is not Verdict.INTERESTING:
            if not self._shows_ever(first, again):
                raise self.sides.does_not_fail(again, self._run_passing, None)
            if self.sides.fails_as_well is None and self.fails_by_chance():
                return FirstRuns(first, again, is_steady=False, varies=True)
            rate = self.measure()
        if rate < 1:
            found = self.repetition(rate)
        elif self.sides.fails_as_well and self._fails_by_chance(self.sides.fails_as_well):
            found = Repetition(*self.rates("at first"))
        if found != ALWAYS_SHOWN:
            self.use(found)
        return FirstRuns(first, again, is_steady=found.rate == 1)

    def _tried_by_chance(self) -> FirstRuns:
        """Run the failing case until something can be learned from a run: mostly once."""
        for number in range(MAX_TRIES):
            first = self.runs.once(f"try {number}" if number else "original", self.sides.failing)
            try:
                self._learn_from(first)
            except NotInteresting:
                if number == MAX_TRIES - 1:
                    raise
            else:
                break
        return FirstRuns(first, first, is_steady=False, varies=True)

    def _learn_from(self, first: TrialResult) -> None:
        """Look from now on for what the first run has shown."""
        why, oracle = None, self._evaluator.oracle
        if not first.why:
            try:
                trial = oracle.trial.calibrated(first)
            except NotInteresting as error:
                why = error
            else:
                self._evaluator.use(replace(oracle, trial=trial))
                judge = trial.criterion if isinstance(trial, JudgedCommand) else None
                if isinstance(judge, Expectation) and (remark := judge.unsearched(first.ending)):
                    self._observe(Noticed("long-output", remark))
                return
        raise self.sides.does_not_fail(first, self._run_passing, why) from None

    def _compared(self, first: TrialResult, again: TrialResult) -> TrialResult:
        """Judge another run of the failing case by what it has in common with the first.

        What differs between two runs of one input is no part of the failure. If the rest is one,
        that is looked for from now on.
        """
        oracle = self._evaluator.oracle
        if again.verdict is Verdict.INTERESTING or again.why:
            return again
        trial = oracle.trial.relaxed(first, again)
        judged = trial.judged(again)
        if judged.verdict is not Verdict.INTERESTING:
            return again
        self._evaluator.use(replace(oracle, trial=trial))
        message = (
            f"two runs of {self.sides.name} print different words: {looks(first)!r}, then "
            f"{looks(again)!r}; only what they have in common has to stay"
        )
        self._observe(Noticed("varies", message))
        return judged

    def _shows_ever(self, *before: TrialResult) -> bool:
        """Ask some more times, until the failure shows or it has taken too long."""
        results, spent = [*before], 0.0
        while all(each.verdict is not Verdict.INTERESTING for each in results):
            number = len(results)
            if number >= MAX_TRIES or (number > LEAST_TRIES and spent > MAX_TRY_SECONDS):
                return False
            run = self.runs.once(f"try {number}", self.sides.failing)
            results.append(self._compared(before[0], run))
            spent += results[-1].ending.seconds
        return True

    def _fails_by_chance(self, error: Callable[[TrialResult, Trial], WynotError]) -> bool:
        """Tell whether the passing case seems to fail now and then; raise if it always does."""
        for number in range(PASSING_TRIES):
            result = self.runs.once(f"empty {number or ''}".rstrip(), self.sides.passing)
            if result.verdict is not Verdict.INTERESTING:
                return number > 0  # a test that says no at once is not asked again: most do
        if self._guarded(result).verdict is Verdict.INTERESTING:
            raise error(result, self._evaluator.oracle.trial)
        return False

    def _chance(self, name: str, runs: int) -> float:
        """Return how often the passing case seems to fail; never, if a guard refuses it."""
        rate = self.runs.rate(name, self.sides.passing, runs)
        return 0.0 if rate and self.runs.refusal(self.sides.passing) is not None else rate

    def _run_passing(self) -> TrialResult:
        return self.runs.once("empty", self.sides.passing)

    def _guarded(self, result: TrialResult) -> TrialResult:
        """Return what becomes of a run of the passing case: it fails only if the guards agree."""
        if result.verdict is Verdict.INTERESTING:
            refusal = self.runs.refusal(self.sides.passing)
            if refusal is not None:
                return result._replace(verdict=Verdict.UNRESOLVED, why=refusal.words)
        return result
