"""What names, versions, addresses and markers of packages may look like.

Names come out of files that anyone may have written, and go into files that installers read, one
requirement to a line. So nothing passes that could be an option, a path or a second line.
"""

import re

from packaging.markers import InvalidMarker, Marker
from packaging.utils import InvalidName, canonicalize_name

from wynot.core.errors import InvalidLockFile
from wynot.core.system.user_folders import masked

_MARKER = re.compile(r"[A-Za-z0-9_.'\"()<>=!~* ,+@-]+", re.ASCII)


MAX_SHOWN_CHARS = 80


class Form:
    """What a text has to look like to be something; called with one, it returns or raises."""

    def __init__(self, called: str, pattern: str) -> None:
        """Take what it is called in a message, and a regular expression."""
        self._called = called
        self._pattern = re.compile(pattern, re.ASCII)

    def __call__(self, text: str, where: str) -> str:
        """Return it; raise if it does not look like that."""
        if not self.fits(text):
            raise _wrong(self._called, text, where)
        return text

    def fits(self, text: str) -> bool:
        """Tell whether it looks like that."""
        return self._pattern.fullmatch(text) is not None


_NODE = r"(?:@[A-Za-z0-9~_][A-Za-z0-9._~-]*/)?[A-Za-z0-9~_][A-Za-z0-9._~-]*"


node_name_form = Form("package name", rf"(?!.{{215}}){_NODE}")


node_place_form = Form("package location", rf"node_modules/{_NODE}(?:/node_modules/{_NODE})*")


version_form = Form("version", r"[A-Za-z0-9][A-Za-z0-9.!+_-]*")
"""One version, and no pattern for several."""


address_form = Form("URL", r"(?:(?:git|hg|bzr|svn)\+)?[a-z][a-z0-9+.-]*:[^\s\x00-\x1f\x7f]+")


digest_form = Form("hash", r"[a-z0-9]{2,10}:[0-9a-f]{8,256}")


def python_name(name: str, where: str) -> str:
    """Return the one form that PEP 503 gives a name; raise if it is none."""
    try:
        return canonicalize_name(name, validate=True)
    except InvalidName:
        raise _wrong("package name", name, where) from None


def checked_marker(text: str, where: str) -> str:
    """Return an environment marker (PEP 508) in its usual form; raise if it is none."""
    if not text:
        return ""
    try:
        usual = str(Marker(text))
    except (InvalidMarker, RecursionError):
        usual = ""
    if not _MARKER.fullmatch(usual) or " -" in usual:
        raise _wrong("environment marker", text, where)
    return usual


def shown_name(text: str) -> str:
    """Return a value as it is put into a message: on one line, not too long, without secrets."""
    text = masked(text)
    return repr(text if len(text) <= MAX_SHOWN_CHARS else f"{text[: MAX_SHOWN_CHARS - 1]}…")


def _wrong(what: str, seen: str, where: str) -> InvalidLockFile:
    return InvalidLockFile(
        f"{where}: {shown_name(seen)} is not a valid {what}",
        hint="write the file again with the tool that made it",
    )
