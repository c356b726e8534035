"""A real terminal, by tmux: what is typed into it, and what it shows."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from faults.scripts import until

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

PROMPT = "ready> "
LONGEST_WAIT = 120.0
"""Seconds after which something is not shown any more."""
NOT_OURS = ("TMUX", "TMUX_PANE", "TERM", "NO_COLOR", "COLUMNS", "LINES")


@dataclass(slots=True)
class TerminalWindow:
    """A shell in a terminal of its own."""

    socket: str

    def type(self, *keys: str) -> None:
        """Press keys, by the names that tmux has for them."""
        self._tmux("send-keys", "-t", "0", *keys)

    def line(self, text: str) -> None:
        """Type a line as it is, and Enter."""
        self._tmux("send-keys", "-t", "0", "-l", text)
        self.type("Enter")

    def screen(self, *more: str) -> list[str]:
        """Return the rows that are shown, without blanks at their ends."""
        shown = self._tmux("capture-pane", "-p", "-t", "0", *more)
        return [row.rstrip() for row in shown.rstrip("\n").split("\n")]

    def resize(self, columns: int, rows: int) -> None:
        """Make it larger or smaller."""
        self._tmux("resize-window", "-t", "0", "-x", str(columns), "-y", str(rows))

    def shows(self, text: str) -> list[str]:
        """Wait until a text is shown, and return the screen."""
        return self.fits(lambda rows: any(text in row for row in rows), text)

    def fits(self, wanted: Callable[[list[str]], bool], what: str) -> list[str]:
        """Wait until the screen is as it should be, and return it."""
        last: list[str] = []

        def is_so() -> bool:
            last[:] = self.screen()
            return wanted(last)

        try:
            until(is_so, what, LONGEST_WAIT)
        except AssertionError as error:
            raise AssertionError(f"{error}; the screen:\n" + "\n".join(last)) from error
        return last

    def ends(self, text: str) -> list[str]:
        """Wait until a text is shown and the command has ended, and return the screen."""
        has_ended = PROMPT.rstrip()
        return self.fits(
            lambda rows: rows[-1] == has_ended and any(text in row for row in rows), text
        )

    def modes(self) -> str:
        """Return the modes of the terminal, which the shell is asked for."""
        self.line("clear; echo modes $(stty -g)")
        pattern = re.compile(r"modes [0-9a-f:]+")
        screen = self.fits(lambda rows: any(map(pattern.fullmatch, rows)), "modes")
        return next(row for row in screen if pattern.fullmatch(row))

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(  # noqa: S603 - tmux, with our own arguments
            ["tmux", "-S", self.socket, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout


@contextmanager
def terminal(
    folder: Path, columns: int = 80, rows: int = 24, env: Mapping[str, str] | None = None
) -> Iterator[TerminalWindow]:
    """Open a terminal with a shell in a folder, in which ``wynot`` is this one."""
    with tempfile.TemporaryDirectory(prefix="wynot-tmux-") as private:
        place = Path(private)
        (place / "wynot").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wynot "$@"\n')
        (place / "wynot").chmod(0o755)
        (place / "tmux.conf").write_text("set -g escape-time 0\nset -g history-limit 5000\n")
        around = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
        around |= {"PATH": f"{private}:{os.environ['PATH']}", "PS1": PROMPT, **(env or {})}
        window = TerminalWindow(str(place / "s"))
        size = ["-x", str(columns), "-y", str(rows)]
        shell = ["env", *(f"{name}={value}" for name, value in (env or {}).items())]
        shell += ["bash", "--norc", "--noprofile", "-i"]
        start = ["tmux", "-S", window.socket, "-f", str(place / "tmux.conf"), "new-session", "-d"]
        command = [*start, *size, "-c", str(folder), *shell]
        subprocess.run(command, env=around, check=True)  # noqa: S603 - tmux, with our arguments
        try:
            window.shows(PROMPT.rstrip())
            yield window
        finally:
            window._tmux("kill-server")  # noqa: SLF001 - it is ours
