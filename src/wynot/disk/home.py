"""Where wynot keeps things: a folder ``.wynot`` beside a result, or one in the user's home.

Journals, locks and side finds are in the first. It has a ``.gitignore`` of its own, so that nobody
commits a journal by mistake.
"""

import os
from contextlib import suppress
from pathlib import Path

from wynot.core.user_folders import user_folder
from wynot.disk.load import OURS

_IGNORE = ".gitignore"
_EVERYTHING = b"*\n"


def make_home(folder: Path) -> None:
    """Make the folder, and the file that keeps it out of git.

    If the folder is there already, so is the file, or somebody has removed or changed it on
    purpose. Other folders than ``.wynot`` are only made.
    """
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        if not folder.is_dir():
            raise
        return
    if folder.name == OURS:
        _ignore(folder)


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
        handle = os.open(folder / _IGNORE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        try:
            os.write(handle, _EVERYTHING)
        finally:
            os.close(handle)


def state_folder() -> Path:
    """Return the folder for what belongs to no file of the user's, as the XDG convention has it."""
    return user_folder("XDG_STATE_HOME", ".local/state")
