"""Programs that can write only below some folders.

Landlock restricts the paths that are written to. With all of root's privileges there are ways
around paths: a device that is made in the private folder is a whole disk; `TIOCSTI` types into any
terminal, whose shell then runs it; a module of the kernel is code without limits. So a confined
program keeps only the privileges over files, users, processes and networks, and no program that it
starts gets the others back. For users without privileges, nothing changes.

Landlock restricts a thread and what it starts, not the process: so each sandbox has a thread that
does nothing but start programs, and has given up its rights once and for all. That costs a test
no more than handing its command line from one thread to the other.
"""

import ctypes
import errno
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, TypeAlias

from wynot.machine import landlock
from wynot.machine.process_start import spawn

_CHOWN, _DAC_OVERRIDE, _DAC_READ_SEARCH, _FOWNER, _FSETID = range(5)
_KILL, _SETGID, _SETUID, _SETPCAP = range(5, 9)
_NET_BIND_SERVICE, _NET_BROADCAST, _NET_ADMIN, _NET_RAW, _IPC_LOCK = range(10, 15)
_SYS_CHROOT, _SYS_PTRACE, _SYS_NICE, _SYS_RESOURCE = 18, 19, 23, 24
_AUDIT_WRITE, _SETFCAP = 29, 31
KEPT_PRIVILEGES = {
    *(_CHOWN, _DAC_OVERRIDE, _DAC_READ_SEARCH, _FOWNER, _FSETID),
    *(_KILL, _SETGID, _SETUID, _SETPCAP),
    *(_NET_BIND_SERVICE, _NET_BROADCAST, _NET_ADMIN, _NET_RAW, _IPC_LOCK),
    *(_SYS_CHROOT, _SYS_PTRACE, _SYS_NICE, _SYS_RESOURCE),
    *(_AUDIT_WRITE, _SETFCAP),
}
"""The numbers of the privileges that are kept, those of ``capabilities(7)``."""

_PR_CAPBSET_READ, _PR_CAPBSET_DROP = 23, 24
_VERSION_3 = 0x20080522
_WORD_BITS = 32


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Word(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


_library = ctypes.CDLL(None, use_errno=True)


def drop_privileges() -> None:
    """Give up this thread's other privileges for good, also for what it will start."""
    number = 0
    while (is_there := _library.prctl(_PR_CAPBSET_READ, number, 0, 0, 0)) >= 0:
        if is_there and number not in KEPT_PRIVILEGES:
            _drop_for_children(number)
        number += 1
    header, words = _Header(_VERSION_3, 0), (_Word * 2)()
    _check(_library.capget(ctypes.byref(header), words))
    for place, word in enumerate(words):
        kept = sum(
            1 << each - place * _WORD_BITS
            for each in KEPT_PRIVILEGES
            if each // _WORD_BITS == place
        )
        word.effective &= kept
        word.permitted &= kept
        word.inheritable &= kept
    _check(_library.capset(ctypes.byref(header), words))


def _drop_for_children(number: int) -> None:
    """Keep programs from getting a privilege back; who has none may not do that, and need not."""
    if _library.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0) < 0 and (
        ctypes.get_errno() != errno.EPERM or os.geteuid() == 0
    ):
        _check(-1)


def _check(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"privileges: {os.strerror(number)}")


_ProgramStart: TypeAlias = tuple[Sequence[str], str, list[bytes], tuple[int, ...]]


class Fence(NamedTuple):
    """Where programs can write."""

    folders: tuple[str, ...]
    identities: tuple[tuple[int, int], ...]
    """A folder that was removed and made again is another one."""

    @classmethod
    def of(cls, folders: Sequence[str | Path]) -> "Fence":
        """Look at the folders as they are now."""
        seen = [os.stat(folder) for folder in folders]  # noqa: PTH116 - strings or paths
        return cls(tuple(map(str, folders)), tuple((each.st_dev, each.st_ino) for each in seen))


class Confined:
    """A thread that starts programs which can write only below some folders, for one sandbox.

    What it may not do is for good, and for all that it starts: so it cannot be the agent's own
    thread, which calls all of this but `_work`.
    """

    def __init__(self, fence: Fence) -> None:
        self.fence = fence
        self._starts: SimpleQueue[_ProgramStart | None] = SimpleQueue()
        self._results: SimpleQueue[int | BaseException] = SimpleQueue()
        threading.Thread(target=self._work, name="wynot-confined", daemon=True).start()
        self._wait()

    def spawn(
        self, argv: Sequence[str], folder: str, environ: list[bytes], streams: tuple[int, ...]
    ) -> int:
        """Start a program; see `wynot.machine.process_start.spawn`."""
        self._starts.put((argv, folder, environ, streams))
        return self._wait()

    def close(self) -> None:
        """Let the thread end."""
        self._starts.put(None)

    def _wait(self) -> int:
        result = self._results.get()
        if isinstance(result, BaseException):
            raise result
        return result

    def _work(self) -> None:
        try:
            drop_privileges()
            landlock.restrict(self.fence.folders)
        except BaseException as error:  # noqa: BLE001 - it is told to whoever waits
            self._results.put(error)
            return
        self._results.put(0)
        while (start := self._starts.get()) is not None:
            try:
                self._results.put(spawn(*start))
            except BaseException as error:  # noqa: BLE001 - it is told to whoever waits
                self._results.put(error)
