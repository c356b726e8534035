"""Writing a file so that at any moment either the old or the new content is there, in full."""

import errno
import glob
import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from wynot.core.errors import NoSpace, ReadOnly, WynotError

SUFFIX = ".wynot"
"""How a file is called that is not all there yet."""


def write(path: Path, content: bytes, mode: int | None = None) -> None:
    """Put a content in place of what was there, at once; folders above it are made."""
    make_folder(path.parent)
    try:
        _replace(path, content, mode)
    except OSError as error:
        raise refused(path, error) from error


def _replace(path: Path, content: bytes, mode: int | None) -> None:
    handle, name = mkstemp(prefix=f".{path.name[:40]}.", suffix=SUFFIX, dir=path.parent)
    try:
        with open(handle, "wb") as stream:  # noqa: PTH123 - it is open already
            stream.write(content)
            stream.flush()
            os.fsync(handle)
        os.chmod(name, mode if mode is not None else 0o666 & ~_umask())  # noqa: PTH101
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        with suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise


def sweep(path: Path) -> None:
    """Remove what a run that was killed in the middle of a write has left beside a path."""
    beside = path.parent.glob(f".{glob.escape(path.name[:40])}.*{SUFFIX}")
    inside = path.rglob(f".*{SUFFIX}") if path.is_dir() else ()
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


def _umask() -> int:
    """Return the umask, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, unless they are there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(folder, error) from error
