"""What is installed in an environment, as its own records say."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from packaging.utils import canonicalize_name, canonicalize_version

from wynot.circumstances.packages.locked import Pin

_RECORD = re.compile(r"(?P<name>.+?)-(?P<version>[^-]+)\.(?:dist|egg)-info")


def installed(folder: Path) -> dict[str, str]:
    """Return the version of each package, read from the ``.dist-info`` folders."""
    found: dict[str, str] = {}
    for place in _packages(folder):
        for entry in os.scandir(place):
            if record := _RECORD.fullmatch(entry.name):
                found[canonicalize_name(record["name"])] = record["version"]
    return found


def fingerprint(folder: Path) -> tuple[tuple[str, int], ...]:
    """Return what changes if someone else installs or removes anything there."""
    return tuple(
        sorted(
            (entry.name, entry.stat(follow_symlinks=False).st_mtime_ns)
            for place in _packages(folder)
            for entry in os.scandir(place)
            if _RECORD.fullmatch(entry.name)
        )
    )


def difference(pins: Iterable[Pin], there: dict[str, str]) -> str:
    """Say the first thing that is not as the pins want it, empty if all is.

    A package that only some systems need may be missing; none may be there in another version.
    """
    for pin in sorted(pins):
        found = there.get(pin.name)
        if found is not None and pin.version and not _is_one_of(found, pin.version):
            return f"{pin.name} is there in {found}, not in {pin.version}"
        if found is None and pin.role == "asked" and pin.version and " ; " not in pin.spec:
            return f"{pin.name} {pin.version} is not there"
    return ""


def _is_one_of(found: str, wanted: str) -> bool:
    return _plain(found) in map(_plain, wanted.split(" or "))


def _plain(version: str) -> str:
    """Return a version so that equal ones look equal: 1.0 and 1.0.0, 1.0-1 and 1.0.post1.

    2.1+cpu is a 2.1. What PEP 440 does not know, such as 2004d, stays as it is, but that a record
    has ``_`` for ``-``.
    """
    return canonicalize_version(version.partition("+")[0].lower().replace("_", "-"))


def _packages(folder: Path) -> list[Path]:
    return sorted(folder.glob("lib/python*/site-packages"))
