"""Files that are kept to be linked to."""

from pathlib import Path

import pytest

from wynot.inquiries.packages.stored_files import StoredFile, put


@pytest.mark.parametrize("by_link", [True, False])
def test_a_file_is_the_same_at_another_place(tmp_path: Path, by_link: bool) -> None:
    (tmp_path / "f").write_text("text")
    put(tmp_path / "f", tmp_path / "g", by_link=by_link)
    assert (tmp_path / "g").read_text() == "text"
    assert (tmp_path / "g").samefile(tmp_path / "f") is by_link


def test_a_file_of_another_disk_is_copied(tmp_path: Path) -> None:
    memory = Path("/dev/shm")  # noqa: S108 - a folder of another file system than the usual
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is one disk only")
    source = memory / f"wynot-test-{tmp_path.name}-{id(tmp_path)}"
    source.write_text("text")
    try:
        taken = StoredFile.taken(source, tmp_path, "f", by_link=True)
    finally:
        source.unlink()
    assert (tmp_path / "f").read_text() == "text"
    assert taken.is_at(tmp_path)
