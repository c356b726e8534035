"""What the tests of changes begin with."""

from pathlib import Path

import pytest


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """Return a folder to write into."""
    folder = tmp_path / "private"
    folder.mkdir()
    return folder
