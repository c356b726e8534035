import math
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.events import (
    CandidateJudged,
    Doing,
    Event,
    GivenUp,
    Noticed,
    PassEnded,
    PassStarted,
    Ran,
    ReductionStarted,
    StatusRead,
)
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal, TimedEvent, wall_time
from wynot.disk.rows import VerdictRow
from wynot.disk.run_timeline import PassSpan, RunSpan, Timeline, spans_of

CANDIDATE = Candidate(Deltas.first(3), Edit.drop(Deltas.first(1)), "")
JUDGED = CandidateJudged(
    CANDIDATE, Verdict.INTERESTING, from_memo=False, decided=False, iteration=1, so_far=()
)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


BEGAN = ReductionStarted(("a",), 8, 2, "exits with 1", 0.1, 0)


def ran(worker: int, verdict: Verdict, seconds: float) -> VerdictRow:
    return VerdictRow(bytes(32), 0, verdict, "exit status 0", seconds, worker)


def test_events_are_handed_on_and_written(tmp_path: Path) -> None:
    seen: list[Event] = []
    journal = Journal.create(tmp_path / "a.journal", Files({"a": b"x"}), {})
    assert journal.events() == []
    clock = Clock()
    timeline = Timeline(seen.append, clock)
    events: list[Event] = [
        Noticed("x", "y"),  # before there is a journal
        BEGAN,
        PassStarted("lines", 3, 1),
        GivenUp(2, 0.125),
        Doing("a check", longest=math.inf),
        Doing("a check", done=1, of=2),
        JUDGED,
        PassEnded("lines", 7, 2, minimal=True),
    ]
    for number, event in enumerate(events):
        if number == 1:
            timeline.begin(journal)
        clock.now += 0.25
        timeline.handle(event)
    timeline.close()
    assert seen == events
    written = [(each.seconds, each.event) for each in journal.events()]
    assert [each for each in written if not isinstance(each[1], StatusRead)] == [
        (0.25, Noticed("x", "y")),
        (0.0, BEGAN),
        (0.75, PassStarted("lines", 3, 1)),
        (1.0, GivenUp(2, 0.125)),
        (1.25, Doing("a check")),
        (1.75, Doing("")),
        (2.0, PassEnded("lines", 7, 2, minimal=True)),
    ]
    [(_, status)] = [each for each in written if isinstance(each[1], StatusRead)]
    assert isinstance(status, StatusRead)
    assert isinstance(status.row, dict)
    assert status.row["tests"] == 1
    journal.close()


def test_tests_and_passes_have_their_times() -> None:
    events = [
        TimedEvent(0.5, PassStarted("lines", 3, 1)),
        TimedEvent(0.75, Ran(1, Verdict.UNINTERESTING, 0.5, "exit status 1")),
        TimedEvent(1.0, GivenUp(2, 0.125)),
        TimedEvent(1.0, GivenUp(1 << 20, 0.125)),
        TimedEvent(1.5, PassEnded("lines", 7, 2, minimal=True)),
    ]
    tests, passes = spans_of(events)
    assert tests == [RunSpan(0.75, 0.5, 1, "uninteresting"), RunSpan(1.0, 0.125, 2, "given up")]
    assert passes == [PassSpan("lines", 1, 0.5, 1.5, 2, 7)]


def test_the_same_run_begun_again_has_the_events_of_the_last_time(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.journal", Files({"a": b"x"}), {})
    for worker in (1, 2):
        timeline = Timeline(lambda _event: None)
        timeline.begin(journal)
        timeline.handle(BEGAN)
        timeline.write()
        journal.keep_verdict(ran(worker, Verdict.INTERESTING, 0.5))
        timeline.close()
    assert [span.worker for span in spans_of(journal.events())[0]] == [2]
    journal.close()


@contextmanager
def full(journal: Journal) -> Iterator[None]:
    """Let a journal have no more pages than it has."""
    with journal.writing() as connection:
        connection.execute("PRAGMA max_page_count=1")
    yield
    with journal.writing() as connection:
        connection.execute("PRAGMA max_page_count=1000000")


@contextmanager
def locked(journal: Journal) -> Iterator[None]:
    """Write to a journal from elsewhere."""
    with journal.writing() as connection:
        connection.execute("PRAGMA busy_timeout=0")
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.parametrize("hindered", [full, locked])
def test_a_journal_that_takes_nothing_is_noticed_once_and_tried_again(
    tmp_path: Path, hindered: Callable[[Journal], AbstractContextManager[None]]
) -> None:
    seen: list[Event] = []
    journal = Journal.create(tmp_path / "a.journal", Files({"a": b"x"}), {})
    timeline = Timeline(seen.append)
    timeline.handle(BEGAN)
    with hindered(journal):
        timeline.begin(journal)
        for worker in range(100):
            timeline.handle(GivenUp(worker, 0.0))
        timeline.write()
    assert [event.slug for event in seen if isinstance(event, Noticed)] == ["timeline"]
    assert len(seen) == 102
    timeline.close()
    assert [span.worker for span in spans_of(journal.events())[0]] == [*range(100)]
    journal.close()


def test_who_reports_an_event_does_not_wait_for_the_journal(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.journal", Files({"a": b"x"}), {})
    timeline = Timeline(lambda _event: None)
    timeline.begin(journal)
    timeline.handle(BEGAN)
    event = GivenUp(1, 0.0)
    reporting = threading.Thread(target=timeline.handle, args=(event,), daemon=True)
    with journal.writing():
        reporting.start()
        reporting.join(10)
        assert not reporting.is_alive()
    timeline.close()
    assert [span.worker for span in spans_of(journal.events())[0]] == [1]
    journal.close()


def test_rows_that_cannot_be_are_left_out(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.journal", Files({"a": b"x"}), {})
    timeline = Timeline(lambda _event: None)
    timeline.begin(journal)
    timeline.handle(BEGAN)
    timeline.handle(GivenUp(1, 0.0))
    timeline.close()
    rows = [
        ("x", "given_up", '{"worker": 2, "seconds": 1.0}'),
        (1e300, "given_up", '{"worker": 2, "seconds": 1.0}'),
        (wall_time(), "given_up", '{"worker": 2, "seconds": -1.0}'),
        (wall_time(), "given_up", '{"worker": 2, "more": 1}'),
        (wall_time(), "given_up", '{"worker": 2}'),
        (wall_time(), "noticed", '{"slug": 1, "message": "x"}'),
        (wall_time(), "ended", '{"refused": ["a", ["b", 1]]}'),
    ]
    with journal.writing() as connection:
        connection.executemany("INSERT INTO events(at, kind, body) VALUES (?, ?, ?)", rows)
    found = [event for _, event in journal.events() if not isinstance(event, StatusRead)]
    assert found == [BEGAN, GivenUp(1, 0.0)]
    journal.close()
