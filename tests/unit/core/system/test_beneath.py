"""Files beneath a folder: whatever links are in the way, nothing outside is reached."""

import os
from pathlib import Path

import pytest

from wynot.core.system import beneath
from wynot.core.system.beneath import open_beneath, parent_beneath, replace_beneath

SECRET = b"outside"


@pytest.fixture(params=["openat2", "walk"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a file and with links to what is outside, for both ways to open."""
    if request.param == "walk":
        monkeypatch.setattr(beneath, "_openat2", _not_available)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_bytes(SECRET)
    inside = tmp_path / "inside"
    (inside / "sub" / "deep").mkdir(parents=True)
    (inside / "sub" / "file").write_bytes(b"inside")
    (inside / "link").symlink_to(outside)
    (inside / "sub" / "up").symlink_to("../../outside")
    (inside / "sub" / "own").symlink_to("deep")
    (inside / "sub" / "leaf").symlink_to("../../outside/file")
    return inside


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _not_available(*_: object) -> int:
    raise OSError(38, "Function not implemented")


OUTWARDS = [
    "link/file",
    "sub/up/file",
    "sub/own/file",
    "sub/leaf",
    "../outside/file",
    "sub/../../outside/file",
    "/etc/passwd",
    "sub//file",
    "./sub/file",
    "",
    "sub/",
    "a\0b",
]


@pytest.mark.parametrize("path", OUTWARDS)
def test_paths_that_lead_elsewhere_are_refused(folder: Path, path: str) -> None:
    with pytest.raises(OSError, match=r"."):
        os.close(open_beneath(folder, path, os.O_RDONLY))
    if path != "sub/leaf":
        with pytest.raises(OSError, match=r"."):
            replace_beneath(folder, path, b"new")
        with pytest.raises(OSError, match=r"."), parent_beneath(folder, path, make=True):
            pass
    assert (folder.parent / "outside" / "file").read_bytes() == SECRET
    assert names(folder.parent / "outside") == ["file"]


def test_a_file_in_a_subfolder_is_opened(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        for top in (folder, descriptor):
            handle = open_beneath(top, "sub/file", os.O_RDONLY)
            assert not os.get_inheritable(handle)
            with os.fdopen(handle, "rb") as stream:
                assert stream.read() == b"inside"
    finally:
        os.close(descriptor)


def test_a_link_is_replaced_and_not_followed(folder: Path) -> None:
    replace_beneath(folder, "sub/leaf", b"new", 0o4755)
    assert (folder / "sub" / "leaf").read_bytes() == b"new"
    assert (folder / "sub" / "leaf").lstat().st_mode == 0o100755
    assert (folder.parent / "outside" / "file").read_bytes() == SECRET


def test_missing_folders_are_made(folder: Path) -> None:
    replace_beneath(folder, "sub/a/b/c", b"new")
    assert (folder / "sub" / "a" / "b" / "c").read_bytes() == b"new"
    assert names(folder / "sub" / "a" / "b") == ["c"]


def test_a_failed_replacement_leaves_nothing(folder: Path) -> None:
    with pytest.raises(IsADirectoryError):
        replace_beneath(folder, "sub/deep", b"new")
    assert names(folder / "sub") == ["deep", "file", "leaf", "own", "up"]
