"""A folder that holds exactly the files it is to hold, whatever was done to it before.

Most candidates differ from the one before in one file, and most tests leave their folder as it was:
so a file stays if it is the one that was put there, and nothing has touched it since. What a test
has done to the folder itself is not repaired: the folder is moved aside, and a new one made.

A single file is written over where it is: that leaves the folder untouched, so that one look at the
folder tells whether the test has put anything into it.

A file's times have the grain of the kernel's tick, some milliseconds. A file that was written in
the same tick as the test began could have been written again by the test without a trace: such a
file is read and compared, once.

A process that a test has left behind may swap a folder for a link at any moment. So each folder is
opened without following links, and what is in it is named in that folder alone.
"""

import os
import time
from itertools import count
from pathlib import Path
from posixpath import dirname
from typing import NamedTuple

from wynot.core.system.beneath import PERMISSION_BITS, open_beneath
from wynot.core.system.folder_files import USUAL_MODE, FolderFiles, Stamp, stamp_of, stays_inside
from wynot.machine.removal import make_folder, open_folder, remove

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_OVER = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
_PIECE_BYTES = 1 << 26
_FOLDER_MODE = 0o755
CLOCK = getattr(time, "CLOCK_REALTIME_COARSE", time.CLOCK_REALTIME)  # that of file times


Identity = tuple[int, int, int]
"""What a folder has as long as it is the same one, and nothing is mounted there."""


class Placed(NamedTuple):
    """A file as it was put there."""

    content: bytes
    mode: int
    stamp: Stamp


