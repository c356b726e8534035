"""A reduction whose test is a function: the same plan and engine, and nothing on disk."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import AlwaysInteresting, NotInteresting
from wynot.core.events import Event
from wynot.core.files import Files
from wynot.core.patches import patch
from wynot.core.reduced import PatchedStep, Reduced, ReducedSteps
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget
from wynot.engine.session import closing, handing_on
from wynot.oracle.function_test import FunctionTest, broken
from wynot.reduction.keeps import Keeps
from wynot.reduction.plan_options import kept_patterns, plan_options, validated
from wynot.reduction.reliability import TrustedTest
from wynot.reduction.run import Reduction
from wynot.reduction.whole_plan import trees_of, whole_plan
from wynot.runners.inline import Inline
from wynot.runners.pool import Threads


def by_function(
    original: Files,
    test: Callable[[Files], object],
    options: ReduceOptions,
    observe: Callable[[Event], None],
) -> Reduced:
    """Return what is left when every part is needed; errors carry the best result so far."""
    searching = validated(options).searching
    keeps = Keeps(kept_patterns(options), original)
    judge = FunctionTest(lambda files: test(files) if keeps.are_in(files) else None)
    runner = Inline(judge) if searching.jobs == 1 else Threads(searching.jobs, judge)
    best = _Held(original)
    reduction = Reduction(
        options=options,
        runner=runner,
        best=best,
        plan=whole_plan(options, plan_options(options), keeps, trees_of(options, original)),
        reliability=TrustedTest(),
        budget=Budget.of(searching.max_tests, searching.max_time, monotonic()),
        observe=observe,
    )

    def result(stopped: str) -> Reduced:
        return Reduced(
            files=best.files.contents,
            minimal=reduction.proved,
            stopped=stopped,
            steps=ReducedSteps(original, best.steps),
            tests=reduction.tests,
            extra=reduction.extra,
        )

    def run() -> Reduced:
        with handing_on(result):
            if searching.check:
                _check(judge, original)
            return result(reduction.run())

    return closing(runner, run)


@dataclass(slots=True)
class _Held:
    """The best case, held in memory, and the steps that led to it."""

    files: Files
    steps: list[PatchedStep] = field(default_factory=list)

    def accept(
        self, files: Files, _digest: bytes, pass_name: str, candidate: str, tests: int
    ) -> None:
        self.steps.append(PatchedStep(pass_name, candidate, tests, patch(self.files, files)))
        self.files = files


def _check(judge: FunctionTest, original: Files) -> None:
    """Raise if the failure does not show on the original, or shows even on empty files."""
    try:
        said = judge(original)
    except Exception as error:
        raise broken("the original", original.size, error) from error
    if said is not Verdict.INTERESTING:
        raise NotInteresting(
            f"the failure does not show on the original, of {original.size:,} bytes: the test "
            f"says {said.value}",
            hint="run the test on it by hand; it must return True where the failure shows",
        )
    try:
        said = judge(original.replaced(dict.fromkeys(original.contents, b"")))
    except Exception:  # noqa: BLE001 - a test that raises on empty files does not accept them
        return
    if said is Verdict.INTERESTING:
        raise AlwaysInteresting(
            "the test says interesting even of empty files",
            hint="make it look for the failure itself; or pass check=False if this is as it should "
            "be",
        )
