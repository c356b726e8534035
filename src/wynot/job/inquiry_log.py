"""The log of an inquiry, as ``--log`` writes and ``--replay`` reads it: one line for each question.

It is a text that people read, correct and attach to a report, as they do with that of ``git bisect
log``; and what it holds when it comes back may be anybody's. It is written and replayed by the
thread that searches, in commit order: so it is the same at any width.
"""

import json
import os
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from wynot.core.answer import Answer
from wynot.core.ending import Ending, ending_of
from wynot.core.errors import InvalidLog, InvalidOption, WynotError
from wynot.core.foreign_text import legible_line, parsed_json
from wynot.core.system.user_folders import masked
from wynot.core.verdict import Verdict
from wynot.disk.read_limited import read_limited
from wynot.disk.write import make_folder, refused
from wynot.oracle.trial import TrialResult

MAX_LOG_BYTES = 64 << 20
"""Bytes of a log: more is some other file, given by mistake."""
MAX_DESCRIPTION = 300
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
MAX_OUTPUT_BYTES = 16 << 10
"""Bytes of each stream of a run that go into a log: its beginning and its end."""
UNNAMED = "a case of its own"


class LogEntry(NamedTuple):
    """A question and its answer."""

    verdict: Verdict
    seconds: float
    digest: str
    description: str
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
    content = read_limited(path, most=MAX_LOG_BYTES, expected="a log that --log has written")
    first, *rest = content.decode("utf-8", "surrogateescape").split("\n")
    header = first.split()
    if header[:1] != [FIRST] or len(header) != len((FIRST, FORMAT, "command")):
        raise InvalidLog(
            f"{str(path)!r} is not a log of wynot: it begins with {first[:40]!r}",
            hint="give a file that --log has written",
        )
    if header[1] != FORMAT:
        raise InvalidLog(
            f"{str(path)!r} has format {header[1]!r}, and this wynot reads format {FORMAT}",
            hint="replay it with the version that has written it",
        )
    return VerdictLog(header[2], tuple(_entries(rest, str(path))))


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
                hint="a line is: verdict seconds digest description; # begins a comment",
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


class NamedCase(NamedTuple):
    """A case that is run outside of a search, and how a log names it."""

    subject: object
    digest: str
    description: str


