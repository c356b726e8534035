import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from wynot.core.events import Event, GivenUp, Noticed, PassEnded, PassStarted, Ran
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.chronicle import Chronicle, PassSpan, RunSpan, spans_of
from wynot.disk.journal import Journal


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_what_took_place_is_there_again_and_events_are_handed_on(tmp_path: Path) -> None:
    seen: list[Event] = []
    clock = Clock()
    journal = Journal.create(tmp_path / "a.journal", Files({"a": b"x"}), {})
    assert spans_of(journal) == ([], [])
    chronicle = Chronicle(seen.append, 100.0, clock)
    told: list[Event] = [
        Ran(0, Verdict.INTERESTING, 0.25, "exit status 0"),  # before there is a journal
        PassStarted("lines", 3, 1),
        Ran(1, Verdict.UNINTERESTING, 0.5, "exit status 1"),
        GivenUp(2, 0.125),
        Noticed("x", "y"),
        PassEnded("lines", 7, 2, minimal=True),
    ]
    for number, event in enumerate(told):
        if number == 1:
            chronicle.begin(journal)
        clock.now += 0.25
        chronicle.handle(event)
    chronicle.close()
    assert seen == told
    tests, passes = spans_of(journal)
    assert tests == [
        RunSpan(0.25, 0.25, 0, "interesting"),
        RunSpan(0.75, 0.5, 1, "uninteresting"),
        RunSpan(1.0, 0.125, 2, "given up"),
    ]
    assert passes == [PassSpan(1, "lines", 1, 0.5, 1.5, 2, 7)]
    journal.close()


def test_the_same_run_begun_again_tells_of_the_last_time(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.journal", Files({"a": b"x"}), {})
    for worker in (1, 2):
        chronicle = Chronicle(lambda _event: None, 0.0, lambda: 1.0)
        chronicle.begin(journal)
        chronicle.handle(Ran(worker, Verdict.INTERESTING, 0.5, ""))
        chronicle.close()
    assert [span.worker for span in spans_of(journal)[0]] == [2]
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
    clock = Clock()
    journal = Journal.create(tmp_path / "a.journal", Files({"a": b"x"}), {})
    chronicle = Chronicle(seen.append, 0.0, clock)
    with hindered(journal):
        chronicle.begin(journal)
        for worker in range(100):
            clock.now += 1
            chronicle.handle(Ran(worker, Verdict.INTERESTING, 0.5, "exit status 0"))
    assert [event.slug for event in seen if isinstance(event, Noticed)] == ["timeline"]
    assert len(seen) == 101
    chronicle.close()
    assert [span.worker for span in spans_of(journal)[0]] == [*range(100)]
    journal.close()


def test_who_tells_of_an_event_does_not_wait_for_the_journal(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.journal", Files({"a": b"x"}), {})
    clock = Clock()
    chronicle = Chronicle(lambda _event: None, 0.0, clock)
    chronicle.begin(journal)
    clock.now += 10
    event = Ran(1, Verdict.INTERESTING, 0.5, "")
    teller = threading.Thread(target=chronicle.handle, args=(event,), daemon=True)
    with journal.writing():
        teller.start()
        teller.join(10)
        assert not teller.is_alive()
    chronicle.close()
    assert [span.worker for span in spans_of(journal)[0]] == [1]
    journal.close()


def test_rows_that_cannot_be_are_left_out(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.journal", Files({"a": b"x"}), {})
    Chronicle(lambda _event: None, 0.0).begin(journal)
    with journal.writing() as connection:
        connection.execute("INSERT INTO test_spans VALUES ('x', 1.0, 2, 'interesting')")
        connection.execute("INSERT INTO test_spans VALUES (1, 1.0, 2, 'interesting')")
        connection.execute("INSERT INTO pass_spans VALUES (1, x'00', 1, 0.0, 1.0, 2, 7)")
    assert spans_of(journal) == ([RunSpan(1.0, 1.0, 2, "interesting")], [])
    journal.close()
