"""Removal of whatever a test has left, without following links out of it."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OWN_MODE = 0o700


def remove(name: str | Path, dir_fd: int | None = None) -> bool:
    """Remove a file, a link, or a folder with all that is in it; tell whether it is gone."""
    try:
        os.unlink(name, dir_fd=dir_fd)
    except FileNotFoundError:
        return True
    except OSError:  # as a rule a folder; macOS calls that a lack of permission
        return _remove_folder(name, dir_fd)
    return True


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
            path.chmod(_OWN_MODE)


def clear(folder: int) -> bool:
    """Empty an open folder; tell whether that was possible.

    Folders inside are not gone down into: what they hold is moved up, one level at a time. So
    neither depth nor the length of paths matters, and no name is looked up through another one
    that could be a link.
    """
    new_names = map(f".{os.urandom(6).hex()}-{{}}".format, count())
    with suppress(OSError):
        os.fchmod(folder, _OWN_MODE)
    pending = _names(folder)
    kept = 0
    while pending:
        name = pending.pop()
        try:
            os.unlink(name, dir_fd=folder)
        except FileNotFoundError:
            continue
        except OSError:  # as a rule a folder; macOS calls that a lack of permission
            pending += _lift(folder, name, new_names)
            try:
                os.rmdir(name, dir_fd=folder)
            except OSError:
                kept += 1
    return not kept


def open_folder(name: str | Path, dir_fd: int | None = None) -> int:
    """Open a folder, whatever its permissions are, but never a link to one."""
    try:
        return os.open(name, _FOLDER, dir_fd=dir_fd)
    except PermissionError:
        # Nothing of the test runs any more: what is a folder now will be one in the next line.
        seen = os.stat(name, dir_fd=dir_fd, follow_symlinks=False)
        if not stat.S_ISDIR(seen.st_mode):
            raise
        os.chmod(name, _OWN_MODE, dir_fd=dir_fd)
        return os.open(name, _FOLDER, dir_fd=dir_fd)


def _remove_folder(name: str | Path, dir_fd: int | None) -> bool:
    try:
        folder = open_folder(name, dir_fd)
    except OSError:
        return False
    try:
        clear(folder)
    finally:
        os.close(folder)
    try:
        os.rmdir(name, dir_fd=dir_fd)
    except OSError:
        return False
    return True


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
        for each in _names(inner):
            try:
                os.unlink(each, dir_fd=inner)
            except OSError:
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
        os.close(open_folder(name, source))
        os.chmod(name, _OWN_MODE, dir_fd=source)
        os.rename(name, new, src_dir_fd=source, dst_dir_fd=target)


def _names(folder: int) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
