"""Errors that keep a test from being run at all, with hints on what to do."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from wynot.agents.sandbox import Sandbox
from wynot.core.errors import (
    BrokenRunner,
    NoSpace,
    NotExecutable,
    TooManyOpenFiles,
    WynotError,
)
from wynot.wire.messages import NotPlaced
from wynot.wire.run_request import Survivors

FULL_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT})
TOO_MANY_FILES = frozenset({errno.EMFILE, errno.ENFILE})
TOO_MANY_PROCESSES = frozenset({errno.EAGAIN, errno.ENOMEM})


def not_placed(error: OSError, sandbox: Sandbox) -> WynotError:
    """Return what to raise for a candidate that cannot be put in place."""
    where = str(error.filename or sandbox.folder)
    return _of_the_system(error, sandbox) or BrokenRunner(
        f"a candidate cannot be put into {where!r}: {error.strerror}",
        hint="see what the test leaves there: files of another user, or immutable ones, are in "
        "the way",
    )


def not_started(error: Survivors | OSError, sandbox: Sandbox) -> WynotError:
    """Return what to raise for a test that cannot be run."""
    if isinstance(error, Survivors):
        return BrokenRunner(str(error), hint="find out what holds them, and end them")
    if known := _of_the_system(error, sandbox):
        return known
    # Of our own are the files of its output, say.
    if isinstance(error, NotPlaced) or _is_within(error.filename, sandbox.private):
        return not_placed(error, sandbox)
    nothing_there = error.errno in {errno.ENOEXEC, errno.ENOENT}
    interpreter = _interpreter(error.filename) if nothing_there else ""
    return NotExecutable(
        f"the test {error.filename!r} cannot be started: {error.strerror}{interpreter}",
        hint=_advice(error, nothing_there=nothing_there),
    )


def _of_the_system(error: OSError, sandbox: Sandbox) -> WynotError | None:
    """Return what to raise if there is no more of something that all programs share."""
    if error.errno in FULL_DISK_ERRORS:
        return NoSpace(
            f"there is no room for the tests in {str(sandbox.private.parent)!r}: {error.strerror}",
            hint="make room there, or give a folder with more: TMPDIR=DIR wynot …; the same "
            "command again goes on where it was",
        )
    if error.errno in TOO_MANY_FILES:
        return TooManyOpenFiles(
            f"no more files can be opened: {error.strerror}",
            hint="fewer tests at a time, -j N, or a higher limit: ulimit -n 4096",
        )
    if error.errno in TOO_MANY_PROCESSES:
        return BrokenRunner(
            f"no more processes can be started: {error.strerror}",
            hint="fewer tests at a time, -j N, or a higher limit: ulimit -u",
        )
    return None


def _is_within(path: object, folder: Path) -> bool:
    return isinstance(path, str) and Path(path).is_relative_to(folder)


def _advice(error: OSError, *, nothing_there: bool) -> str:
    if nothing_there and not os.path.lexists(str(error.filename)):
        return "it no longer exists"
    if nothing_there:
        return "its first line must name an interpreter that exists, like #!/bin/sh"
    return "check its permissions, and those of its folder"


def _interpreter(path: object) -> str:
    """Return what the first line of a script names, in words."""
    with suppress(OSError), open(str(path), "rb") as stream:  # noqa: PTH123 - it may be no path
        first = stream.readline(200).decode("utf-8", "replace").strip()
        if first.startswith("#!"):
            return f" (its first line is {first!r})"
    return ""
