"""Where the result goes: in place of the original, which is kept, or to a path of its own."""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from wynot.core.errors import ChangedUnderneath, InvalidOption, NotAFile, WynotError
from wynot.core.files import Files
from wynot.core.system.beneath import PERMISSION_BITS, parent_beneath, part_name
from wynot.core.system.folder_files import Stamp, stamp_of
from wynot.disk.load import OURS, Target, contents_of, read, walk
from wynot.disk.write import (
    SUFFIX,
    called_after,
    discard,
    lengthened,
    refused,
    sweep,
    sync,
    sync_tree,
    write_beneath,
)

MOST_BACKUPS = 10
"""So many are looked through for a certain content."""


class Earlier(NamedTuple):
    """What earlier runs have left in the same place."""

    left: frozenset[bytes]
    """Digests of what they may have written there."""
    backups: tuple[Path, ...]
    """Where they have kept what was there before."""


class PlacedFile(NamedTuple):
    """A file as it was found or put in the place of the result."""

    content: bytes
    stamp: Stamp


class Output:
    """Writes the best case, and never over something that wynot did not write itself.

    While a result gets smaller, it is written every second. So a file that has its stamp is taken
    to be the same, and read only before it is replaced or removed: stamps can lie, as clocks do.
    """

    def __init__(self, found: Sequence[Target], out: Path | None) -> None:
        self._targets = found if out is None else _elsewhere(found, out)
        self._in_place = [target.path for target in self._targets] == [
            target.path for target in found
        ]
        self._found = found
        self._placed: dict[str, PlacedFile] | None = None
        """What should be in the place of the result; None if nothing was there before."""
        self._unfinished: dict[str, bytes] | None = None
        """What a write is putting there, or was, when Ctrl-C or an error cut it short."""
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
                if all(_is_of_its_kind(each, each.path.stat()) for each in found):
                    yield contents_of(found)

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing in the place of the result when the run began."""
        return self._placed is None

    def begin(self, earlier: Earlier) -> None:
        """Keep what is there under a name of its own, before anything is written over it.

        That is the original; with an output of its own, a file of that name, unless an earlier run
        has left it there.
        """
        for target in self._targets:
            sweep(target.path)
        seen = self._seen()  # first: what changes afterwards is noticed
        there = self.there()
        if there is None:
            return
        is_ours = there.digest in earlier.left
        if is_ours and earlier.backups and all(map(os.path.exists, earlier.backups)):
            self.backups = list(earlier.backups)
        elif self._in_place or not is_ours:
            self._refuse_full_folders()
            self.backups = [_kept(target, there) for target in self._existing]
        self._placed = {
            name: PlacedFile(content, seen[name][1])
            for name, content in there.contents.items()
            if name in seen
        }

    def there(self) -> Files | None:
        """Return what is in the places that will be written to, None if there is nothing."""
        for target in self._targets:
            if os.path.lexists(target.path) and not (target.path.is_file() or target.path.is_dir()):
                raise NotAFile(
                    f"{shown(target.path)!r} is neither a file nor a folder",
                    hint="give another -o OUT",
                )
        existing = self._existing
        return contents_of(existing) if existing else None

    @property
    def _existing(self) -> list[Target]:
        return [target for target in self._targets if os.path.lexists(target.path)]

    def _seen(self) -> dict[str, tuple[str, Stamp]]:
        """Return where each file of the result is, and its stamp, by name."""
        return {
            name: (path, stamp_of(status))
            for target in self._existing
            for path, name, status in walk(target)
            if not stat.S_ISLNK(status.st_mode)
        }

    def _refuse_full_folders(self) -> None:
        for target in self._targets:
            if not self._in_place and target.path.is_dir() and any(target.path.iterdir()):
                raise InvalidOption(
                    f"the folder {shown(target.path)!r} is there already",
                    hint="give another -o OUT, or remove it",
                )

    def write(self, files: Files) -> None:
        """Put the files in place; raise, and leave things as they are, if someone else did."""
        if not self._is_as_placed(files):
            raise ChangedUnderneath(
                f"{self.where} was changed while it was being reduced",
                hint="what was found so far is beside it, as .reduced; start again on the new one",
            )
        self._placed = self._placed or {}
        self._unfinished = dict(files.contents)
        for target in self._targets:
            _write(target, files, self._placed)
        self._unfinished = None

    def write_smaller(self, files: Files) -> None:
        """Put the files in place, unless what is there is smaller."""
        there = self._placed
        if there is None or files.size <= sum(len(each.content) for each in there.values()):
            self.write(files)

    def write_beside(self, files: Files) -> Path:
        """Put the files to paths of their own, since the proper ones are not ours any more."""
        beside = [target._replace(path=_free(target.path, ".reduced")) for target in self._targets]
        for target in beside:
            _write(target, files, {})
        return beside[0].path

    def _is_as_placed(self, files: Files) -> bool:
        """Tell whether nobody has changed what these files are to replace."""
        placed = self._placed or {}
        known = {name: file.content for name, file in placed.items()}
        newer = known if self._unfinished is None else self._unfinished
        try:
            seen = self._seen()
            # Files are replaced whole: each is as before a write that was cut short, or as after.
            if not known.keys() & newer.keys() <= seen.keys() <= known.keys() | newer.keys():
                return False
            for name, (path, stamp) in seen.items():
                file = placed.get(name)
                if file is None or stamp != file.stamp or files.contents.get(name) != file.content:
                    content = read(Path(path))
                    if content not in (known.get(name), newer.get(name)):
                        return False
                    placed[name] = PlacedFile(content, stamp)
            for name in known.keys() - seen.keys():
                del placed[name]
        except WynotError:  # it is gone, or not a file any more
            return False
        return True


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
    """Tell whether a backup holds a target as it is among these files; a link may lead to that.

    It may be a stranger's: a FIFO would be waited for, a file without end would take all memory.
    """
    try:
        seen = backup.lstat()
        if not _is_of_its_kind(target, seen):
            return False
        if not target.is_folder and seen.st_size != len(files.contents[target.name]):
            return False
        there = contents_of([target._replace(path=backup)]).contents
    except (WynotError, OSError):
        return False
    prefix = f"{target.name}/"
    return there == {
        name: content
        for name, content in files.contents.items()
        if name == target.name or name.startswith(prefix)
    }


def _is_of_its_kind(target: Target, seen: os.stat_result) -> bool:
    return stat.S_ISDIR(seen.st_mode) if target.is_folder else stat.S_ISREG(seen.st_mode)


def _copy(source: Path, backup: Path) -> None:
    """Copy a file or a folder so that a copy cut short is not taken for a whole one."""
    part = source.with_name(part_name(source.name, SUFFIX))
    try:
        if source.is_dir():
            shutil.copytree(
                source,
                part,
                symlinks=True,
                ignore=shutil.ignore_patterns(OURS),
                copy_function=_copy_file,
            )
            for folder, *_ in os.walk(part):
                os.chmod(folder, os.stat(folder).st_mode & PERMISSION_BITS)  # noqa: PTH101, PTH116
        else:
            _copy_file(source, part)
        # Else a power cut could leave a new file beside an empty backup.
        sync_tree(part)
        part.rename(backup)
        sync(backup.parent)
    except BaseException:
        discard(part)
        raise


def _copy_file(source: str | Path, to: str | Path) -> None:
    """Copy a file with its times and permissions, but no privileges."""
    shutil.copyfile(source, to)
    seen = os.stat(source)  # noqa: PTH116 - shutil passes strings
    os.chmod(to, seen.st_mode & PERMISSION_BITS)  # noqa: PTH101
    os.utime(to, ns=(seen.st_atime_ns, seen.st_mtime_ns))


class _Place(NamedTuple):
    """Where a file of the result goes: beneath which folder, and under which path in it."""

    folder: Path
    path: str

    @property
    def whole(self) -> Path:
        return self.folder / self.path


def _places(target: Target, names: Iterable[str]) -> list[tuple[str, _Place]]:
    """Return the names that belong to a target, each with its place."""
    if not target.is_folder:
        place = _Place(target.path.parent, target.path.name)
        return [(name, place) for name in names if name == target.name]
    prefix = f"{target.name}/"
    return [
        (name, _Place(target.path, name.removeprefix(prefix)))
        for name in names
        if name.startswith(prefix)
    ]


def _write(target: Target, files: Files, placed: dict[str, PlacedFile]) -> None:
    """Make a target hold its part of the files, and take note of each that is in place."""
    folders = set()
    for name, place in _places(target, files.contents):
        content = files.contents[name]
        if name not in placed or placed[name].content != content:
            mode = files.modes.get(name)
            if mode is None:
                mode = _mode(place.whole)
            write_beneath(*place, content, mode)
            placed[name] = PlacedFile(content, _stamp(place.whole))
            folders.add(place.whole.parent)
    for name, place in _places(target, placed.keys() - files.contents.keys()):
        _remove(place)
        del placed[name]
        folders.add(place.whole.parent)
    for folder in folders:
        try:
            sync(folder)
        except FileNotFoundError:  # removed with its last file
            continue
        except OSError as error:
            raise refused(folder, error) from error


def _mode(path: Path) -> int | None:
    """Return the permissions of a file that is to be replaced; None if there is none."""
    with suppress(OSError):
        seen = path.lstat()
        return stat.S_IMODE(seen.st_mode) if stat.S_ISREG(seen.st_mode) else None
    return None


def _stamp(path: Path) -> Stamp:
    """Return the stamp of a file that was just written; of one that is gone again, none."""
    try:
        return stamp_of(path.lstat())
    except OSError:
        return ()


def _remove(place: _Place) -> None:
    """Remove a file, and the folders below the top that this leaves empty."""
    try:
        with parent_beneath(*place) as (parent, name), suppress(FileNotFoundError):
            os.unlink(name, dir_fd=parent)
    except FileNotFoundError:  # its folder has gone as well
        pass
    except OSError as error:
        raise refused(place.whole, error) from error
    with suppress(OSError):  # others may have files there
        for folder in PurePosixPath(place.path).parents[:-1]:
            with parent_beneath(place.folder, str(folder)) as (parent, name):
                os.rmdir(name, dir_fd=parent)
