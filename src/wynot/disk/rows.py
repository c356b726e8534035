"""The rows of a journal, and whether what a file holds can be one of them.

SQLite takes any value for any column, and a file may have been damaged, or edited: so nothing that
is read is used before it has the right shape. A run depends on some kinds of events: a row of these
that makes no sense is damage. The others are for people, and such a row of them is left out.

docs/reference/journal.md lists the kinds.
"""

import json
import math
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NamedTuple

from wynot.core import events
from wynot.core.files import Files
from wynot.core.foreign_text import MAX_JSON_CHARS, read_json
from wynot.core.system.beneath import PERMISSION_BITS
from wynot.core.system.folder_files import stays_inside
from wynot.core.verdict import Verdict
from wynot.disk.seal import SEALED_FACTS

CREATED, ORIGINAL, FACT = "created", "original", "fact"
RAN, STEP, FORGET, STATUS = "ran", "step", "forget", "status"

MAX_STEPS = 10**9
"""No run has as many steps."""
MAX_SECONDS = 1e9
"""No run takes as long."""
DIGEST_BYTES = 32
EXPLAIN_EPOCH = 1 << 20
"""The epoch of verdicts that an explanation has asked for, after the reduction: no reduction has as
many."""

VERDICTS = {verdict.value: verdict for verdict in Verdict}
_VERDICT_TYPES = ([int, str, int, bool], [int, str, int, bool, str])


class StepRow(NamedTuple):
    """An accepted step."""

    number: int
    pass_name: str
    candidate: str
    tests: int
    seconds: float
    size: int
    digest: bytes


class JournalStep(NamedTuple):
    """A step, and what it changes in the one before."""

    row: StepRow
    patch: bytes
    """The digest of the blob."""


class VerdictRow(NamedTuple):
    """A verdict that the test gave."""

    digest: bytes
    epoch: int
    verdict: Verdict
    how: str
    """How the deciding run ended, in a few words."""
    seconds: float
    worker: int = 0
    timed_out: bool = False
    diagnostics: str | None = None
    """What the program has complained of, as JSON; None if nobody has listened."""


class OriginalFile(NamedTuple):
    """A file or link of the original; the content is in a blob."""

    path: str
    mode: int | None
    link: str | None
    blob: bytes


Row = tuple[object, object, object, object, object]
"""A row of the log as it is read: seq, at, kind, key, body."""


def is_time(seconds: float) -> bool:
    """Tell whether a number can be seconds of a run."""
    return 0 <= seconds < MAX_SECONDS  # of what is not a number, too


def verdict_body(row: VerdictRow) -> str:
    """Return the body of a verdict."""
    # It is written for every test: this takes a third of the time of `json.dumps`.
    _, epoch, verdict, how, seconds, worker, timed_out, diagnostics = row
    is_out = "true" if timed_out else "false"
    more = "" if diagnostics is None else f",{quoted(diagnostics)}"
    return f'[{epoch},"{verdict.value}",{quoted(how)},{seconds:.4f},{worker},{is_out}{more}]'


def read_verdict(key: object, body: object) -> VerdictRow | None:
    """Return a verdict, None if the row cannot be one."""
    # There are many: the checks of `read_json`, or a `match`, would take as long again.
    if type(key) is not bytes or type(body) is not str or len(body) > MAX_JSON_CHARS:
        return None
    try:
        epoch, name, how, seconds, worker, timed_out, *more = json.loads(body)
        verdict = VERDICTS[name]
        is_sound = is_time(seconds) and epoch >= 0 and worker >= 0
    except (ValueError, TypeError, KeyError, RecursionError, MemoryError):
        return None
    types = [*map(type, (epoch, how, worker, timed_out, *more))]
    if is_sound and types in _VERDICT_TYPES:
        return VerdictRow(key, epoch, verdict, how, float(seconds), worker, timed_out, *more)
    return None


def step_body(step: JournalStep) -> str:
    """Return the body of a step."""
    return json.dumps([*step.row[:-1], step.patch.hex()])


def read_step(key: object, body: object) -> JournalStep | None:
    """Return a step, None if the row cannot be one."""
    match key, read_json(body):
        case (
            bytes(digest),
            [
                int(number),
                str(pass_name),
                str(candidate),
                int(tests),
                int() | float() as seconds,
                int(size),
                str(patch),
            ],
        ) if (
            0 < number < MAX_STEPS
            and min(tests, size) >= 0
            and len(digest) == DIGEST_BYTES
            and is_time(seconds)
        ):
            row = StepRow(number, pass_name, candidate, tests, float(seconds), size, digest)
            return JournalStep(row, blob) if (blob := _digest(patch)) else None
    return None


def original_body(file: OriginalFile) -> str:
    """Return the body of a file or link of the original."""
    return json.dumps(file[:3])


def read_original(key: object, body: object) -> OriginalFile | None:
    """Return a file or link of the original, None if the row cannot be one."""
    match key, read_json(body):
        case (bytes(blob), [str(path), (int() | None) as mode, None]) if stays_inside(path):
            bits = None if mode is None else mode & PERMISSION_BITS
            return OriginalFile(path, bits, None, blob)
        case (None, [str(path), None, str(link)]) if stays_inside(path):
            return OriginalFile(path, None, link, b"")
    return None


