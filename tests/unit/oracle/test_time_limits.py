"""How long the oracle lets a test run; with programs whose time is told, and not taken."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.answer import CUT_OFF, Answer
from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.criteria import ByExitStatus
from wynot.oracle.learned_timeout import (
    ENOUGH,
    INTERESTING_LATELY,
    LATELY,
    LEAST_SECONDS,
    LEAST_TIGHT,
    MAX_DOUBTS,
    USUAL_SPREAD,
    LearnedTimeout,
)
from wynot.oracle.oracle import Oracle
from wynot.oracle.provisioner import Invocation
from wynot.oracle.trial import TrialResult
from wynot.wire.run_request import Limits


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

    def provision(self, subject: Program, _sandbox: Sandbox) -> Invocation:
        self._placed = subject
        return Invocation()

    def close(self) -> None:
        """Nothing is kept."""

    def calibrated(self, _said: TrialResult) -> "Timed":
        return self

    def relaxed(self, _first: TrialResult, _again: TrialResult) -> "Timed":
        return self

    def judged(self, said: TrialResult) -> TrialResult:
        return said

    def run(
        self, _sandbox: Sandbox, _given: Invocation, limits: Limits, *, capture: bool
    ) -> TrialResult:
        assert not capture
        self.limits.append(limits.timeout)
        if self._placed.seconds >= limits.timeout:
            ending = Ending(-9, limits.timeout, "timeout")
        else:
            ending = Ending(self._placed.status, self._placed.seconds)
        return TrialResult(ByExitStatus().judge(ending), ending)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = LoneSandbox()
    yield made
    made.close()


@pytest.fixture
def timed() -> Timed:
    return Timed()


@pytest.fixture
def oracle(timed: Timed) -> Oracle[Program]:
    patience = LearnedTimeout()
    patience.learn(0.1)
    return Oracle(timed, timed, Limits(), patience)


def test_a_test_that_times_out_for_itself_does_not_lift_the_limit(
    oracle: Oracle[Program], timed: Timed, sandbox: Sandbox
) -> None:
    for _ in range(MAX_DOUBTS):
        oracle.ask(Program(LEAST_SECONDS + 3), sandbox)  # it ends by itself, as with ``timeout 5``
    assert oracle.time_limit.limit == LEAST_SECONDS
    timed.limits.clear()
    oracle.ask(FOREVER, sandbox)
    assert timed.limits == [LEAST_SECONDS]


def test_a_slow_test_that_is_interesting_lifts_the_limit(
    oracle: Oracle[Program], sandbox: Sandbox
) -> None:
    outcome = oracle.ask(Program(LEAST_SECONDS + 3, status=0), sandbox)
    assert (outcome.answer.verdict, outcome.timed_out) == (Verdict.INTERESTING, False)
    assert oracle.time_limit.limit == 10 * (LEAST_SECONDS + 3)


def test_a_slow_test_is_believed_when_it_ends(oracle: Oracle[Program], sandbox: Sandbox) -> None:
    outcome = oracle.ask(Program(LEAST_SECONDS + 3), sandbox)
    assert (outcome.answer.verdict, outcome.timed_out) == (Verdict.UNINTERESTING, False)


def test_the_time_of_both_tries_is_told(oracle: Oracle[Program], sandbox: Sandbox) -> None:
    outcome = oracle.ask(FOREVER, sandbox)
    assert (outcome.answer.verdict, outcome.timed_out) == (Verdict.UNRESOLVED, True)
    assert outcome.answer.seconds == LEAST_SECONDS + 4 * LEAST_SECONDS


def test_a_limit_is_tightened_to_what_has_ended_lately(sandbox: Sandbox, timed: Timed) -> None:
    patience = LearnedTimeout()
    patience.learn(2.0)  # the original: all later ones are quicker
    oracle = Oracle(timed, timed, Limits(), patience)
    for _ in range(ENOUGH):
        assert patience.short == patience.limit == 20.0
        oracle.ask(Program(0.3), sandbox, short=True)
    assert patience.short == USUAL_SPREAD * 0.3
    assert patience.limit == 20.0


def test_what_a_tight_limit_cuts_off_is_not_known_for_good(sandbox: Sandbox, timed: Timed) -> None:
    oracle = Oracle(timed, timed, Limits(), tightened())
    outcome = oracle.ask(Program(1.5, status=0), sandbox, short=True)
    assert outcome.answer == CUT_OFF._replace(seconds=LEAST_TIGHT)
    assert timed.limits == [LEAST_TIGHT]  # without a second try
    outcome = oracle.ask(Program(1.5, status=0), sandbox)
    assert outcome.answer == Answer(Verdict.INTERESTING, seconds=1.5)


def test_a_limit_that_is_hardly_longer_is_not_tightened() -> None:
    patience = tightened(slowest=0.15)
    assert (patience.short, patience.limit) == (LEAST_SECONDS, LEAST_SECONDS)


def test_a_tight_limit_leaves_room_for_those_that_are_interesting() -> None:
    patience = tightened()
    patience.ended(0.4, interesting=True)
    assert patience.short == USUAL_SPREAD * 0.4
    patience.learn(100.0)
    assert patience.short == USUAL_SPREAD * 0.4


def test_a_limit_that_is_long_enough_for_those_of_late_is_not_doubted(
    timed: Timed, sandbox: Sandbox
) -> None:
    patience = LearnedTimeout()
    oracle = Oracle(timed, timed, Limits(), patience)
    oracle.ask(Program(4.0, status=0), sandbox)
    assert (patience.limit, patience.second_limit) == (40.0, 160.0)
    for _ in range(INTERESTING_LATELY):
        oracle.ask(Program(0.5, status=0), sandbox)
    assert (patience.limit, patience.second_limit) == (40.0, None)


def test_a_few_slow_ones_do_not_lift_a_tight_limit() -> None:
    patience = tightened()
    for _ in range(LATELY // 20):
        patience.ended(10.0, interesting=False)
    assert patience.short == LEAST_TIGHT


def test_a_tight_limit_is_never_longer_than_the_full_one() -> None:
    patience = tightened()
    for _ in range(LATELY):
        patience.ended(1.9, interesting=False)
    assert patience.short == patience.limit == 5.0


def test_a_given_limit_is_not_tightened() -> None:
    patience = LearnedTimeout(60.0)
    for _ in range(LATELY):
        patience.ended(0.1, interesting=False)
    assert patience.short == 60.0


def tightened(slowest: float = 0.5) -> LearnedTimeout:
    """Return the patience of many quick tests, after a slower one."""
    patience = LearnedTimeout()
    patience.learn(slowest)
    for _ in range(LATELY):
        patience.ended(0.05, interesting=False)
    return patience


def test_a_limit_that_grows_while_a_test_runs_does_not_make_it_a_tight_one(
    oracle: Oracle[Program], timed: Timed, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = timed.provision

    def beside(subject: Program, there: Sandbox) -> Invocation:
        oracle.time_limit.learn(LEAST_SECONDS)  # by another worker, on an interesting candidate
        return place(subject, there)

    monkeypatch.setattr(timed, "provision", beside)
    outcome = oracle.ask(FOREVER, sandbox)
    assert outcome.timed_out
    assert outcome.answer.is_final  # nobody would ask again
    assert len(timed.limits) > 1  # but with more time it was tried
