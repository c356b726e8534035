"""Mounts that a test leaves in its private folders: they are found and unmounted.

A mount makes files appear in a folder that are kept elsewhere: ``mount --bind``, FUSE, an overlay,
a container's file system. Emptying the folder would empty those, too. So removal never goes into a
mount (see `wynot.runners.removal`), and mounts are undone before anything is removed.

Mounts in a mount namespace that a test has made for itself, as ``unshare -m`` does, are not seen
from here, and vanish with its processes.
"""

import ctypes
import os
import re
import select
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_TABLE = "/proc/self/mountinfo"
_MOUNT_POINT = 4  # the number of that field in a line of the table
_ESCAPED = re.compile(rb"\\([0-7]{3})")
_RECURSIVE_PRIVATE = 1 << 14 | 1 << 18  # MS_REC | MS_PRIVATE
_DETACH_NO_FOLLOW = 2 | 8  # MNT_DETACH | UMOUNT_NOFOLLOW

_library = ctypes.CDLL(None)


class MountWatch:
    """Tells whether anything was mounted or unmounted, by one system call."""

    def __init__(self) -> None:
        self._table = -1
        self._poll = select.poll()
        with suppress(OSError):  # not Linux
            self._table = os.open(_TABLE, os.O_RDONLY | os.O_CLOEXEC)
            self._poll.register(self._table, select.POLLPRI)

    def has_changed(self) -> bool:
        """Tell whether the table has changed since this was called last, or since the start."""
        return bool(self._poll.poll(0))

    def close(self) -> None:
        """Close the table."""
        if self._table >= 0:
            self._poll.unregister(self._table)
            os.close(self._table)
            self._table = -1


def mount_points(folder: Path) -> list[Path]:
    """Return the mount points at a folder and beneath it; one that is used twice comes twice."""
    try:
        with open(_TABLE, "rb") as table:  # noqa: PTH123 - a file of the kernel
            names = [line.split(b" ", _MOUNT_POINT + 1)[_MOUNT_POINT] for line in table]
    except OSError:  # not Linux
        return []
    start = os.fsencode(folder) + b"/"
    return [
        Path(os.fsdecode(each)) for each in map(_plain, names) if (each + b"/").startswith(start)
    ]


def unmount(folder: Path, is_meant: Callable[[Path], bool] = lambda _: True) -> list[Path]:
    """Unmount what is mounted at a folder and beneath it; return where that is refused.

    A mount may be in use: then it vanishes here, and ends when nobody uses it any more.
    """
    refused: set[Path] = set()
    while points := {each for each in mount_points(folder) if is_meant(each)}:
        refused = {each for each in points if refused.intersection((each, *each.parents))}
        outer = [each for each in points - refused if points.isdisjoint(each.parents)]
        if not outer:
            break
        refused.update(each for each in outer if not _is_unmounted(os.fsencode(each)))
    return sorted(refused)


def _plain(name: bytes) -> bytes:
    """Return a name of the table without its escapes, which blanks and the like have."""
    return _ESCAPED.sub(_unescaped, name) if b"\\" in name else name


def _unescaped(match: "re.Match[bytes]") -> bytes:
    return bytes([int(match[1], 8)])


def _is_unmounted(point: bytes) -> bool:
    """Unmount what was mounted last at a place, with all that is mounted in it.

    It is made private first. Else, as a copy of ``/`` with all its mounts (``mount --rbind / m``)
    shares what happens with the original, the original would lose ``/proc`` and ``/dev``, too.
    """
    is_private = not _library.mount(None, point, None, ctypes.c_ulong(_RECURSIVE_PRIVATE), None)
    return is_private and not _library.umount2(point, _DETACH_NO_FOLLOW)
