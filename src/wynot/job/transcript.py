"""What was run in an inquiry: written to a log, and taken from an earlier one.

All of it is called by the thread that searches, and in commit order: the same at any width.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import NamedTuple, cast, get_args

from wynot.core.answer import Answer
from wynot.core.ending import Ending, LimitHit
from wynot.core.errors import InvalidLog
from wynot.disk.verdict_log import LogEntry, LogWriter, short
from wynot.oracle.trial import TrialResult

AGES_SECONDS = 1e7
"""Seconds: no test takes as long."""


def row_of(ending: Ending) -> list[object]:
    """Return a row that has it all."""
    return [*ending[:3], ending.stdout.decode("latin-1"), ending.stderr.decode("latin-1")]


def ending_in(row: object) -> Ending | None:
    """Return the ending that a row is of; None if it cannot be one."""
    match row:
        case [int(status), int() | float() as seconds, limit, str(stdout), str(stderr)]:
            is_latin = max(stdout + stderr, default="") <= "\xff"
            if limit in get_args(LimitHit) and 0 <= seconds < AGES_SECONDS and is_latin:
                streams = stdout.encode("latin-1"), stderr.encode("latin-1")
                return Ending(status, seconds, cast("LimitHit", limit), *streams)
    return None


MAX_OUTPUT_BYTES = 16 << 10
"""Bytes of each stream of a run that go into a log: its beginning and its end."""
UNNAMED = "a case of its own"


class NamedCase(NamedTuple):
    """A case that is run outside of a search, and how a log names it."""

    subject: object
    digest: str
    description: str


class Transcript:
    """A log that is being written, if any, and the answers of an earlier one, if any."""

    def __init__(self, writer: LogWriter | None = None, known: Sequence[LogEntry] = ()) -> None:
        self._writer = writer
        self._runs: dict[str, deque[LogEntry]] = defaultdict(deque)
        self._verdicts: dict[str, list[LogEntry]] = defaultdict(list)
        for entry in known:
            if entry.ending is None:
                self._verdicts[entry.digest].append(entry)
            else:
                self._runs[entry.digest].append(entry)
        self._named: dict[int, NamedCase] = {}
        self._is_empty = not known
        self._noted: dict[str, LogEntry] = {}
        """The last line on each candidate of a search."""

    @property
    def writes(self) -> bool:
        """Whether anything is written down."""
        return self._writer is not None

    def call(self, subject: object, digest: bytes, description: str) -> None:
        """Describe a case that is run outside of a search, unless a search has described it."""
        key = short(digest)
        known = self._noted.get(key)
        self._named[id(subject)] = NamedCase(subject, key, known.words if known else description)

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
        """Return what it has on a case that is asked about once more: what it said last."""
        found = self._verdicts.get(self._name(subject).digest)
        return Answer(found[-1].verdict, seconds=found[-1].seconds) if found else None

    def recall_runs(self, subject: object, most: int) -> list[TrialResult]:
        """Return the next runs that it has of a case: each is good for one run only."""
        waiting = self._runs.get(self._name(subject).digest, deque[LogEntry]())
        found: list[TrialResult] = []
        while waiting and len(found) < most:
            result = _result_of(waiting.popleft())
            if result is not None:
                found.append(result)
        return found

    def note(self, digest: bytes, answer: Answer, description: str) -> None:
        """Write an answer of a search down; one that was replayed took as long as it did then."""
        entry = LogEntry(answer.verdict, answer.seconds, short(digest), description)
        self._noted[short(digest)] = entry
        self._write(entry)

    def note_again(self, subject: object, answer: Answer) -> None:
        """Write down what came of asking about a case once more.

        If that is the same, it is only remarked: who corrects a verdict has one line to change.
        """
        _, digest, description = self._name(subject)
        known = self._noted.get(digest)
        if known is not None and known.verdict is answer.verdict:
            self.remark(f"asked again, {answer.verdict.value}: {description}")
        else:
            self._write(LogEntry(answer.verdict, answer.seconds, digest, description))

    def note_run(self, subject: object, result: TrialResult) -> None:
        """Write a single run down, with how it ended: the first one shows what the failure is."""
        _, digest, description = self._name(subject)
        endings = [row_of(_shortened(each)) for each in (result.ending, result.other) if each]
        self._write(
            LogEntry(result.verdict, round(result.seconds, 3), digest, description, endings)
        )

    def remark(self, text: str) -> None:
        """Write a line for people only."""
        if self._writer is not None:
            self._writer.remark(text)

    def close(self) -> None:
        """Let the log go."""
        if self._writer is not None:
            self._writer.close()

    def _name(self, subject: object) -> NamedCase:
        return self._named.get(id(subject)) or NamedCase(subject, "0" * 16, UNNAMED)

    def _write(self, entry: LogEntry) -> None:
        if self._writer is not None:
            self._writer.write(entry)


def _result_of(entry: LogEntry) -> TrialResult | None:
    """Return what a run came to; None if what is kept does not say."""
    rows = entry.ending if isinstance(entry.ending, list) else []
    endings = [ending_in(row) for row in rows]
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
