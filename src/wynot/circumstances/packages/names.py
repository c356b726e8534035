"""What packages, versions and addresses may look like.

Names come out of files that anyone may have written, and go into files that installers read, one
requirement to a line. So nothing passes that could be an option, a path or a second line.
"""

import re

from packaging.markers import InvalidMarker, Marker
from packaging.utils import InvalidName, canonicalize_name

from wynot.core.errors import BrokenLock

_NODE_WORD = r"[A-Za-z0-9~_][A-Za-z0-9._~-]*"
_NODE_NAME = rf"(?:@{_NODE_WORD}/)?{_NODE_WORD}"
_NODE = re.compile(_NODE_NAME, re.ASCII)
_NODE_PLACE = re.compile(rf"node_modules/{_NODE_NAME}(?:/node_modules/{_NODE_NAME})*", re.ASCII)
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]*", re.ASCII)
_ADDRESS = re.compile(r"(?:(?:git|hg|bzr|svn)\+)?[a-z][a-z0-9+.-]*:[^\s\x00-\x1f\x7f]+", re.ASCII)
_MARKER = re.compile(r"[A-Za-z0-9_.'\"()<>=!~* ,+@-]+", re.ASCII)
_HASH = re.compile(r"[a-z0-9]{2,10}:[0-9a-f]{8,256}", re.ASCII)
_SECRET = re.compile(r"(?<=://)[^/\s]*@")
_LONGEST = 214  # what npm allows
SHOWN = 80


def python_name(name: str, where: str) -> str:
    """Return the one form that PEP 503 gives a name; raise if it is none."""
    try:
        return canonicalize_name(name, validate=True)
    except InvalidName:
        raise _wrong("name of a package", name, where) from None


def node_name(name: str, where: str) -> str:
    """Return a name of a package of npm; raise if it is none."""
    if len(name) > _LONGEST or not _NODE.fullmatch(name):
        raise _wrong("name of a package", name, where)
    return name


def node_place(place: str, where: str) -> str:
    """Return the path of a package in node_modules; raise if it is none."""
    if not _NODE_PLACE.fullmatch(place):
        raise _wrong("place of a package", place, where)
    return place


def version(text: str, where: str) -> str:
    """Return a version; raise if it is none."""
    if not _VERSION.fullmatch(text):
        raise _wrong("version", text, where)
    return text


def marker(text: str, where: str) -> str:
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


def address(text: str, where: str) -> str:
    """Return where a package comes from; raise if it is no URL."""
    if not _ADDRESS.fullmatch(text):
        raise _wrong("URL", text, where)
    return text


def digest(text: str, where: str) -> str:
    """Return ``sha256:…``; raise if it is no such thing."""
    if not _HASH.fullmatch(text):
        raise _wrong("hash", text, where)
    return text


def is_version(text: str) -> bool:
    """Tell whether this is one version, and no pattern for several."""
    return _VERSION.fullmatch(text) is not None


def masked(text: str) -> str:
    """Return a text without the user names and passwords of URLs."""
    return _SECRET.sub("***@", text)


def shown(text: str) -> str:
    """Return a value as it is put into a message: on one line, not too long, without secrets."""
    text = masked(text)
    return repr(text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")


def _wrong(what: str, seen: str, where: str) -> BrokenLock:
    return BrokenLock(
        f"{where}: {shown(seen)} is no {what}", hint="write the file again with the tool it is of"
    )
