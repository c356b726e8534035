"""The folder of results: whose it is."""

from pathlib import Path

import pytest

from wynot.batch.batch_results import BatchResults
from wynot.core.errors import InvalidOption


def test_a_batch_that_was_killed_at_once_has_left_nothing_of_others(tmp_path: Path) -> None:
    (tmp_path / ".wynot").mkdir()
    (tmp_path / ".wynot" / "batch.lock").write_text("1")
    assert BatchResults(tmp_path).where


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InvalidOption, match="has not written"):
        BatchResults(tmp_path)