def _digest(text: str) -> bytes:
    """Return a digest that is written in hexadecimal; empty if it is not."""
    try:
        digest = bytes.fromhex(text)
    except ValueError:
        return b""
    return digest if len(digest) == DIGEST_BYTES else b""


def files_of(rows: Sequence[OriginalFile], contents: Mapping[bytes, bytes]) -> Files:
    """Return the original that is made of these files and links."""
    return Files(
        {row.path: contents[row.blob] for row in rows if row.link is None},
        {row.path: row.mode for row in rows if row.link is None and row.mode is not None},
        {row.path: row.link for row in rows if row.link is not None},
    )


def read_facts(body: object) -> dict[str, str]:
    """Return the facts that a run was begun with; none if they cannot be such."""
    found = read_json(body)
    is_sound = isinstance(found, dict) and all(isinstance(each, str) for each in found.values())
    return found if isinstance(found, dict) and is_sound else {}


class JournalRecord:
    """What a run depends on: a fold over the log."""

    def __init__(self) -> None:
        self.facts: dict[str, str] = {}
        self.original: list[OriginalFile] = []
        self.steps: dict[int, JournalStep] = {}
        self.last = 0
        """The number of the last step."""
        self.verdicts = 0

    def fold(self, event: Row) -> bool:
        """Take an event in; tell whether it makes sense."""
        _, _, kind, key, body = event
        is_sound = kind in EVENTS or kind == STATUS
        match kind:
            case "ran" if read_verdict(key, body) is not None:
                self.verdicts += 1
                is_sound = True
            case "step" if (step := read_step(key, body)) is not None:
                self.accept(step)
                is_sound = True
            case "fact" if isinstance(key, str) and isinstance(body, str):
                is_sound = key not in SEALED_FACTS
                if is_sound:
                    self.facts[key] = body
            case "forget" if isinstance(last := read_json(body), int):
                self.forget_after(last)
                is_sound = True
            case "original" if (file := read_original(key, body)) is not None:
                self.original.append(file)
                is_sound = True
            case "created" if not self.facts:
                self.facts = read_facts(body)
                is_sound = bool(self.facts)
        return is_sound

    def accept(self, step: JournalStep) -> None:
        """Take a step in; if it is another than before, those after it do not count any more."""
        number = step.row.number
        there = self.steps.get(number)
        if there is not None and there.row.digest != step.row.digest:
            self.forget_after(number)
        self.steps[number] = step
        self.last = max(self.last, number)

    def forget_after(self, last: int) -> None:
        """Let the steps after one not count any more."""
        if self.last > last:
            self.steps = {number: each for number, each in self.steps.items() if number <= last}
            self.last = max(self.steps, default=0)


EVENTS: dict[str, type[Any]] = {
    events.event_name(kind): kind
    for kind in (
        events.ReductionStarted,
        events.PassStarted,
        events.PassEnded,
        events.GivenUp,
        events.Noticed,
        events.Doing,
        events.ReductionEnded,
    )
}
"""The events that are written down as they are."""
_UNWRITTEN = {"options"}
"""Fields that are facts already."""


def event_body(event: events.Event) -> str:
    """Return the body of an event that is written down as it is."""
    fields = {name: value for name, value in event._asdict().items() if name not in _UNWRITTEN}
    is_wide = {name for name, value in fields.items() if value == math.inf}
    return json.dumps({**fields, **dict.fromkeys(is_wide, 0)})


def read_event(kind: str, key: object, body: object) -> events.Event | None:
    """Return the event that a row tells of, None if it cannot be one."""
    match kind:
        case "ran" if (ran := read_verdict(key, body)) is not None:
            _, _, verdict, how, seconds, worker, timed_out, _ = ran
            return events.Ran(worker, verdict, seconds, how, timed_out)
        case "step" if (step := read_step(key, body)) is not None:
            number, name, candidate, tests, _, size, _ = step.row
            return events.Accepted(number, size, tests, name, candidate)
        case "status":
            return events.StatusRead(read_json(body))
    fields, model = read_json(body), EVENTS.get(kind)
    try:
        if model is not None and isinstance(fields, dict):
            hints = model.__annotations__
            typed = {name: _field(hints[name], value) for name, value in fields.items()}
            event: events.Event = model(**typed)
            return event
    except (KeyError, TypeError):
        pass
    return None


_TEXTS, _PAIRS = tuple[str, ...], tuple[tuple[str, int], ...]


def _field(hint: object, value: object) -> object:
    """Return a field as its event has it; raise TypeError if it cannot be one."""
    match value:
        case None if hint == _TEXTS | None:
            return None
        case bool() | str() if type(value) is hint:
            return value
        case int() if hint is int and value >= 0:
            return value
        case int() | float() if hint is float and is_time(value):
            return float(value)
        case [*rows] if hint in {_TEXTS, _TEXTS | None}:
            return tuple(map(_text, rows))
        case [*rows] if hint == _PAIRS:
            return tuple(map(_pair, rows))
    raise TypeError


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError


def _pair(value: object) -> tuple[str, int]:
    match value:
        case [str(name), int(count)]:
            return name, count
    raise TypeError
