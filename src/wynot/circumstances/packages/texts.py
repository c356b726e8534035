"""The text of a file that the user named, or an error that says what is the matter with it."""

import codecs
import os
import stat
from pathlib import Path

from wynot.core.errors import BrokenLock, NoSuchFile, NotAFile, Unreadable

_LARGEST = 64 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),  # what PowerShell makes of ``pip freeze > file``
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decoded(path: Path, *, included_by: str = "") -> str:
    """Return the text of a file."""
    shown = f"{included_by}: {str(path)!r}" if included_by else repr(str(path))
    try:
        # A FIFO that nobody writes to must not hold us up.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            seen = os.fstat(file.fileno())
            if not stat.S_ISREG(seen.st_mode):
                raise NotAFile(f"{shown} is no file", hint="give the lock file itself")
            content = file.read(_LARGEST + 1)
    except FileNotFoundError:
        raise NoSuchFile(f"{shown}: there is no such file", hint="check its name") from None
    except IsADirectoryError:
        raise NotAFile(f"{shown} is a folder", hint="give the lock file itself") from None
    except OSError as error:
        raise Unreadable(
            f"{shown} cannot be read: {error.strerror}", hint="check its permissions"
        ) from error
    if len(content) > _LARGEST:
        raise BrokenLock(f"{shown} has more than {_LARGEST >> 20} MB", hint="is it a lock file?")
    coding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        return content.decode(coding)
    except UnicodeDecodeError as error:
        seen_byte = f"byte 0x{content[error.start]:02x} at {error.start}"
        raise BrokenLock(
            f"{shown} is no text: {seen_byte}", hint="lock files are UTF-8; is it the right file?"
        ) from None
