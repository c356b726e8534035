"""A session: one search on one case, from the first check to what it hands back.

What is checked before the search does not count among its tests.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import (
    AlwaysInteresting,
    BrokenRunner,
    BrokenTest,
    Interrupted,
    NotInteresting,
    NotPassing,
    WynotError,
)
from wynot.core.events import Event, SessionEnded, SessionStarted
from wynot.core.result import Tally
from wynot.core.round import Search, Stage
from wynot.core.standing import Stop
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget, Spent
from wynot.engine.memo import Memo
from wynot.engine.recorder import Commit, Recorder
from wynot.engine.scheduler import PickPolicy, Scheduler
from wynot.oracle.function_test import broken
from wynot.runners.runner import Runner

Ask = Callable[[Deltas], Verdict]
Check = Callable[[Ask, Recorder], None]


def failing_fails(ask: Ask, recorder: Recorder) -> None:
    """Raise if the failure does not show on the whole."""
    verdict = ask(recorder.failing)
    if verdict is not Verdict.INTERESTING:
        raise NotInteresting(
            f"the failure does not show on the whole, of {recorder.size(recorder.failing)}: "
            f"the test says {verdict.value}",
            hint="run the test on the whole by hand; it must return True where the failure shows",
        )


def passing_passes(ask: Ask, recorder: Recorder) -> None:
    """Raise if the passing side does not pass."""
    verdict = ask(recorder.passing)
    if verdict is not Verdict.UNINTERESTING:
        raise NotPassing(
            f"the passing side, of {recorder.size(recorder.passing)}, does not pass: "
            f"the test says {verdict.value}",
            hint="run the test on it by hand; it must return False",
        )


def empty_does_not_fail(ask: Ask, recorder: Recorder) -> None:
    """Raise if the test accepts the empty list; one that raises on it does not accept it."""
    try:
        verdict = ask(NONE)
    except (BrokenTest, BrokenRunner):
        recorder.checked(NONE, Verdict.UNRESOLVED)
        return
    if verdict is Verdict.INTERESTING:
        recorder.failing = NONE
        raise AlwaysInteresting(
            "the test says interesting even for the empty list",
            hint="make it look for the failure itself; or pass check=False if that is intended",
        )


Found = TypeVar("Found")
Result = TypeVar("Result")

INTERRUPTED = "interrupted; the best result so far is in .result"


def closing(runner: Runner, run: Callable[[], Result]) -> Result:
    """Return what a run returns, and let the workers go, whatever ends it."""
    try:
        result = run()
    except KeyboardInterrupt:
        runner.close(wait=False)  # whoever pressed Ctrl-C does not want to wait
        raise
    except BaseException as error:
        _close(runner, getattr(error, "result", None))
        raise
    _close(runner, result)
    return result


def _close(runner: Runner, result: object) -> None:
    """Let the workers go; if Ctrl-C cuts that short, hand the result on in the error."""
    try:
        runner.close(wait=True)
    except KeyboardInterrupt as interrupt:
        runner.close(wait=False)
        raise Interrupted(INTERRUPTED, result=result) from interrupt


@contextmanager
def handing_on(result: Callable[[str], object]) -> Iterator[None]:
    """Let an error carry the best result so far, which says why it ended."""
    try:
        yield
    except WynotError as error:
        error.result = result(error.slug)
        raise
    except KeyboardInterrupt as interrupt:
        raise Interrupted(INTERRUPTED, result=result(Interrupted.slug)) from interrupt


@dataclass(frozen=True, slots=True)
class SessionResult(Generic[Found]):
    """How a session ended: ``found`` is None if its search did not come to its end."""

    found: Found | None
    stopped: str
    tally: Tally
    recorder: Recorder


@dataclass(frozen=True, slots=True)
class Session(Generic[Found, Result]):
    """Runs a search; whatever ends it, what was found so far is handed back.

    ``result`` makes of an outcome what the caller is to get, also inside an error.
    """

    case: Case[Any]
    runner: Runner
    memo: Memo
    budget: Budget
    pick: PickPolicy
    checks: Sequence[Check]
    observe: Callable[[Event], None]
    result: Callable[[SessionResult[Found]], Result]

    def run(self, search: Callable[[], Search[Found]], recorder: Recorder) -> Result:
        """Check the test, run the search to its end or that of the budget, let the workers go."""
        return closing(self.runner, lambda: self._search(search, recorder))

    @property
    def _stage(self) -> Stage:
        return Stage(self.case)

    def _search(self, search: Callable[[], Search[Found]], recorder: Recorder) -> Result:
        scheduler = Scheduler(
            search,
            stage=self._stage,
            runner=self.runner,
            memo=self.memo,
            budget=self.budget,
            pick=self.pick,
            ledger=_Recording(self, recorder),
            observe=self.observe,
        )

        def stop(found: Found | None, stopped: str) -> Result:
            tally = Tally(scheduler.tests, recorder.memo_hits, recorder.iterations, scheduler.extra)
            result = self.result(SessionResult(found, stopped, tally, recorder))
            self.observe(SessionEnded(stopped, len(recorder.failing)))
            return result

        self.observe(SessionStarted(len(recorder.failing), self.runner.width))
        with handing_on(lambda slug: stop(None, slug)):
            try:
                for check in self.checks:
                    check(lambda deltas: self._ask(deltas, recorder), recorder)
                found = scheduler.run()
            except Spent as spent:
                return stop(None, spent.by)
            return stop(found, Stop.FINISHED)

    def _ask(self, deltas: Deltas, recorder: Recorder) -> Verdict:
        """Ask about one configuration, outside of the search."""
        candidate = Candidate.whole(deltas)
        future = self.runner.submit(self._stage, candidate)
        error = future.exception()
        if error is not None:
            raise broken(candidate.name, self.case.size(deltas), error)
        verdict = future.result().verdict
        recorder.checked(deltas, verdict)
        return verdict


@dataclass(frozen=True, slots=True)
class _Recording:
    """The ledger of a session: verdicts are recorded, and observers get them."""

    session: Session[Any, Any]
    recorder: Recorder

    def enter(self, _stage: Stage) -> None:
        """Nothing to do: there is only one stage."""

    def commit(self, commit: Commit) -> None:
        """Take a verdict."""
        self.recorder.commit(commit)
        self.session.observe(commit.judged)
