"""What a format is."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from wynot.core.parts import NO_PARTS, Parts

Format: TypeAlias = Callable[[bytes], Parts]
"""Cuts a text into parts. Any bytes will do: what makes no sense to it is cut coarsely."""

SNIFFED_BYTES = 1 << 16


def is_text(content: bytes) -> bool:
    """Tell whether a content is worth cutting into lines and tokens.

    A NUL byte is what tells: no text in use has one, and nearly every binary file does. An unknown
    or broken encoding does not matter, since all formats work on bytes.
    """
    return b"\0" not in content[:SNIFFED_BYTES]


def of_text(of: Format) -> Format:
    """Return the format, for texts only."""
    return partial(_only, of, text=True)


def of_binary(of: Format) -> Format:
    """Return the format, for what is no text."""
    return partial(_only, of, text=False)


def _only(of: Format, content: bytes, *, text: bool) -> Parts:
    return of(content) if is_text(content) is text else NO_PARTS
