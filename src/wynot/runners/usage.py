"""How much a test has written so far, while it goes on writing."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_BLOCK_BYTES = 512
_LEAST_BYTES = 4096  # what a file costs at least, so that a multitude of empty ones counts too


def bytes_in(folders: Iterable[Path], most: int) -> int:
    """Return the bytes that folders take, or any larger number as soon as that is more than most.

    Links are not followed. What has no name any more is not seen, nor what is so deep that its
    path is too long for the system.
    """
    used = 0
    line = [os.fspath(folder) for folder in folders]
    for folder in line:  # it grows as it is gone through
        with suppress(OSError), os.scandir(folder) as entries:  # it may vanish while we look
            for entry in entries:
                with suppress(OSError):
                    used += max(
                        entry.stat(follow_symlinks=False).st_blocks * _BLOCK_BYTES, _LEAST_BYTES
                    )
                    if entry.is_dir(follow_symlinks=False):
                        line.append(entry.path)
                if used > most:
                    return used
    return used
