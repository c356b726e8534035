"""What the end-to-end tests begin with."""

from pathlib import Path

import pytest

from e2e.programs import NUMBERS, shell


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    """Return a folder with in.txt, and test.sh that wants one of its lines."""
    (tmp_path / "in.txt").write_bytes(NUMBERS)
    shell(tmp_path, "grep -q 33 in.txt")
    return tmp_path
