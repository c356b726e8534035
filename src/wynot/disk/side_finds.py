"""Side finds: candidates that are not what is looked for, but that the test wants kept."""

import os
from hashlib import sha256
from pathlib import Path
from threading import Lock

from wynot.core.beneath import parent_beneath
from wynot.core.files import Files
from wynot.disk.write import SUFFIX, refused, write_beneath

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
