"""What is installed in an environment, as its own records say."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from packaging.utils import canonicalize_name, canonicalize_version

from wynot.inquiries.packages.lock_file import Pin

_RECORD = re.compile(r"(?P<name>.+?)-(?P<version>[^-]+)(?:-py\d.*)?\.(?:dist|egg)-info")
"""An ``.egg-info`` also names the Python, and perhaps the platform, that it was built for."""


class InstalledPackage(NamedTuple):
    """A package in an environment, by the folder that records it."""

    name: str
    version: str
    record: Path

    @property
    def key(self) -> tuple[str, str]:
        """The same for all records of one version."""
        return self.name, canonicalize_version(self.version)


def installed(folder: Path) -> dict[str, str]:
    """Return the version of each package, read from the ``.dist-info`` folders."""
    return {each.name: each.version for each in packages_in(folder)}


def fingerprint(folder: Path) -> object:
    """Return what changes if someone else installs or removes anything there."""
    records = (each.record for each in packages_in(folder))
    return sorted((each.name, each.lstat().st_mtime_ns) for each in records)


def packages_in(folder: Path) -> list[InstalledPackage]:
    """Return what is installed in an environment."""
    return [
        InstalledPackage(canonicalize_name(found["name"]), found["version"], record)
        for record in folder.glob("lib/python*/site-packages/*-info")
        if (found := _RECORD.fullmatch(record.name))
    ]


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
