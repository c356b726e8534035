"""Numbers and lists as one says them."""

from collections.abc import Sequence


def counted(count: int, noun: str) -> str:
    """Return how many there are of something: ``1 byte``, ``32,689 bytes``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence."""
    *others, final = words or ("",)
    return f"{', '.join(others)} {last} {final}" if others else final


def some_of(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
