"""Results that are put beside what the user gave, and never replace anything."""

import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Lock

from wynot.core.errors import NotAFile, ReadOnly
from wynot.core.files import Files
from wynot.core.system.beneath import parent_beneath
from wynot.disk.load import Target
from wynot.disk.write import SUFFIX, lengthened, make_folder, refused, write, write_beneath

_NUMBER_BYTES = 6
"""Bytes of a number that a name gets if it is taken."""


def refuse_unwritable(folder: Path) -> None:
    """Raise if results could not be written into a folder, or it could not be made."""
    there = folder
    while not os.path.lexists(there):
        there = there.parent
    if not there.is_dir():
        raise NotAFile(
            f"{str(there)!r} is not a folder", hint="give a folder for the results: -o DIR"
        )
    if not os.access(there, os.W_OK | os.X_OK):
        raise ReadOnly(
            f"nothing can be written into {str(there)!r}", hint="give another folder: -o DIR"
        )


def write_sides(
    target: Target, sides: Mapping[str, Files], patch: bytes | None, folder: Path
) -> Iterator[tuple[str, Path]]:
    """Write sides of a target, each under its name with a label, and the patch; yield where.

    ``bug.c`` becomes ``bug.passing.c``: so that programs still know what it is. If any of the names
    is taken, all get the same number.
    """
    for number in count():
        places = {label: _labelled(target, label, folder, number) for label in sides}
        if patch is not None:
            places["patch"] = _numbered(
                folder / lengthened(target.path.name, ".patch", spare=_NUMBER_BYTES), number
            )
        if not any(map(os.path.lexists, places.values())):
            break
    for label, files in sides.items():
        _write_files(target, files, places[label])
        yield label, places[label]
    if patch is not None:
        write(places["patch"], patch)
        yield "patch", places["patch"]


def _write_files(target: Target, files: Files, where: Path) -> None:
    if not target.is_folder:
        write(where, files.contents.get(target.name, b""), files.modes.get(target.name))
        return
    put_files(files, where, f"{target.name}/")


def put_files(files: Files, where: Path, prefix: str = "") -> None:
    """Write files into a folder, each without this prefix of its name."""
    make_folder(where)
    for name, content in files.contents.items():
        write_beneath(where, name.removeprefix(prefix), content, files.modes.get(name))
    for name, to in files.links.items():
        link = name.removeprefix(prefix)
        try:
            with parent_beneath(where, link, make=True) as (parent, last):
                os.symlink(to, last, dir_fd=parent)
        except OSError as error:
            raise refused(where / link, error) from error


def write_text(folder: Path, name: str, content: bytes) -> Path:
    """Write a file of a given name, or if that is there with other content, with a number."""
    places = (_numbered(folder / name, number) for number in count())
    where = next(each for each in places if not os.path.lexists(each) or _holds(each, content))
    write(where, content)
    return where


def _holds(path: Path, content: bytes) -> bool:
    """Tell whether a file has this content; of one that cannot be read nobody knows."""
    try:
        return path.is_file() and path.read_bytes() == content
    except OSError:
        return False


def _labelled(target: Target, label: str, folder: Path, number: int) -> Path:
    name = Path(target.path.name)
    stem, ending = (str(name), "") if target.is_folder else (name.stem, name.suffix)
    return _numbered(folder / lengthened(stem, f".{label}{ending}", spare=_NUMBER_BYTES), number)


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}.{number}{path.suffix}") if number else path


MAX_FINDS = 100
"""More are not kept: a test that calls everything a find would fill the disk."""


class SideFinds:
    """A folder of them, each under the digest of its content. Any thread may call it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0
        self._lock = Lock()

    def keep(self, files: Files, status: int) -> Path | None:
        """Keep these files, and return where; None if they are there, or there are too many."""
        folder = self.folder / f"{status}-{sha256(files.digest).hexdigest()[:12]}"
        with self._lock:
            if os.path.lexists(folder) or self.count >= MAX_FINDS:
                return None
            self.count += 1
            part = f".{folder.name}{SUFFIX}"
            for name, content in files.contents.items():
                write_beneath(self.folder.parent, f"{self.folder.name}/{part}/{name}", content)
            try:  # all at once, so that a kill leaves no part of a find
                with parent_beneath(self.folder.parent, f"{self.folder.name}/{part}") as (finds, _):
                    os.rename(part, folder.name, src_dir_fd=finds, dst_dir_fd=finds)
            except OSError as error:
                raise refused(folder, error) from error
        return folder
