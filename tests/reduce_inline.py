"""A whole reduction with a test that is a function: the real plan, searches and engine, no disk."""

from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import NamedTuple, cast

from domain import Shuffled
from wynot.core.events import CandidateJudged, Event, PassStarted
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget
from wynot.formats.language_table import BY_NAME
from wynot.job.evaluator import Evaluator
from wynot.oracle.function_test import FunctionTest
from wynot.passes.containers import containers_in, unpacked
from wynot.passes.trees import Trees
from wynot.reduction.best import Best
from wynot.reduction.reduce_options import ReduceOptions
from wynot.reduction.reliability import Reliability
from wynot.reduction.run import Reduction
from wynot.runners.inline import FinishedFuture
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
class _Asked:
    """Calls the test, here or in an executor."""

    judge: Callable[[Files], Verdict]
    depth: int
    workers: Executor | None = None
    slow: Callable[[Files], bool] = lambda _files: False
    """What is cut off early, if anything may be."""
    early: set[Hashable] = field(default_factory=set)
    oracle: SimpleNamespace = field(
        default_factory=lambda: SimpleNamespace(guards=SimpleNamespace(each=()))
    )

    def is_final(self, digest: Hashable, *, tight: bool = True) -> bool:
        return not tight or digest not in self.early

    def ask(self, files: Files, digest: bytes, *, tight: bool = False) -> Future[Verdict]:
        if tight and self.slow(files):
            self.early.add(digest)
            return FinishedFuture(Verdict.UNRESOLVED)
        if self.workers is None:
            return FinishedFuture(self.judge(files))
        return self.workers.submit(self.judge, files)


class _Trusted:
    """A function is always reliable."""

    def still_holds(self, _name: str, _tests: int) -> bool:
        return True

    def holds_at_the_end(self) -> bool:
        return True


def reduce_inline(
    files: Files,
    fails: Callable[[Files], object],
    options: ReduceOptions | None = None,
    *,
    width: int = 1,
    seed: int = 0,
    slow: Callable[[Files], bool] = lambda _files: False,
) -> Reduced:
    """Reduce files; with more than one worker, tests end in a random order.

    What is ``slow`` is cut off early, until it is asked again.
    """
    options = options or ReduceOptions(files=())
    if width == 1:
        return _reduce(files, options, _Asked(FunctionTest(fails), 1, slow=slow))
    with Shuffled(seed) as workers:
        return _reduce(files, options, _Asked(FunctionTest(fails), width, workers, slow))


def _reduce(files: Files, options: ReduceOptions, evaluator: _Asked) -> Reduced:
    asked: list[str] = []
    passes: list[tuple[str, int]] = []

    def observe(event: Event) -> None:
        if isinstance(event, CandidateJudged):
            asked.append(event.candidate.name)
        elif isinstance(event, PassStarted):
            passes.append((event.name, event.parts))

    best = _Held(files)
    named = BY_NAME[options.language] if options.language else None
    reduction = Reduction(
        options=options,
        evaluator=cast("Evaluator[Files]", evaluator),
        best=cast("Best", best),
        reliability=cast("Reliability", _Trusted()),
        budget=Budget(),
        observe=observe,
        trees=Trees.of(unpacked(files, containers_in(files)).files, named),
    )
    assert reduction.run() == "finished"
    assert reduction.reached is not None
    assert reduction.reached.files.contents == best.files.contents
    return Reduced(
        best.files,
        reduction.tests,
        reduction.proved,
        tuple(best.steps),
        tuple(asked),
        tuple(passes),
        dict(reduction.reached.lessons),
    )
