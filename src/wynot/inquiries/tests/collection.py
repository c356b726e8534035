"""Which tests there are, in the order in which they run."""

import json
import os
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.core.errors import InvalidOption, NoSuchFile, NotExecutable, NothingToReduce, Unreadable
from wynot.core.options.quantities import some_of
from wynot.disk.read_limited import read_limited
from wynot.inquiries.tests.selection import Listed, end_of, seen
from wynot.inquiries.tests.suite_runs import PytestRuns, new_report, read_report
from wynot.oracle.provisioner import Invocation
from wynot.wire.run_request import Limits, RunRequest

MAX_LIST_BYTES = 64 << 20
"""Bytes of a list of tests."""
NO_TESTS = 5
"""The exit status of pytest if it finds no tests."""
COLLECT_HINT = "it has to work first: try it with --collect-only"
CONFINED_HINT = "it is confined: if it has to write to the project, give --writable ."
_LISTED = "collected.json"
_NEAR_NAMES = 3
"""How many near names are shown."""


class Collected(NamedTuple):
    """Which tests there are."""

    tests: tuple[Listed, ...]
    whole: Ending | None = None
    """How the run ended that went on to the test in question, if it did."""


def collect(
    runs: PytestRuns, target: str | None, sandbox: Sandbox, limits: Limits, outcomes: str = ""
) -> Collected:
    """Have pytest collect its tests, as it does in the user's own run.

    If it is clear which test is meant, all tests run up to that one, so that nothing need be
    imported for that again; with None for it, all of them run. ``outcomes`` is a file for what
    becomes of each.
    """
    task = {"collect": str(new_report(sandbox, _LISTED)), "target": target}
    if outcomes:
        task["outcomes"] = outcomes
    ending = run(runs.given(sandbox, task), sandbox, limits)
    command = shlex.join(runs.command)
    if b"No module named pytest" in ending.stderr:
        raise NoSuchFile(
            f"{command!r}: there is no pytest for this Python",
            hint="name the right command: wynot tests TEST -- PYTHON -m pytest",
        )
    listed = read_report(sandbox, _LISTED, MAX_LIST_BYTES)
    died = listed is not None and (ending.limit or ending.status < 0)
    has_run = died or seen(ending).outcome != "not run"
    if not has_run and (ending.limit or ending.status not in {0, NO_TESTS}):
        raise InvalidOption(
            f"{command!r} does not collect its tests ({ending.description}):\n"
            f"{end_of(_stdout(ending))}",
            hint=CONFINED_HINT if limits.writable is not None else COLLECT_HINT,
        )
    if listed is None:
        raise InvalidOption(
            f"{command!r} does not run pytest, or does not pass on its arguments and PYTHONPATH",
            hint="give a command that runs pytest, or one with {tests} for another runner",
        )
    tests, is_known = _collected(listed)
    if not tests:
        raise NothingToReduce(
            f"{command!r} finds no tests", hint="is this the right folder? which files are given?"
        )
    return Collected(tests, ending if is_known else None)


def _collected(listed: bytes) -> tuple[tuple[Listed, ...], bool]:
    """Read the list that the plug-in has written, unless a test has written another one."""
    try:
        named, is_known = json.loads(listed)
        tests = tuple(Listed(name, path) for name, path in named)
        if all(isinstance(text, str) for test in tests for text in test):
            return tests, bool(is_known)
    except (ValueError, TypeError, RecursionError):
        pass
    raise Unreadable(
        "the list of tests that pytest collected is not one",
        hint="does a test write into the folder of the variable WYNOT_TASK?",
    )


def run(given: Invocation, sandbox: Sandbox, limits: Limits) -> Ending:
    """Run what is in place, and keep its output."""
    try:
        return sandbox.run(
            RunRequest(given.argv or (), limits, capture=True, env=given.env, folder=given.folder)
        )
    except OSError as error:
        raise NotExecutable(
            f"{(given.argv or ('',))[0]!r} cannot be started: {error.strerror}",
            hint="check its name; scripts in this folder are called ./NAME",
        ) from error


def listed_in(path: Path) -> tuple[Listed, ...]:
    """Read a list of tests, one on each line, in the order in which they run."""
    return _lines(
        os.fsdecode(read_limited(path, most=MAX_LIST_BYTES, expected="a list of tests")), str(path)
    )


def listed_by(command: str, folder: Path, sandbox: Sandbox, limits: Limits) -> tuple[Listed, ...]:
    """Run a command that writes such a list."""
    try:
        argv = tuple(shlex.split(command))
    except ValueError as error:
        raise InvalidOption(
            f"is {command!r}: {error}", option="list_command", hint="quote it as in a shell"
        ) from error
    if not argv:
        raise InvalidOption(
            "is empty", option="list_command", hint="give a command that lists the tests"
        )
    ending = run(
        Invocation(argv=argv, folder=folder),
        sandbox,
        limits._replace(output=MAX_LIST_BYTES, note_start=None),
    )
    if ending.limit or ending.status:
        raise InvalidOption(
            f"--list-command {command!r} fails ({ending.description}):\n{end_of(ending)}",
            hint="it should write one test on each line, and exit with 0",
        )
    if len(ending.stdout) >= MAX_LIST_BYTES:
        raise Unreadable(
            f"list-command {command!r} writes more than {MAX_LIST_BYTES} bytes",
            hint="it should write one test on each line",
        )
    return _lines(os.fsdecode(ending.stdout), command)


def position(target: str, tests: Sequence[Listed], project: Path) -> int:
    """Return which test is meant: by its name, or by any path to its file, or by the name's end."""
    names = [test.name for test in tests]
    if target in names:
        return names.index(target)
    path, _, inner = target.partition("::")
    full = str((project / path).resolve())
    found = [
        at
        for at, test in enumerate(tests)
        if inner and test.path and test.name.partition("::")[2] == inner and full == _real(test)
    ]
    if not found and target:
        found = [
            at for at, name in enumerate(names) if name.endswith((f"::{target}", f"/{target}"))
        ]
    if len(found) == 1:
        return found[0]
    if found:
        raise InvalidOption(
            f"{target!r} is the name of {len(found)} tests: {_some([names[at] for at in found])}",
            hint="give the whole name",
        )
    inside = [name for name in names if target and target in name]
    close = inside or get_close_matches(target, names, n=_NEAR_NAMES, cutoff=0.5)
    raise InvalidOption(
        f"there is no test {target!r} among {len(names)}",
        hint=f"did you mean {_some(close)}?" if close else f"the first is {names[0]!r}",
    )


def _real(test: Listed) -> str:
    return str(Path(test.path).resolve())


def _some(names: Sequence[str]) -> str:
    return some_of([*map(repr, names)], _NEAR_NAMES)


def _stdout(ending: Ending) -> Ending:
    """Return the ending without its standard error if pytest has said what is wrong elsewhere."""
    return ending._replace(stderr=b"") if b"error" in ending.stdout.lower() else ending


def _lines(text: str, origin: str) -> tuple[Listed, ...]:
    names = [line.strip() for line in text.splitlines()]
    found = tuple(Listed(name) for name in names if name)
    if not found:
        raise NothingToReduce(f"{origin!r} lists no tests", hint="one test on each line")
    return found
