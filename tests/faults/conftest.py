"""What all fault tests have in common."""

import os

import pytest


@pytest.fixture(autouse=True)
def _no_coverage_in_what_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave coverage out: its locks do not stand a signal at any moment, its files no full disk."""
    for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
        monkeypatch.delenv(name)
