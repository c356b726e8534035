"""Where the result goes: in place of the original, which is kept, or to a path of its own."""

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import ChangedUnderneath, InvalidOption, NotAFile, WynotError
from wynot.core.files import Files
from wynot.disk.file_names import called_after, lengthened
from wynot.disk.load import Target, contents_of
from wynot.disk.write import refused, sweep, write

MOST_BACKUPS = 10
"""So many are looked through for a certain content."""


class Earlier(NamedTuple):
    """What earlier runs have left in the same place."""

    left: frozenset[bytes]
    """Digests of what they may have written there."""
    backups: tuple[Path, ...]
    """Where they have kept what was there before."""


class Output:
    """Writes the best case, and never over something that wynot did not write itself."""

    def __init__(self, found: Sequence[Target], out: Path | None) -> None:
        self._targets = found if out is None else _elsewhere(found, out)
        self._in_place = [target.path for target in self._targets] == [
            target.path for target in found
        ]
        self._found = found
        self._written: Files | None = None
        self.backups: list[Path] = []

    @property
    def home(self) -> Path:
        """The folder that the result, and so the journal, is in."""
        return self._targets[0].path.parent

    @property
    def name(self) -> str:
        """What the journal is called after."""
        return called_after(self._targets[0].path.name)

    def covers(self, path: Path) -> bool:
        """Tell whether the result would be written over this."""
        return any(target.path == path.resolve() for target in self._targets)

    @property
    def paths(self) -> list[Path]:
        """Where each part of the result is."""
        return [target.path for target in self._targets]

    @property
    def where(self) -> str:
        """Where the result is, for people."""
        return ", ".join(shown(target.path) for target in self._targets)

    @property
    def original(self) -> str:
        """Where the original is, for people."""
        if self._in_place:
            return ", ".join(map(shown, self.backups))
        return ", ".join(shown(target.path) for target in self._found)

    def versions(self) -> Iterator[Files]:
        """Yield what is in place now and what is kept of it, to look for a certain content."""
        for number in range(-1, MOST_BACKUPS):
            suffix = {-1: "", 0: ".orig"}.get(number, f".orig.{number}")
            found = [
                target._replace(path=target.path.with_name(lengthened(target.path.name, suffix)))
                for target in self._targets
            ]
            with suppress(WynotError, OSError):
                yield contents_of(found)

    @property
    def digest(self) -> bytes | None:
        """The digest of what is in the place of the result now, None if there is nothing."""
        there = self._there()
        return None if there is None else there.digest

    def begin(self, earlier: Earlier) -> None:
        """Keep what is there under a name of its own, before anything is written over it.

        That is the original; with an output of its own, a file of that name, unless an earlier run
        has left it there.
        """
        for target in self._targets:
            sweep(target.path)
        there = self._there()
        if there is None:
            return
        is_ours = there.digest in earlier.left
        if is_ours and earlier.backups and all(map(os.path.exists, earlier.backups)):
            self.backups = list(earlier.backups)
        elif self._in_place or not is_ours:
            self._refuse_full_folders()
            self.backups = [_kept(target, there) for target in self._targets]
        self._written = there

    def _there(self) -> Files | None:
        """Return what is in the places that will be written to, None if there is nothing."""
        for target in self._targets:
            if os.path.lexists(target.path) and not (target.path.is_file() or target.path.is_dir()):
                raise NotAFile(
                    f"{shown(target.path)!r} is neither a file nor a folder",
                    hint="give another -o OUT",
                )
        existing = [target for target in self._targets if target.path.exists()]
        return contents_of(existing) if existing else None

    def _refuse_full_folders(self) -> None:
        for target in self._targets:
            if not self._in_place and target.path.is_dir() and any(target.path.iterdir()):
                raise InvalidOption(
                    f"the folder {shown(target.path)!r} is there already",
                    hint="give another -o OUT, or remove it",
                )

    def write(self, files: Files) -> None:
        """Put the files in place; raise, and leave things as they are, if someone else did."""
        self._refuse_changed()
        for target in self._targets:
            _write(target, files, self._written)
        self._written = files

    def write_smaller(self, files: Files) -> None:
        """Put the files in place, unless what is there is smaller."""
        if self._written is None or files.size <= self._written.size:
            self.write(files)

    def write_beside(self, files: Files) -> Path:
        """Put the files to paths of their own, since the proper ones are not ours any more."""
        beside = [target._replace(path=_free(target.path, ".reduced")) for target in self._targets]
        for target in beside:
            _write(target, files, None)
        return beside[0].path

    def _refuse_changed(self) -> None:
        if self._written is None:
            return
        try:
            there: Files | None = contents_of(self._targets)
        except WynotError:
            there = None
        if there is None or there.contents != self._written.contents:
            raise ChangedUnderneath(
                f"{self.where} was changed while it was being reduced",
                hint="what was found so far is beside it, as .reduced; start again on the new one",
            )


