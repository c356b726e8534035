"""How wynot knows that this user has begun a journal, and limits for those of strangers.

A journal names a command that `wynot explain` runs, and verdicts that nobody asks for again. So one
that comes with a folder from elsewhere must not pass for the user's own. The key is a file in the
user's state folder; without it, a journal that is begun now is not sealed, and counts as foreign.

The cases of a foreign journal are built within limits: a few kilobytes can be patches that unpack
to gigabytes, or small patches of one large case.
"""

import json
import os
import secrets
import stat
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from wynot.core.errors import InvalidOption
from wynot.core.files import Files
from wynot.core.texts.patches import UnpackingRoom, patched
from wynot.disk.home import state_folder

SEAL_FACT = "seal"
SEALED_FACTS = ("version", "command", "original", "fingerprint", "options", "folder")
"""What a run is begun with, and what decides what is run and written; it never changes later."""

_KEY_NAME = "key"
_KEY_BYTES = 32
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_PERSON = b"wynot journal"


def seal_of(facts: Mapping[str, str]) -> str:
    """Return the seal of a journal that is begun with these facts; empty if there can be no key."""
    key = _own_key() or _new_key()
    return _digest(key, facts) if key else ""


def is_sealed(facts: Mapping[str, str]) -> bool:
    """Tell whether this user has begun the journal that has these facts."""
    key, seal = _own_key(), facts.get(SEAL_FACT, "")
    # As bytes: of a text, only ASCII can be compared.
    return bool(key and seal) and secrets.compare_digest(
        _digest(key, facts).encode(), seal.encode("utf-8", "surrogatepass")
    )


def _digest(key: bytes, facts: Mapping[str, str]) -> str:
    rows = json.dumps([[name, facts.get(name)] for name in SEALED_FACTS]).encode()
    return blake2b(rows, key=key, person=_PERSON, digest_size=_KEY_BYTES).hexdigest()


def _own_key() -> bytes:
    """Return the user's key; nothing if there is none, or if others can read or have written it."""
    with suppress(OSError, InvalidOption):  # InvalidOption: no home is known
        path = state_folder() / _KEY_NAME
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as stream:
            seen = os.fstat(handle)
            is_private = stat.S_ISREG(seen.st_mode) and not seen.st_mode & _OTHERS
            key = stream.read(_KEY_BYTES + 1)
        if is_private and seen.st_uid == os.geteuid() and len(key) == _KEY_BYTES:
            return key
    return b""


def _new_key() -> bytes:
    """Make a key, unless there is a file of that name, and return what is there then."""
    with suppress(OSError, InvalidOption):
        folder = state_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder.stat().st_uid == os.geteuid():  # root must not leave a file that is in the way
            _put_key(folder)
    return _own_key()


def _put_key(folder: Path) -> None:
    """Put a new key in place, whole; of two that are made at once, the first stays."""
    part = folder / f".{_KEY_NAME}.{secrets.token_hex(8)}"
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(_KEY_BYTES))
            stream.flush()
            os.fsync(handle)
        with suppress(FileExistsError):
            os.link(part, folder / _KEY_NAME)
    finally:
        part.unlink()


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
