"""The engine of all inquiries, in this process, on a case of numbers and small real commands."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from wynot.agents.sandbox import Sandbox
from wynot.commands.inquiry_options import InquiryOptions
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import InvalidOption, Locked, NotInteresting, NotPassing, Unreliable
from wynot.core.events import CandidateJudged, Event, InquiryEnded, InquiryStarted, Noticed
from wynot.inquiries.circumstances import Level
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.question_stages import Reached
from wynot.inquiries.questions import CAUSE, CURE, DIFFERENCE, Question, clipped
from wynot.inquiries.sides import Names, Tried
from wynot.job.calibration import MAX_TRIES
from wynot.oracle.provisioner import Inapplicable, Invocation
from wynot.oracle.trials import inquiring
from wynot.search.sides.dd import Pair

CHECKS = 3
"""Runs of the two sides, which are in no budget."""
COUNT = 64
NAMES = Names("the failing side", "the passing side", "try both by hand")
HAS = 'for n; do case $n in {}) a=1;; {}) b=1;; esac; done; [ ! "$a$b" = 11 ]'
"""Shell that fails if it is given two numbers, and passes else."""


@dataclass(frozen=True)
class Chosen:
    """Some numbers."""

    numbers: tuple[int, ...]


@dataclass
class Numbers:
    """Each delta adds a number; some need another one, some cannot be put in place."""

    count: int = COUNT
    needs: dict[int, int] = field(default_factory=dict)
    group: int = 8

    @property
    def deltas(self) -> Deltas:
        return Deltas.first(self.count)

    @property
    def levels(self) -> list[Level]:
        coarse = [
            Deltas((start, min(self.count, start + self.group)))
            for start in range(0, self.count, self.group)
        ]
        return [Level("groups", coarse), Level("numbers", [Deltas.of([n]) for n in self.deltas])]

    def render(self, candidate: Candidate) -> Chosen:
        return Chosen(tuple(candidate.kept))

    def digest(self, candidate: Candidate) -> bytes:
        return sha256(repr(tuple(candidate.kept)).encode()).digest()

    def size(self, deltas: Deltas) -> int:
        return len(deltas)

    def objection(self, candidate: Candidate) -> str:
        there = set(candidate.kept)
        for number, needed in self.needs.items():
            if number in there and needed not in there:
                return f"{number} needs {needed}"
        return ""


@dataclass
class Words:
    """Gives the numbers to the command, unless they are forbidden together."""

    command: tuple[str, ...]
    apart: tuple[int, int] | None = None

    def provision(self, subject: Chosen, sandbox: Sandbox) -> Invocation:
        assert sandbox.folder.is_absolute()
        if self.apart and len(set(self.apart) & set(subject.numbers)) == 1:
            raise Inapplicable("they belong together")
        return Invocation(argv=(*self.command, *map(str, subject.numbers)))


class Run:
    """Inquiries with one state folder; their events, and a log of the command."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"
        self.events: list[Event] = []
        self.watch: Callable[[Event], None] = lambda _: None

    def observe(self, event: Event) -> None:
        self.events.append(event)
        self.watch(event)

    def inquiry(
        self, test: str, apart: tuple[int, int] | None = None, **terms: Any
    ) -> Inquiry[Chosen]:
        self.events.clear()
        self.log.unlink(missing_ok=True)
        command = ("sh", "-c", f"echo >>'{self.log}'; {test}", "sh")
        given = InquiryOptions(command=command, **{"jobs": 1, **terms})
        return Inquiry(
            "numbers",
            test,
            given,
            inquiring(given, command, worse=given.worse, as_bisect=True),
            Words(command, apart),
            NAMES,
            self.observe,
        )

    def __call__(
        self, test: str, question: Question = CAUSE, case: Numbers | None = None, **terms: Any
    ) -> tuple[Reached, InquiryEnded]:
        case = case or Numbers()
        with self.inquiry(test, **terms) as inquiry:
            inquiry.try_sides(case, "numbers").require_pass()
            found = inquiry.ask(question, case)
            return found, inquiry.conclude()

    @property
    def runs(self) -> int:
        return self.log.read_bytes().count(b"\n") if self.log.exists() else 0

    @property
    def noticed(self) -> str:
        return "\n".join(each.message for each in self.events if isinstance(each, Noticed))

    @property
    def known(self) -> int:
        [began] = [each for each in self.events if isinstance(each, InquiryStarted)]
        return began.known


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "wynot"


@pytest.fixture
def run(tmp_path: Path, state: Path) -> Run:
    assert not state.exists()
    return Run(tmp_path)


def kept(state: Path) -> list[str]:
    """Return what is in the state folder, but for locks."""
    return sorted(each.name for each in state.glob("*.journal")) if state.exists() else []


