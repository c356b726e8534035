r"""One JSON object a line, for programs.

``event`` is what happened, ``time`` the seconds since the start; the other fields are those of the
event. A byte of a name that is not UTF-8 is the lone surrogate that Python has for it, ``\udcff``,
so that the name can be had back; a number that JSON has not is null.
"""

import json
import re
import time
from collections.abc import Callable
from math import isfinite
from threading import RLock
from typing import TextIO

from wynot.core.candidate import Candidate
from wynot.core.events import (
    CandidateJudged,
    Event,
    InquiryEnded,
    InquiryStarted,
    LevelStarted,
    PassStarted,
    Ran,
    ReductionEnded,
    ReductionStarted,
    SessionEnded,
    SessionStarted,
)
from wynot.core.verdict import Verdict
from wynot.reporters.outlet import Outlet
from wynot.reporters.reporter import Reporter

_INNER = (CandidateJudged, SessionStarted, SessionEnded, Ran)
"""They come for every test or search, too many for most."""

_NAMES: dict[type, str] = {
    SessionStarted: "started",
    CandidateJudged: "asked",
    SessionEnded: "finished",
    ReductionStarted: "began",
    PassStarted: "pass_began",
    ReductionEnded: "ended",
    InquiryStarted: "inquired",
    LevelStarted: "level_began",
    InquiryEnded: "concluded",
}
"""Names that programs know, of events whose classes are called otherwise."""


class JsonLines(Reporter):
    """Writes events as they come, each handed on at once; with ``every``, also those of each test.

    A candidate is written as its name and how many deltas it keeps, and not what a search had
    found before.
    """

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        *,
        every: bool = False,
    ) -> None:
        self._outlet = Outlet(stream)
        self._clock = clock
        self._start = clock()
        self._every = every
        self._lock = RLock()

    def handle(self, event: Event) -> None:
        """Write the event."""
        if isinstance(event, _INNER) and not self._every:
            return
        with self._lock:
            self._outlet.say(self._line(event))

    def _line(self, event: Event) -> str:
        fields: dict[str, object] = {
            "event": name(type(event)),
            "time": round(self._clock() - self._start, 6),
        }
        for field, value in event._asdict().items():
            if field == "so_far":
                continue
            if isinstance(value, Candidate):
                fields |= {field: value.name, "kept": kept(value)}
            else:
                fields[field] = _plain(value)
        return json.dumps(fields)


def name(kind: type) -> str:
    """Return the name of an event in JSON: ``pass_ended`` of ``PassEnded``."""
    return _NAMES.get(kind) or re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def kept(candidate: Candidate) -> int:
    """Return how many deltas a candidate keeps, without building it."""
    base, (verb, deltas) = len(candidate.base), candidate.edit
    return {"keep": len(deltas), "drop": base - len(deltas), "add": base + len(deltas)}[verb]


def _plain(value: object) -> object:
    if isinstance(value, Verdict):
        return value.value
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value
