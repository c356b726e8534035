"""Results that are put beside what the user gave, and never over anything that is there."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from wynot.core.errors import NotAFile, ReadOnly
from wynot.core.files import Files
from wynot.disk.load import Target
from wynot.disk.write import refused, write


def refuse_unwritable(folder: Path) -> None:
    """Raise if results could not be written into a folder, or it could not be made."""
    there = folder
    while not os.path.lexists(there):
        there = there.parent
    if not there.is_dir():
        raise NotAFile(f"{str(there)!r} is no folder", hint="give a folder for the results: -o DIR")
    if not os.access(there, os.W_OK | os.X_OK):
        raise ReadOnly(
            f"nothing can be written into {str(there)!r}", hint="give another folder: -o DIR"
        )


def write_side(target: Target, files: Files, label: str, folder: Path) -> Path:
    """Write the files of a target under its name with a label; return where.

    ``bug.c`` becomes ``bug.passing.c``: so that programs still know what it is.
    """
    where = _free(target, label, folder)
    if not target.is_folder:
        _write(where, files.contents.get(target.name, b""), files.modes.get(target.name))
        return where
    prefix = f"{target.name}/"
    _make(where)
    for name, content in files.contents.items():
        _write(where / name.removeprefix(prefix), content, files.modes.get(name))
    for name, to in files.links.items():
        link = where / name.removeprefix(prefix)
        _make(link.parent)
        try:
            link.symlink_to(to)
        except OSError as error:
            raise refused(link, error) from error
    return where


def write_text(folder: Path, name: str, content: bytes) -> Path:
    """Write a file of a given name, or if that is there with other content, with a number."""
    for where in _numbered(folder / name):
        if not os.path.lexists(where) or (where.is_file() and where.read_bytes() == content):
            _write(where, content, None)
            return where
    raise AssertionError  # pragma: no cover - there is always another number


def _free(target: Target, label: str, folder: Path) -> Path:
    """Return a path where there is nothing yet."""
    name = target.path.name
    if target.is_folder:
        labelled = f"{name}.{label}"
    else:
        labelled = f"{Path(name).stem}.{label}{Path(name).suffix}"
    return next(each for each in _numbered(folder / labelled) if not os.path.lexists(each))


def _numbered(path: Path) -> Iterator[Path]:
    yield path
    for number in count(1):
        yield path.with_name(f"{path.stem}.{number}{path.suffix}")


def _write(path: Path, content: bytes, mode: int | None) -> None:
    _make(path.parent)
    write(path, content, mode)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(folder, error) from error
