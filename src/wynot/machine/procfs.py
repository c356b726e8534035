"""What the kernel tells about processes, as far as ending a test needs it (Linux).

A process can vanish at any moment: then there is nothing to tell, which is not an error.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

_GONE = (FileNotFoundError, ProcessLookupError)
_HIDDEN = (*_GONE, PermissionError)
_THREADS, _STARTED = 17, 19  # where /proc/PID/stat has these, counted from the state
HAS_CHILDREN_LISTS = os.path.exists("/proc/thread-self/children")  # noqa: PTH110 - one system call


class Stat(NamedTuple):
    """Where a process stands among others."""

    state: str
    """One letter; Z is a process that has ended, and whose parent has not asked how."""
    parent: int
    session: int
    threads: int
    started: int
    """In ticks since the system was started: with it a number is never another's."""

    @property
    def is_dead(self) -> bool:
        """Tell whether it has ended, reaped or not.

        The first thread may end alone: then it looks as if all had.
        """
        return self.state in "ZX" and self.threads <= 1


def stat(pid: int) -> Stat | None:
    """Return where a process stands, None if there is none of that number."""
    try:
        raw = read(f"/proc/{pid}/stat")
    except _HIDDEN:
        return None
    if not raw:
        return None
    # The name comes first, in parentheses, and may itself hold any character.
    fields = raw[raw.rindex(b")") + 2 :].split(b" ", _STARTED + 1)
    return Stat(
        fields[0].decode(),
        int(fields[1]),
        int(fields[3]),
        int(fields[_THREADS]),
        int(fields[_STARTED]),
    )


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, or been given, whichever thread did it."""
    if not HAS_CHILDREN_LISTS:
        return _children_by_looking_at_all(pid)
    found: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - in a loop that has to be fast
    except _HIDDEN:
        return found
    for thread in threads:
        with suppress(*_HIDDEN):
            found += map(int, read(f"/proc/{pid}/task/{thread}/children").split())
    return found


def everyone() -> list[int]:
    """Return all processes there are."""
    try:
        names = os.listdir("/proc")  # noqa: PTH208 - names are numbers, paths would only be undone
    except OSError:
        return []
    return [int(name) for name in names if name.isdecimal()]


def environ(pid: int) -> bytes:
    """Return the environment that a process was started with, empty if it cannot be seen."""
    return _text(pid, "environ")


def limits(pid: int) -> bytes:
    """Return the table of a process's resource limits, empty if it cannot be seen."""
    return _text(pid, "limits")


def file_locks(pid: int) -> int:
    """Return the limit of a process's file locks, 0 if there is none or it cannot be seen."""
    _, found, rest = limits(pid).partition(b"Max file locks")
    value = rest.split(maxsplit=1)[:1]
    return int(value[0]) if found and value and value[0].isdigit() else 0


def is_ours(pid: int) -> bool:
    """Tell whether a process belongs to the user that we run as."""
    try:
        return os.stat(f"/proc/{pid}").st_uid == os.geteuid()  # noqa: PTH116 - one of thousands
    except OSError:
        return False


def named(pids: Iterable[int]) -> str:
    """Name some processes for a message."""
    names = []
    for pid in sorted(pids)[:5]:
        with suppress(OSError):
            command = read(f"/proc/{pid}/cmdline").replace(b"\0", b" ").strip()
            names.append(f"{pid} ({command.decode(errors='replace')})")
    return ", ".join(names) or "unknown"


def read(path: str) -> bytes:
    """Return a file's content: the kernel's files have no size, and come in pieces."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return read_all(descriptor)
    finally:
        os.close(descriptor)


def read_all(descriptor: int) -> bytes:
    """Return what an open file holds from its beginning."""
    whole = b""
    while piece := os.pread(descriptor, 1 << 16, len(whole)):
        whole += piece
    return whole


def _text(pid: int, name: str) -> bytes:
    try:
        return read(f"/proc/{pid}/{name}")
    except OSError:  # hidden, gone, or without memory of its own
        return b""


def _children_by_looking_at_all(pid: int) -> list[int]:
    return [each for each in everyone() if (seen := stat(each)) and seen.parent == pid]
