"""The events of a run, told after its journal: as far as that knows of them, and at their times."""

import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from wynot.core.events import (
    Accepted,
    Doing,
    Event,
    GivenUp,
    Noticed,
    PassEnded,
    PassStarted,
    Ran,
    ReductionEnded,
    ReductionStarted,
)
from wynot.core.standing import Standing
from wynot.core.verdict import Verdict
from wynot.core.watch_events import StandingRead
from wynot.disk.chronicle import GIVEN_UP, PassSpan, RunSpan
from wynot.disk.journal_follower import JournalNews
from wynot.disk.rows import StepRow

BEGINNING = ReductionStarted((), 0, 1, "", 0.0, 0)
NO_END = ReductionEnded("", 0, 0, 0, 0, 0.0, (), "", "", "")
Told = TypeVar("Told", ReductionStarted, ReductionEnded)


class TimedEvent(NamedTuple):
    """An event, and how many seconds after the beginning of the run it took place."""

    seconds: float
    event: Event


class JournalClock:
    """The seconds of a run that is another process's, by the clock on the wall.

    Whoever tells of what is past turns it back, for its own thread only.
    """

    def __init__(self) -> None:
        self._began = time.time()
        self._now = 0.0
        self._is_going = False
        self._past = threading.local()

    def __call__(self) -> float:
        """Return how many seconds the run has taken."""
        past: float | None = getattr(self._past, "seconds", None)
        if past is not None:
            return past
        return max(self._now, time.time() - self._began) if self._is_going else self._now

    def turn(self, seconds: float | None) -> None:
        """Let it be so late for this thread; None: let it be what it is."""
        self._past.seconds = seconds

    def go(self, began: float) -> None:
        """Let the run have begun at a time, and go on."""
        self._began, self._is_going = began, True

    def stand(self, seconds: float) -> None:
        """Let the run be over after so many seconds."""
        self._now, self._is_going = seconds, False


class JournalEvents:
    """Turns what is new in a journal into events."""

    def __init__(self) -> None:
        self._pass: PassStarted | None = None
        self._noticed: set[Noticed] = set()

    def told(self, news: JournalNews) -> list[TimedEvent]:
        """Return the events, in the order of their times."""
        events = [
            *(TimedEvent(span.ended, _ran(span)) for span in news.tests),
            *(TimedEvent(step.seconds, _accepted(step)) for step in news.steps),
            *(each for span in news.passes for each in self._passed(span)),
        ]
        events.sort(key=lambda each: each.seconds)
        last = latest(news)
        return [*events, *(TimedEvent(last, each) for each in self._stands(news.standing))]

    def _passed(self, span: PassSpan) -> Iterator[TimedEvent]:
        if self._pass is None or (self._pass.name, self._pass.loop) != (span.name, span.loop):
            yield TimedEvent(span.began, PassStarted(span.name, 0, span.loop))
        self._pass = None
        ended = PassEnded(span.name, span.size, span.tests, minimal=False)
        yield TimedEvent(span.ended, ended)

    def _stands(self, standing: object) -> Iterator[Event]:
        now = Standing.pass_in(standing)
        if now is not None and now != self._pass:
            self._pass = now
            yield now
        if not isinstance(standing, Mapping):
            return
        yield StandingRead(standing)
        if isinstance(doing := standing.get("doing"), str):
            yield Doing(doing)
        noticed = standing.get("noticed")
        for row in noticed if isinstance(noticed, list) else []:
            match row:
                case [str(slug), str(message)] if Noticed(slug, message) not in self._noticed:
                    self._noticed.add(Noticed(slug, message))
                    yield Noticed(slug, message)


def _accepted(step: StepRow) -> Accepted:
    return Accepted(step.number, step.size, step.tests, step.pass_name, step.candidate)


def _ran(span: RunSpan) -> Event:
    if span.what == GIVEN_UP:
        return GivenUp(span.worker, span.seconds)
    known = [verdict for verdict in Verdict if verdict.value == span.what]
    return Ran(span.worker, known[0] if known else Verdict.UNRESOLVED, span.seconds, "")


def latest(news: JournalNews) -> float:
    """Return how many seconds the run had taken when it wrote last."""
    standing = news.standing if isinstance(news.standing, Mapping) else {}
    times = [standing.get("time"), news.ended.get("seconds")]
    times += [news.steps[-1].seconds] if news.steps else []
    times += [news.tests[-1].ended] if news.tests else []
    return max((float(each) for each in times if isinstance(each, int | float)), default=0.0)


def began_in(news: JournalNews, size: int, names: tuple[str, ...]) -> ReductionStarted:
    """Return how the run began; of a version that has not written that down, what is known."""
    return _like(BEGINNING._replace(size=size, names=names), news.began)


def ended_in(news: JournalNews) -> ReductionEnded | None:
    """Return how the run ended, in its own words; None if it has none."""
    return _like(NO_END, news.ended) if news.ended else None


def _like(model: Told, row: Mapping[str, object]) -> Told:
    """Return an event, with the values of a row where that has something of the same kind."""
    fields: dict[str, Any] = model._asdict()
    for name, usual in fields.items():
        value = row.get(name, usual)
        if isinstance(value, list):
            read = _pair if name == "refused" else _word
            value = tuple(each for each in map(read, value) if each is not None)
        if isinstance(usual, float) and type(value) is int:
            value = float(value)
        if type(value) is type(usual) or (usual is None and isinstance(value, tuple)):
            fields[name] = value
    return model._replace(**fields)


def _word(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _pair(value: object) -> tuple[str, int] | None:
    match value:
        case [str(word), int(number)]:
            return word, number
    return None
