"""A log of verdicts, as ``--log`` writes and ``--replay`` reads it: one line for each question.

It is a text that people read, correct and attach to a report, as they do with that of ``git bisect
log``; and whatever it holds when it comes back, it may be anybody's.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from wynot.core.errors import InvalidLog, InvalidOption, WynotError
from wynot.core.foreign_text import legible_line, parsed_json
from wynot.core.system.user_folders import masked
from wynot.core.verdict import Verdict
from wynot.disk.read_limited import read_limited
from wynot.disk.write import make_folder, refused

MAX_LOG_BYTES = 64 << 20
"""Bytes of a log: more is some other file, given by mistake."""
MAX_WORDS = 300
"""Characters that are written of what was asked."""
MAX_SECONDS = 1e7
DIGEST_DIGITS = 16
"""How many hexadecimal digits a question is known by: no run asks so many that two are the same."""

FIRST = "wynot-log"
FORMAT = "1"
VERDICTS = {verdict.value: verdict for verdict in Verdict}
_COLUMN = max(map(len, VERDICTS))
_DIGEST = re.compile(rf"[0-9a-f]{{{DIGEST_DIGITS}}}")
_ENDING = "ending"


class LogEntry(NamedTuple):
    """A question and its answer."""

    verdict: Verdict
    seconds: float
    digest: str
    words: str
    ending: object = None
    """How the program ended, if it was run once for its own sake; whoever reads it looks at it."""


class VerdictLog(NamedTuple):
    """What a log holds."""

    command: str
    entries: tuple[LogEntry, ...]


def short(digest: bytes) -> str:
    """Return what a question is known by."""
    return digest.hex()[:DIGEST_DIGITS]


def read_log(path: Path) -> VerdictLog:
    """Read a log; raise if a line of it makes no sense."""
    content = read_limited(path, most=MAX_LOG_BYTES, meant="a log that --log has written")
    first, *rest = content.decode("utf-8", "surrogateescape").split("\n")
    words = first.split()
    if words[:1] != [FIRST] or len(words) != len((FIRST, FORMAT, "command")):
        raise InvalidLog(
            f"{str(path)!r} is not a log of wynot: it begins with {first[:40]!r}",
            hint="give a file that --log has written",
        )
    if words[1] != FORMAT:
        raise InvalidLog(
            f"{str(path)!r} has format {words[1]!r}, and this wynot reads format {FORMAT}",
            hint="replay it with the version that has written it",
        )
    return VerdictLog(words[2], tuple(_entries(rest, str(path))))


def _entries(lines: Iterable[str], path: str) -> Iterator[LogEntry]:
    last: LogEntry | None = None
    for number, line in enumerate(lines, start=2):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            if line[0].isspace():
                last = _with_ending(last, line.split(maxsplit=1))
                continue
            now = _entry(line.split(maxsplit=3))
        except ValueError as why:
            raise InvalidLog(
                f"line {number} of {path!r} {why}: {line[:80]!r}",
                hint="a line is: verdict seconds digest words; # begins a comment",
            ) from None
        if last is not None:
            yield last
        last = now
    if last is not None:
        yield last


def _entry(parts: list[str]) -> LogEntry:
    """Read the parts of a line; a ValueError says what is wrong with it."""
    verdict = VERDICTS.get(parts[0])
    if verdict is None:
        raise ValueError(f"does not begin with one of {', '.join(VERDICTS)}")
    if len(parts) < len(("verdict", "seconds", "digest")):
        raise ValueError("is too short")
    try:
        seconds = float(parts[1])
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < MAX_SECONDS:
        raise ValueError("has no number of seconds")
    if not _DIGEST.fullmatch(parts[2]):
        raise ValueError(f"has no digest of {DIGEST_DIGITS} hexadecimal digits")
    return LogEntry(verdict, seconds, parts[2], "".join(parts[3:]))


def _with_ending(entry: LogEntry | None, parts: list[str]) -> LogEntry:
    """Add an indented line to the one above it."""
    if entry is None or entry.ending is not None:
        raise ValueError("belongs to no line above it")
    if parts[0] != _ENDING or len(parts) == 1:
        raise ValueError("is indented, but does not say how a run ended")
    try:
        return entry._replace(ending=parsed_json(parts[1]))
    except (ValueError, RecursionError):
        raise ValueError("has an ending that is not JSON") from None


class LogWriter:
    """Writes a log, line by line: whatever ends the run, all that was asked until then is there."""

    def __init__(self, path: Path, command: str, remarks: Iterable[str]) -> None:
        """Begin a log; raise if something else than a log is there."""
        self._path = path
        _refuse_other(path)
        make_folder(path.parent)
        try:
            self._file: IO[str] = path.open("w", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise refused(path, error) from error
        self._put(f"{FIRST} {FORMAT} {command}")
        for remark in remarks:
            self.remark(remark)

    def remark(self, text: str) -> None:
        """Write a comment."""
        self._put(f"# {_line(text)}")

    def write(self, entry: LogEntry) -> None:
        """Write a question and its answer."""
        verdict, seconds, digest, words, ending = entry
        self._put(f"{verdict.value:{_COLUMN}} {seconds:7.2f} {digest} {_line(words)[:MAX_WORDS]}")
        if ending is not None:
            self._put(f"    {_ENDING} {json.dumps(ending)}")

    def close(self) -> None:
        """Let the file go."""
        try:
            self._file.close()
        except OSError as error:
            raise refused(self._path, error) from error

    def _put(self, line: str) -> None:
        try:
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as error:
            raise refused(self._path, error) from error


def _line(text: str) -> str:
    """Return a text as one line that does nothing to a terminal, and gives no password away."""
    return legible_line(masked(text))


def _refuse_other(path: Path) -> None:
    """Raise if there is a file that is not a log, or nothing that could be written to."""
    try:
        content = read_limited(path, most=MAX_LOG_BYTES, meant="a new file")
    except WynotError:
        if os.path.lexists(path):
            raise
        return
    if content and not content.startswith(FIRST.encode()):
        raise InvalidOption(
            f"is {str(path)!r}, which is not a log: it would be overwritten",
            option="log",
            hint="give a new file",
        )
