"""The cases in a journal that may be a stranger's, built within limits.

A few kilobytes can be patches that unpack to gigabytes, or small patches of one large case.
"""

from wynot.core.files import Files
from wynot.core.patches import patched
from wynot.core.unpacking import UnpackingRoom

MAX_CASE_BYTES = 128 << 20
MAX_PATCH_BYTES = 16 << 20
"""What a patch holds may take thirty times as much memory."""
MAX_PATCHES_BYTES = 1 << 30
"""Bytes of all patches."""
MAX_COPIED_BYTES = 32 << 30
"""Bytes of all cases."""
_FILE_BYTES = 200
"""A file that stays as it was takes as long as so many bytes that are copied."""


class ForeignCases:
    """Unpacks an original, and does patches, as long as there is room; else raises ValueError."""

    def __init__(self) -> None:
        self.unpacked = UnpackingRoom(MAX_CASE_BYTES, MAX_CASE_BYTES).unpacked
        """Unpacks a file of the original."""
        self._patches = UnpackingRoom(MAX_PATCH_BYTES, MAX_PATCHES_BYTES)
        self._copied = 0

    def patched(self, files: Files, change: bytes, original: Files) -> Files:
        """Return what a patch makes of files."""
        made = patched(files, change, original, self._patches.unpacked)
        size = made.size
        self._copied += size + _FILE_BYTES * len(made.contents)
        if size > MAX_CASE_BYTES or self._copied > MAX_COPIED_BYTES:
            raise ValueError("there are too many steps, or too large ones")
        return made