BOTH = HAS.format(9, 50)
CRASH = f"({BOTH}) || kill -SEGV $$"


@pytest.mark.parametrize("question", [CAUSE, CURE, DIFFERENCE], ids=lambda each: each.name)
def test_any_number_of_workers_finds_the_same_with_the_same_count(
    run: Run, state: Path, question: Question
) -> None:
    found = []
    for jobs in (1, 2, 4):
        finding, concluded = run(BOTH, question, jobs=jobs)
        assert concluded.stopped == "finished"
        found.append((finding.pair, finding.minimal, concluded.tests))
        if jobs == 1:
            assert run.runs == concluded.tests
        assert not kept(state)
    assert found[0] == found[1] == found[2]
    tests = found[0][-1]
    assert finding.minimal == "numbers"
    assert tests <= {"cause": 26, "cure": 20, "difference": 20}[question.name]
    assert set(finding.deltas) <= {9, 50}
    assert len(finding.deltas) == (2 if question is CAUSE else 1)


def test_what_cannot_exist_costs_no_test(run: Run) -> None:
    case = Numbers(needs={50: 20, 20: 3})
    finding, concluded = run(BOTH, case=case)
    assert set(finding.deltas) == {3, 9, 20, 50}
    assert run.runs == concluded.tests


def test_what_cannot_be_placed_is_unresolved(run: Run) -> None:
    case = Numbers()
    with run.inquiry(BOTH, apart=(50, 51)) as inquiry:
        inquiry.try_sides(case, "numbers").require_pass()
        finding = inquiry.ask(CAUSE, case)
        inquiry.conclude()
    assert set(finding.deltas) == {9, 50, 51}


def test_a_command_that_cannot_tell(run: Run) -> None:
    """Only an even count of numbers builds: each of the two may need one beside it."""
    finding, _ = run(f"[ $(($# % 2)) = 0 ] || exit 125; {HAS.format(9, 50)}")
    assert {9, 50} <= set(finding.deltas)
    assert len(finding.deltas) in {2, 4}
    assert finding.minimal == "numbers"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_budget_of_tests_leaves_what_is_true_so_far(run: Run, state: Path, jobs: int) -> None:
    finding, concluded = run(BOTH, max_tests=9, jobs=jobs)
    assert (concluded.stopped, concluded.tests, finding.minimal) == ("max-tests", 9 + CHECKS, "")
    assert {9, 50} < set(finding.deltas)
    assert len(kept(state)) == 1
    before = run.runs
    finding, concluded = run(BOTH, jobs=jobs)
    assert set(finding.deltas) == {9, 50}
    assert run.known >= 9
    if jobs == 1:
        assert (before, run.runs) == (9 + CHECKS, concluded.tests - run.known)
    assert not kept(state)


def test_a_budget_of_time(run: Run) -> None:
    finding, concluded = run(BOTH, max_time=0)
    assert (concluded.stopped, set(finding.deltas)) == ("max-time", set(range(COUNT)))
    assert run.runs == 3


@pytest.mark.parametrize("question", [CAUSE, CURE, DIFFERENCE], ids=lambda each: each.name)
def test_an_interrupt_leaves_what_is_true_so_far_and_goes_on(
    run: Run, state: Path, question: Question
) -> None:
    asked = 0

    def interrupt(event: Event) -> None:
        nonlocal asked
        asked += isinstance(event, CandidateJudged)
        if asked == 5:
            asked += 1
            raise KeyboardInterrupt

    run.watch = interrupt
    case = Numbers()
    with run.inquiry(BOTH) as inquiry:
        inquiry.try_sides(case, "numbers").require_pass()
        finding = inquiry.ask(question, case)
        with pytest.raises(KeyboardInterrupt):
            inquiry.conclude()
    assert inquiry.driver.stopped == "interrupted"
    for side, verdict in question.stands_on(finding.pair):
        fails = {9, 50} <= set(side)
        assert fails is (verdict.value == "interesting")
    assert len(kept(state)) == 1
    first = run.runs
    run.watch = lambda _: None
    _, concluded = run(BOTH, question)
    assert run.known
    assert run.runs == concluded.tests - run.known
    assert run.runs + first >= concluded.tests - 3
    assert not kept(state)


def test_verdicts_of_another_question_or_none_are_used(run: Run, state: Path) -> None:
    run(BOTH, max_tests=9)
    run(HAS.format(9, 51), max_tests=9)
    assert run.known == 0
    assert len(kept(state)) == 2
    run(BOTH, max_tests=9, fresh=True)
    assert run.known == 0
    run(BOTH)
    assert run.known == 9
    assert len(kept(state)) == 1


def test_a_damaged_journal_is_none(run: Run, state: Path) -> None:
    run(BOTH, max_tests=9)
    [name] = kept(state)
    (state / name).write_bytes(b"rubbish" * 100)
    finding, _ = run(BOTH)
    assert (set(finding.deltas), run.known) == ({9, 50}, 0)


