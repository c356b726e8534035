"""Where wynot keeps things: a folder ``.wynot`` beside a result, or one in the user's home.

Journals, locks and side finds are in the first. It has a ``.gitignore`` of its own, so that nobody
commits a journal by mistake.

A folder ``.wynot`` may have come with a stranger's files, and others may be able to make one where
the user works. So it is used only if it is a folder of the user's own in which there are no links:
wynot makes none, and would write wherever they lead.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from wynot.core.errors import UnsafeFolder
from wynot.core.system.user_folders import trusted_users, user_folder, user_name
from wynot.disk.load import OURS

_IGNORE = ".gitignore"
_EVERYTHING = b"*\n"
_HOME_MODE = 0o755
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def make_home(folder: Path) -> None:
    """Make the folder, and the file that keeps it out of git; raise if one is there that is unsafe.

    If the folder is there already, so is the file, or somebody has removed or changed it on
    purpose. Other folders than ``.wynot`` are only made.
    """
    refuse_unsafe_home(folder)
    try:
        folder.mkdir(_HOME_MODE, parents=True)
    except FileExistsError:
        if not folder.is_dir():
            raise
        if folder.name == OURS:
            _close_to_others(folder)
        return
    if folder.name == OURS:
        _ignore(folder)


def refuse_unsafe_home(folder: Path) -> None:
    """Raise if wynot should not use a folder ``.wynot``, or one that is in such a folder."""
    parts = [folder, *folder.parents]
    tops = [number for number, part in enumerate(parts) if part.name == OURS]
    ours = parts[: tops[-1] + 1] if tops else []
    for part in reversed(ours):
        try:
            seen = part.lstat()
        except FileNotFoundError:
            return
        if not stat.S_ISDIR(seen.st_mode):
            raise _unsafe(part, "is a link" if stat.S_ISLNK(seen.st_mode) else "is not a folder")
        if seen.st_uid not in trusted_users():
            raise _unsafe(part, f"belongs to {user_name(seen.st_uid)}, not to you")
    if ours:
        with suppress(FileNotFoundError, PermissionError), os.scandir(folder) as entries:
            for entry in entries:
                if not entry.is_file(follow_symlinks=False):
                    _refuse_unsafe_entry(Path(entry.path))


def _refuse_unsafe_entry(path: Path) -> None:
    with suppress(FileNotFoundError):  # another run has removed it just now
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise _unsafe(path, "is a link")
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise _unsafe(path, "is neither a file nor a folder")


def _unsafe(path: Path, why: str) -> UnsafeFolder:
    return UnsafeFolder(
        f"{str(path)!r} {why}: wynot did not make it, and does not use it",
        hint="remove it, or work on a copy of the file in a folder of your own",
    )


def _close_to_others(folder: Path) -> None:
    """Have nobody else write to a folder: it was made with another umask, or by older versions."""
    with suppress(OSError):  # root's folder, a disk that knows no permissions, or it has gone
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            mode = stat.S_IMODE(os.fstat(handle).st_mode)
            if mode & ~_HOME_MODE:
                os.fchmod(handle, mode & _HOME_MODE)
        finally:
            os.close(handle)


def leave_home(folder: Path) -> None:
    """Remove the folder if nothing of value is in it."""
    with suppress(OSError):
        if folder.name == OURS and [path.name for path in folder.iterdir()] == [_IGNORE]:
            if (folder / _IGNORE).read_bytes() != _EVERYTHING:
                return
            (folder / _IGNORE).unlink()
            try:
                folder.rmdir()
            except OSError:  # another run has begun in it just now
                _ignore(folder)
            return
        folder.rmdir()


def _ignore(folder: Path) -> None:
    with suppress(OSError):  # a full disk: the journal will say so
        handle = os.open(folder / _IGNORE, _NEW, 0o644)
        try:
            os.write(handle, _EVERYTHING)
        finally:
            os.close(handle)


def state_folder() -> Path:
    """Return the folder for what belongs to no file of the user's, as the XDG convention has it.

    Raise InvalidOption for a user without a home.
    """
    return user_folder("XDG_STATE_HOME", ".local/state")
