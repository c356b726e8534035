"""What came by standard input: kept in a folder of its own, so that it is not lost with the pipe.

The folder is found again by what came and by what is asked of it. So the same command with the same
input goes on where an earlier one was ended, as it does for a file.
"""

import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO

from wynot.core.errors import NothingToReduce, Unreadable
from wynot.disk.home import state_folder
from wynot.disk.write import write

MAX_PIPED_BYTES = 256 << 20
"""Bytes that are taken from a pipe: there are pipes that never end."""
NAME = "stdin"
KEPT_DAYS = 30
"""After so many, what was never gone on with is removed."""


def read_piped(stream: BinaryIO) -> bytes:
    """Return all that comes; raise if it is nothing, or too much."""
    try:
        content = stream.read(MAX_PIPED_BYTES + 1)
    except OSError as error:
        raise Unreadable(
            f"standard input cannot be read: {error.strerror}", hint="give a file in place of -"
        ) from error
    if not content:
        raise NothingToReduce(
            "standard input: 0 bytes", hint="there is nothing that could be left out"
        )
    if len(content) > MAX_PIPED_BYTES:
        raise Unreadable(
            f"standard input is larger than {MAX_PIPED_BYTES:,} bytes",
            hint="save it into a file, and reduce that",
        )
    return content


def keep_piped(content: bytes, suffix: str, identity: Sequence[str]) -> Path:
    """Put it into a private folder, unless an earlier run has, and return the file.

    ``identity`` is what tells one command from another on the same input.
    """
    key = sha256(content)
    for word in identity:
        key.update(b"\0" + word.encode("utf-8", "surrogateescape"))
    base = state_folder() / NAME
    _sweep(base)
    folder = base / key.hexdigest()[:32]
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:  # a home that cannot be written to; there is no going on then
        folder = Path(mkdtemp(prefix="wynot-stdin-"))
    path = folder / f"{NAME}{suffix}"
    if not path.exists():  # else it is the same: it is called after what is in it
        write(path, content, 0o600)
    return path


def discard_piped(path: Path) -> None:
    """Remove what was kept: its result was handed over."""
    shutil.rmtree(path.parent, ignore_errors=True)


def _sweep(base: Path) -> None:
    oldest = time.time() - KEPT_DAYS * 86_400
    with suppress(OSError):
        for folder in base.iterdir():
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