class InquiryLog:
    """A log that is being written, if any, and the answers of an earlier one, if any."""

    def __init__(self, known: Sequence[LogEntry] = (), path: Path = Path()) -> None:
        self._path = path
        self._file: IO[str] | None = None
        self._runs: dict[str, deque[LogEntry]] = defaultdict(deque)
        self._verdicts: dict[str, list[LogEntry]] = defaultdict(list)
        for entry in known:
            if entry.ending is None:
                self._verdicts[entry.digest].append(entry)
            else:
                self._runs[entry.digest].append(entry)
        self._cases: dict[int, NamedCase] = {}
        self._is_empty = not known
        self._answers: dict[str, LogEntry] = {}
        """The last answer on each candidate of a search."""

    @classmethod
    def begin(
        cls, path: Path, command: str, remarks: Iterable[str], known: Sequence[LogEntry] = ()
    ) -> "InquiryLog":
        """Begin to write a log; raise if something else than a log is there."""
        _refuse_other(path)
        make_folder(path.parent)
        log = cls(known, path)
        try:
            log._file = path.open("w", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise refused(path, error) from error
        log._put(f"{FIRST} {FORMAT} {command}")
        for remark in remarks:
            log.remark(remark)
        return log

    @property
    def writes(self) -> bool:
        """Whether anything is written down."""
        return self._file is not None

    def call(self, subject: object, digest: bytes, description: str) -> None:
        """Describe a case that is run outside of a search, unless a search has described it."""
        key = short(digest)
        known = self._answers.get(key)
        name = known.description if known else description
        self._cases[id(subject)] = NamedCase(subject, key, name)

    def require(self, subject: object, path: str) -> None:
        """Raise if the earlier log has nothing on a case that is asked about first."""
        _, digest, description = self._name(subject)
        if not (self._is_empty or digest in self._runs or digest in self._verdicts):
            raise InvalidLog(
                f"{path!r} is a log of something else: it does not have {description}",
                hint="give the same files, revisions and arguments as when it was written",
            )

    def recall(self, digest: bytes) -> Answer | None:
        """Return the answer that the earlier log has on a candidate of a search."""
        found = self._verdicts.get(short(digest))
        return Answer(found[0].verdict, seconds=found[0].seconds) if found else None

    def recall_again(self, subject: object) -> Answer | None:
        """Return what it has on a case that is asked about once more: the last one."""
        found = self._verdicts.get(self._name(subject).digest)
        return Answer(found[-1].verdict, seconds=found[-1].seconds) if found else None

    def recall_runs(self, subject: object, most: int) -> list[TrialResult]:
        """Return the next runs that it has of a case: each is good for one run only."""
        waiting = self._runs.get(self._name(subject).digest, deque[LogEntry]())
        found: list[TrialResult] = []
        while waiting and len(found) < most:
            result = _result(waiting.popleft())
            if result is not None:
                found.append(result)
        return found

    def note(self, digest: bytes, answer: Answer, description: str) -> None:
        """Write an answer of a search down; one that was replayed took as long as it did then."""
        entry = LogEntry(answer.verdict, answer.seconds, short(digest), description)
        self._answers[short(digest)] = entry
        self.write(entry)

    def note_again(self, subject: object, answer: Answer) -> None:
        """Write down what came of asking about a case once more.

        If that is the same, it is only remarked: who corrects a verdict has one line to change.
        """
        _, digest, description = self._name(subject)
        known = self._answers.get(digest)
        if known is not None and known.verdict is answer.verdict:
            self.remark(f"asked again, {answer.verdict.value}: {description}")
        else:
            self.write(LogEntry(answer.verdict, answer.seconds, digest, description))

    def note_run(self, subject: object, result: TrialResult) -> None:
        """Write a single run down, with how it ended: the first one shows what the failure is."""
        _, digest, description = self._name(subject)
        endings = [_shortened(each).row for each in (result.ending, result.other) if each]
        self.write(LogEntry(result.verdict, round(result.seconds, 3), digest, description, endings))

    def remark(self, text: str) -> None:
        """Write a line for people only."""
        self._put(f"# {_line(text)}")

    def write(self, entry: LogEntry) -> None:
        """Write a question and its answer."""
        verdict, seconds, digest, description, ending = entry
        text = _line(description)[:MAX_DESCRIPTION]
        self._put(f"{verdict.value:{_COLUMN}} {seconds:7.2f} {digest} {text}")
        if ending is not None:
            self._put(f"    {_ENDING} {json.dumps(ending)}")

    def close(self) -> None:
        """Close the file."""
        try:
            if self._file is not None:
                self._file.close()
        except OSError as error:
            raise refused(self._path, error) from error

    def _put(self, line: str) -> None:
        """Write a line at once: what ends the run must not take it."""
        try:
            if self._file is not None:
                self._file.write(line + "\n")
                self._file.flush()
        except OSError as error:
            raise refused(self._path, error) from error

    def _name(self, subject: object) -> NamedCase:
        return self._cases.get(id(subject)) or NamedCase(subject, "0" * 16, UNNAMED)


def _result(entry: LogEntry) -> TrialResult | None:
    """Return what a run came to; None if the entry cannot be one."""
    rows = entry.ending if isinstance(entry.ending, list) else []
    endings = [ending_of(row) for row in rows]
    match endings:
        case [Ending() as ending]:
            return TrialResult(entry.verdict, ending)
        case [Ending() as ending, Ending() as other]:
            return TrialResult(entry.verdict, ending, other)
    return None


def _shortened(ending: Ending) -> Ending:
    return Ending(
        ending.status,
        round(ending.seconds, 3),
        ending.limit,
        _ends(ending.stdout),
        _ends(ending.stderr),
    )


def _ends(output: bytes) -> bytes:
    left_out = len(output) - MAX_OUTPUT_BYTES
    if left_out <= 0:
        return output
    half = MAX_OUTPUT_BYTES // 2
    return output[:half] + b"\n[... %d bytes left out ...]\n" % left_out + output[-half:]


def _line(text: str) -> str:
    """Return a text as one line that does nothing to a terminal, and gives no password away."""
    return legible_line(masked(text))


def _refuse_other(path: Path) -> None:
    """Raise if there is a file that is not a log, or nothing that could be written to."""
    try:
        content = read_limited(path, most=MAX_LOG_BYTES, expected="a new file")
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
