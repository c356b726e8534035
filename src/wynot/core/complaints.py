"""What a program complains of: places in files, and the names that it quotes.

Compilers and interpreters say where something is wrong. Of a candidate that does not fail as it
should, that tells what is missing, and to whom. It never decides anything: it says what may be
worth a test.
"""

import json
from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

Kind = Literal["error", "warning", "aside"]
_KINDS: dict[str, Kind] = {"error": "error", "warning": "warning", "aside": "aside"}


class Complaint(NamedTuple):
    """One place, as the program has named it."""

    path: str
    line: int
    """From 1 on."""
    column: int = 0
    """From 1 on; 0: it was not said."""
    names: tuple[str, ...] = ()
    """The words that the message quotes, each once, in order."""
    kind: Kind = "error"
    """Whether something is wrong there, or may be; or it is only said how it came to that."""
    missing: str = ""
    """The first of the words that is quoted alone: most often it is what is missing."""


Complaints: TypeAlias = tuple[Complaint, ...]
SILENCE: Complaints = ()


def complaints_as_text(complaints: Complaints) -> str:
    """Return complaints as a line of JSON."""
    return json.dumps(complaints, separators=(",", ":"))


def complaints_of_text(text: str) -> Complaints | None:
    """Read such a line; None: it is none."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = [_complaint(row) for row in rows] if isinstance(rows, list) else [None]
    return None if None in found else tuple(each for each in found if each is not None)


def _complaint(row: object) -> Complaint | None:
    match row:
        case [str(path), int(line), int(column), list(names), str(kind), str(missing)]:
            words = tuple(_strings(names))
            is_sound = line > 0 and column >= 0 and len(words) == len(names) and kind in _KINDS
            return Complaint(path, line, column, words, _KINDS[kind], missing) if is_sound else None
    return None


def _strings(values: Iterable[object]) -> Iterable[str]:
    return (value for value in values if isinstance(value, str))
