"""Files that say what is asked, and are not what is asked about: lists, patches, lock files."""

import os
import stat
from pathlib import Path

from wynot.core.errors import NoSuchFile, NotAFile, Unreadable


def read_limited(path: Path, *, most: int, expected: str, label: str = "") -> bytes:
    """Return what a file holds; raise if it is missing, no file, or too large.

    ``expected`` is what it should be, for the hint; ``label`` how it is named in messages.
    """
    label = label or repr(str(path))
    try:
        # A FIFO that nobody writes to must not hold us up.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise NotAFile(f"{label} is not a file", hint=f"give {expected}")
            content = file.read(most + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise NoSuchFile(
            f"there is no file {label}", path=str(path), hint=f"give {expected}"
        ) from None
    except IsADirectoryError:
        raise NotAFile(f"{label} is a folder", hint=f"give {expected}") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Unreadable(f"{label} cannot be read: {why}", hint="check the path") from error
    if len(content) > most:
        raise Unreadable(f"{label} is larger than {most:,} bytes", hint=f"is it {expected}?")
    return content
