"""The text of a file that the user named, or an error that says what is the matter with it."""

import codecs
from pathlib import Path

from wynot.core.errors import InvalidLockFile
from wynot.disk.read_limited import read_limited

_MAX_FILE_BYTES = 64 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),  # what PowerShell makes of ``pip freeze > file``
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decoded(path: Path, *, included_by: str = "") -> str:
    """Return the text of a file."""
    shown = f"{included_by}: {str(path)!r}" if included_by else repr(str(path))
    content = read_limited(path, most=_MAX_FILE_BYTES, meant="a lock file", called=shown)
    coding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        return content.decode(coding)
    except UnicodeDecodeError as error:
        seen_byte = f"byte 0x{content[error.start]:02x} at {error.start}"
        raise InvalidLockFile(
            f"{shown} is not text: {seen_byte}", hint="lock files are UTF-8; is it the right file?"
        ) from None
