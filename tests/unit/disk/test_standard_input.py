"""What comes by standard input is kept until its result is handed over."""

import io
import os
from pathlib import Path

import pytest

from wynot.core.errors import NothingToReduce, Unreadable
from wynot.disk import standard_input


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where it is kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "wynot" / "stdin"


def test_a_pipe_that_does_not_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standard_input, "MAX_PIPED_BYTES", 10)
    assert standard_input.read_piped(io.BytesIO(b"x" * 10)) == b"x" * 10
    with pytest.raises(Unreadable, match="larger than 10 bytes"):
        standard_input.read_piped(io.BytesIO(b"x" * 11))
    with pytest.raises(NothingToReduce, match="0 bytes"):
        standard_input.read_piped(io.BytesIO())


def test_a_stream_that_cannot_be_read(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    stream = os.fdopen(os.dup(os.open(os.devnull, os.O_RDONLY)), "rb")
    os.dup2(folder, stream.fileno())
    os.close(folder)
    with stream, pytest.raises(Unreadable, match="Is a directory"):
        standard_input.read_piped(stream)


def test_it_is_found_again_by_what_came_and_what_is_asked(state: Path) -> None:
    first = standard_input.keep_piped(b"abc", ".c", ["test"])
    assert first == standard_input.keep_piped(b"abc", ".c", ["test"])
    others = [
        standard_input.keep_piped(b"abd", ".c", ["test"]),
        standard_input.keep_piped(b"abc", ".c", ["other"]),
        standard_input.keep_piped(b"abc", ".c", ["te", "st"]),
    ]
    assert len({first.parent, *(other.parent for other in others)}) == 4
    assert (first.name, first.read_bytes()) == ("stdin.c", b"abc")
    standard_input.discard_piped(first)
    assert not first.parent.exists()
    assert len(list(state.iterdir())) == 3


def test_what_nobody_goes_on_with_is_removed_after_a_while(state: Path) -> None:
    old, newer = (standard_input.keep_piped(content, "", []) for content in (b"old", b"newer"))
    os.utime(old.parent, (0, 0))
    latest = standard_input.keep_piped(b"latest", "", [])
    assert sorted(state.iterdir()) == sorted([newer.parent, latest.parent])


def test_a_home_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = standard_input.keep_piped(b"abc", "", [])
    assert path.read_bytes() == b"abc"
    assert path.parent.parent == tmp_path
