"""Where the result goes: in place of the original, which is kept, or to a path of its own."""

import shutil
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from wynot.core.errors import ChangedUnderneath, WynotError
from wynot.core.files import Files
from wynot.disk.load import Target, load
from wynot.disk.write import refused, write


class Output:
    """Writes the best case, and never over something that wynot did not write itself."""

    def __init__(self, found: Sequence[Target], out: Path | None) -> None:
        self._targets = found if out is None else _elsewhere(found, out)
        self._in_place = out is None
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
        return self._targets[0].path.name

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

    def begin(self, original: Files, there: Files, backups: Sequence[Path]) -> None:
        """Keep the original under a name of its own, before anything is written over it.

        ``there`` is what is in place now, ``backups`` where earlier runs on the same file have kept
        what the first of them began with: that is as good.
        """
        if not self._in_place:
            return
        self._written = there
        if len(backups) == len(self._targets) and all(backup.exists() for backup in backups):
            self.backups = list(backups)
            return
        for target in self._targets:
            backup = _free(target, original)
            self.backups.append(backup)
            if not backup.exists():
                try:
                    _copy(target.path, backup)
                except OSError as error:
                    raise refused(backup, error) from error

    def write(self, files: Files) -> None:
        """Put the files in place; raise, and leave things as they are, if someone else did."""
        self._refuse_changed()
        for target in self._targets:
            if target.is_folder:
                _write_folder(target, files, self._written)
            else:
                _write_one(target.path, target.name, files)
        self._written = files

    def write_beside(self, files: Files) -> Path:
        """Put the files to a path of their own, since the proper one is not ours any more."""
        first = self._targets[0]
        beside = first.path.with_name(f"{first.path.name}.reduced")
        for target in self._targets:
            moved = target._replace(path=target.path.with_name(f"{target.path.name}.reduced"))
            if target.is_folder:
                _write_folder(moved, files, None)
            else:
                _write_one(moved.path, target.name, files)
        return beside

    def _refuse_changed(self) -> None:
        if self._written is None:
            return
        try:
            there: Files | None = load(self._targets)
        except WynotError:
            there = None
        if there is None or there.contents != self._written.contents:
            raise ChangedUnderneath(
                f"{self.where} was changed while it was being reduced",
                hint="what was found so far is beside it, as .reduced; start again on the new one",
            )


def _elsewhere(found: Sequence[Target], out: Path) -> list[Target]:
    """Return the targets as they are to be called."""
    out = out.absolute()
    if len(found) == 1 and not (out.is_dir() and not found[0].is_folder):
        return [found[0]._replace(path=out)]
    return [target._replace(path=out / target.name) for target in found]


def shown(path: Path) -> str:
    """Return a path as short as it can be said here."""
    with suppress(ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)


def _free(target: Target, original: Files) -> Path:
    """Return the name to keep the original under: .orig, unless that holds something else."""
    number = 0
    while True:
        suffix = f".orig.{number}" if number else ".orig"
        backup = target.path.with_name(target.path.name + suffix)
        if not backup.exists() or _holds(backup, target, original):
            return backup
        number += 1


def _holds(backup: Path, target: Target, files: Files) -> bool:
    """Tell whether a backup holds a target as it is among these files."""
    try:
        there = load([target._replace(path=backup)]).contents
    except WynotError:
        return False
    prefix = f"{target.name}/"
    return there == {
        name: content
        for name, content in files.contents.items()
        if name == target.name or name.startswith(prefix)
    }


def _copy(source: Path, backup: Path) -> None:
    """Copy a file or a folder so that a copy cut short is not taken for a whole one."""
    part = backup.with_name(f".{backup.name}.wynot")
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
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(path, error) from error
    write(path, content, mode)


def _write_folder(target: Target, files: Files, written: Files | None) -> None:
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
                    path.parent.rmdir()
            except OSError as error:
                raise refused(path, error) from error
