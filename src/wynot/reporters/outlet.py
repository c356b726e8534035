"""A stream that takes any text and never raises.

Three things go wrong with streams in the middle of a reduction: who reads goes away, the terminal
is not ready to take more, and the encoding has no such character. None of them is worth the loss of
what was found so far. It can stand where rich wants a file.
"""

import os
from contextlib import suppress
from io import StringIO
from typing import TextIO

from wynot.core.foreign_text import for_log
from wynot.document.text_width import LINE_COLUMNS

STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}

NARROWEST, WIDEST = 30, 100
"""Columns: with less nothing can be told, and longer lines are harder to read."""

# One character for one, so that columns stay columns.
ASCII = str.maketrans("→…·━╸─▁▂▃▄▅▆▇█", ">.|=--..::--##")


class Outlet:
    """Wraps a stream; says whether it takes colours."""

    def __init__(self, stream: TextIO | None) -> None:
        """Take a stream, or None: Python has none where there is no such descriptor."""
        self._stream = stream or StringIO()
        self._gone = stream is None
        self.encoding: str = getattr(stream, "encoding", None) or "utf-8"
        self.coloured = (
            self.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        )

    def write(self, text: str) -> int:
        """Write what can be written; the rest is lost without a word."""
        if text and not self._gone:
            try:
                self._stream.write(self._encodable(text))
            except BlockingIOError:
                pass  # a terminal that is not ready: the next text may find it so
            except (OSError, ValueError):
                self._let_go()
        return len(text)

    def flush(self) -> None:
        """Hand on what is written."""
        if not self._gone:
            try:
                self._stream.flush()
            except BlockingIOError:
                pass
            except (OSError, ValueError):
                self._let_go()

    def say(self, *lines: str) -> None:
        """Write lines, and hand them on at once."""
        self.write("".join(f"{for_log(line)}\n" for line in lines))
        self.flush()

    def paint(self, style: str, text: str) -> str:
        """Return the text in a style, if the stream takes any."""
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.coloured else text

    def isatty(self) -> bool:
        """Whether this is a terminal."""
        try:
            return self._stream.isatty()
        except (OSError, ValueError):
            return False

    @property
    def is_in_front(self) -> bool:
        """Whether we may draw: a job in the background draws on a shell's screen."""
        with suppress(OSError, ValueError):
            return owns_terminal(self.fileno()) is not False
        return True

    @property
    def is_live(self) -> bool:
        """Whether lines can be written over."""
        return self.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    @property
    def width(self) -> int:
        """How many columns a line may take: those of a terminal as it is now, within reason."""
        if not self.isatty():
            return LINE_COLUMNS
        columns = 0
        with suppress(ValueError):
            columns = int(os.environ.get("COLUMNS", ""))
        if columns <= 0:
            with suppress(OSError, ValueError):
                columns = os.get_terminal_size(self.fileno()).columns
        # A terminal that does not know its own size says that it is 0.
        return min(max(columns, NARROWEST), WIDEST) if columns > 0 else LINE_COLUMNS

    def fileno(self) -> int:
        """Return the descriptor beneath."""
        return self._stream.fileno()

    def _let_go(self) -> None:
        """Write no more; what is still in a buffer goes nowhere, or the last flush would raise."""
        self._gone = True
        with suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            try:
                os.dup2(null, self._stream.fileno())
            finally:
                os.close(null)
            self._stream.flush()

    def _encodable(self, text: str) -> str:
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            plain = text.translate(ASCII)
            return plain.encode(self.encoding, "backslashreplace").decode(self.encoding)
        except LookupError:
            return text.translate(ASCII).encode("ascii", "backslashreplace").decode("ascii")
        return text


def owns_terminal(terminal: int) -> bool | None:
    """Tell whether a terminal is ours, and no other job's; None: it is none that has jobs."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return None
