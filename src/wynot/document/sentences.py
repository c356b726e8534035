"""Sentences that several readers get, and numbers as people write them."""

from collections.abc import Sequence
from math import floor, isfinite

from wynot.core.foreign_text import for_terminal
from wynot.core.options.quantities import counted, listed, singular
from wynot.document.text_width import LINE_COLUMNS, cut

_KILO_FACTOR = 1000
_TENTHS_BELOW = 10
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_MAX_LISTED = 3
"""So many names are listed before they are counted."""
_CAN = {"cure": "be spared", "difference": "change sides"}
"""What no single part of some answers can do; of the others, it cannot be left out."""


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


def proof(
    kinds: Sequence[str], *, line_ends: int = 0, question: str = "", end: str = " (1-minimal)."
) -> str:
    """Return the sentence that says of which kinds of parts no single one can be left out.

    If texts got their final newline back after that was proved, it is not claimed of those.
    ``question`` is that of an inquiry, whose answer has just been shown.
    """
    of = " of this" if question else ""
    # A final newline is no node and no token.
    is_part = "characters" in kinds or "nodes" not in kinds
    but = " except the final newline" if line_ends and is_part else ""
    single, can = listed([*map(singular, kinds)], "or"), _CAN.get(question, "be left out")
    return f"No single {single}{of}{but} can {can}: each was tried{end}"


def batch_facts(passing: int, rejected: int, hanging: int, missing: int) -> list[str]:
    """Return how many inputs of a batch are in no group, for each reason that there is."""
    facts = {
        "not failing": passing,
        "rejected with an ordinary error": rejected,
        "did not end in time (--hangs asks for them)": hanging,
        "not run": missing,
    }
    return [f"{count:,} {name}" for name, count in facts.items() if count]
