"""Others at the same file: another wynot, or somebody with an editor."""

import json
from pathlib import Path

import pytest

from faults.scripts import Place, finish, has, killed_at_last, logging, read, text, until
from tiers import slow_after

WORDS = ("needle", "thread", "button")
RESULT = b"needlethreadbutton\n"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "there", text(*WORDS, lines=60))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def go(tmp_path: Path) -> Path:
    return tmp_path / "go"


@pytest.fixture
def test(tmp_path: Path, log: Path, go: Path) -> Path:
    """Return a test that waits in the middle until it may go on."""
    waits = f"test $(wc -l <'{log}') -lt 40 || until test -e '{go}'; do sleep 0.01; done"
    return logging(tmp_path / "test", log, f"{waits}\n{has(*WORDS)}")


@pytest.mark.slow
def test_a_second_run_on_the_same_file_is_refused_and_the_first_is_not_disturbed(
    place: Place, log: Path, go: Path, test: Path
) -> None:
    with killed_at_last(place.start("-j1", test, place.name)) as first:
        until(lambda: len(read(log)) >= 40, "some tests")
        before = place.file.read_bytes(), sorted(path.name for path in place.folder.iterdir())
        second = place.run("-j1", test, place.name)
        assert second.code == 4
        assert f"another wynot is at work on this file (process {first.pid})" in second.err
        assert "hint: " in second.err
        after = place.file.read_bytes(), sorted(path.name for path in place.folder.iterdir())
        assert after == before
        assert place.run("-j1", "--fresh", test, place.name).code == 4
        go.touch()
        assert finish(first).code == 0
    assert place.file.read_bytes() == RESULT
    assert place.run("-j1", "--fresh", test, place.name).code == 0, "the lock is gone"


@pytest.mark.parametrize("how", slow_after(2, ["written", "replaced", "removed", "emptied"]))
def test_a_file_that_somebody_else_changes_is_left_alone(
    place: Place, log: Path, go: Path, test: Path, how: str
) -> None:
    with killed_at_last(place.start("-j1", test, place.name)) as process:
        until(lambda: len(read(log)) >= 40, "some tests")
        theirs = {"written": b"mine\n", "replaced": b"mine\n", "emptied": b"", "removed": None}[how]
        if how == "removed":
            place.file.unlink()
        elif how == "replaced":
            place.file.with_name("new").write_bytes(b"mine\n")
            place.file.with_name("new").replace(place.file)
        else:
            place.file.write_bytes(theirs or b"")
        go.touch()
        ended = finish(process)
    assert ended.code == 4, ended.said
    assert "was changed while it was being reduced" in ended.err
    assert ".reduced" in ended.said
    there = place.file.read_bytes() if place.file.exists() else None
    assert there == theirs
    reduced = place.folder / f"{place.name}.reduced"
    assert b"needle" in reduced.read_bytes()
    assert len(reduced.read_bytes()) < len(place.original)
    assert place.backup.read_bytes() == place.original


def test_a_file_called_reduced_that_is_not_ours_is_not_written_over(
    place: Place, log: Path, go: Path, test: Path
) -> None:
    theirs = place.folder / f"{place.name}.reduced"
    theirs.write_bytes(b"of last week\n")
    with killed_at_last(place.start("-j1", test, place.name)) as process:
        until(lambda: len(read(log)) >= 40, "some tests")
        place.file.write_bytes(b"mine\n")
        go.touch()
        assert finish(process).code == 4
    assert theirs.read_bytes() == b"of last week\n"


@pytest.mark.slow
def test_a_file_that_somebody_changes_says_so_to_programs_too(
    place: Place, log: Path, go: Path, test: Path
) -> None:
    with killed_at_last(place.start("-j1", "--json", test, place.name)) as process:
        until(lambda: len(read(log)) >= 40, "some tests")
        place.file.write_bytes(b"mine\n")
        go.touch()
        ended = finish(process)
    last = json.loads(ended.out.splitlines()[-1])
    assert last["event"] == "ended"
    assert last["stopped"] == "changed-underneath"


def test_a_result_of_nothing_at_all_is_not_taken_for_the_work_of_others(place: Place) -> None:
    how = place.run("-j1", "--no-check", "-c", "true", place.name)
    assert how.code == 0, how.said
    assert place.file.read_bytes() == b""
    assert place.backup.read_bytes() == place.original
    assert not place.others()
