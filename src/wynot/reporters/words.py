"""Numbers as people read them, and lines of so many columns."""

import re
from math import floor, isfinite
from unicodedata import combining, east_asian_width

from wynot.core.foreign_text import for_terminal
from wynot.core.quantities import counted, listed

LINE_COLUMNS = 80
"""Columns of a line where nobody knows better; only paths that are to be copied may be longer."""

_BREAK = re.compile(r"(?<!\d) +| +(?!(?:s|min|h|%)\b|%)")
"""A number and its unit stay on one line."""
_KILO_FACTOR = 1000
_TENTHS_BELOW = 10
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_MAX_LISTED = 3
"""So many names are listed before they are counted."""


def test_cost(tests: int, runs: int, checks: int, repeated: int) -> str:
    """Return how many tests there were, and how often the command was started for them.

    Of the starts, ``checks`` were to check the test or a result, and ``repeated`` to ask once more.
    The rest is speculative, unless some tests needed no start: their answer was known.
    """
    if runs == tests:
        return counted(tests, "test")
    speculative = runs - tests - checks - repeated
    kinds = {"to check the test": checks, "speculative": speculative, "repeated": repeated}
    listed_kinds = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items() if count > 0)
    saved = -sum(count for count in kinds.values() if count < 0)
    why = f": {listed_kinds}" if listed_kinds else ""
    known = f"; {counted(saved, 'test')} needed no run" if saved else ""
    return f"{counted(tests, 'test')} ({counted(runs, 'run')} of the command{why}{known})"


def cells(text: str) -> int:
    """Return how many columns a terminal needs for a text."""
    if text.isascii():
        return len(text)
    return sum(_cells(each) for each in text)


def _cells(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def cut(text: str, room: int) -> str:
    """Return the text, or as much of its beginning as fits into so many columns."""
    if cells(text) <= room:
        return text
    kept, left = [], room - 1
    for each in text:
        left -= _cells(each)
        if left < 0:
            break
        kept.append(each)
    return "".join(kept).rstrip() + "…" if room > 0 else ""


def wrap(text: str, *, first: str = "", indent: str = "", width: int = LINE_COLUMNS) -> list[str]:
    """Return lines of at most so many columns; a word that is longer stays whole."""
    lines: list[str] = []
    line = ""
    for word in _BREAK.split(text.strip()):
        if not line:
            line = first + word
        elif cells(line) + 1 + cells(word) <= width:
            line = f"{line} {word}"
        else:
            lines.append(line)
            line = indent + word
    return [*lines, line]


def subject(names: tuple[str, ...], room: int = LINE_COLUMNS) -> str:
    """Return what is reduced, by its names, in so many columns."""
    shown = tuple(for_terminal(name) for name in names[:_MAX_LISTED])
    if len(names) > _MAX_LISTED:
        shown = (*shown[:-1], f"{len(names) - _MAX_LISTED + 1} more")
    return cut(listed(shown), room)


def brief(size: int) -> str:
    """Return a size in bytes, short: ``116 B``, ``33 kB``, ``1.2 MB``."""
    value, units = float(size), ["TB", "GB", "MB", "kB", "B"]
    while round(value) >= _KILO_FACTOR and len(units) > 1:
        value /= _KILO_FACTOR
        units.pop()
    if units[-1] != "B" and round(value, 1) < _TENTHS_BELOW:
        return f"{value:.1f} {units[-1]}"
    return f"{value:.0f} {units[-1]}"


def duration(seconds: float) -> str:
    """Return a time: ``0.4 s``, ``41 s``, ``2 min 05 s``, ``1 h 02 min``, ``3 d 4 h``."""
    if not isfinite(seconds):
        return "?"
    seconds = max(0.0, seconds)
    if seconds < _TENTHS_BELOW:
        return f"{floor(10 * seconds) / 10:.1f} s"
    whole = floor(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE:02} s"
    if whole < _DAY:
        return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE:02} min"
    return f"{whole // _DAY} d {whole % _DAY // _HOUR} h"


def instant(seconds: float) -> str:
    """Return the time that one test takes, where milliseconds count: ``38 ms``, ``2.1 s``."""
    millis = seconds * _KILO_FACTOR
    if not 0 <= millis < _KILO_FACTOR:
        return duration(seconds)
    if round(millis, 1) < _TENTHS_BELOW:
        return f"{millis:.1f} ms"
    return f"{min(_KILO_FACTOR - 1, round(millis))} ms"


def rate(per_second: float) -> str:
    """Return how often something happens: ``43/s``, ``4.3/s``, ``12/min``."""
    if per_second < 1:
        return f"{60 * per_second:.0f}/min"
    tenths = round(per_second, 1) < _TENTHS_BELOW
    return f"{per_second:.1f}/s" if tenths else f"{per_second:,.0f}/s"


def timed_out(count: int, seconds: float, of: float) -> str:
    """Return what tests that hung have cost: ``79 timed out, 4.9 s each, 52 % of the time``."""
    each = f", {instant(seconds / count)} each" if count else ""
    share = f", {100 * seconds / of:.0f} % of the time" if of else ""
    return f"{count:,} timed out{each}{share}"


def percent(part: float, whole: float) -> str:
    """Return a share: ``24.8 %``; only nothing is 0 %, and only all is 100 %."""
    if not whole:
        return "? %"
    share = 100 * part / whole
    if share in (0, 100):
        return f"{share:.0f} %"
    return {"0.0": "<0.1 %", "100.0": ">99.9 %"}.get(f"{share:.1f}", f"{share:.1f} %")
