"""Reductions in virtual time: each test takes one step, and nothing waits.

The scheduler is the real one, with the real plan and searches; only its runner is another: when the
scheduler asks for the verdict that it needs next, the clock goes forward, and all tests that were
started are done. The steps are exact, so two versions of wynot can be compared by them. The first
and the last runs, which are no part of the search, are left out.
"""

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from time import process_time

from benchmarks.width.outcome import Outcome, Setting

from wynot.agents.workers import Task
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.files import Files
from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget
from wynot.reduction.best import TrustedTest
from wynot.reduction.run import Reduction
from wynot.reduction.whole_plan import Keeps, kept_patterns, plan_options, trees_of, whole_plan
from wynot.runners.runner import Runner
from wynot.settings import ignore_event

Judge = Callable[[Files], bool]
"""Tells whether files are interesting."""


class VirtualTask(Task[Answer]):
    """A test that is done when the clock goes forward."""

    def __init__(self, runner: "VirtualRunner", files: Files) -> None:
        super().__init__()
        self._runner = runner
        self._files = files

    def ask(self) -> None:
        """Let the time pass: nothing more can be started before this one is done."""
        self._runner.step()

    def cancel(self) -> bool:
        """Kill it; its worker is free at once."""
        self.killed = not self.done()
        return self.killed

    def end(self, judge: Judge) -> None:
        """Tell what came of it."""
        if self.killed:
            self.set_exception(CancelledError())
        else:
            said = judge(self._files)
            self.set_result(Answer(Verdict.INTERESTING if said else Verdict.UNINTERESTING))


@dataclass(slots=True)
class VirtualRunner:
    """Workers whose tests take one step each."""

    judge: Judge
    width: int
    now: int = 0
    worked: int = 0
    """Steps of all workers in which they had a test."""
    _running: list[VirtualTask] = field(default_factory=list)

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Answer]:
        """Start a test."""
        task = VirtualTask(self, stage.case.render(candidate))
        self._running.append(task)
        return task

    def step(self) -> None:
        """Go forward to the end of the tests that run."""
        running, self._running = self._running, []
        self.now += 1
        self.worked += sum(not task.killed for task in running)
        for task in running:
            task.end(self.judge)

    def close(self, *, wait: bool) -> None:
        """Nothing is held."""


@dataclass(slots=True)
class Held:
    """The best case, held in memory."""

    files: Files

    def accept(self, files: Files, _digest: bytes, _pass: str, _name: str, _tests: int) -> None:
        """Take a smaller case."""
        self.files = files


def reduction_of(files: Files, runner: Runner, options: ReduceOptions) -> Reduction:
    """Return a reduction of files, by a test that is taken for reliable."""
    keeps = Keeps(kept_patterns(options), files)
    return Reduction(
        options=options,
        runner=runner,
        best=Held(files),
        plan=whole_plan(options, plan_options(options), keeps, trees_of(options, files)),
        reliability=TrustedTest(),
        budget=Budget(),
        observe=ignore_event,
    )


def reduced(case: str, files: Files, judge: Judge, setting: Setting) -> Outcome:
    """Reduce a file in virtual time."""
    runner, began = VirtualRunner(judge, setting.width), process_time()
    reduction = reduction_of(files, runner, setting.options)
    reduction.run()
    (content,) = reduction.best.files.contents.values()
    return Outcome(
        *(case, setting, content, reduction.tests, reduction.extra),
        *(runner.now, runner.worked, process_time() - began),
    )
