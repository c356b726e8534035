"""Files that say what is asked, and are not what is asked about: lists, patches, lock files."""

import os
import stat
from pathlib import Path

from wynot.core.errors import NoSuchFile, NotAFile, Unreadable


def read_limited(path: Path, *, most: int, meant: str, called: str = "") -> bytes:
    """Return what a file holds; raise if it is not there, no file, or larger than it can be meant.

    ``meant`` is what it should be, for the hint; ``called`` how it is named in messages.
    """
    called = called or repr(str(path))
    try:
        # A FIFO that nobody writes to must not hold us up.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise NotAFile(f"{called} is not a file", hint=f"give {meant}")
            content = file.read(most + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise NoSuchFile(
            f"there is no file {called}", path=str(path), hint=f"give {meant}"
        ) from None
    except IsADirectoryError:
        raise NotAFile(f"{called} is a folder", hint=f"give {meant}") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Unreadable(f"{called} cannot be read: {why}", hint="check the path") from error
    if len(content) > most:
        raise Unreadable(f"{called} is larger than {most:,} bytes", hint=f"is it {meant}?")
    return content
