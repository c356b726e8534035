"""What is found out first: that the failing side fails, and the passing one passes."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from wynot.core.errors import NotInteresting, NotPassing, Unreliable
from wynot.core.verdict import Verdict
from wynot.engine.tester import Tester
from wynot.oracle.repetition import HALF, LARGE_SAMPLE, RAREST, RELIABLE, SAMPLE, Repetition
from wynot.oracle.trial import CANNOT_TELL, NOTHING_KNOWN, Said

Subject = TypeVar("Subject")

TRIES = 4
"""How often a side that does not fail is asked, in case the test is unreliable."""


class Names(NamedTuple):
    """What the two sides are called when something is wrong with them."""

    failing: str
    passing: str
    hint: str
    """What to do if one of them is not what it should be."""
    trying: str = "trying"
    """What is done with them, in the words that go before their names."""


class Tried(NamedTuple):
    """What the two sides came to."""

    names: Names
    seconds: float
    passing: Said
    rate: float
    tests: int

    def require_pass(self, hint: str = "") -> None:
        """Raise if the passing side does not pass."""
        said = self.passing
        if said.verdict is not Verdict.UNINTERESTING:
            raise NotPassing(
                f"{self.names.passing} does not pass: {said.words}, "
                f"which is {said.verdict.value}{said.ending.tail}",
                hint=hint or self.names.hint,
            )


@dataclass(slots=True)
class Sides(Generic[Subject]):
    """Tries both sides, before anything is searched."""

    tester: Tester[Subject]
    names: Names

    def tried(self, failing: Subject, passing: Subject) -> Tried:
        """Return what is known now; raise if the failing side does not fail."""
        oracle = self.tester.oracle
        first = self._once(failing, self.names.failing)
        # What was learned from the first run is what the second one is held against.
        is_new = oracle.trial.words == NOTHING_KNOWN
        if not first.why:
            try:
                self.tester.use(replace(oracle, trial=oracle.trial.settled(first)))
            except NotInteresting as error:
                raise NotInteresting(
                    f"{self.names.failing} does not fail: {str(error).splitlines()[0]}"
                    f"{first.ending.tail}",
                    hint=self._hint(passing, error.hint),
                ) from error
        again = self._once(failing, f"{self.names.failing} again")
        tests, rate = 2, 1.0
        learned = is_new and first.verdict is Verdict.UNRESOLVED and not first.why
        fails = again.verdict is Verdict.INTERESTING
        if not (fails and (learned or first.verdict is Verdict.INTERESTING)):
            rate, more = self._rate(failing, passing, first, again)
            tests += more + self.repeat(rate, failing, passing)
        said = self.passing(passing)
        seconds = min(first.ending.seconds, again.ending.seconds)
        return Tried(self.names, seconds, said, rate, tests + 1)

    def repeat(self, rate: float, failing: Subject, passing: Subject) -> int:
        """Ask more often from now on; return how many tests it took to find out how often."""
        noise = self._sample(passing)
        runs = SAMPLE
        if noise:
            rate, noise = (self._sample(side, LARGE_SAMPLE) for side in (failing, passing))
            runs += 2 * LARGE_SAMPLE
        # If the other side fails as well, that is no chance, and those who ask are told.
        repetition = Repetition(rate, noise if noise < HALF * rate else 0.0)
        repetition.require_apart()
        self.tester.use(replace(self.tester.oracle, repetition=repetition))
        return runs

    def passing(self, subject: Subject) -> Said:
        """Return what the test says of the passing side, asked as often as it takes."""
        said = self._once(subject, self.names.passing)
        if self.tester.oracle.repetition is not RELIABLE:
            [outcome] = self.tester.do(partial(self.tester.oracle.ask, subject))
            said = said._replace(verdict=outcome.verdict)
        if said.verdict is Verdict.INTERESTING:  # then it fails only if the guards agree
            [refusal] = self.tester.do(partial(self.tester.oracle.refusal, subject))
            if refusal is not None:
                said = said._replace(verdict=Verdict.UNRESOLVED, why=refusal.words)
        return said

    def _rate(
        self, failing: Subject, passing: Subject, first: Said, again: Said
    ) -> tuple[float, int]:
        """Return how often the failure shows, of a test that did not show it both times."""
        said, tests = [first, again], 0
        while not any(each.verdict is Verdict.INTERESTING for each in said):
            if len(said) >= TRIES:
                raise NotInteresting(
                    f"{self.names.failing} does not fail: {again.words}, "
                    f"which is {again.verdict.value}{again.ending.tail}",
                    hint=self._hint(passing, self.names.hint),
                )
            said.append(self._once(failing, f"{self.names.failing} again"))
            tests += 1
        return self.rate(failing), tests + SAMPLE

    def _hint(self, passing: Subject, usual: str) -> str:
        """Return what to do if the failing side does not fail: maybe the other one does."""
        said = self._once(passing, self.names.passing)
        is_other = said.verdict is Verdict.UNRESOLVED and not said.why
        swapped = said.verdict is Verdict.INTERESTING or (
            is_other and said.ending.status not in {0, *CANNOT_TELL}
        )
        return f"are the two sides swapped? {self.names.passing} fails" if swapped else usual

    def rate(self, failing: Subject) -> float:
        """Return how often the failing side fails; raise if that is too rare."""
        rate = self._sample(failing)
        if rate < RAREST:
            raise Unreliable(
                f"the test is not reliable: {self.names.failing} failed in "
                f"{round(rate * SAMPLE)} of {SAMPLE} runs",
                hint="make it more likely inside the test, say by running the program 20 times",
            )
        return rate

    def _sample(self, subject: Subject, runs: int = SAMPLE) -> float:
        """Return how often a side fails."""
        self.tester.tell(f"finding out in {runs} runs how often a side fails")
        said = self.tester.do(partial(self.tester.oracle.once, subject), runs)
        return sum(each.verdict is Verdict.INTERESTING for each in said) / runs

    def _once(self, subject: Subject, name: str) -> Said:
        self.tester.tell(f"{self.names.trying} {name}")
        [said] = self.tester.do(partial(self.tester.oracle.once, subject, capture=True))
        return said
