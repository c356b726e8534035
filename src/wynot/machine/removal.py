"""Removal of whatever a test has left, mounts included, without going out of its folders.

A folder that is not empty is gone into only after the system has refused to remove it for that very
reason. For a mount point, even one on the same disk, the system gives another reason, and gives
that first.

A mount makes files appear in a folder that are kept elsewhere: ``mount --bind``, FUSE, an overlay,
a container's file system. Emptying the folder would empty those, too. So removal never goes into a
mount, and mounts are undone before anything is removed.

Mounts in a mount namespace that a test has made for itself, as ``unshare -m`` does, are not seen
from here, and vanish with its processes.
"""

import ctypes
import errno
import os
import re
import select
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OWN_MODE = 0o700
_NOT_EMPTY = {errno.ENOTEMPTY, errno.EEXIST}


def remove(name: str | Path, dir_fd: int | None = None) -> bool:
    """Remove a file, a link, or a folder with all that is in it; tell whether it is gone."""
    is_gone = _discard(name, dir_fd)
    return _remove_folder(name, dir_fd) if is_gone is None else is_gone


def make_folder(path: Path) -> None:
    """Make a private folder, unless there is one; what is there in its place is removed."""
    try:
        path.mkdir(0o700)
    except FileExistsError:
        seen = path.lstat()
        if not stat.S_ISDIR(seen.st_mode):
            remove(path)
            path.mkdir(0o700)
        elif stat.S_IMODE(seen.st_mode) != _OWN_MODE:
            _own(path, None)


def put_file(path: Path, *pieces: bytes) -> None:
    """Put a file in place of what is there: what a test has linked there is not written to."""
    remove(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.writelines(pieces)


def open_folder(name: str | Path, dir_fd: int | None = None) -> int:
    """Open a folder, whatever its permissions are, but never a link to one."""
    try:
        return os.open(name, _FOLDER, dir_fd=dir_fd)
    except PermissionError:
        _own(name, dir_fd)
        return os.open(name, _FOLDER, dir_fd=dir_fd)


def _own(name: str | Path, dir_fd: int | None) -> None:
    """Give a folder the permissions of a private one; never what a link leads to."""
    if sys.platform != "linux":
        os.chmod(name, _OWN_MODE, dir_fd=dir_fd, follow_symlinks=False)
        return
    # Linux cannot change the mode of a file by a name that may be a link, nor by such a descriptor.
    place = os.open(name, os.O_PATH | _FOLDER, dir_fd=dir_fd)
    try:
        Path(f"/proc/self/fd/{place}").chmod(_OWN_MODE)
    finally:
        os.close(place)


def _discard(name: str | Path, dir_fd: int | None) -> bool | None:
    """Remove a file, a link or an empty folder; tell whether it is gone.

    Return None for a folder that has to be emptied first, and False for what cannot be removed, or
    is not ours to empty: something is mounted there.
    """
    try:
        os.unlink(name, dir_fd=dir_fd)
    except FileNotFoundError:
        return True
    except OSError:  # as a rule a folder; macOS calls that a lack of permission
        try:
            os.rmdir(name, dir_fd=dir_fd)
        except OSError as error:
            return None if error.errno in _NOT_EMPTY else False
    return True


def _thinned(folder: int) -> list[str]:
    """Remove what is in a folder, but for folders that have to be emptied first: return those."""
    return [name for name in _names(folder) if _discard(name, folder) is None]


def _remove_folder(name: str | Path, dir_fd: int | None) -> bool:
    try:
        folder = open_folder(name, dir_fd)
    except OSError:
        return False
    try:
        _clear(folder)
    finally:
        os.close(folder)
    return _discard(name, dir_fd) or False


def _clear(folder: int) -> None:
    """Empty an open folder, where that is possible.

    Folders inside are not gone down into: what they hold is moved up, one level at a time. So
    neither depth nor the length of paths matters, and no name is looked up through another one
    that could be a link.
    """
    new_names = map(f".{os.urandom(6).hex()}-{{}}".format, count())
    with suppress(OSError):
        os.fchmod(folder, _OWN_MODE)
    pending = _thinned(folder)
    while pending:
        name = pending.pop()
        pending += _lift(folder, name, new_names)
        with suppress(OSError):
            os.rmdir(name, dir_fd=folder)


def _lift(folder: int, name: str, new_names: Iterator[str]) -> list[str]:
    """Remove a folder's files, and move its folders up beside it; return their new names."""
    raised: list[str] = []
    try:
        inner = open_folder(name, folder)
    except OSError:
        return raised
    try:
        with suppress(OSError):  # another user's, or immutable: then some of it stays
            os.fchmod(inner, _OWN_MODE)
        for each in _thinned(inner):
            new = next(new_names)
            with suppress(OSError):
                _move(each, inner, new, folder)
                raised.append(new)
    finally:
        os.close(inner)
    return raised


def _move(name: str, source: int, new: str, target: int) -> None:
    try:
        os.rename(name, new, src_dir_fd=source, dst_dir_fd=target)
    except PermissionError:  # a folder that is moved has to be writable itself
        folder = open_folder(name, source)
        try:
            os.fchmod(folder, _OWN_MODE)
        finally:
            os.close(folder)
        os.rename(name, new, src_dir_fd=source, dst_dir_fd=target)


def _names(folder: int) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


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
