"""``wynot.reduce``: a failing input, and a test that is a function or a command."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypedDict, Unpack, cast

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import (
    Interrupted,
    InvalidArgument,
    WynotError,
)
from wynot.core.events import Event, ReductionEnded
from wynot.core.result import PatchedStep, Reduced, ReducedSteps
from wynot.core.system.debug_log import observed
from wynot.disk.journal import Journal
from wynot.disk.load import OURS, contents_of, targets
from wynot.disk.results import put_files
from wynot.reduction.by_function import GivenInput, by_function, given_input
from wynot.reduction.job import Reduce
from wynot.settings import Atoms, Layout, Same, ignore_event


class FailureKeywords(TypedDict, total=False):
    """What a command is to be looked at for, by the names of the command line's options."""

    shell: str
    serve: str
    invert: bool
    same: Same
    exit: int
    signal: str
    stdout: str
    stderr: str
    not_stdout: str
    not_stderr: str
    text: Sequence[str]
    hangs: bool
    differs: str
    passes: Sequence[str]
    no_ub: bool
    timeout: float
    memory: int
    confine: bool
    writable: Sequence[str]
    fixed: Sequence[str]
    cluster: str
    insecure: bool


def reduce(  # noqa: PLR0913 - each is an option of the command, too
    files: str | os.PathLike[str] | bytes | Mapping[str, bytes],
    test: Callable[[Any], object] | str | os.PathLike[str] | Sequence[str],
    *,
    language: str = "",
    atoms: Atoms = "auto",
    rename: bool = True,
    layout: Layout = "tidy",
    readable: bool = False,
    keep: Sequence[str] = (),
    fast: bool = False,
    target_size: int | None = None,
    patience: int | None = None,
    jobs: int = 1,
    check: bool = True,
    max_tests: int | None = None,
    max_time: float | None = None,
    observe: Callable[[Event], None] = ignore_event,
    **failure: Unpack[FailureKeywords],
) -> Reduced:
    """Return what is left of a failing input when every part of it is needed.

    ``files`` is a path to a file or a folder, which is read and never written; or bytes; or bytes
    by name. ``test`` is a function of the same, given a ``Path``, ``bytes`` or a ``dict``, that
    returns True (the failure shows), False (it passes), None (it cannot be told) or a ``Verdict``.
    Or it is a command, as after ``--`` on the command line: ``["gcc", "-c", "{}"]``; or the path of
    a test script. For those there are the options by which a failure is known: ``stderr=``,
    ``exit=``, ``timeout=`` and so on.

    language     what it is written in (by default found out from names and contents)
    atoms        the finest parts: auto, records, lines, tokens, chars or bytes
    rename, layout, readable
                 whether names may change; what becomes of white space
    keep         patterns; whatever matches stays
    fast         without the proof that no single part can go
    jobs         how many tests to run at once; the result does not depend on it
    check        try the test on the original and on nothing first, to find a wrong test early
    target_size, patience, max_tests, max_time
                 stop at so many bytes, or after so many tests without success, tests, or seconds
    observe      called with every ``Event`` of the reduction

    Raises a ``WynotError``, or ``Interrupted`` on Ctrl-C; both carry the best ``result`` so far.
    """
    given = given_input(files)
    options = partial(
        ReduceOptions,
        language=language,
        atoms=atoms,
        rename=rename,
        layout=layout,
        readable=readable,
        keep=keep,
        fast=fast,
        target_size=target_size,
        patience=patience,
        jobs=jobs,
        check=check,
        max_tests=max_tests,
        max_time=max_time,
        **failure,
    )
    if not callable(test):
        return observed(observe, partial(_by_command, given, _command(test), options))
    if failure:
        raise InvalidArgument(
            f"{next(iter(failure))!r} is for commands, and the test is a function",
            hint="let the function look for it",
        )
    judge = partial(given.hand, test=test)
    return observed(observe, partial(by_function, given.files, judge, options(files=())))


def _command(test: str | os.PathLike[str] | Sequence[str]) -> dict[str, Any]:
    if isinstance(test, str | os.PathLike):
        return {"test": os.fspath(test)}
    if not test or not all(isinstance(word, str) for word in test):
        raise InvalidArgument(
            f"the test is {test!r}",
            hint="pass a function, a list of words like ['gcc', '-c', '{}'], or a script's path",
        )
    return {"command": tuple(test)}


def _by_command(
    given: GivenInput,
    command: dict[str, Any],
    options: Callable[..., ReduceOptions],
    observe: Callable[[Event], None],
) -> Reduced:
    """Do what the command does, on a private copy."""
    with TemporaryDirectory(prefix="wynot-") as name:
        folder = Path(name).resolve()
        put_files(given.files, folder)
        names = sorted({path.partition("/")[0] for path in given.files.contents})
        paths = [str(folder / each) for each in names]
        try:
            ended = Reduce(options(files=paths, **command), observe).run()
        except (WynotError, Interrupted) as error:
            so_far = cast("ReductionEnded | None", error.result)
            error.result = _left(folder, paths, so_far, error.slug)
            raise
        return _left(folder, paths, ended)


def _left(
    folder: Path, paths: Sequence[str], ended: ReductionEnded | None, stopped: str = ""
) -> Reduced:
    """Return what a run of the command has left in a folder."""
    files = contents_of(targets(paths))
    steps = ReducedSteps(files, ())
    for path in (folder / OURS).glob("*.journal"):
        journal = Journal.open(path)
        if journal is not None:
            patches = [
                PatchedStep(row.pass_name, row.candidate, row.tests, patch)
                for row, patch in journal.patches()
            ]
            steps = ReducedSteps(journal.original(), patches)
            journal.close()
    return Reduced(
        files=files.contents,
        minimal=ended.minimal if ended else (),
        stopped=ended.stopped if ended else stopped,
        steps=steps,
        tests=ended.tests if ended else 0,
        extra=ended.extra if ended else 0,
    )
