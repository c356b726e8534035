"""What every machine needs of a run: it is sent there once, and called by its digest from then on.

That are the files of the original, of which candidates are told as edits, and the scripts that the
test consists of, which other machines need not have.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from wynot.core.folder_files import FolderFiles

LEAST_BYTES = 4096
"""Smaller files of a candidate are sent with it: that takes no longer than their digests."""


class StockedFile(NamedTuple):
    """A content, and what it is called."""

    digest: str
    content: bytes

    @classmethod
    def of(cls, content: bytes) -> "StockedFile":
        """Return a content with its digest."""
        return cls(sha256(content).hexdigest(), content)


class Stock(NamedTuple):
    """What is sent ahead."""

    files: Mapping[str, StockedFile] = {}
    """Files of the original, by their paths in the folder of a candidate."""
    programs: Mapping[str, StockedFile] = {}
    """Scripts, by the words that name them in commands: their paths on this machine."""

    @classmethod
    def of(cls, files: FolderFiles, programs: Mapping[str, bytes]) -> "Stock":
        """Return these as they are sent ahead."""
        large = {
            path: StockedFile.of(content)
            for path, content in files.contents.items()
            if len(content) >= LEAST_BYTES
        }
        return cls(large, {path: StockedFile.of(each) for path, each in programs.items()})

    @property
    def contents(self) -> dict[str, bytes]:
        """All there is, by digest."""
        return dict([*self.files.values(), *self.programs.values()])


NOTHING_STOCKED = Stock()
