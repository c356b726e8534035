"""JSON that anybody may have written: of modest size, and with numbers that can be worked with."""

import json
from math import isfinite

MAX_JSON_CHARS = 16 << 20
"""Characters; in memory that can be thirty times as much."""
_MAX_DIGITS = 18
"""Digits of a whole number: those with more do not fit into the numbers of other programs."""


def read_json(text: object) -> object:
    """Return what a text holds; None if it is no text, or not such JSON."""
    try:
        return parsed_json(text) if isinstance(text, str) else None
    except (ValueError, RecursionError, MemoryError):
        return None


def parsed_json(text: str) -> object:
    """Return what a text holds; raise ValueError or RecursionError if it is not such JSON."""
    if len(text) > MAX_JSON_CHARS:
        raise ValueError(f"it has more than {MAX_JSON_CHARS:,} characters")
    return json.loads(text, parse_int=_whole, parse_float=_real, parse_constant=_real)


def _whole(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError("a number is too large")
    return int(digits)


def _real(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError("a number is too large")
    return number
