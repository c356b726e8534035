"""Stands in for a stream that prints to the terminal while a view is shown there."""

import io
from collections.abc import Callable, Iterable
from threading import Lock
from typing import TextIO


class PrintedAbove(io.TextIOBase):
    """Hands whole lines to the view; all else is as the stream has it."""

    def __init__(self, stream: TextIO, say: Callable[[Iterable[str]], None]) -> None:
        self._stream = stream
        self._say = say
        self._lock = Lock()
        self._begun = ""

    def write(self, text: str) -> int:
        """Take text; a line is shown when it is whole."""
        with self._lock:
            *whole, self._begun = f"{self._begun}{text}".split("\n")
        if whole:
            self._say(whole)
        return len(text)

    def finish(self) -> None:
        """Show what there is of a line that was begun."""
        with self._lock:
            begun, self._begun = self._begun, ""
        if begun:
            self._say([begun])

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
