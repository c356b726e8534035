"""A whole reduction with a test that is a function: the real plan, searches and engine, no disk."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import NamedTuple

from domain import Shuffled
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.answer import CUT_OFF, Answer
from wynot.core.candidate import Candidate
from wynot.core.events import CandidateJudged, Event, PassStarted
from wynot.core.files import Files
from wynot.core.round import Stage
from wynot.core.standing import Steering, Stop
from wynot.engine.budget import Budget
from wynot.oracle.function_test import FunctionTest
from wynot.passes.catalog import PlanOptions
from wynot.reduction.best import TrustedTest
from wynot.reduction.run import Reduction, Skips
from wynot.reduction.whole_plan import Keeps, kept_patterns, plan_options, trees_of, whole_plan
from wynot.runners.runner import FinishedFuture, Inline, Pool, Runner
from wynot.search.largest import Record


class Step(NamedTuple):
    """A case that was accepted."""

    pass_name: str
    candidate: str
    tests: int
    files: Files


class Reduced(NamedTuple):
    """What is left, and how it came about."""

    files: Files
    tests: int
    proved: tuple[str, ...]
    steps: tuple[Step, ...]
    asked: tuple[str, ...]
    """What each candidate was called, in order, also if the answer was known."""
    passes: tuple[tuple[str, int], ...]
    """The passes that were run, each with the number of its parts."""
    lessons: dict[str, Record]

    @property
    def content(self) -> bytes:
        """The only file's content."""
        (content,) = self.files.contents.values()
        return content


@dataclass(slots=True)
class Steered:
    """Somebody who asks for a skip after certain verdicts; and what was written down of that."""

    skips_after: tuple[int, ...] = ()
    recorded: str = ""
    """What an earlier run has written down."""
    steering: Steering = field(default_factory=Steering)
    wrote: str = ""

    def keep(self, fact: str) -> None:
        """Write down what was skipped."""
        self.wrote = fact

    def watch(self, event: Event, verdicts: int) -> None:
        """Ask for what is due."""
        if isinstance(event, CandidateJudged) and verdicts in self.skips_after:
            self.steering.skip()


@dataclass(slots=True)
class _Held:
    """The best case, held in memory."""

    files: Files
    steps: list[Step] = field(default_factory=list)

    def accept(
        self, files: Files, _digest: bytes, pass_name: str, candidate: str, tests: int
    ) -> None:
        self.files = files
        self.steps.append(Step(pass_name, candidate, tests, files))


@dataclass(slots=True)
class _Hurried:
    """A runner that cuts off what is slow, as long as it may."""

    runner: Runner
    slow: Callable[[Files], bool]

    @property
    def width(self) -> int:
        return self.runner.width

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Answer]:
        if stage.short_timeout and self.slow(stage.case.render(candidate)):
            return FinishedFuture(CUT_OFF)
        return self.runner.submit(stage, candidate)

    def close(self, *, wait: bool) -> None:
        self.runner.close(wait=wait)


def reduce_inline(
    files: Files,
    fails: Callable[[Files], object],
    options: ReduceOptions | None = None,
    *,
    width: int = 1,
    seed: int = 0,
    slow: Callable[[Files], bool] = lambda _files: False,
    steered: Steered | None = None,
) -> Reduced:
    """Reduce files; with more than one worker, tests end in a random order.

    What is ``slow`` is cut off early, until it is asked again. With ``steered``, somebody asks for
    something meanwhile.
    """
    options = options or ReduceOptions(files=())
    keeps = Keeps(kept_patterns(options), files)
    test = FunctionTest(lambda candidate: fails(candidate) if keeps.are_in(candidate) else None)
    known = plan_options(options)
    if width == 1:
        return _reduce(files, options, known, _Hurried(Inline(test), slow), steered)
    with Shuffled(seed) as workers:
        short_timeout = _Hurried(Pool(workers, width, test), slow)
        return _reduce(files, options, known, short_timeout, steered)


def _reduce(
    files: Files,
    options: ReduceOptions,
    known: PlanOptions,
    runner: _Hurried,
    steered: Steered | None,
) -> Reduced:
    asked: list[str] = []
    passes: list[tuple[str, int]] = []
    steered = steered or Steered()

    def observe(event: Event) -> None:
        if isinstance(event, CandidateJudged):
            asked.append(event.candidate.name)
        elif isinstance(event, PassStarted):
            passes.append((event.name, event.parts))
        steered.watch(event, len(asked))

    best = _Held(files)
    reduction = Reduction(
        options=options,
        runner=runner,
        best=best,
        plan=whole_plan(
            options,
            known,
            Keeps(kept_patterns(options), files),
            trees_of(options, files),
        ),
        reliability=TrustedTest(),
        budget=Budget.of(options.max_tests, None, 0.0),
        observe=observe,
        steering=steered.steering,
        skips=Skips(steered.steering, steered.recorded, steered.keep),
    )
    if reduction.run() != Stop.MAX_TESTS:
        assert reduction.reached is not None
        assert reduction.reached.files.contents == best.files.contents
    return Reduced(
        best.files,
        reduction.tests,
        reduction.proved,
        tuple(best.steps),
        tuple(asked),
        tuple(passes),
        dict(reduction.reached.lessons) if reduction.reached else {},
    )
