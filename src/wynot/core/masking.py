"""Secrets that are part of addresses: they are not shown, and not written where others read."""

import re

_SECRET = re.compile(r"(?<=://)[^/\s]*@")


def masked(text: str) -> str:
    """Return a text without the user names and passwords of URLs."""
    return _SECRET.sub("***@", text)
