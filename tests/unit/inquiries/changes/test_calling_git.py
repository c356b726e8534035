"""Git says no in many ways, each of which is told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import git, make
from wynot.inquiries.changes import git as calling
from wynot.inquiries.changes.git import Git, GitFailed, Store, message_in, quoted


def test_what_git_says_is_told(tmp_path: Path) -> None:
    make(tmp_path, [{"a": b"1\n"}])
    with pytest.raises(GitFailed, match="git rev-parse failed: Needed a single revision") as caught:
        Git.at(tmp_path).run("rev-parse", "--verify", "nothing")
    assert caught.value.message == "Needed a single revision"
    with pytest.raises(GitFailed, match="without any output"):
        Git.at(tmp_path).run("rev-parse", "--verify", "--quiet", "nothing")
    assert message_in(b"warning: x\nfatal: why\nhint: y\n") == "why"
    assert message_in(b"just words\n") == "just words"


def test_git_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, [{"a": b"1\n"}])
    monkeypatch.setattr(calling, "GIT_TIMEOUT", 0.000001)
    with pytest.raises(GitFailed, match="not done after"):
        Git.at(tmp_path).run("rev-parse", "HEAD")


def test_contents_are_read_to_the_byte(tmp_path: Path) -> None:
    make(tmp_path, [{"a": b"1\n\n", "b": b"", "c": b"\0\xff"}])
    blobs = [git(tmp_path, "rev-parse", f"main:{name}").decode().strip() for name in "abc"]
    with Git.at(tmp_path).reader() as read:
        assert [read(blob) for blob in blobs * 2] == [b"1\n\n", b"", b"\0\xff"] * 2
        with pytest.raises(GitFailed, match="there is no object 1111"):
            read("1" * 40)
        assert read(blobs[0]) == b"1\n\n"


def test_a_stream_that_is_none(tmp_path: Path) -> None:
    store = Store.make(tmp_path / "store", None)

    def nonsense() -> Iterator[bytes]:
        for _ in range(1000):
            yield b"nonsense\n" * 1000

    with pytest.raises(GitFailed, match="git fast-import failed: Unsupported command: nonsense"):
        store.commit(nonsense(), "x")


def test_quotes_around_anything() -> None:
    assert quoted(b'a "b"\\\n\xff') == b'"a \\"b\\"\\\\\\012\\377"'
