"""A reduction whose test is a function, of a path, bytes, or bytes by name."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, NamedTuple, cast

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import AlwaysInteresting, InvalidArgument, NothingToReduce, NotInteresting
from wynot.core.events import Event
from wynot.core.files import Files
from wynot.core.result import PatchedStep, Reduced, ReducedSteps
from wynot.core.system.folder_files import stays_inside
from wynot.core.texts.patches import patch
from wynot.core.verdict import Verdict
from wynot.disk.load import load, targets
from wynot.disk.results import put_files
from wynot.engine.budget import Budget
from wynot.engine.session import closing, handing_on
from wynot.oracle.function_test import FunctionTest, broken
from wynot.reduction.best import TrustedTest
from wynot.reduction.run import Reduction
from wynot.reduction.whole_plan import (
    Keeps,
    kept_patterns,
    plan_options,
    trees_of,
    validated,
    whole_plan,
)
from wynot.runners.runner import Inline, Threads

ONE_NAME = "input"
"""What bytes are called that have no name."""


class GivenInput(NamedTuple):
    """What is to be reduced, and how a candidate is handed to a function."""

    files: Files
    hand: Callable[..., object]
    """Calls a ``test`` on a candidate."""


def given_input(files: object) -> GivenInput:
    """Return what somebody has passed to be reduced, or raise if it is nothing that can be."""
    if isinstance(files, bytes | bytearray):
        named = Files({ONE_NAME: bytes(files)})
        found = GivenInput(named, lambda candidate, test: test(candidate.contents[ONE_NAME]))
    elif isinstance(files, Mapping):
        _check_names(files)
        found = GivenInput(
            Files(dict(files)), lambda candidate, test: test(dict(candidate.contents))
        )
    elif isinstance(files, str | os.PathLike):
        [target] = named_targets = targets([os.fspath(cast("str", files))])
        found = GivenInput(load(named_targets), partial(_as_path, target.name))
    else:
        raise InvalidArgument(
            f"the files are {files!r}", hint="pass a path, bytes, or a dict of names to bytes"
        )
    if not found.files.size:
        raise NothingToReduce("there are 0 bytes", hint="check what you pass")
    return found


def _check_names(files: Mapping[Any, Any]) -> None:
    """Raise unless each name stays in the folder that it is put into, and has bytes."""
    for name, content in files.items():
        if not isinstance(name, str) or not stays_inside(name):
            raise InvalidArgument(
                f"{name!r} is not a relative path", hint="names are like 'a.c' or 'src/a.c'"
            )
        if not isinstance(content, bytes):
            raise InvalidArgument(f"{name!r} is {content!r}", hint="pass bytes: text.encode()")


def _as_path(name: str, candidate: Files, test: Callable[[Any], object]) -> object:
    """Call a test on the path of a private copy."""
    with TemporaryDirectory(prefix="wynot-") as folder:
        put_files(candidate, Path(folder))
        return test(Path(folder) / name)


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
        verdict = judge(original)
    except Exception as error:
        raise broken("the original", original.size, error) from error
    if verdict is not Verdict.INTERESTING:
        raise NotInteresting(
            f"the failure does not show on the original, of {original.size:,} bytes: the test "
            f"says {verdict.value}",
            hint="run the test on it by hand; it must return True where the failure shows",
        )
    try:
        verdict = judge(original.replaced(dict.fromkeys(original.contents, b"")))
    except Exception:  # noqa: BLE001 - a test that raises on empty files does not accept them
        return
    if verdict is Verdict.INTERESTING:
        raise AlwaysInteresting(
            "the test says interesting even of empty files",
            hint="make it look for the failure itself; or pass check=False if this is as it should "
            "be",
        )
