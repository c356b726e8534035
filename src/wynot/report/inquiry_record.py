"""What an inquiry has told, kept for its page: its journal goes when it is finished."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from wynot.core.events import (
    Answered,
    Event,
    GivenUp,
    InquiryEnded,
    InquiryStarted,
    LevelStarted,
    Narrowed,
    Noticed,
    Ran,
)
from wynot.disk.chronicle import GIVEN_UP, RunSpan

MAX_SPANS = 200_000
"""Tests whose time is kept; a picture of more would be the same."""


@dataclass(slots=True)
class NarrowedLevel:
    """A level of a question: how many groups there were, and how many after so many tests."""

    question: str
    level: str
    units: int
    points: list[tuple[int, int]] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many there are in the end."""
        return self.points[-1][1] if self.points else self.units


@dataclass(slots=True)
class InquiryRecord:
    """Hands events on, and keeps what a page tells. Any thread may call it."""

    observe: Callable[[Event], None]
    clock: Callable[[], float] = monotonic
    started: InquiryStarted | None = None
    ended: InquiryEnded | None = None
    levels: list[NarrowedLevel] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    spans: list[RunSpan] = field(default_factory=list)
    _began: float = field(init=False)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._began = self.clock()

    def handle(self, event: Event) -> None:
        """Keep what belongs on the page, and hand the event on."""
        with self._lock:
            self._keep(event)
        self.observe(event)

    def _keep(self, event: Event) -> None:
        match event:
            case Ran():
                self._span(event.worker, event.seconds, event.verdict.value)
            case GivenUp():
                self._span(event.worker, event.seconds, GIVEN_UP)
            case InquiryStarted():
                self.started = event
            case LevelStarted():
                self.levels.append(NarrowedLevel(event.question, event.level, event.units))
            case Narrowed() if self.levels:
                self.levels[-1].points.append((event.tests, event.units))
            case Answered():
                self.answers.append(event)
            case Noticed():
                self.notices.append(event.message)
            case InquiryEnded():
                self.ended = event

    def _span(self, worker: int, seconds: float, what: str) -> None:
        if len(self.spans) < MAX_SPANS:
            self.spans.append(RunSpan(self.clock() - self._began, seconds, worker, what))
