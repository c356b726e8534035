"""The folders of a sandbox: for the candidate, for temporary files, and what is around them."""

import errno
import time
from contextlib import suppress
from pathlib import Path

from wynot.core.folder_files import FolderFiles
from wynot.runners.capture import Stream
from wynot.runners.file_edits import NO_FILES
from wynot.runners.mirrored_folder import CLOCK, MirroredFolder
from wynot.runners.removal import make_folder, remove
from wynot.runners.surroundings import Surroundings
from wynot.runners.workdir import RunFolder

FULL_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT})
_CASE, _TEMPORARY, _STREAMS, _SERVER = "case", "tmp", "streams", "tmp-server"
_OURS = {_CASE, _TEMPORARY, _STREAMS}
"""What begins like this holds nothing that a later candidate needs."""


class Workplace:
    """Private folders in a root; in another one, on another disk, as soon as the first is full."""

    def __init__(self, root: RunFolder, name: str) -> None:
        self._name = name
        self._settle(root)

    def _settle(self, root: RunFolder) -> None:
        root.ensure()
        self.root = root
        self.private = root.folder / self._name
        """A folder of its own, for what stays from one candidate to the next."""
        self.case = MirroredFolder(self.private / _CASE)
        self.temporary = MirroredFolder(self.private / _TEMPORARY)
        self._surroundings = Surroundings(self.private)
        self.server = self.private / _SERVER
        """Temporary files of a server, which stay as long as it does."""

    @property
    def stuck(self) -> Path | None:
        """Something that a test has left and that cannot be removed, if there is any."""
        return self.case.stuck or self.temporary.stuck

    def stream(self, most: int) -> Stream:
        """Return a file for what is printed, of which so many bytes are kept."""
        folder = self.private / _STREAMS
        try:
            return Stream(folder, most)
        except FileNotFoundError:  # it is not needed before, and a test may have removed it
            make_folder(folder)
            return Stream(folder, most)

    def renew_server(self) -> Path:
        """Return an empty folder for temporary files of a server."""
        remove(self.server)
        make_folder(self.server)
        return self.server

    def start(self) -> None:
        """Take note that a test begins."""
        now = time.clock_gettime_ns(CLOCK)
        self.case.start(now)
        self.temporary.start(now)
        self._surroundings.start(now)

    def place(self, files: FolderFiles) -> None:
        """Make the folder of the candidate hold exactly these files."""
        try:
            self._fill(self.case, files)
        except OSError as error:
            if error.errno not in FULL_DISK_ERRORS or not self._move():
                raise
            self._fill(self.case, files)

    def clear(self, *, around: bool) -> None:
        """Remove the temporary files of a run, and what it has left around its folders."""
        if around:
            self._surroundings.clear()
        self._fill(self.temporary, NO_FILES)

    def close(self) -> None:
        """Let the folders go; they are removed together with all others."""
        self.case.close()
        self.temporary.close()

    def _fill(self, folder: MirroredFolder, files: FolderFiles) -> None:
        try:
            folder.fill(files)
        except FileNotFoundError:  # a test has removed more than what is its own
            self.root.ensure()
            folder.fill(files)

    def _move(self) -> bool:
        """Go on where there is room, unless something is kept here; tell whether that is so."""
        spare = self.root.spare()
        left = self.private
        with suppress(OSError):
            kept = {each.name.partition("-")[0] for each in left.iterdir()} - _OURS
            if spare is None or kept:
                return False
            self.close()
            self._settle(spare)
            remove(left)
            return True
        return False
