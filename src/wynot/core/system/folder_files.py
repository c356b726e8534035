"""What a folder is to hold: as little as whoever fills it has to know."""

import os
from collections.abc import Mapping
from typing import Protocol

USUAL_MODE = 0o644
"""Permission bits of most files."""

Stamp = tuple[int, ...]
"""What changes when a file is touched; first of all the time of the last change."""


class FolderFiles(Protocol):
    """Files and links by relative POSIX path."""

    @property
    def contents(self) -> Mapping[str, bytes]:
        """The files."""

    @property
    def modes(self) -> Mapping[str, int]:
        """Permission bits of files that have other than the usual ones."""

    @property
    def links(self) -> Mapping[str, str]:
        """Symbolic links, and where they lead."""


def stays_inside(path: str) -> bool:
    """Tell whether a path is relative, and cannot lead out of the folder that it is put into."""
    return "\0" not in path and {"", ".", ".."}.isdisjoint(path.split("/"))


def stamp_of(seen: os.stat_result) -> Stamp:
    """Return what changes when a file or a folder is touched."""
    return (
        seen.st_ctime_ns,
        seen.st_mtime_ns,
        seen.st_dev,
        seen.st_ino,
        seen.st_size,
        seen.st_mode,
        seen.st_nlink,
    )
