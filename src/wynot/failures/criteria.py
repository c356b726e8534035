"""What the end of a run means: by the convention of reducers, of bisecting, or by the first run."""

from dataclasses import dataclass, replace
from typing import Protocol

from wynot.core.ending import Ending
from wynot.core.errors import NotInteresting
from wynot.core.verdict import Verdict
from wynot.failures.dialects import ORDINARY
from wynot.failures.expectation import Expectation
from wynot.failures.failed_tests import FailedTest, in_words, is_one_of
from wynot.failures.signature import signature
from wynot.failures.wording import NO_INPUT, Vocabulary
from wynot.settings import Same

CANNOT_TELL = frozenset({124, 125, 126, 127})
"""Timed out (GNU timeout), cannot tell (git bisect), cannot run, not found (shells)."""

NOTHING_KNOWN = "as the first run"
"""What the failure is known by before there was a run."""

FIRST_SIGNAL_STATUS = 128
"""From here on exit statuses are those of shells for a signal."""


NO_RESULT = frozenset({2, 3, 4, 5})
"""Exit statuses of pytest if tests were not run: interrupted, say by one that cannot be imported;
an error of its own; wrong options, or no such test; no tests."""

NO_TEST = {
    4: "pytest could not even begin",
    5: "pytest found no test to run",
}
"""Of these, those that a learned failure never has: no test can end so."""

NO_TEST_LINE = b"no tests ran in "
"""How the last line of pytest begins then, also if another program has called it."""


class Criterion(Protocol):
    """Says what an ending means."""

    @property
    def captures(self) -> bool:
        """Whether it looks at the output."""

    @property
    def words(self) -> str:
        """What the failure is known by, in one line."""

    def judge(self, ending: Ending) -> Verdict:
        """Return the verdict."""

    def after(self, first: Ending) -> "Criterion":
        """Return who judges from now on, given how the run ended that shows the failure."""


@dataclass(frozen=True, slots=True)
class ByExitStatus:
    """The convention of reducers: 0 is interesting; or that of ``git bisect run``: 0 is not."""

    invert: bool = False
    captures: bool = False

    def judge(self, ending: Ending) -> Verdict:
        """Take the exit status for what the script says; a script that was killed says nothing."""
        if ending.limit or ending.status < 0 or ending.status in CANNOT_TELL:
            return Verdict.UNRESOLVED
        if (ending.status == 0) is not self.invert:
            return Verdict.INTERESTING
        return Verdict.UNINTERESTING

    def after(self, _first: Ending) -> "ByExitStatus":
        """Unchanged: the script knows what it looks for."""
        return self

    @property
    def words(self) -> str:
        """What is looked for, in words."""
        return "the test fails" if self.invert else "the test exits with 0"


@dataclass(frozen=True, slots=True)
class ByBisect:
    """The convention of ``git bisect run``: 0 is good, 125 cannot tell, 1 to 124 are bad.

    It is refined by what the bad side shows. A command that a signal ends is bad if that is how the
    bad side ended; git would stop there. One that reports an error of another kind than the bad
    side does, say that it does not even compile, says nothing about the failure. Nor does a test
    runner that reports other tests than those that fail on the bad side; or that has not run any,
    unless the bad side ends so.
    """

    is_pytest: bool = False
    """Whether the command is pytest, whose exit statuses are known."""
    status: int | None = None
    """How the bad side ends; None: it is not known yet."""
    kind: str = ""
    """The kind of error that the bad side reports, empty if none."""
    failed: tuple[FailedTest, ...] = ()
    """The tests that fail on the bad side, if a test runner reports them."""
    captures: bool = True

    def judge(self, ending: Ending) -> Verdict:
        """Take the exit status for what the command says."""
        if ending.limit or ending.status in {125, 126, 127}:
            return Verdict.UNRESOLVED
        if ending.status == 0:
            return Verdict.UNINTERESTING
        is_like = ending.status == self.status
        if not is_like and (_is_crash(ending) or (self.is_pytest and ending.status in NO_RESULT)):
            return Verdict.UNRESOLVED
        return Verdict.INTERESTING if self._agrees(ending) else Verdict.UNRESOLVED

    def _agrees(self, ending: Ending) -> bool:
        """Tell whether a run reports what the bad side does."""
        if self.status is None or _is_crash(ending):
            return True
        if self.failed:
            return is_one_of(self.failed, signature(ending).failed)
        return _kind(ending) == self.kind

    def after(self, first: Ending) -> "ByBisect":
        """Take note of how the bad side ends, and of the error that it reports."""
        if first.limit or first.status in {0, 125, 126, 127}:
            return self  # this run does not show the failure
        return replace(self, status=first.status, kind=_kind(first), failed=signature(first).failed)

    @property
    def words(self) -> str:
        """What is looked for, in words."""
        if self.failed:
            return f"{in_words(self.failed)} (exit status 125: cannot tell)"
        ended = "exits with 1 to 124"
        if self.status is not None:
            ending = Ending(self.status, 0.0)
            if _is_crash(ending):
                return f"the command is {ending.description}"
            if self.is_pytest:
                ended = f"exits with {self.status if self.status in NO_RESULT else 1}"
        error = f" and reports {self.kind}" if self.kind else ""
        return f"the command {ended}{error} (125: cannot tell)"


def _is_crash(ending: Ending) -> bool:
    return not 0 <= ending.status < FIRST_SIGNAL_STATUS


@dataclass(frozen=True, slots=True)
class ByFirstRun:
    """Nothing is known yet: the first run will show what the failure looks like."""

    same: Same
    vocabulary: Vocabulary = NO_INPUT
    """What the original is made of."""
    is_pytest: bool = False
    """Whether the command is pytest, whose exit statuses are known."""
    captures: bool = True
    words: str = NOTHING_KNOWN

    def judge(self, _ending: Ending) -> Verdict:
        """Nothing to say."""
        return Verdict.UNRESOLVED

    def after(self, first: Ending) -> Expectation:
        """Take from the run what there is to hold others against."""
        _require_test(first, is_pytest=self.is_pytest)
        return Expectation.learned(first, self.same, self.vocabulary)


def _require_test(first: Ending, *, is_pytest: bool) -> None:
    """Raise if the first run is one of pytest that has not run any test."""
    why = NO_TEST.get(first.status)
    is_pytest = is_pytest or NO_TEST_LINE in first.stdout + first.stderr
    if why and is_pytest and not first.limit:
        raise NotInteresting(
            f"the first run shows no failing test: {why} (exit status {first.status}){first.tail}",
            hint="check the path, the options and the names of tests given to pytest",
        )


def _kind(ending: Ending) -> str:
    """Return the kind of error that a run reports; that a compiler refuses a program is one."""
    kind = signature(ending).kind
    if not kind and ORDINARY.search((ending.stdout + b"\n" + ending.stderr).decode("latin-1")):
        return "errors of a compiler"
    return kind
