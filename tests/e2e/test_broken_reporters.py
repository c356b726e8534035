"""A mistake in what tells of a reduction costs the telling, and nothing else."""

from pathlib import Path

import pytest

from e2e.programs import told
from wynot.cli.exit_codes import BUG
from wynot.core.events import Event
from wynot.reporters.plain import Plain


def test_a_reduction_is_not_lost_with_its_reporter(
    numbers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(_self: Plain, event: Event) -> None:
        raise LookupError(type(event).__name__)

    monkeypatch.setattr(Plain, "handle", faulty)
    ran = told(numbers, "reduce", "-j2", "./test.sh", "in.txt")
    assert ran.code == BUG
    assert "LookupError" in ran.err
    assert "error in wynot itself" in ran.err
    assert (numbers / "in.txt").read_text() == "33\n"
