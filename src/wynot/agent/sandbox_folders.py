"""The folders of a sandbox: for the candidate, for temporary files, and what is around them.

Of a private folder, a confined test can write one folder only, ``scratch``, with the candidate in
``scratch/case`` and temporary files in ``scratch/tmp``. Beside it is what wynot itself uses:
environments, repositories.
"""

import errno
import os
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

from wynot.agent.mirrored_folder import CLOCK, MirroredFolder
from wynot.core.system.folder_files import FolderFiles
from wynot.machine.capture import Stream
from wynot.machine.removal import MountWatch, make_folder, remove, unmount
from wynot.machine.run_folder import RunFolder
from wynot.wire.file_edits import NO_FILES

FULL_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT})
_SCRATCH, _CASE, _TEMPORARY, _SERVER = "scratch", "case", "tmp", "tmp-server"
_DISPOSABLE = {_SCRATCH, _CASE, _TEMPORARY}
"""What begins like this holds nothing that a later candidate needs."""


class SandboxFolders:
    """Private folders in a root; in another one, on another disk, as soon as the first is full."""

    def __init__(self, root: RunFolder, name: str) -> None:
        self._name = name
        self._mounts = MountWatch()
        self._mounted: Path | None = None
        self._asides = count()
        self._settle(root)

    def _settle(self, root: RunFolder) -> None:
        root.ensure()
        self.root = root
        self.private = root.folder / self._name
        """A folder of wynot's own, for what stays from one candidate to the next."""
        self.scratch = self.private / _SCRATCH
        """The part of it that a confined test can write. It is never renewed while the rest stays:
        a confined program keeps the folders that it was started with."""
        self._make_folders()
        self.case = MirroredFolder(self.scratch / _CASE)
        self.temporary = MirroredFolder(self.scratch / _TEMPORARY)
        self._strays = StrayEntries(self.scratch)
        self.server = self.scratch / _SERVER
        """Temporary files of a server, which stay as long as it does."""

    @property
    def stuck(self) -> Path | None:
        """Something that a test has left and that cannot be removed, if there is any."""
        return self._mounted or self.case.stuck or self.temporary.stuck

    def stream(self, most: int) -> Stream:
        """Return a file for what is printed, of which so many bytes are kept.

        It is where a test can write: ``echo > /dev/stdout`` opens it again.
        """
        try:
            return Stream(self.scratch, most)
        except FileNotFoundError:  # a test may have removed it
            self._regain()
            return Stream(self.scratch, most)

    def renew_server(self) -> Path:
        """Return an empty folder for temporary files of a server."""
        remove(self.server)
        make_folder(self.server)
        return self.server

    def start(self) -> int:
        """Take note that a test begins; return when, by the clock of files."""
        now = time.clock_gettime_ns(CLOCK)
        self.case.start(now)
        self.temporary.start(now)
        self._strays.start(now)
        return now

    def place(self, files: FolderFiles) -> None:
        """Make the folder of the candidate hold exactly these files."""
        self._regain()
        try:
            self.case.fill(files)
        except OSError as error:
            if error.errno not in FULL_DISK_ERRORS or not self._move():
                raise
            self.case.fill(files)

    def clear(self, *, around: bool) -> None:
        """Remove the temporary files of a run, and what it has left around its folders."""
        self._regain()
        if around:
            self._strays.clear()
        self.temporary.fill(NO_FILES)

    def close(self) -> None:
        """Let the folders go; they are removed together with all others."""
        self._mounts.close()
        self._leave()

    def _leave(self) -> None:
        self.case.close()
        self.temporary.close()

    def _regain(self) -> None:
        """Have the path of the scratch folder lead to the one that we made, or make all anew.

        All that is removed or written is found by that path. A test may have removed the folder,
        mounted something over it, or put a link in its place or in that of the root.
        """
        if self._mounts.has_changed():
            self._unmount()
        if _identity(str(self.scratch)) == self._identity:
            return
        self.root.ensure()
        if not remove(self.private):
            raise OSError(errno.EBUSY, "a private folder cannot be removed", str(self.private))
        self._make_folders()

    def _make_folders(self) -> None:
        make_folder(self.private)
        make_folder(self.scratch)
        self._identity = _identity(str(self.scratch))

    def _unmount(self) -> None:
        """Unmount what a test has mounted here; where that is refused, go on in a new folder."""
        refused = unmount(self.root.folder, self._is_in_our_way)
        if refused and refused[0].is_relative_to(self.private):
            aside = self.private.with_name(f"{self._name}-{next(self._asides)}")
            self.private.rename(aside)
            self._mounted = aside / refused[0].relative_to(self.private)

    def _is_in_our_way(self, mount_point: Path) -> bool:
        """Tell whether a mount has to go: what a server has mounted stays as long as it does."""
        is_inside = mount_point.is_relative_to(self.private)
        return mount_point == self.root.folder or (
            is_inside and not mount_point.is_relative_to(self.server)
        )

    def _move(self) -> bool:
        """Go on where there is room, unless something is kept here; tell whether that is so."""
        spare = self.root.spare()
        left = self.private
        with suppress(OSError):
            there = [*left.iterdir(), *self.scratch.iterdir()]
            kept = {each.name.partition("-")[0] for each in there} - _DISPOSABLE
            if spare is None or kept:
                return False
            self._leave()
            self._settle(spare)
            remove(left)
            return True
        return False


def _identity(folder: str) -> tuple[int, int] | None:
    """Return what tells a folder from any other, None if there is none."""
    try:
        seen = os.lstat(folder)
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


class StrayEntries:
    """The folder around that of a candidate, and what was in it when a test began."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._changed = -1
        self._names: set[str] = set()
        self._started = 0

    def start(self, now: int) -> None:
        """Take note of what is there, and of the time by the clock of files."""
        self._started = now
        try:
            changed = os.lstat(self._folder).st_ctime_ns
            if changed != self._changed:
                self._names, self._changed = set(_names_in(self._folder)), changed
        except OSError:  # a test beside it may have removed all there is
            self._changed = -1

    def clear(self) -> None:
        """Remove what has been added since."""
        try:
            changed = os.lstat(self._folder).st_ctime_ns
        except OSError:
            return
        # What was added within the grain of the clock does not show in the times.
        if changed == self._changed and changed < self._started:
            return
        with suppress(OSError):
            for name in _names_in(self._folder):
                if name not in self._names:
                    remove(f"{self._folder}/{name}")
        self._changed = -1


def _names_in(folder: str) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 - names are what is compared