def _elsewhere(found: Sequence[Target], out: Path) -> list[Target]:
    """Return the targets as they are to be called."""
    out = out.resolve()
    if len(found) == 1 and not (out.is_dir() and not found[0].is_folder):
        return [found[0]._replace(path=out)]
    return [target._replace(path=out / target.name) for target in found]


def shown(path: Path) -> str:
    """Return a path as short as it can be said here."""
    with suppress(ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)


def _free(path: Path, suffix: str) -> Path:
    """Return a path beside this one where there is nothing."""
    number, free = 0, path.with_name(lengthened(path.name, suffix))
    while os.path.lexists(free):
        number += 1
        free = path.with_name(lengthened(path.name, f"{suffix}.{number}"))
    return free


def _kept(target: Target, there: Files) -> Path:
    """Keep what is there, and return where: .orig, unless that holds something else."""
    number = 0
    while True:
        suffix = f".orig.{number}" if number else ".orig"
        backup = target.path.with_name(lengthened(target.path.name, suffix))
        if not os.path.lexists(backup):
            break
        if _holds(backup, target, there):
            return backup
        number += 1
    try:
        _copy(target.path, backup)
    except OSError as error:
        raise refused(backup, error) from error
    return backup


def _holds(backup: Path, target: Target, files: Files) -> bool:
    """Tell whether a backup holds a target as it is among these files."""
    try:
        there = contents_of([target._replace(path=backup)]).contents
    except (WynotError, OSError):
        return False
    prefix = f"{target.name}/"
    return there == {
        name: content
        for name, content in files.contents.items()
        if name == target.name or name.startswith(prefix)
    }


def _copy(source: Path, backup: Path) -> None:
    """Copy a file or a folder so that a copy cut short is not taken for a whole one."""
    part = backup.with_name(lengthened(f".{backup.name}", ".wynot"))
    shutil.rmtree(part, ignore_errors=True)
    part.unlink(missing_ok=True)
    try:
        if source.is_dir():
            shutil.copytree(source, part, symlinks=True, ignore=shutil.ignore_patterns(".wynot"))
        else:
            shutil.copy2(source, part)
        part.rename(backup)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        part.unlink(missing_ok=True)
        raise


def _write_one(path: Path, name: str, files: Files) -> None:
    content = files.contents[name]
    with suppress(OSError):
        if path.is_file() and path.read_bytes() == content:
            return
    mode = files.modes.get(name)
    if mode is None and path.exists():
        mode = stat.S_IMODE(path.stat().st_mode)
    write(path, content, mode)


def _write(target: Target, files: Files, written: Files | None) -> None:
    if not target.is_folder:
        _write_one(target.path, target.name, files)
        return
    prefix = f"{target.name}/"
    for name in files.contents:
        if name.startswith(prefix):
            _write_one(target.path / name.removeprefix(prefix), name, files)
    for name in written.contents if written else ():
        if name.startswith(prefix) and name not in files.contents:
            path = target.path / name.removeprefix(prefix)
            try:
                path.unlink(missing_ok=True)
                with suppress(OSError):  # others may have files there
                    for folder in path.relative_to(target.path).parents[:-1]:
                        (target.path / folder).rmdir()
            except OSError as error:
                raise refused(path, error) from error
