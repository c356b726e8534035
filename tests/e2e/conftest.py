"""What the end-to-end tests begin with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.programs import NUMBERS, shell


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    """Return a folder with in.txt, and test.sh that wants one of its lines."""
    (tmp_path / "in.txt").write_bytes(NUMBERS)
    shell(tmp_path, "grep -q 33 in.txt")
    return tmp_path


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give wynot a folder for its roots, in which nothing may be left."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    assert not list(folder.iterdir())
