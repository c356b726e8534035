"""Limits that hold from the first instruction of a program on.

A limit that is set from outside after the start comes too late on a busy machine: the program may
have taken its memory by then. Setting it on ourselves for the time of the start would make our own
threads fail, and a fork with code of ours in between is not safe beside them. So a small program
is started first, which sets the limits on itself and then becomes the one that is wanted: that is
``prlimit`` of util-linux, which leaves the environment alone, or else the shell. It takes about a
millisecond, and only those who ask for such a limit pay for it.
"""

import os
import resource
import shutil
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple

_KIB_BYTES = 1024
_MAX_LINE_BYTES = 256  # bytes of the first line of a script, as the kernel reads it


class Bounds(NamedTuple):
    """The limits of a program; None leaves one as it is."""

    memory: int | None = None
    """Bytes of address space."""

    def within(self) -> "Bounds":
        """Return these limits, but none beyond what the system allows to us."""
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        if self.memory is None or most == resource.RLIM_INFINITY:
            return self
        return Bounds(min(self.memory, most))


def launched(argv: Sequence[str], program: bytes, bounds: Bounds) -> Sequence[str]:
    """Return the command that runs a program, found at ``program``, within bounds.

    What cannot be started is left as it is: starting it says why, and what comes in between would
    say something else, or take a file without a first line for a script.
    """
    if bounds == Bounds() or not _can_start(program):
        return argv
    bounds = bounds.within()
    between = _prlimit()
    if between:
        return [between, f"--as={bounds.memory}:", "--", *argv]
    line = f"ulimit -S -v {(bounds.memory or 0) // _KIB_BYTES} 2>/dev/null"
    return ["/bin/sh", "-c", f'{line}\nexec "$@"', "sh", *argv]


@cache
def _prlimit() -> str:
    return shutil.which("prlimit", path=os.defpath) or ""


def _can_start(program: bytes) -> bool:
    """Tell whether the system starts a file: a binary, or a script whose interpreter is there."""
    first = b""
    with suppress(OSError):
        if os.access(program, os.X_OK):
            with open(program, "rb") as stream:  # noqa: PTH123 - a name in bytes
                first = stream.readline(_MAX_LINE_BYTES)
    if first.startswith(b"#!"):
        words = first[2:].split()
        return bool(words) and os.access(words[0], os.X_OK)
    return b"\0" in first
