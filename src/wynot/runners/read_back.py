"""Files that a test has written, or has put something else in the place of.

A confined test can make anything of its scratch folder: a link to a file of the user's, a FIFO that
nobody writes to, a file that is larger than memory.
"""

import os
import stat
from pathlib import Path

from wynot.core.beneath import open_beneath


def read_back(folder: Path, path: str, most: int) -> bytes | None:
    """Return the beginning of a file in a folder, None if there is no plain file to be read."""
    try:
        handle = open_beneath(folder, path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        with open(handle, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(handle)