class MirroredFolder:
    """A folder under a fixed path, filled again and again. Nothing runs in it meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stuck: Path | None = None
        """Something that a test has left and that cannot be removed."""
        self._placed: dict[str, Placed] = {}
        self._folders: dict[str, Identity] = {}
        self._checked: set[str] = set()
        self._started = 0
        self._asides = count()
        self._descriptor = -1
        self._identity: Identity = (0, 0, 0)
        self._stamp: Stamp | None = None
        self._renew()

    def start(self, now: int) -> None:
        """Take note that a test begins, by the clock of files: from now on anybody may write."""
        self._started = now

    def fill(self, files: FolderFiles) -> None:
        """Make the folder hold these files and nothing else."""
        try:
            seen = os.lstat(self.path)
        except OSError:
            is_ours = False
        else:
            if self._is_untouched(seen) and self._refill(files):
                return
            is_ours = _identity_of(seen) == self._identity
        folders = self._check(files)
        if not is_ours:
            self._renew()
        try:
            self._update(files, folders)
        except OSError:
            # Something is in the way that is not worth knowing: in a new folder nothing is.
            self._renew()
            self._update(files, folders)
        self._stamp = stamp_of(os.fstat(self._descriptor))

    def close(self) -> None:
        """Let the folder go; it is removed together with all others."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _is_untouched(self, seen: os.stat_result) -> bool:
        """Tell whether nothing has been put into the folder itself, or taken out of it."""
        stamp = self._stamp
        return stamp is not None and stamp[0] < self._started and stamp_of(seen) == stamp

    def _refill(self, files: FolderFiles) -> bool:
        """Fill an untouched folder if that takes at most one file; tell whether it did."""
        if len(files.contents) != len(self._placed) or files.links or self._folders:
            return False
        if not files.contents:
            return True
        (path, content), *others = files.contents.items()
        placed = self._placed.get(path)
        if others or placed is None or placed.mode != files.modes.get(path, USUAL_MODE):
            return False
        try:
            descriptor = os.open(path, _OVER, dir_fd=self._descriptor)
        except OSError:
            return False
        try:
            if stamp_of(os.fstat(descriptor)) != placed.stamp:
                return False
            if len(content) < len(placed.content):
                os.ftruncate(descriptor, len(content))
            self._note(path, content, placed.mode, descriptor)
        finally:
            os.close(descriptor)
        return True

    def _check(self, files: FolderFiles) -> set[str]:
        """Return the folders that these files need, or raise if a path leads out of ours."""
        folders: set[str] = set()
        for path in (*files.contents, *files.links) if files.links else files.contents:
            if path not in self._checked:
                if not stays_inside(path):
                    raise ValueError(f"a file needs a path inside its folder, not {path!r}")
                self._checked.add(path)
            while (path := dirname(path)) and path not in folders:
                folders.add(path)
        if files.links and (
            not folders.isdisjoint(files.links) or not files.links.keys().isdisjoint(files.contents)
        ):
            raise ValueError("a path leads through a link that belongs to the folder")
        if folders and not folders.isdisjoint(files.contents):
            raise ValueError("a path leads through a file as if it were a folder")
        return folders

    def _renew(self) -> None:
        """Begin with a new folder, and remove the old one as far as that can be done."""
        if self._descriptor >= 0:
            self.close()
            self._put_aside()
        self._placed, self._folders, self._stamp = {}, {}, None
        make_folder(self.path.parent)
        self.path.mkdir(0o700)
        self._descriptor = open_folder(self.path)
        self._identity = _identity_of(os.fstat(self._descriptor))

    def _put_aside(self) -> None:
        aside = self.path.with_name(f"{self.path.name}-{next(self._asides)}")
        try:
            self.path.rename(aside)
        except FileNotFoundError:
            return
        except OSError:  # made immovable: then the path has to be another one
            self.path, aside = aside, self.path
        if not remove(aside):
            self.stuck = aside

    def _update(self, files: FolderFiles, folders: set[str]) -> None:
        kept = self._keep(files, folders)
        self._placed = {path: self._placed[path] for path in files.contents if path in kept}
        self._folders = {path: self._folders[path] for path in folders & kept}
        missing: dict[str, list[str]] = {}
        for path in (*(folders - kept), *files.contents, *files.links):
            if path not in kept:
                folder, _, name = path.rpartition("/")
                missing.setdefault(folder, []).append(name)
        for folder in sorted(missing):  # a folder comes before those inside it
            parent = self._open(folder)
            try:
                for name in missing[folder]:
                    self._put(f"{folder}/{name}" if folder else name, name, parent, files)
            finally:
                os.close(parent)

    def _put(self, path: str, name: str, parent: int, files: FolderFiles) -> None:
        """Make what belongs under a path, which is this name in an open folder."""
        if path in files.contents:
            mode = files.modes.get(path, USUAL_MODE)
            self._write(path, name, parent, files.contents[path], mode)
        elif path in files.links:
            os.symlink(files.links[path], name, dir_fd=parent)
        else:
            os.mkdir(name, _FOLDER_MODE, dir_fd=parent)
            seen = os.stat(name, dir_fd=parent, follow_symlinks=False)
            self._folders[path] = _identity_of(seen)

    def _open(self, folder: str) -> int:
        """Open a folder in this one; the empty path is this one."""
        if not folder:
            return os.dup(self._descriptor)
        return open_beneath(self._descriptor, folder, os.O_RDONLY | os.O_DIRECTORY)

    def _keep(self, files: FolderFiles, folders: set[str]) -> set[str]:
        """Remove what does not belong here, or not like this; return what does."""
        kept: set[str] = set()
        line = [""]
        for folder in line:  # it grows as it is gone through
            parent = self._open(folder)
            try:
                with os.scandir(parent) as entries:
                    for entry in entries:
                        path = f"{folder}/{entry.name}" if folder else entry.name
                        if path in folders and self._is_our_folder(path, entry):
                            line.append(path)
                        elif not self._is_as_wanted(path, entry, parent, files):
                            if not remove(entry.name, parent):
                                raise OSError(f"{path} cannot be removed")
                            continue
                        kept.add(path)
            finally:
                os.close(parent)
        return kept

    def _is_our_folder(self, path: str, entry: "os.DirEntry[str]") -> bool:
        return _identity_of(entry.stat(follow_symlinks=False)) == self._folders.get(path)

    def _is_as_wanted(
        self, path: str, entry: "os.DirEntry[str]", parent: int, files: FolderFiles
    ) -> bool:
        if path in files.links:
            target = files.links[path]
            return entry.is_symlink() and os.readlink(entry.name, dir_fd=parent) == target
        if (placed := self._placed.get(path)) is None:
            return False
        return (
            placed.content == files.contents.get(path)
            and placed.mode == files.modes.get(path, USUAL_MODE)
            and placed.stamp == stamp_of(entry.stat(follow_symlinks=False))
            and (placed.stamp[0] < self._started or _holds(entry.name, parent, placed.content))
        )

    def _write(self, path: str, name: str, parent: int, content: bytes, mode: int) -> None:
        descriptor = os.open(name, _NEW, mode & PERMISSION_BITS, dir_fd=parent)
        try:
            if mode != USUAL_MODE:
                os.fchmod(descriptor, mode & PERMISSION_BITS)
            self._note(path, content, mode, descriptor)
        finally:
            os.close(descriptor)

    def _note(self, path: str, content: bytes, mode: int, descriptor: int) -> None:
        """Write the content, and remember it."""
        written = os.write(descriptor, content)
        while written < len(content):
            written += os.write(descriptor, content[written : written + _PIECE_BYTES])
        self._placed[path] = Placed(content, mode, stamp_of(os.fstat(descriptor)))


def _holds(name: str, parent: int, content: bytes) -> bool:
    """Tell whether a file that is as long as its content is that content."""
    descriptor = os.open(name, _READ, dir_fd=parent)
    with os.fdopen(descriptor, "rb") as file:
        return file.read() == content


def _identity_of(seen: os.stat_result) -> Identity:
    return seen.st_dev, seen.st_ino, seen.st_mode
