"""What is installed in an environment, as its own records say."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from packaging.utils import canonicalize_name, canonicalize_version

from wynot.inquiries.packages.lock_file import Pin

_RECORD = re.compile(r"(?P<name>.+?)-(?P<version>[^-]+)\.(?:dist|egg)-info")


def installed(folder: Path) -> dict[str, str]:
    """Return the version of each package, read from the ``.dist-info`` folders."""
    return {canonicalize_name(each["name"]): each["version"] for each, _ in _records(folder)}


def fingerprint(folder: Path) -> object:
    """Return what changes if someone else installs or removes anything there."""
    return sorted((each[0], changed) for each, changed in _records(folder))


def _records(folder: Path) -> Iterator[tuple[re.Match[str], int]]:
    for place in sorted(folder.glob("lib/python*/site-packages")):
        for entry in os.scandir(place):
            if found := _RECORD.fullmatch(entry.name):
                yield found, entry.stat(follow_symlinks=False).st_mtime_ns


def difference(pins: Iterable[Pin], there: dict[str, str]) -> str:
    """Say the first thing that is not as the pins want it, empty if all is.

    A package that only some systems need may be missing; none may be there in another version.
    """
    for pin in sorted(pins):
        found = there.get(pin.name)
        if found and pin.version and _plain(found) not in map(_plain, pin.version.split(" or ")):
            return f"{pin.name} is there in {found}, not in {pin.version}"
        if found is None and pin.role == "asked" and pin.version and " ; " not in pin.spec:
            return f"{pin.name} {pin.version} is not there"
    return ""


def _plain(version: str) -> str:
    """Return a version so that equal ones look equal: 1.0 and 1.0.0, 1.0-1 and 1.0.post1.

    2.1+cpu is a 2.1. What PEP 440 does not know, such as 2004d, stays as it is, but that a record
    has ``_`` for ``-``.
    """
    return canonicalize_version(version.partition("+")[0].lower().replace("_", "-"))
