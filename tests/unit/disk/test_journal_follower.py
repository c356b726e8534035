"""A journal that another writes is read, and nobody notices."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from faults.scripts import until
from wynot.core.events import (
    Accepted,
    Event,
    PassStarted,
    Ran,
    ReductionEnded,
    ReductionStarted,
    StatusRead,
)
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.database import connect_to_read
from wynot.disk.file_lock import FileLock, holder_of
from wynot.disk.journal import Journal, TimedEvent, wall_time
from wynot.disk.journal_follower import JournalFollower, JournalNews
from wynot.disk.rows import StepRow, VerdictRow
from wynot.disk.run_timeline import Timeline

ORIGINAL = Files({"a.txt": b"one\ntwo\n"})
SMALLER = Files({"a.txt": b"two\n"})


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal.create(tmp_path / ".wynot" / "a.txt.journal", ORIGINAL, {"state": "running"})


def step(number: int, files: Files) -> StepRow:
    return StepRow(number, "lines", "c1", number, 0.5, files.size, files.digest)


def test_look_that_fails_for_a_file_beside_it_can_be_repeated(journal: Journal) -> None:
    journal.close()
    for ending in ("-wal", "-journal"):
        journal.path.with_name(f"{journal.path.name}{ending}").touch()
    assert JournalFollower(journal.path).news() is None


BEGAN = ReductionStarted(("a.txt",), 8, 2, "exits with 1", 0.1, 0)


def begun(journal: Journal) -> Timeline:
    timeline = Timeline(lambda _event: None)
    timeline.begin(journal)
    timeline.handle(BEGAN)
    timeline.write()
    return timeline


def reported(news: JournalNews | None) -> list[Event]:
    assert news is not None
    return [event for _, event in news.events if not isinstance(event, StatusRead)]


def test_each_look_has_what_is_new(journal: Journal) -> None:
    timeline = begun(journal)
    follower = JournalFollower(journal.path)
    timeline.handle(PassStarted("lines", 2, 1))
    journal.keep_verdict(VerdictRow(bytes(32), 0, Verdict.UNINTERESTING, "exit status 1", 0.1, 1))
    timeline.write()
    first = follower.news()
    assert first is not None
    assert (first.process, first.state) == (0, "running")
    ran = Ran(1, Verdict.UNINTERESTING, 0.1, "exit status 1")
    assert reported(first)[0] == BEGAN
    assert all(each in reported(first) for each in (PassStarted("lines", 2, 1), ran))
    journal.keep_step(step(1, SMALLER), SMALLER)
    journal.note("state", "finished")
    again = follower.news()
    assert again is not None
    assert again.state == "finished"
    assert again.events == [TimedEvent(0.5, Accepted(1, 4, 1, "lines", "c1"))]
    assert follower.case() == {"a.txt": b"two\n"}
    assert reported(follower.news()) == []
    timeline.close()
    journal.close()


def test_steps_that_come_before_the_beginning_are_not_lost(journal: Journal) -> None:
    """A step is written at once, how the run began half a second after that at most."""
    lock = FileLock(journal.path.with_suffix(".lock"))
    journal.keep_step(step(1, SMALLER), SMALLER)
    follower = JournalFollower(journal.path)
    assert follower.news() is None
    timeline = begun(journal)
    news = follower.news()
    assert news is not None
    assert news.process > 0
    assert reported(news) == [BEGAN, Accepted(1, 4, 1, "lines", "c1")]
    timeline.close()
    journal.close()
    lock.release()


def test_the_run_under_way_is_not_taken_for_the_one_before_it(journal: Journal) -> None:
    before = begun(journal)
    before.handle(ReductionEnded("max-tests", 8, 4, 1, 0, 1.0, (), "", "", ""))
    before.close()
    with journal.writing() as connection:
        connection.execute("UPDATE events SET key = key + 1 WHERE kind = 'began'")
    lock = FileLock(journal.path.with_suffix(".lock"))
    follower = JournalFollower(journal.path)
    assert follower.news() is None
    timeline = begun(journal)
    assert reported(follower.news()) == [BEGAN]
    timeline.close()
    lock.release()
    journal.close()


def test_steps_that_were_read_before_an_error_are_not_lost(journal: Journal) -> None:
    timeline = begun(journal)
    journal.keep_step(step(1, SMALLER), SMALLER)
    with journal.writing() as connection:
        row = wall_time(), "noticed"
        connection.execute("INSERT INTO events VALUES (99, ?, ?, NULL, CAST(x'ff' AS TEXT))", row)
    follower = JournalFollower(journal.path)
    assert follower.news() is None
    with journal.writing() as connection:
        connection.execute("DELETE FROM events WHERE seq = 99")
    assert Accepted(1, 4, 1, "lines", "c1") in reported(follower.news())
    timeline.close()
    journal.close()


def test_what_comes_last_is_written_though_nothing_follows(journal: Journal) -> None:
    timeline = begun(journal)
    timeline.handle(PassStarted("lines", 2, 1))

    def is_written() -> bool:
        return PassStarted("lines", 2, 1) in reported(JournalFollower(journal.path).news())

    until(is_written, "a write by the clock")
    timeline.close()
    journal.close()


def test_status_is_that_of_the_last_write(journal: Journal) -> None:
    timeline = begun(journal)
    follower = JournalFollower(journal.path)
    for _ in range(3):
        news = follower.news()
        assert news is not None
        assert len([each for _, each in news.events if isinstance(each, StatusRead)]) == 1
        timeline.write()
    timeline.close()
    journal.close()


def test_a_look_leaves_nothing_and_hinders_nobody(journal: Journal) -> None:
    follower = JournalFollower(journal.path)
    journal.keep_step(step(1, SMALLER), SMALLER)
    assert follower.news() is not None
    journal.close()
    before = sorted(path.name for path in journal.path.parent.iterdir())
    content = journal.path.read_bytes()
    assert follower.news() is not None
    assert follower.case() == {"a.txt": b"two\n"}
    assert sorted(path.name for path in journal.path.parent.iterdir()) == before
    assert journal.path.read_bytes() == content


@pytest.mark.parametrize("look", [JournalFollower.news, JournalFollower.case])
def test_who_reads_when_the_run_ends_leaves_nothing(
    journal: Journal, look: Callable[[JournalFollower], object]
) -> None:
    journal.keep_step(step(1, SMALLER), SMALLER)
    with closing(connect_to_read(journal.path).connection) as reader:
        assert reader.execute("SELECT count(*) FROM events").fetchall() == [(3,)]
        journal.close()
    log = journal.path.with_name(f"{journal.path.name}-wal")
    assert log.exists()
    assert look(JournalFollower(journal.path))
    beside = {path.name for path in journal.path.parent.iterdir()}
    assert beside == {".gitignore", journal.path.name}


def test_what_cannot_be_read_now_may_be_later(tmp_path: Path) -> None:
    follower = JournalFollower(tmp_path / "none.journal")
    assert follower.news() is None
    assert follower.case() == {}
    (tmp_path / "none.journal").write_bytes(b"no journal at all" * 1_000)
    assert follower.news() is None
    assert follower.case() == {}


def test_who_holds_a_lock(tmp_path: Path) -> None:
    path = tmp_path / ".wynot" / "a.lock"
    assert holder_of(path) == 0
    lock = FileLock(path)
    code = "import sys; from pathlib import Path; from wynot.disk.file_lock import holder_of;"
    code += "print(holder_of(Path(sys.argv[1])))"
    asked = [sys.executable, "-c", code, str(path)]
    seen = subprocess.run(asked, capture_output=True, text=True, check=True)  # noqa: S603
    assert int(seen.stdout) > 0
    lock.release()
    path.parent.mkdir(exist_ok=True)
    path.write_text("1")  # a process that is alive, and does not hold it
    assert holder_of(path) == 0
    path.write_text("not a number")
    assert holder_of(path) == 0
