"""Hears single keys, as long as a terminal is ours.

Nothing that is typed is echoed meanwhile; what Ctrl-C and Ctrl-Z do is left to the terminal. That
is given back as it was found, whatever ends the run, and also while it is stopped.
"""

import os
import select
import signal
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import Any

SEQUENCES = {
    "\x1b[A": "up",
    "\x1bOA": "up",
    "\x1b[B": "down",
    "\x1bOB": "down",
    "\x1b[C": "right",
    "\x1bOC": "right",
    "\x1b[D": "left",
    "\x1bOD": "left",
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
    "\x1b[H": "home",
    "\x1b[1~": "home",
    "\x1b[F": "end",
    "\x1b[4~": "end",
    "\x1b": "escape",
    "\r": "enter",
    "\n": "enter",
}
"""What some keys send, and what they are called; all others are called what they send."""
BACKGROUND_SECONDS = 0.25
"""Seconds between two looks at whether a job in the background has the terminal again."""
READ_BYTES = 256
LOCAL_MODES = 3
"""Which of the attributes of a terminal has its local modes."""
STOPS = (signal.SIGTSTP, signal.SIGCONT)


class Keyboard:
    """Tells of each key, on a thread of its own, from when it is opened until it is closed."""

    def __init__(
        self,
        heard: Callable[[str], None],
        suspend: Callable[[], None] = lambda: None,
        resume: Callable[[], None] = lambda: None,
    ) -> None:
        """Take who is told; and who has to leave the terminal while the process is stopped."""
        self._heard = heard
        self._suspend = suspend
        self._resume = resume
        self._terminal = -1
        self._found: list[Any] = []
        """The modes of the terminal as they were found."""
        self._is_ours = False
        """Whether the modes are ours now."""
        self._handlers: dict[int, Any] = {}
        self._thread: Thread | None = None
        self._wake = -1, -1

    def open(self) -> bool:
        """Begin to listen, if somebody can type; tell whether that is so."""
        try:
            terminal = sys.stdin.fileno()
            if not os.isatty(terminal) or not _is_in_front(terminal):
                return False
            self._found = termios.tcgetattr(terminal)
        except (OSError, ValueError, AttributeError, termios.error):
            return False
        self._terminal, self._wake = terminal, os.pipe()
        if current_thread() is main_thread():
            for number in STOPS:
                self._handlers[number] = signal.signal(number, self._stopped)
        self._take()
        self._thread = Thread(target=self._listen, name="wynot keys", daemon=True)
        self._thread.start()
        return True

    def close(self) -> None:
        """Give the terminal back; twice is as good as once."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        try:
            os.write(self._wake[1], b"x")
            if current_thread() is not thread:
                thread.join()
        finally:  # a second Ctrl-C may come in between
            self._give_back()
            for number, handler in self._handlers.items():
                signal.signal(number, handler)
            self._handlers = {}

    def _take(self) -> None:
        """Have keys come one by one, and not be shown."""
        ours = [*self._found]
        ours[LOCAL_MODES] &= ~(termios.ICANON | termios.ECHO)
        with suppress(termios.error):  # it has gone away
            if _is_in_front(self._terminal):
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, ours)
                self._is_ours = True

    def _give_back(self) -> None:
        # Who is in the background by now has no say, and the shell has its own modes.
        if self._is_ours and _is_in_front(self._terminal):
            with suppress(termios.error):
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._found)
        self._is_ours = False

    def _stopped(self, number: int, _frame: FrameType | None) -> None:
        """Leave the terminal while the process is stopped, and take it when it goes on."""
        if number == signal.SIGTSTP:
            self._suspend()
            self._give_back()
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTSTP)  # what follows comes when it goes on
            signal.signal(signal.SIGTSTP, self._stopped)
        elif _is_in_front(self._terminal):
            self._take()
            self._resume()

    def _listen(self) -> None:
        # A read in the background is to fail, and not to stop the whole process.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTIN, signal.SIGTTOU})
        woken, _ = self._wake
        try:
            while True:
                watched = [woken, self._terminal] if _is_in_front(self._terminal) else [woken]
                ready, _, _ = select.select(watched, [], [], BACKGROUND_SECONDS)
                if woken in ready:
                    return
                if self._terminal in ready and not self._hear():
                    return
        finally:
            for end in self._wake:
                os.close(end)

    def _hear(self) -> bool:
        """Tell of what was typed; False: nobody can type any more."""
        try:
            typed = os.read(self._terminal, READ_BYTES)
        except OSError:
            return not _is_in_front(self._terminal)
        for key in keys_in(typed.decode("utf-8", "replace")):
            self._heard(key)
        return bool(typed)


def keys_in(typed: str) -> list[str]:
    """Return the keys that send this, by their names."""
    keys = []
    while typed:
        sent = next(
            (each for each in sorted(SEQUENCES, key=len, reverse=True) if typed.startswith(each)),
            typed[0],
        )
        keys.append(SEQUENCES.get(sent, sent))
        typed = typed[len(sent) :]
    return keys


def _is_in_front(terminal: int) -> bool:
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
