"""Landlock: a thread of Linux gives up rights for good, and so does all that it starts.

No privileges are needed, and three system calls are all of it; the C library has no functions for
them. What is restricted here is writing: files, folders, links and devices can be changed only
below the folders that are named. Reading and starting programs stay free. From version 6 of the
interface on, processes outside can also not be signalled: a script that has lost a variable may
well say ``kill -9 -1``.

Not covered: permissions, owners and times of files, which Landlock knows nothing of, and what a
service does on request.
"""

import ctypes
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on all architectures
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38
_SCOPE_SIGNAL = 1 << 1

_WRITE_FILE, _TRUNCATE, _IOCTL = 1 << 1, 1 << 14, 1 << 15
_REFER_FLAG = 1 << 13
_CHANGES = sum(1 << bit for bit in range(4, 13))  # to remove and to make entries of every kind
_SINCE = {1: _WRITE_FILE | _CHANGES, 2: _REFER_FLAG, 3: _TRUNCATE, 5: _IOCTL}
"""What can be restricted, by the version of the interface that it came with."""
_OF_FILES = _WRITE_FILE | _TRUNCATE | _IOCTL
"""What makes sense for something that is not a folder."""
_SIGNALS_SINCE = 6
_SIZES = {1: 8, 4: 16, 6: 24}
"""How long the description of a ruleset is."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
"""What can be written to without changing anything."""
TERMINALS = ("/dev/ptmx", "/dev/pts")


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


_library = ctypes.CDLL(None, use_errno=True)


@cache
def version() -> int:
    """Return the version of the kernel's interface, 0 if there is none."""
    if sys.platform != "linux":
        return 0
    found = _library.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)
    return max(int(found), 0)


def restrict(writable: Iterable[str], known: int | None = None) -> None:
    """Let this thread, and all that it will start, write below these folders only.

    ``known`` is the version of the interface to go by, if not that of the kernel.
    """
    known = version() if known is None else known
    handled = sum(rights for since, rights in _SINCE.items() if since <= known)
    size = max(length for since, length in _SIZES.items() if since <= known)
    scoped = _SCOPE_SIGNAL if known >= _SIGNALS_SINCE else 0
    attributes = _Ruleset(handled, 0, scoped)
    ruleset = _called(
        _library.syscall(_CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(size), 0)
    )
    try:
        for path in (*DEVICES, *TERMINALS):
            with suppress(OSError):  # not every system has all of them
                _allow(ruleset, path, handled)
        for path in writable:
            _allow(ruleset, path, handled)
        _called(_library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        _called(_library.syscall(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, handled: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights = handled if os.path.isdir(path) else handled & _OF_FILES  # noqa: PTH112
        rule = _Beneath(rights, descriptor)
        _called(_library.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0))
    finally:
        os.close(descriptor)


def _called(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"Landlock: {os.strerror(number)}")
    return result