def test_two_at_once_are_one_too_many(run: Run, state: Path) -> None:
    with run.inquiry(BOTH), pytest.raises(Locked):
        run(BOTH)
    assert not kept(state)


def test_a_failing_side_that_passes(run: Run, state: Path) -> None:
    with pytest.raises(NotInteresting, match="the failing side does not fail: exit status 0"):
        run("true")
    assert run.runs == MAX_TRIES + 1  # in case it is unreliable; and the other side
    assert not kept(state)
    with pytest.raises(NotInteresting, match="exit status 125"):
        run("exit 125")


def test_a_passing_side_that_does_not_pass(run: Run) -> None:
    with pytest.raises(NotPassing, match="the passing side does not pass: exit status 3"):
        run("exit 3")
    with pytest.raises(NotPassing, match="exit status 125"):
        run("[ $# -gt 0 ] || exit 125; exit 1")
    assert run.runs == 3


def test_a_side_that_cannot_be_is_refused_before_any_test(run: Run) -> None:
    with pytest.raises(NotInteresting, match="the failing side is unavailable: 5 needs 99"):
        run(BOTH, case=Numbers(needs={5: 99}))
    assert run.runs == 0


def every(count: int, log: Path) -> str:
    """Return shell that passes every so many times, whatever it is given."""
    return f"[ $(($(wc -l <'{log}') % {count})) = 0 ] && exit 0; {BOTH}"


def test_a_flaky_test_is_repeated(run: Run) -> None:
    finding, _ = run(every(2, run.log))
    assert "not reliable" in run.noticed
    assert set(finding.deltas) == {9, 50}


def test_a_crash_is_learned_from_the_first_run_and_no_sign_of_chance(run: Run) -> None:
    finding, concluded = run(CRASH)
    assert set(finding.deltas) == {9, 50}
    assert not run.noticed
    assert run.runs == concluded.tests


def test_a_test_that_hardly_ever_fails(run: Run) -> None:
    with pytest.raises((Unreliable, NotInteresting)):
        run(f"[ $(wc -l <'{run.log}') = 1 ] && exit 1; exit 0")


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"jobs": 0}, "jobs is 0"),
        ({"max_tests": -1}, "max_tests is -1"),
        ({"max_time": -0.5}, "max_time is -0.5"),
        ({"timeout": 0}, "timeout is 0"),
        ({"memory": 5}, "memory is 5 bytes"),
    ],
)
def test_terms_that_make_no_sense(run: Run, terms: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidOption, match=words):
        run(BOTH, **terms)
    assert run.runs == 0


def test_terms_are_known_by_what_verdicts_depend_on() -> None:
    one = InquiryOptions(command=("a",), jobs=2, max_tests=4, max_time=1.5, fresh=True)
    assert one.identity == InquiryOptions(command=("a",)).identity
    assert one.identity != InquiryOptions(command=("b",)).identity
    assert one.identity != InquiryOptions(command=("a",), timeout=3.0).identity


def test_what_it_passes_without(run: Run) -> None:
    case = Numbers(60)
    units = case.levels[-1].units
    for jobs in (1, 3):
        with run.inquiry(BOTH, jobs=jobs) as inquiry:
            done: list[int] = []
            assert inquiry.driver.passing_without(case, units, done.append) == (9, 50)
            assert (done, inquiry.driver.tests) == ([*range(61)], 60)
            assert inquiry.driver.passing_without(case, units, done.append, most=1) == (9,)
            assert inquiry.driver.tests == 60, "what is known is not asked again"


def test_a_budget_leaves_what_it_passes_without_so_far(run: Run) -> None:
    case = Numbers(60)
    with run.inquiry(BOTH, max_tests=20) as inquiry:
        units = case.levels[-1].units
        assert inquiry.driver.passing_without(case, units, lambda _: None) == (9,)
        assert inquiry.driver.stopped == "max-tests"


def test_groups_are_looked_at_as_far_as_two_sides_differ_in_them() -> None:
    level = Numbers(20, group=5).levels[0]
    pair = Pair(Deltas((0, 3)), Deltas((0, 7, 15, 16)))
    assert clipped(level, pair) == (Deltas((3, 5)), Deltas((5, 7)), Deltas((15, 16)))
    assert clipped(level, Pair(NONE, NONE)) == ()
    assert Reached(pair).deltas == Deltas((3, 7, 15, 16))


def test_what_was_tried_can_be_given(run: Run) -> None:
    case = Numbers()
    with run.inquiry(BOTH) as inquiry:
        tried = inquiry.try_sides(case, "numbers")
        assert isinstance(tried, Tried)
        assert (tried.tests, run.runs) == (3, 3)
