"""Files of packages that are kept to be linked to.

The installer unpacks each version once, as a rule for one of the two sides; from then on candidates
get links to its files. Nothing is ever linked to the installer's own cache: a test that writes into
a package would write into what others use. Here it would write into other candidates: so files are
looked at before they are linked to, and once one has changed, packages are copied.
"""

import errno
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class StoredFile(NamedTuple):
    """A file as it was when it was taken in."""

    path: str
    """Below the folder that it is kept in, and below those that it is put into."""
    size: int
    changed: int
    """Nanoseconds."""

    @classmethod
    def taken(cls, source: Path, folder: Path, path: str, *, by_link: bool) -> "StoredFile":
        """Keep a file in a folder, from now on as it is."""
        put(source, folder / path, by_link=by_link)
        return cls(path, *_seen(folder / path))

    def is_at(self, place: Path) -> bool:
        """Tell whether it is in a folder as it was taken in."""
        return _seen(place / self.path) == (self.size, self.changed)


def put(source: Path, target: Path, *, by_link: bool) -> None:
    """Have the same file, or link, at another place."""
    if by_link:
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
        else:
            return
    shutil.copy2(source, target, follow_symlinks=False)  # also if the disk there is another one


def are_at(files: Iterable[StoredFile], place: Path) -> bool:
    """Tell whether files are in a folder as they were taken in."""
    return all(each.is_at(place) for each in files)


def _seen(path: Path) -> tuple[int, int]:
    try:
        seen = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return -1, 0
    return seen.st_size, seen.st_mtime_ns
