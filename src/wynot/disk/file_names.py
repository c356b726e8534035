"""Names made from other names, which a file system must be able to take."""

import os
from hashlib import sha256

_MAX_NAME_BYTES = 255
"""Bytes of a name, on every file system in common use."""
_HASH_DIGITS = 8
_ENDING_BYTES = 32
"""Bytes for what journals, locks and older ones of them end with: ``.12.journal-wal``."""


def lengthened(name: str, suffix: str, *, spare: int = 0) -> str:
    """Return a name with a suffix, shortened in the middle if that would be too long.

    What is shortened has some digits of a digest, so that two long names stay two. ``spare`` are
    the bytes that others will still add.
    """
    whole = os.fsencode(name)
    room = _MAX_NAME_BYTES - spare - len(os.fsencode(suffix))
    if len(whole) <= room:
        return name + suffix
    digest = sha256(whole).hexdigest()[:_HASH_DIGITS]
    # A character of several bytes is left out as a whole.
    begin = whole[: room - _HASH_DIGITS - 1].decode("utf-8", "ignore")
    return f"{begin}~{digest}{suffix}"


def called_after(name: str) -> str:
    """Return what the journal and the lock of a file are called after, given its name."""
    return lengthened(name, "", spare=_ENDING_BYTES)
