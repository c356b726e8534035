"""Sizes and times as people write them: 2G, 512M, 90, 10m, 1h30m."""

import re
from math import inf

SIZES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
NUMBER = r"(\d+(?:\.\d+)?)"
TIME = re.compile(f"(?:{NUMBER}h)?(?:{NUMBER}m)?(?:{NUMBER}s?)?")


class Unparsable(ValueError):
    """A text that is none of what is asked for; the message has an example of one."""


def size(text: str) -> int:
    """Return bytes."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", text.strip().lower())
    if match is None:
        raise Unparsable(f"{text!r} is not a valid size; write it like 400, 64k, 512M or 2G")
    return int(float(match[1]) * SIZES[match[2]])


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
    if not text.isdigit():
        raise Unparsable(f"{text!r} is not a valid granularity; give 2 or more, or inf")
    return int(text)


def statuses(text: str) -> list[int]:
    """Return exit statuses, of a list with commas."""
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise Unparsable(f"{text!r} is not a valid exit status; give 101 or 101,102") from None
    if not all(1 <= status <= 255 for status in found):  # noqa: PLR2004 - what a status can be
        raise Unparsable(f"{text!r}: an exit status is 1 to 255")
    return found
