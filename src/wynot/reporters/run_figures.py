"""The figures of a run, and charts of them.

A fold costs about a microsecond, whatever came before; what takes longer is worked out only when it
is looked at. The one who holds a ``RunFigures`` locks it: events come from several threads.
"""

from collections import deque
from collections.abc import Callable, Sequence
from math import ceil, log
from typing import NamedTuple

from wynot.core import events
from wynot.core.deltas import Deltas
from wynot.core.standing import RunStatus

BLOCKS = " ▁▂▃▄▅▆▇█"
_FULL_BLOCK = len(BLOCKS) - 1


def bar(share: float, columns: int) -> tuple[str, str]:
    """Return the full and the empty part of a bar; what is not nothing has something to show."""
    share = min(1.0, max(0.0, share))
    halves = round(2 * columns * share)
    if share:
        halves = max(1, halves)
    full = "━" * (halves // 2) + "╸" * (halves % 2)
    return full, "─" * (columns - len(full))


def lowest(size: int, top: int) -> int:
    """Return the round number (1, 2, 5, 10, …) at which a curve down to a size may end."""
    ten = 10 ** (len(str(max(1, min(size, top - 1)))) - 1)
    return next((low for low in (5 * ten, 2 * ten, ten) if low <= size and low < top), 1)


def curve(
    steps: Sequence[tuple[float, int]], until: float, *, columns: int, rows: int
) -> list[str]:
    """Return the size over time as so many rows: a logarithmic scale from ``lowest`` to the first.

    A column shows the size at its end, so that the last one is that of now.
    """
    if not steps:
        return [""] * rows
    start, top = steps[0]
    low = lowest(min(size for _, size in steps), top)
    span = max(until - start, 1e-9)
    heights = []
    place = 0
    for column in range(columns):
        end = start + span * (column + 1) / columns
        while place + 1 < len(steps) and steps[place + 1][0] <= end:
            place += 1
        heights.append(_height(steps[place][1], low, top) * rows * _FULL_BLOCK)
    eighths = [max(1, round(height)) for height in heights]
    return [
        "".join(BLOCKS[min(_FULL_BLOCK, max(0, each - _FULL_BLOCK * row))] for each in eighths)
        for row in reversed(range(rows))
    ]


def _height(size: int, low: int, top: int) -> float:
    if size <= low:
        return 0.0
    return 1.0 if size >= top else log(size / low) / log(top / low)


def strip(deltas: Deltas, total: int, columns: int) -> str:
    """Return which of so many deltas are there, as one row.

    Of the deltas that a column stands for, the height shows how many there are.
    """
    row = ""
    for column in range(columns):
        low, high = column * total // columns, (column + 1) * total // columns
        high = max(low + 1, high)
        share = (deltas.rank(high) - deltas.rank(low)) / (high - low)
        row += BLOCKS[ceil(share * _FULL_BLOCK)]
    return row


_MAX_POINTS = 2_000
"""So many points of the size curve are kept; then every second one goes."""
_SAMPLE_SECONDS = 0.25
_WINDOW_SECONDS = 5.0
"""Rates are those of the last so many seconds, or of the last few tests if they take longer."""
_WINDOW_TESTS = 4
_BASIS_TESTS = 3
"""So many tests of the present pass have to have ended lately for a guess at how long it takes."""


class Sample(NamedTuple):
    """What the workers had done at a time."""

    time: float
    runs: int
    busy: float
    tests: int
    """Tests that were asked for, in commit order."""


class Load(NamedTuple):
    """What the workers did in the last seconds."""

    rate: float
    """Tests a second."""
    busy: float
    """How many workers were busy, on the average."""
    seconds: float
    """How long a test took."""


class Remaining(NamedTuple):
    """What a pass has yet to ask."""

    questions: int
    """At most, as long as nothing more goes."""
    is_last: bool
    """Whether it is about single parts: there is nothing finer to come."""
    seconds: float | None
    """How long that takes if all of them take a test, at the pace of late; None: no telling."""


class RunFigures(RunStatus):
    """The figures, as of the last event."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self.clock = clock
        self.start = self.now = clock()
        self.started: events.ReductionStarted | None = None
        self.size = 0
        self.steps: list[tuple[float, int]] = []
        """When the best case came to which size."""
        self.accepted = 0
        self.runs = 0
        self.timed_out = 0
        self.timed_out_seconds = 0.0
        self.before = 0
        """Bytes when the present pass began."""
        self.moved = self.start
        """When there was progress last."""
        self._pass_began = Sample(self.start, 0, 0.0, 0)
        self._doing_since = self.start
        self._single: set[int] = set()
        """Parts of the present pass that were asked about, each alone, since the last step."""
        self._tests_then = 0
        self._busy = 0.0
        self._last_run = self.start
        self._samples: deque[Sample] = deque([Sample(self.start, 0, 0.0, 0)], maxlen=2_000)

    def fold(self, event: events.Event) -> None:
        """Take an event in."""
        self.now = self.clock()
        if isinstance(event, events.Doing):
            self._do(event)
        super().fold(event)
        match event:
            case events.Ran():
                self._ran(event)
            case events.CandidateJudged():
                self._judged(event)
            case events.Accepted():
                self._accept(event)
            case events.SessionStarted():
                self._single.clear()
            case events.PassStarted():
                self.before, self._pass_began = self.size, self._sample()
                self._single.clear()
            case events.PassEnded():
                self.size = event.size
            case events.ReductionStarted():
                self._begin(event)

    @property
    def elapsed(self) -> float:
        """Seconds since the start, now."""
        return self.clock() - self.start

    @property
    def idle(self) -> float:
        """Seconds since there was progress last, now."""
        return self.clock() - self.moved

    @property
    def idle_tests(self) -> int:
        """Tests since there was progress last."""
        return self.tests - self._tests_then

    @property
    def silence(self) -> float:
        """Seconds since a test ended last, now."""
        return self.clock() - self._last_run

    @property
    def asked_alone(self) -> int:
        """How many parts of the present pass were asked about, each alone, since the last step."""
        return len(self._single)

    @property
    def doing_for(self) -> float:
        """Seconds since what is being done began, now."""
        return self.clock() - self._doing_since

    @property
    def busy(self) -> float:
        """Seconds that the tests took, all workers together."""
        return self._busy

    @property
    def original(self) -> int:
        """Bytes of the original."""
        return self.started.size if self.started else self.size

    def load(self) -> Load | None:
        """Say what the workers did lately; None if no test has ended yet."""
        if not self.runs:
            return None
        then = self._lately()
        runs, busy = self.runs - then.runs, self._busy - then.busy
        # What still runs has not told of itself, so the time after the last end says nothing.
        known = max(self._last_run - then.time, busy / self._jobs)
        took = max(self.clock() - then.time, known)
        return Load(runs / took if took else 0.0, busy / known if known else 0.0, busy / runs)

    def remaining(self) -> Remaining | None:
        """Say what the present pass has yet to ask; None if there is no basis for that."""
        question = self.question
        if question is None or question.left is None:
            return None
        then = max(self._lately(), self._pass_began)
        tests, took = self.tests - then.tests, self.clock() - then.time
        pace = took / tests if tests >= _BASIS_TESTS else None
        seconds = None if pace is None else pace * question.left
        return Remaining(question.left, question.verb == "drop" and question.about == 1, seconds)

    def _lately(self) -> Sample:
        """Return where the time begins of which rates are those: a test has ended since."""
        mean = self._busy / self.runs if self.runs else 0.0
        since = self.clock() - max(_WINDOW_SECONDS, _WINDOW_TESTS * mean)
        return next((each for each in self._samples if each.time >= since), self._samples[-1])

    def _sample(self) -> Sample:
        return Sample(self.now, self.runs, self._busy, self.tests)

    @property
    def _jobs(self) -> int:
        return max(1, self.started.jobs if self.started else 1)

    def _do(self, event: events.Doing) -> None:
        if self.doing is None or self.doing.what != event.what:
            self._doing_since = self.now

    def _begin(self, event: events.ReductionStarted) -> None:
        self.started, self.size = event, event.size
        self.steps = [(self.now, event.size)]
        self.moved = self._last_run = self.now

    def _ran(self, event: events.Ran) -> None:
        if self.now - self._samples[-1].time >= _SAMPLE_SECONDS:
            self._samples.append(self._sample())
        self.runs += 1
        self._busy += event.seconds
        if event.timed_out:
            self.timed_out += 1
            self.timed_out_seconds += event.seconds
        self._last_run = self.now

    def _judged(self, event: events.CandidateJudged) -> None:
        verb, deltas = event.candidate.edit
        if verb == "drop" and len(deltas) == 1:
            self._single.add(deltas.bounds[0])

    def _accept(self, event: events.Accepted) -> None:
        self.accepted, self.size = event.number, event.size
        self._tests_then = self.tests
        self.moved = self.now
        self._single.clear()
        self.steps.append((self.now, event.size))
        if len(self.steps) > _MAX_POINTS:
            del self.steps[1:-1:2]
