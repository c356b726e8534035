"""What the tests of changes begin with."""

from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import SETTINGS


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the settings of whoever runs the tests make no difference."""
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """Return a folder to write into."""
    folder = tmp_path / "private"
    folder.mkdir()
    return folder
