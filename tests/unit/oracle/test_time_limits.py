"""How long the oracle lets a test run; with programs whose time is told, and not taken."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.oracle.oracle import Oracle
from wynot.oracle.patience import DOUBTS, LEAST, Patience
from wynot.oracle.placing import Given
from wynot.oracle.trial import ByExitStatus, Said
from wynot.runners.bench import Bench
from wynot.runners.child import Limits


class Program(NamedTuple):
    """A candidate that takes so long, and then exits with this status."""

    seconds: float
    status: int = 1


FOREVER = Program(1e9)


@dataclass
class Timed:
    """A trial of programs as above, and its placing; it notes each limit that it was given."""

    limits: list[float] = field(default_factory=list)
    words: str = ""
    _placed: Program = FOREVER

    def place(self, subject: Program, _bench: Bench) -> Given:
        self._placed = subject
        return Given()

    def close(self) -> None:
        """Nothing is kept."""

    def settled(self, _said: Said) -> "Timed":
        return self

    def run(self, _bench: Bench, _given: Given, limits: Limits, *, capture: bool) -> Said:
        assert not capture
        self.limits.append(limits.timeout)
        if self._placed.seconds >= limits.timeout:
            ending = Ending(-9, limits.timeout, "timeout")
        else:
            ending = Ending(self._placed.status, self._placed.seconds)
        return Said(ByExitStatus().judge(ending), ending)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench.alone()
    yield made
    made.close()


@pytest.fixture
def timed() -> Timed:
    return Timed()


@pytest.fixture
def oracle(timed: Timed) -> Oracle[Program]:
    patience = Patience()
    patience.learn(0.1)
    return Oracle(timed, timed, Limits(), patience)


def test_a_test_that_times_out_for_itself_does_not_lift_the_limit(
    oracle: Oracle[Program], timed: Timed, bench: Bench
) -> None:
    for _ in range(DOUBTS):
        oracle.ask(Program(LEAST + 3), bench)  # it ends by itself, as with ``timeout 5``
    assert oracle.patience.limit == LEAST
    timed.limits.clear()
    oracle.ask(FOREVER, bench)
    assert timed.limits == [LEAST]


def test_a_slow_test_that_is_interesting_lifts_the_limit(
    oracle: Oracle[Program], bench: Bench
) -> None:
    outcome = oracle.ask(Program(LEAST + 3, status=0), bench)
    assert (outcome.verdict, outcome.timed_out) == (Verdict.INTERESTING, False)
    assert oracle.patience.limit == 10 * (LEAST + 3)


def test_a_slow_test_is_believed_when_it_ends(oracle: Oracle[Program], bench: Bench) -> None:
    outcome = oracle.ask(Program(LEAST + 3), bench)
    assert (outcome.verdict, outcome.timed_out) == (Verdict.UNINTERESTING, False)


def test_the_time_of_both_tries_is_told(oracle: Oracle[Program], bench: Bench) -> None:
    outcome = oracle.ask(FOREVER, bench)
    assert (outcome.verdict, outcome.timed_out) == (Verdict.UNRESOLVED, True)
    assert outcome.seconds == LEAST + 4 * LEAST
