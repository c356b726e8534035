"""A step as a terminal shows it."""

import sys

import pytest

from unit.reporters.story import Terminal
from wynot.cli import history


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"a\n", "a\n"),
        (b"a", "a\n"),
        (b"a\n\n", "a\n\n"),
        (b"\ta\x1b[31m\xff\n", "\ta\\x1b[31m\\xff\n"),
    ],
)
def test_lines_are_as_they_are_but_harmless(
    monkeypatch: pytest.MonkeyPatch, content: bytes, shown: str
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    history.print_content(content)
    assert terminal.getvalue() == shown
