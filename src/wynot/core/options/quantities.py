"""Numbers, sizes and times as people write them, and as they are said."""

import re
from collections.abc import Sequence
from math import inf

SIZES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
NUMBER = r"(\d+(?:\.\d+)?)"
MOST_INTEGER_DIGITS = 40
TIME = re.compile(f"(?:{NUMBER}h)?(?:{NUMBER}m)?(?:{NUMBER}s?)?")


class Unparsable(ValueError):
    """A text that is none of what is asked for; the message has an example of one."""


def bounded_integer(text: str | bytes) -> int | None:
    """Return a decimal number; None if it is not one, or has more digits than any that counts.

    Python refuses to convert thousands of digits, which fuzzers write, with a ``ValueError``.
    """
    if len(text) > MOST_INTEGER_DIGITS or not text.isdigit():
        return None
    try:
        return int(text)
    except ValueError:  # isdigit() takes superscripts for digits
        return None


def size(text: str) -> int:
    """Return bytes."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", text.strip().lower())
    if match is None:
        raise Unparsable(f"{text!r} is not a valid size; write it like 400, 64k, 512M or 2G")
    found = float(match[1]) * SIZES[match[2]]
    if found == inf:
        raise Unparsable(f"{text!r} is too large a size")
    return int(found)


def seconds(text: str) -> float:
    """Return seconds."""
    match = TIME.fullmatch(text.strip().lower())
    if match is None or not text.strip():
        raise Unparsable(f"{text!r} is not a valid time; write it like 90, 2.5, 10m or 1h30m")
    hours, minutes, rest = (float(part or 0) for part in match.groups())
    return 3600 * hours + 60 * minutes + rest


def parts(text: str) -> float:
    """Return a granularity: a whole number, or ``inf`` for one part each."""
    if text.lower() in {"inf", "infinity", "n"}:
        return inf
    number = bounded_integer(text)
    if number is None:
        raise Unparsable(f"{text!r} is not a valid granularity; give 2 or more, or inf")
    return number


def statuses(text: str) -> list[int]:
    """Return exit statuses, of a list with commas."""
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise Unparsable(f"{text!r} is not a valid exit status; give 101 or 101,102") from None
    if not all(1 <= status <= 255 for status in found):  # noqa: PLR2004 - what a status can be
        raise Unparsable(f"{text!r}: an exit status is 1 to 255")
    return found


def counted(count: int, noun: str) -> str:
    """Return how many there are of something: ``1 byte``, ``32,689 bytes``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as a list in a sentence."""
    *others, final = names or ("",)
    return f"{', '.join(others)} {last} {final}" if others else final


def some_of(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def singular(kind: str) -> str:
    """Return the name of one of a kind: ``line`` of ``lines``, ``entry`` of ``entries``."""
    if kind.endswith("ies"):
        return f"{kind[:-3]}y"
    if kind.endswith(("sses", "xes", "ches", "shes")):
        return kind[:-2]
    return kind.removesuffix("s")
