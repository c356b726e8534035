"""Files that a test has left are read as what they may be."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from wynot.machine.capture import read_back

MOST = 100


def test_a_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(b"x" * (MOST + 1))
    assert read_back(tmp_path, "in/file", MOST) == b"x" * MOST
    assert read_back(tmp_path, "in/none", MOST) is None


@pytest.mark.parametrize(
    "put",
    [
        lambda path: path.symlink_to(path.parent.parent / "precious"),
        lambda path: path.symlink_to("/dev/zero"),
        os.mkfifo,
        Path.mkdir,
    ],
    ids=["a link", "a link to a device", "a FIFO", "a folder"],
)
def test_nothing_but_a_plain_file_is_read(tmp_path: Path, put: Callable[[Path], None]) -> None:
    (tmp_path / "precious").write_text("secret")
    folder = tmp_path / "scratch"
    folder.mkdir()
    put(folder / "file")
    assert read_back(folder, "file", MOST) is None


def test_no_link_is_followed_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").write_text("secret")
    folder = tmp_path / "scratch"
    folder.mkdir()
    (folder / "in").symlink_to(tmp_path / "precious")
    assert read_back(folder, "in/file", MOST) is None
