"""Namesakes: hunks that go with a change, by the names they have in common.

A line that uses a name goes with the one that defines it, or imports it; and what takes a
definition out goes with what takes its uses out. Whether a guess like that is right, a test says.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from posixpath import splitext
from typing import NamedTuple

from wynot.core.deltas import NONE, Deltas
from wynot.inquiries.changes.circumstance import Changes

_NAME = re.compile(rb"[^\W\d]\w\w+")
"""Names of any language; those of one or two letters say little."""
_DEFINED = re.compile(
    rb"\s*(?!(?:return|if|elif|else|for|while|yield|raise|await|assert|del|case|throw|new)\b)"
    rb"(?:(?:[\w*&<>]+\s+)+([^\W\d]\w\w+)\s*[(:{=;]|([^\W\d]\w\w+)\s*=[^=])"
)
"""``def name(``, ``class Name:``, ``int name;``, ``name = ``."""
_IMPORTED = re.compile(rb"\bimport\b(.*)")
_WHOLE = re.compile(rb"(.*)")
MAX_MENTIONS = 8
"""A name in more hunks is a common word."""
MAX_STEPS = 4
"""How far it goes from one name to the next."""


class _Lines(NamedTuple):
    """Lines that a hunk brings in, and those that it takes out."""

    path: str
    come: list[bytes]
    gone: list[bytes]


def namesakes(
    changes: Changes, deltas: Deltas, among: Deltas, *, back: bool = False, steps: int = MAX_STEPS
) -> Deltas:
    """Return these hunks with those among some deltas that go with them, and so on, a few times.

    ``back``: if all are taken back.
    """
    others = _lines(changes, among, back=back)
    for _ in range(steps):
        own = _lines(changes, deltas, back=back)
        more = _next(changes, own, among, others)
        if not more:
            break
        deltas = Deltas.covering((*deltas.runs, *more.runs))
    return deltas


def moved_lines(changes: Changes, deltas: Deltas, among: Deltas) -> Deltas:
    """Return what brings in the lines of these deltas once more, indented in another way or not.

    A line that was moved since is not taken back with the change that has brought it in first.
    """
    own = _lines(changes, deltas, back=False).values()
    new = {line.strip() for each in own for line in each.come}
    whole = changes.deltas
    return Deltas.of(
        each
        for each in among
        if changes.described[each].kind in {"added line", "replaced line"}
        and changes.described[each].text.strip() in new
        and changes.conflict(whole.toggle(Deltas.of([each]))) is None  # it is still there
    )


def _next(
    changes: Changes, own: Mapping[int, _Lines], among: Deltas, others: Mapping[int, _Lines]
) -> Deltas:
    """Return the other hunks that go with these, those of the same files or kinds of files."""
    come = [line for each in own.values() for line in each.come]
    gone = [line for each in own.values() for line in each.gone]
    used = _names(come) - _names(gone) - _made(come)
    undefined = _defined(gone) - _names(come)
    places: dict[bytes, dict[int, str]] = defaultdict(dict)
    for hunk, lines in others.items() if used or undefined else ():
        if hunk not in own:
            names = used & _defined(lines.come) if used else set()
            names |= undefined & _names(lines.gone) if undefined else set()
            for name in names:
                places[name][hunk] = lines.path
    paths = {each.path for each in own.values()}
    hunks: set[int] = set()
    for those in places.values():
        nearest = _nearest(those, paths)
        hunks |= nearest if len(nearest) <= MAX_MENTIONS else set()
    found = Deltas.of(each for each in among if changes.hunk_of(each) in hunks)
    return changes.whole(found, "hunks") if found else NONE


def _nearest(places: Mapping[int, str], paths: Collection[str]) -> set[int]:
    """Return the hunks in the same files, else in files of the same kinds."""
    kinds = {splitext(path)[1] for path in paths}
    inside = {hunk for hunk, path in places.items() if path in paths}
    return inside or {hunk for hunk, path in places.items() if splitext(path)[1] in kinds}


def _lines(changes: Changes, deltas: Deltas, *, back: bool) -> dict[int, _Lines]:
    """Return the lines of each hunk, with their directions changed if it is taken back."""
    found: dict[int, _Lines] = {}
    for each in deltas:
        delta = changes.described[each]
        if delta.line:
            lines = found.setdefault(changes.hunk_of(each), _Lines(delta.path, [], []))
            come, gone = (lines.gone, lines.come) if back else lines[1:]
            (gone if delta.kind == "removed line" else come).append(delta.text)
            gone.append(delta.was)
    return found


def _names(lines: Iterable[bytes]) -> set[bytes]:
    """Return the names in lines; of an import only what is imported."""
    parts = (_IMPORTED.search(line) or _WHOLE.match(line) for line in lines)
    return {name for part in parts if part for name in _NAME.findall(part[1])}


def _defined(lines: Sequence[bytes]) -> set[bytes]:
    """Return the names that lines seem to define, or to import."""
    imported = filter(None, map(_IMPORTED.search, lines))
    return _made(lines).union(*(_NAME.findall(each[1]) for each in imported))


def _made(lines: Iterable[bytes]) -> set[bytes]:
    """Return the names that lines seem to define."""
    return {each[1] or each[2] for each in map(_DEFINED.match, lines) if each}
