"""Reads the diagnostics in the output of a program, by a small table of how they look.

What is read may be anything, and of any length: only the beginning of each stream is looked at,
some hundred places, and a few names of each.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from wynot.core.diagnostics import Diagnostic, Diagnostics, Kind
from wynot.core.ending import Ending

MAX_READ_BYTES = 256 << 10
"""Bytes that are looked at of each stream: what comes first is what the rest follows from."""
MAX_LINE = 2000
"""Characters that are looked at of a line."""
MAX_DIAGNOSTICS = 200
MAX_WARNINGS = 50
"""How many of these may be warnings, which are not to hide an error."""
MAX_NAMES = 12
"""Names that are taken from one message."""
MAX_NUMBER = 10**9

_PLACE = r"(?P<path>[^\s:()][^:()\n]*?)"
_LABELLED = re.compile(
    rf"{_PLACE}:(?P<line>\d+)(?::(?P<column>\d+))?(?:[-:.,]\d+)*:\s+(?P<message>.*)"
)
"""GNU and those who write like it: ``a.c:3:5: error: …``; without a label: Go."""
_BRACKETED = re.compile(
    rf"{_PLACE}\((?P<line>\d+)(?:,(?P<column>\d+))?\)\s*:\s+(?P<message>(?:fatal )?error.*)"
)
"""TypeScript and those who write like it: ``a.ts(3,5): error TS2304: …``."""
_ARROW = re.compile(rf"\s*-->\s*{_PLACE}:(?P<line>\d+):(?P<column>\d+)")
"""Rust: below the message."""
_FRAME = re.compile(r'\s*File "(?P<path>[^"\n]+)", line (?P<line>\d+)')
"""Python: above the message, the innermost one last."""
_CALL = re.compile(rf"\s+at (?:[^()]*\()?(?:file://)?{_PLACE}:(?P<line>\d+):(?P<column>\d+)\)?$")
"""JavaScript: below the message, the innermost one first."""
_RAISED = re.compile(r"(?:Uncaught )?(?:[\w.]*(?:Error|Exception)\b|error(?:\[\w+\])?:)")
"""What such messages begin with."""
_WARNING = re.compile(r"(?:warning|remark|info|hint)\b", re.IGNORECASE)
_ASIDE = re.compile(r"note:|\s*(?:recursively )?required |in |from |candidate|instantiat")
"""A place that only says how the program came to another."""
_QUOTED = re.compile(
    "[\u2018\u201c`'\"]([^\u2018\u2019\u201c\u201d`'\"\n]{1,300})[\u2019\u201d`'\"]"
)
_BARE = re.compile(
    r"undefined: ([\w.]+)|(?<!\w)(\w++) is not defined|undefined reference to ([\w.]+)"
)
"""Names without quotes."""
_GUESS = re.compile(r"did you mean|perhaps you meant|suggested alternative|\{aka ")
"""What follows is not what is missing."""
_NAME = re.compile(r"[^\W\d][\w$]*")


class Quoted(NamedTuple):
    """What a message quotes."""

    names: tuple[str, ...] = ()
    missing: str = ""
    """The first that is a word by itself."""


NOTHING_QUOTED = Quoted()


def read_diagnostics(ending: Ending) -> Diagnostics:
    """Return the diagnostics that a program has printed, in order."""
    found: list[Diagnostic] = []
    warnings = 0
    for stream in (ending.stderr, ending.stdout):
        for each in _read(stream[:MAX_READ_BYTES].decode("utf-8", "replace")):
            if len(found) >= MAX_DIAGNOSTICS:
                return tuple(found)
            warnings += each.kind == "warning"
            if each.kind != "warning" or warnings <= MAX_WARNINGS:
                found.append(each)
    return tuple(found)


def _read(text: str) -> Iterator[Diagnostic]:
    """Yield the places of a stream."""
    pending: Quoted | None = None
    frame: Diagnostic | None = None
    for whole in text.split("\n"):
        line = whole[:MAX_LINE]
        if match := _FRAME.match(line):
            if frame is not None:
                yield frame
            frame = _place(match, NOTHING_QUOTED, "aside")
        elif match := _ARROW.match(line) or _CALL.match(line):
            kind: Kind = "aside" if pending is None else "error"
            yield from _known(_place(match, pending or NOTHING_QUOTED, kind))
            pending = None
        elif match := _BRACKETED.match(line) or _LABELLED.match(line):
            message = match["message"]
            yield from _known(_place(match, quoted_in(message), _kind(message)))
        elif _RAISED.match(line):
            pending = quoted_in(line)
            if frame is not None:
                yield frame._replace(**pending._asdict(), kind="error")
            frame = None
    if frame is not None:
        yield frame


def quoted_in(message: str) -> Quoted:
    """Return the words that a message quotes, but for what it only guesses."""
    guess = _GUESS.search(message)
    certain = message[: guess.start()] if guess else message
    quoted = [match[1] for match in _QUOTED.finditer(certain)]
    bare = [word for match in _BARE.finditer(certain) for word in match.groups() if word]
    words = (word for text in (*quoted, *bare) for word in _NAME.findall(text))
    names = tuple(dict.fromkeys(words))[:MAX_NAMES]
    alone = (text for text in (*quoted, *bare) if _NAME.fullmatch(text))
    return Quoted(names, next(alone, ""))


def _kind(message: str) -> Kind:
    if _WARNING.match(message):
        return "warning"
    return "aside" if _ASIDE.match(message) else "error"


def _known(diagnostic: Diagnostic | None) -> Iterator[Diagnostic]:
    if diagnostic is not None:
        yield diagnostic


def _place(match: re.Match[str], quoted: Quoted, kind: Kind) -> Diagnostic | None:
    """Return what a match tells; None: it cannot be a place."""
    groups = match.groupdict()
    line, column = (int((groups.get(each) or "0")[:10]) for each in ("line", "column"))
    if not 0 < line < MAX_NUMBER or column >= MAX_NUMBER:
        return None
    names, missing = quoted
    return Diagnostic(match["path"].strip(), line, column, names, kind, missing)
