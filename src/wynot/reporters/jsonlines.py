r"""One JSON object a line, for programs.

``event`` is what happened, ``time`` the seconds since the start; the other fields are those of the
event. A byte of a name that is not UTF-8 is the lone surrogate that Python has for it, ``\udcff``,
so that the name can be had back; a number that JSON has not is null.
"""

import re
import time
from collections.abc import Callable, Mapping
from math import isfinite
from threading import RLock
from typing import TextIO

from wynot.core import events
from wynot.core.foreign_text import for_json
from wynot.reporters.outlet import Outlet
from wynot.reporters.reporter import Reporter

_INNER = (
    *(events.CandidateJudged, events.SessionStarted, events.SessionEnded, events.Ran),
    events.GivenUp,
)
"""They come for every test or search, too many for most."""

_NAMES: dict[type, str] = {
    events.ReductionStarted: "began",
    events.PassStarted: "pass_began",
    events.ReductionEnded: "ended",
    events.InquiryStarted: "inquired",
    events.LevelStarted: "level_began",
    events.InquiryEnded: "concluded",
}
"""Names that programs know, of events whose classes are called otherwise."""


class JsonLines(Reporter):
    """Writes events as they come, each handed on at once."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._outlet = Outlet(stream)
        self._clock = clock
        self._start = clock()
        self._lock = RLock()

    def handle(self, event: events.Event) -> None:
        """Write the event."""
        if not isinstance(event, _INNER):
            with self._lock:
                self._outlet.say(self._line(event))

    def _line(self, event: events.Event) -> str:
        seconds = round(self._clock() - self._start, 6)
        fields = {field: _plain(value) for field, value in event._asdict().items()}
        return for_json({"event": name(type(event)), "time": seconds, **fields})


def name(kind: type) -> str:
    """Return the name of an event in JSON: ``pass_ended`` of ``PassEnded``."""
    return _NAMES.get(kind) or re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _plain(value: object) -> object:
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return value
