"""Side finds: candidates that are not what is looked for, but that the test wants kept."""

from hashlib import sha256
from pathlib import Path

from wynot.core.files import Files
from wynot.disk.write import write

MAX_FINDS = 100
"""More are not kept: a test that calls everything a find would fill the disk."""


class SideFinds:
    """A folder of them, each under the digest of its content."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0

    def keep(self, files: Files, status: int) -> Path | None:
        """Keep these files, and return where; None if they are there, or there are too many."""
        folder = self.folder / f"{status}-{sha256(files.digest).hexdigest()[:12]}"
        if folder.exists() or self.count >= MAX_FINDS:
            return None
        self.count += 1
        for name, content in files.contents.items():
            write(folder / name, content)
        return folder
