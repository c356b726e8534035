"""The live view: a panel that is drawn again, with lines printed above it.

A frame is one write, and only of the rows that have changed: nothing is erased before it is written
over, so nothing flickers; terminals that know synchronized updates show it at once, and others
ignore these. What others print while it is shown appears above it; when it is closed, nothing of it
is left. Something else can have the whole screen for a while, and then the view is back as it was.
"""

import io
import sys
from collections.abc import Callable, Iterable, Sequence
from threading import Lock, RLock
from typing import IO, TextIO, cast

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

from wynot.reporters.outlet import Outlet


class PrintedAbove(io.TextIOBase):
    """Hands whole lines to the view; all else is as the stream has it."""

    def __init__(self, stream: TextIO, say: Callable[[Iterable[str]], None]) -> None:
        self._stream = stream
        self._say = say
        self._lock = Lock()
        self._unfinished = ""

    def write(self, text: str) -> int:
        """Take text; a line is shown when it is whole."""
        with self._lock:
            *whole, self._unfinished = f"{self._unfinished}{text}".split("\n")
        if whole:
            self._say(whole)
        return len(text)

    def finish(self) -> None:
        """Show what there is of a line that was begun."""
        with self._lock:
            unfinished, self._unfinished = self._unfinished, ""
        if unfinished:
            self._say([unfinished])

    def isatty(self) -> bool:
        """Whether the stream is a terminal: only such are stood in for."""
        return True

    def fileno(self) -> int:
        """Return the descriptor of the stream."""
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of the stream."""
        return self._stream.encoding


BEGIN_UPDATE, END_UPDATE = "\x1b[?2026h", "\x1b[?2026l"
HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"
OTHER_SCREEN, FIRST_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
TOP, ERASE_LINE, ERASE_BELOW, ERASE_ALL = "\x1b[H", "\x1b[K", "\x1b[J", "\x1b[2J"

FullScreen = Callable[[int, int], Sequence[str]]
"""Returns the rows of a screen of so many columns and rows."""


class LiveView:
    """Shows one thing, from when it is opened until it is closed. Any thread may call it."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet
        # Rich's markup and emoji are off: nothing that is shown is ours to trust.
        self._console = Console(
            file=cast("IO[str]", outlet), markup=False, emoji=False, highlight=False
        )
        self._lock = RLock()
        self._shown: RenderableType | None = None
        self._full: FullScreen | None = None
        self._head: Sequence[str] = ()
        self._rows: list[str] = []
        """What is on the screen, from the first row of the view to the last, where the cursor is.
        """
        self._above: list[str] = []
        self._columns = 0
        self._streams: tuple[TextIO, TextIO] | None = None
        self._has_front = True
        """Whether it was in front when it was opened: `timeout wynot` never is, and is shown."""

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self._shown is not None

    def open(self, shown: RenderableType, head: Sequence[str] = ()) -> None:
        """Show something; ``head`` are lines above it, which stay when the view goes."""
        with self._lock:
            if not self._outlet.isatty():
                self._outlet.say(*head)
                return
            self._shown, self._head = shown, head
            self._has_front = self._outlet.is_in_front
            self._outlet.write("".join(f"{line}\n" for line in head) + HIDE_CURSOR)
            self._streams = sys.stdout, sys.stderr
            # What is written to a pipe is for a program, and must not land in the view.
            sys.stdout, sys.stderr = (
                cast("TextIO", PrintedAbove(stream, self.say))
                if Outlet(stream).isatty()
                else stream
                for stream in self._streams
            )
            self.draw()

    def close(self) -> None:
        """Take it away, if it is shown."""
        with self._lock:
            if self._shown is None:
                return
            try:
                self._let_go()
            finally:  # a second Ctrl-C may come in between
                self._shown = self._full = None
                self._outlet.write(SHOW_CURSOR)
                self._outlet.flush()

    def _let_go(self) -> None:
        if self._streams:
            for stream in (sys.stdout, sys.stderr):
                if isinstance(stream, PrintedAbove):
                    stream.finish()
            sys.stdout, sys.stderr = self._streams
        back = FIRST_SCREEN if self._full else ""
        above = "".join(f"{line}{ERASE_LINE}\n" for line in self._above)
        self._outlet.write(f"{back}{self._to_first()}{ERASE_BELOW}{above}")
        self._rows, self._above = [], []

    def suspend(self) -> None:
        """Leave the terminal to others for a while: the shell, if it is stopped."""
        with self._lock:
            if self.is_open:
                back = FIRST_SCREEN if self._full else ""
                self._outlet.write(f"{back}{self._to_first()}{ERASE_BELOW}{SHOW_CURSOR}")
                self._outlet.flush()
                self._rows, self._full = [], None

    def resume(self) -> None:
        """Have the terminal again, whatever is on it by now."""
        with self._lock:
            if self.is_open:
                self._rows = []
                self._outlet.write(HIDE_CURSOR)
                self.draw()

    def say(self, lines: Iterable[str]) -> None:
        """Write lines above the view; before it is open and after it was closed, just write."""
        with self._lock:
            if self.is_open:
                self._above += lines
                self.draw()
            else:
                self._outlet.say(*lines)

    def print(self, text: Text) -> None:
        """Write a text in colours, if the terminal has any, as ``say`` does."""
        self.say(self._rendered(text))

    def fill(self, full: FullScreen | None) -> None:
        """Give the whole screen to something else; None: take it back."""
        with self._lock:
            if not self.is_open or (full is None) == (self._full is None):
                self._full = full if self.is_open else None
            else:
                self._full = full
                self._outlet.write(FIRST_SCREEN if full is None else OTHER_SCREEN)
            self.draw()

    def draw(self) -> None:
        """Draw it as it is now, in one write."""
        with self._lock:
            if self._shown is None or (self._has_front and not self._outlet.is_in_front):
                return
            columns, lines = self._console.size
            if self._full is not None:
                frame = self._whole(self._full(columns, lines)[:lines])
            else:
                frame = self._frame(self._rendered(self._shown)[: max(1, lines - 1)], columns)
            if frame:
                self._outlet.write(f"{BEGIN_UPDATE}{frame}{END_UPDATE}")
                self._outlet.flush()

    def _whole(self, rows: Sequence[str]) -> str:
        return TOP + "\n".join(f"{row}{ERASE_LINE}" for row in rows) + ERASE_BELOW

    def _frame(self, rows: list[str], columns: int) -> str:
        """Return what turns what is on the screen into these rows; empty if nothing does."""
        start, before = self._to_first(), self._rows
        above, self._above = self._above, []
        if columns < self._columns and _widest(before) > columns:
            # Terminals differ in what becomes of rows that are too long by now.
            start, before = f"{TOP}{ERASE_ALL}", []
            above = [*self._head, *above]
        self._columns, self._rows = columns, rows
        if above:
            start += "".join(f"{line}{ERASE_LINE}\n" for line in above)
            before = []
        elif rows == before:
            return ""
        written = [
            "" if place < len(before) and row == before[place] else f"{row}{ERASE_LINE}"
            for place, row in enumerate(rows)
        ]
        end = ERASE_BELOW if len(rows) < len(before) else ""
        return start + "\n".join(written) + end + "\r"

    def _to_first(self) -> str:
        """Return what moves the cursor to the first row."""
        up = len(self._rows) - 1
        return f"\r\x1b[{up}A" if up > 0 else "\r"

    def _rendered(self, shown: RenderableType) -> list[str]:
        with self._console.capture() as captured:
            self._console.print(shown)
        return captured.get().removesuffix("\n").split("\n")


def _widest(rows: Iterable[str]) -> int:
    return max((cell_len(Text.from_ansi(row).plain) for row in rows), default=0)
