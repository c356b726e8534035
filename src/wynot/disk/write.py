"""Writing a file so that at any moment either the old or the new content is there, in full."""

import ctypes
import errno
import glob
import os
import secrets
from contextlib import suppress
from pathlib import Path

from wynot.core.errors import NoSpace, ReadOnly, WynotError

SUFFIX = ".wynot"
"""How the name of a file ends that is not complete yet."""
_RANDOM = "[0-9a-f]" * 16
"""What stands before that in such a name: a file of the user is called otherwise."""
_CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP}
"""How a file system answers that cannot sync a folder."""


def write(path: Path, content: bytes, mode: int | None = None) -> None:
    """Put a content in place of what was there, at once; folders above it are made."""
    make_folder(path.parent)
    try:
        _replace(path, content, mode)
    except OSError as error:
        raise refused(path, error) from error


def _replace(path: Path, content: bytes, mode: int | None) -> None:
    part = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}{SUFFIX}")
    # Unless a mode is given, the kernel applies the umask: reading it means setting it for a moment
    # for all threads.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(part, flags, 0o666 if mode is None else 0o600)
    try:
        with open(handle, "wb") as stream:  # noqa: PTH123 - it is open already
            stream.write(content)
            stream.flush()
            if mode is not None:
                os.fchmod(handle, mode)
            os.fsync(handle)
        os.replace(part, path)  # noqa: PTH105
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def sync_tree(path: Path) -> None:
    """Wait until a file, or a folder with everything in it, is on the disk."""
    if not path.is_dir():
        sync(path)
    elif not _has_synced_disk(path):
        for folder, _, names in os.walk(path):
            for name in names:
                sync(Path(folder, name))
            sync(Path(folder))


def _has_synced_disk(path: Path) -> bool:
    """Sync the whole file system of a path, where that can be done.

    For a folder of 2,000 small files that took 0.07 s on ext4; syncing each of them took 11 s.
    """
    syncfs = getattr(ctypes.CDLL(None), "syncfs", None)  # of Linux
    if syncfs is None:
        return False
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return int(syncfs(handle)) == 0
    finally:
        os.close(handle)


def sync(path: Path) -> None:
    """Wait until the content of a file, or the names in a folder, are on the disk.

    Files that may not be read and file systems that sync no folders are left to the kernel.
    """
    if path.is_symlink():  # its folder holds it
        return
    with suppress(PermissionError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno not in _CANNOT_SYNC:
                raise
        finally:
            os.close(handle)


def sweep(path: Path) -> None:
    """Remove what a run that was killed in the middle of a write has left beside a path."""
    beside = path.parent.glob(f".{glob.escape(path.name[:40])}.{_RANDOM}{SUFFIX}")
    inside = path.rglob(f".*.{_RANDOM}{SUFFIX}") if path.is_dir() else ()
    for left in (*beside, *inside):
        with suppress(OSError):
            left.unlink()


def refused(path: Path, error: OSError) -> WynotError:
    """Return what to raise for a path that could not be written."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return NoSpace(
            f"{str(path)!r} cannot be written: {error.strerror}",
            hint="make room and give the same command again: it continues where it stopped",
        )
    return ReadOnly(
        f"{str(path)!r} cannot be written: {error.strerror}",
        hint="check the permissions of the folder, or give -o OUT in a folder of your own",
    )


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, unless they are there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(folder, error) from error
