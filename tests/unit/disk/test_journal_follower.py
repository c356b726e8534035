"""A journal that another writes is read, and nobody notices."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from faults.scripts import until
from wynot.core.events import PassEnded, PassStarted, Ran, ReductionStarted
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.chronicle import Chronicle
from wynot.disk.database import connect_to_read
from wynot.disk.file_lock import FileLock, holder_of
from wynot.disk.journal import Journal
from wynot.disk.journal_follower import JournalFollower
from wynot.disk.rows import StepRow

ORIGINAL = Files({"a.txt": b"one\ntwo\n"})
SMALLER = Files({"a.txt": b"two\n"})


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


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


def test_each_look_has_what_is_new(journal: Journal) -> None:
    clock = Clock()
    chronicle = Chronicle(lambda _event: None, 0.0, clock)
    chronicle.begin(journal)
    follower = JournalFollower(journal.path)
    chronicle.handle(ReductionStarted(("a.txt",), 8, 2, "exits with 1", 0.1, 0))
    chronicle.handle(PassStarted("lines", 2, 1))
    chronicle.handle(Ran(1, Verdict.UNINTERESTING, 0.1, "exit status 1"))
    clock.now = 1.0
    chronicle.handle(PassEnded("lines", 8, 1, minimal=True))
    chronicle.write()
    journal.keep_step(step(1, SMALLER), SMALLER)
    news = follower.news()
    assert news is not None
    assert (news.process, news.state, news.began["jobs"]) == (0, "running", 2)
    assert [span.worker for span in news.tests] == [1]
    assert [span.name for span in news.passes] == ["lines"]
    assert [row.number for row in news.steps] == [1]
    assert follower.case() == {"a.txt": b"two\n"}
    again = follower.news()
    assert again is not None
    assert (again.steps, again.tests, again.passes) == ([], [], [])
    assert follower.original == 8
    chronicle.close()
    journal.close()


def test_steps_that_come_before_the_beginning_are_not_lost(journal: Journal) -> None:
    """A step is written at once, how the run began half a second after that at most."""
    lock = FileLock(journal.path.with_suffix(".lock"))
    chronicle = Chronicle(lambda _event: None, 0.0, Clock())
    chronicle.begin(journal)
    journal.keep_step(step(1, SMALLER), SMALLER)
    follower = JournalFollower(journal.path)
    assert follower.news() is None
    chronicle.handle(ReductionStarted(("a.txt",), 8, 2, "exits with 1", 0.1, 0))
    chronicle.write()
    news = follower.news()
    assert news is not None
    assert news.process > 0
    assert [row.number for row in news.steps] == [1]
    chronicle.close()
    journal.close()
    lock.release()


def test_steps_that_were_read_before_an_error_are_not_lost(journal: Journal) -> None:
    chronicle = Chronicle(lambda _event: None, 0.0, Clock())
    chronicle.begin(journal)
    journal.keep_step(step(1, SMALLER), SMALLER)
    with journal.writing() as connection:
        connection.execute("INSERT INTO test_spans VALUES (1, 1, 1, CAST(x'ff' AS TEXT))")
    follower = JournalFollower(journal.path)
    assert follower.news() is None
    with journal.writing() as connection:
        connection.execute("DELETE FROM test_spans")
    news = follower.news()
    assert news is not None
    assert [row.number for row in news.steps] == [1]
    chronicle.close()
    journal.close()


def test_what_comes_last_is_written_though_nothing_follows(journal: Journal) -> None:
    chronicle = Chronicle(lambda _event: None, 0.0, Clock())
    chronicle.begin(journal)
    chronicle.handle(PassStarted("lines", 2, 1))

    def is_written() -> bool:
        news = JournalFollower(journal.path).news()
        return news is not None and news.standing is not None

    until(is_written, "a write by the clock")
    chronicle.close()
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
        assert reader.execute("SELECT number FROM steps").fetchall() == [(1,)]
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
    assert follower.original == 0
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
