"""Where in a case the places are that a program complains of: from a line to a token."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from wynot.core.complaints import Complaint, Kind
from wynot.core.deltas import Deltas
from wynot.core.parts import CutText

_LINE_END = re.compile(rb"\n")


class Located(NamedTuple):
    """A complaint, and the token that it is about."""

    token: int
    names: tuple[str, ...]
    kind: Kind
    missing: str


class WrittenPlaces:
    """The tokens of one text as a candidate has them."""

    def __init__(self, text: CutText, kept: Deltas) -> None:
        written = text.write(kept)
        runs = kept.part(kept.rank(text.first), kept.rank(text.after)).runs
        self._text = text
        self._lasts = [stop - text.first - 1 for _, stop in runs]
        self._firsts, self._shifts = written.firsts, written.shifts
        self._offsets = [
            text.starts[first] + shift
            for first, shift in zip(self._firsts, self._shifts, strict=True)
        ]
        self._lines = [0, *(match.end() for match in _LINE_END.finditer(written.content))]
        self._end = len(written.content)

    def token(self, line: int, column: int) -> int | None:
        """Return the token that stands at a place, or before it; None: there is no such line."""
        if line > len(self._lines) or not self._offsets:
            return None
        start = self._lines[line - 1]
        after = self._lines[line] - 1 if line < len(self._lines) else self._end
        at = min(start + max(column - 1, 0), after)
        run = max(bisect_right(self._offsets, at) - 1, 0)
        there = bisect_right(self._text.starts, at - self._shifts[run]) - 1
        return self._text.first + min(max(there, self._firsts[run]), self._lasts[run])


def located(
    complaints: Iterable[Complaint], texts: Sequence[CutText], kept: Deltas
) -> Iterator[Located]:
    """Yield the complaints that are about a token of a candidate; whatever else is said counts not.

    ``kept`` is what the candidate consists of.
    """
    written: dict[str, WrittenPlaces] = {}
    for path, line, column, names, kind, missing in complaints:
        text = _text_at(path, texts)
        if text is None:
            continue
        if text.path not in written:
            written[text.path] = WrittenPlaces(text, kept)
        token = written[text.path].token(line, column)
        if token is not None:
            yield Located(token, names, kind, missing)


def _text_at(path: str, texts: Sequence[CutText]) -> CutText | None:
    """Return the text that a path means, as seen from some folder; None: it is not clear."""
    parts = PurePosixPath(path).parts
    found = [text for text in texts if _ends_alike(parts, PurePosixPath(text.path).parts)]
    exact = [text for text in found if text.path == path]
    return (exact or found)[0] if len(exact or found) == 1 else None


def _ends_alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    common = min(len(one), len(other))
    return common > 0 and one[-common:] == other[-common:]
