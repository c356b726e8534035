"""The two sides of an inquiry: one has to fail, and the other should pass."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.circumstances import Circumstances
from wynot.core.deltas import NONE
from wynot.core.errors import NotInteresting, NotPassing, WynotError
from wynot.core.verdict import Verdict
from wynot.job.calibration import FirstRuns, Sides, VaryingSides
from wynot.oracle.criteria import CANNOT_TELL
from wynot.oracle.trial import TrialResult

Subject = TypeVar("Subject")


class Names(NamedTuple):
    """What the two sides are called when something is wrong with them."""

    failing: str
    passing: str
    hint: str
    """What to do if one of them is not what it should be."""
    trying: str = "trying"
    """What is done with them, in the words that go before their names."""
    placer: str = ""
    """What puts candidates in place, if it may refuse them."""

    def sides(self, failing: Subject, passing: Subject) -> Sides[Subject]:
        """Return the two sides under these names."""
        trying = f"{self.trying} {self.failing}"
        doing = {
            "original": trying,
            **dict.fromkeys(("again", "try"), f"{trying} again"),
            "empty": f"{self.trying} {self.passing}",
            "answer": "asking again whether the answer holds",
        }
        return Sides(failing, passing, self.failing, doing, self._does_not_fail)

    def refuse_impossible(self, case: Circumstances[Subject]) -> None:
        """Raise if one of the sides is not even to be tested."""
        for side, name in ((NONE, self.passing), (case.deltas, self.failing)):
            if objection := case.objection(Candidate.whole(side)):
                raise NotInteresting(f"{name} is unavailable: {objection}", hint=self.hint)

    def _does_not_fail(
        self, said: TrialResult, passing: Callable[[], TrialResult], why: NotInteresting | None
    ) -> WynotError:
        """Say so; and if it is the other side that fails, that they may be swapped."""
        ended, hint = _ended(said), self.hint
        if why is not None:
            ended, hint = f"{str(why).splitlines()[0]}{said.ending.tail}", why.hint
        if _fails(passing()):
            hint = f"are the two sides swapped? {self.passing} fails"
        return NotInteresting(f"{self.failing} does not fail: {ended}", hint=hint)


class TriedFailing(NamedTuple):
    """What the failing side came to."""

    found: FirstRuns
    tests: int
    runs: VaryingSides
    """What single runs of both sides have shown."""

    @property
    def seconds(self) -> float:
        """How long a run takes."""
        return self.found.seconds


class Tried(NamedTuple):
    """What the two sides came to."""

    names: Names
    seconds: float
    passing: TrialResult
    tests: int

    @property
    def ended(self) -> str:
        """How the passing side ended, in words."""
        return _ended(self.passing)

    def require_pass(self, hint: str = "") -> None:
        """Raise if the passing side does not pass."""
        if self.passing.verdict is not Verdict.UNINTERESTING:
            raise NotPassing(
                f"{self.names.passing} does not pass: {self.ended}",
                hint=hint or self.names.hint,
            )


def _ended(said: TrialResult) -> str:
    return f"{said.words}, which is {said.verdict.value}{said.ending.tail}"


def _fails(said: TrialResult) -> bool:
    """Tell whether a side fails, in whatever way."""
    is_other = said.verdict is Verdict.UNRESOLVED and not said.why
    return said.verdict is Verdict.INTERESTING or (
        is_other and said.ending.status not in {0, *CANNOT_TELL}
    )
