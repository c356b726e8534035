"""Diagnostics that a program prints: places in files, and the names that it quotes.

Compilers and interpreters report where something is wrong. For a candidate that does not fail as it
should, that shows what is missing and where. Diagnostics never decide anything: they suggest what
may be worth a test.
"""

import json
from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

Kind = Literal["error", "warning", "aside"]
_KINDS: dict[str, Kind] = {"error": "error", "warning": "warning", "aside": "aside"}


class Diagnostic(NamedTuple):
    """One place that the program has named."""

    path: str
    line: int
    """From 1 on."""
    column: int = 0
    """From 1 on; 0: it is not known."""
    names: tuple[str, ...] = ()
    """The words that the message quotes, each once, in order."""
    kind: Kind = "error"
    """Whether something is wrong there, or may be; or it is only said how it came to that."""
    missing: str = ""
    """The first of the words that is quoted alone: most often it is what is missing."""


Diagnostics: TypeAlias = tuple[Diagnostic, ...]
NO_DIAGNOSTICS: Diagnostics = ()


def diagnostics_as_text(diagnostics: Diagnostics) -> str:
    """Return diagnostics as a line of JSON."""
    return json.dumps(diagnostics, separators=(",", ":"))


def diagnostics_of_text(text: str) -> Diagnostics | None:
    """Read such a line; None: it is none."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = [_diagnostic(row) for row in rows] if isinstance(rows, list) else [None]
    return None if None in found else tuple(each for each in found if each is not None)


def _diagnostic(row: object) -> Diagnostic | None:
    match row:
        case [str(path), int(line), int(column), list(names), str(kind), str(missing)]:
            quoted = tuple(_strings(names))
            is_sound = line > 0 and column >= 0 and len(quoted) == len(names) and kind in _KINDS
            if is_sound:
                return Diagnostic(path, line, column, quoted, _KINDS[kind], missing)
    return None


def _strings(values: Iterable[object]) -> Iterable[str]:
    return (value for value in values if isinstance(value, str))
