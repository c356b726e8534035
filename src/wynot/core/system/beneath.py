"""Files beneath a folder that somebody else may have prepared: no link in a path is followed.

A test, or the sender of a folder, can put a link anywhere, and can swap a folder for a link while
wynot fills it. So a path beneath such a folder is never given to the system as a whole:

    with parent_beneath(folder, "src/lib/a.c") as (parent, name):
        os.unlink(name, dir_fd=parent)

Linux 5.6 and newer resolve a path without links in one call (`openat2`); elsewhere it is walked
part by part, each part opened with `O_NOFOLLOW` in the folder before it. Either way, a link in any
place, an absolute path and `..` are refused with an OSError.
"""

import ctypes
import errno
import os
import secrets
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wynot.core.system.folder_files import stays_inside

PERMISSION_BITS = 0o777
"""The bits of a mode that are ever copied: set-uid, set-gid and sticky are not."""
NAME_CHARS = 40
"""Characters of its later name that the name of an incomplete file begins with."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_SYS_OPENAT2 = 437  # the same number on all machines that Linux runs on, but for Alpha
_BENEATH_WITHOUT_LINKS = 0x08 | 0x04  # RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS
_OPEN_HOW = struct.Struct("=QQQ")  # flags, mode, resolve
_OPEN_HOW_BYTES = ctypes.c_size_t(_OPEN_HOW.size)
_MAX_ATTEMPTS = 100
_NOT_AVAILABLE = {errno.ENOSYS, errno.EPERM, errno.E2BIG}
"""How openat2 answers on old kernels, and where a container's filter does not know it."""

_library = ctypes.CDLL(None, use_errno=True)


def open_beneath(folder: int | Path, path: str, flags: int, mode: int = 0o600) -> int:
    """Open a file or a folder beneath a folder; return its descriptor, which programs do not get.

    The folder itself may be reached through links: it is named by the user, or open already.
    """
    if not stays_inside(path):
        raise OSError(errno.EXDEV, "the path leads out of its folder", path)
    flags |= os.O_NOFOLLOW | os.O_CLOEXEC
    if isinstance(folder, int):
        return _open(folder, path, flags, mode)
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return _open(top, path, flags, mode)
    finally:
        os.close(top)


@contextmanager
def parent_beneath(
    folder: int | Path, path: str, *, make: bool = False, mode: int = 0o777
) -> Iterator[tuple[int, str]]:
    """Open the folder that a path beneath a folder is in; yield its descriptor and the last name.

    With ``make``, folders that are missing are made, with this mode less the umask.
    """
    above, _, name = path.rpartition("/")
    if not stays_inside(path):
        raise OSError(errno.EXDEV, "the path leads out of its folder", path)
    if make and above:
        _make_folders(folder, above, mode)
    if above:
        parent = open_beneath(folder, above, _FOLDER)
    elif isinstance(folder, int):
        parent = os.dup(folder)
    else:
        parent = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield parent, name
    finally:
        os.close(parent)


def replace_beneath(
    folder: int | Path, path: str, content: bytes, mode: int | None = None, *, suffix: str = ""
) -> None:
    """Put a file in place of what is there, at once and synced; folders above it are made.

    A link that is there is replaced, not followed. Without a mode, the umask decides.
    """
    with parent_beneath(folder, path, make=True) as (parent, name):
        part = part_name(name, suffix)
        handle = os.open(part, _NEW, 0o666 if mode is None else 0o600, dir_fd=parent)
        try:
            with open(handle, "wb") as stream:  # noqa: PTH123 - it is open already
                stream.write(content)
                stream.flush()
                if mode is not None:
                    os.fchmod(handle, mode & PERMISSION_BITS)
                os.fsync(handle)
            os.replace(part, name, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with suppress(OSError):
                os.unlink(part, dir_fd=parent)
            raise


def part_name(name: str, suffix: str) -> str:
    """Return a name for what gets another one when it is complete; nobody can foresee it."""
    return f".{name[:NAME_CHARS]}.{secrets.token_hex(8)}{suffix}"


def _make_folders(folder: int | Path, path: str, mode: int) -> None:
    parts = path.split("/")
    for depth in range(1, len(parts) + 1):
        with (
            parent_beneath(folder, "/".join(parts[:depth])) as (parent, name),
            suppress(FileExistsError),
        ):
            os.mkdir(name, mode, dir_fd=parent)


def _open(folder: int, path: str, flags: int, mode: int) -> int:
    if "/" not in path:
        return os.open(path, flags, mode, dir_fd=folder)
    if sys.platform == "linux":
        try:
            return _openat2(folder, path, flags, mode)
        except OSError as error:
            if error.errno not in _NOT_AVAILABLE:
                raise
    return _walk(folder, path, flags, mode)  # gives the same answer, if EPERM had another reason


def _openat2(folder: int, path: str, flags: int, mode: int) -> int:
    how = _OPEN_HOW.pack(flags, mode if flags & os.O_CREAT else 0, _BENEATH_WITHOUT_LINKS)
    name = os.fsencode(path)
    number = 0
    for _ in range(_MAX_ATTEMPTS):
        handle = int(_library.syscall(_SYS_OPENAT2, folder, name, how, _OPEN_HOW_BYTES))
        if handle >= 0:
            return handle
        number = ctypes.get_errno()
        # EAGAIN: a folder was renamed meanwhile, so the kernel cannot vouch for the path.
        if number not in {errno.EINTR, errno.EAGAIN}:
            break
    raise OSError(number, os.strerror(number), path)


def _walk(folder: int, path: str, flags: int, mode: int) -> int:
    *above, name = path.split("/")
    parent = os.dup(folder)
    try:
        for part in above:
            inner = os.open(part, _FOLDER, dir_fd=parent)
            os.close(parent)
            parent = inner
        return os.open(name, flags, mode, dir_fd=parent)
    finally:
        os.close(parent)
