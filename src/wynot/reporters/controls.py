"""The keys of the live view: what they do, the help screen, and how the keyboard is read.

Nothing that is typed is echoed meanwhile; what Ctrl-C and Ctrl-Z do is left to the terminal. That
is given back as it was found, whatever ends the run, and also while it is stopped.

A key that is about the run becomes a request to it (``core.standing``); the others change what is
shown.
"""

import os
import select
import signal
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import Any, NamedTuple

from rich.text import Text

from wynot.core.foreign_text import for_terminal
from wynot.core.options.quantities import counted
from wynot.core.standing import Steering
from wynot.document.text_width import cells, cut, wrap
from wynot.reporters.live_view import LiveView
from wynot.reporters.outlet import owns_terminal

TAB_COLUMNS = 8
REVERSE, NORMAL = "\x1b[7m", "\x1b[0m"
LEAVE_CASE = ("q", "escape", "v")
FORWARD, BACKWARD = ("page down", " ", "f"), ("page up", "b")
DOWN, UP = ("down", "j", "enter"), ("up", "k")


class CasePager:
    """Shows it as it is now, from a line on; each key moves that line."""

    def __init__(self, case: Callable[[], Mapping[str, bytes]]) -> None:
        self._case = case
        self._contents: Mapping[str, bytes] = {}
        self._lines: list[str] = []
        self._top = self._left = 0
        self._page = 1

    def hear(self, key: str) -> bool:
        """Move; tell whether it is still to be shown."""
        if key in LEAVE_CASE:
            return False
        moves = {
            **dict.fromkeys(FORWARD, self._page),
            **dict.fromkeys(BACKWARD, -self._page),
            **dict.fromkeys(DOWN, 1),
            **dict.fromkeys(UP, -1),
            **dict.fromkeys(("home", "g"), -len(self._lines)),
            **dict.fromkeys(("end", "G"), len(self._lines)),
        }
        self._top += moves.get(key, 0)
        self._left = max(0, self._left + {"right": 20, "left": -20}.get(key, 0))
        return True

    def rows(self, columns: int, rows: int) -> list[str]:
        """Return a screen of it."""
        self._read()
        self._page = max(1, rows - 1)
        self._top = max(0, min(self._top, len(self._lines) - self._page))
        seen = self._lines[self._top : self._top + self._page]
        shown = [self._row(line, columns) for line in seen]
        shown += [""] * (self._page - len(shown))
        size = sum(map(len, self._contents.values()))
        last = self._top + len(seen)
        where = f"lines {self._top + 1:,} to {last:,} of {len(self._lines):,}"
        bar = cut(f" {counted(size, 'byte')} · {where} · q: back · arrows, space: move", columns)
        return [*shown, f"{REVERSE}{bar}{' ' * (columns - cells(bar))}{NORMAL}"]

    def _read(self) -> None:
        """Cut the case into lines, if it is another than before."""
        contents = self._case()
        if contents is self._contents:
            return
        self._contents = contents
        self._lines = []
        for path, content in contents.items():
            if len(contents) > 1:
                self._lines.append(f"── {path}, {counted(len(content), 'byte')}")
            text = content.decode("utf-8", "surrogateescape")
            self._lines += text.removesuffix("\n").split("\n")

    def _row(self, line: str, columns: int) -> str:
        """Return as much of a line as fits; a line may have a million characters."""
        seen = line[self._left : self._left + columns + 1].expandtabs(TAB_COLUMNS)
        return cut(for_terminal(seen), columns)


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
        on_key: Callable[[str], None],
        suspend: Callable[[], None] = lambda: None,
        resume: Callable[[], None] = lambda: None,
    ) -> None:
        """Take who is told; and who has to leave the terminal while the process is stopped."""
        self._on_key = on_key
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
            if not os.isatty(terminal) or not owns_terminal(terminal):
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
            if owns_terminal(self._terminal):
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, ours)
                self._is_ours = True

    def _give_back(self) -> None:
        # Who is in the background by now has no say, and the shell has its own modes.
        if self._is_ours and owns_terminal(self._terminal):
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
        elif owns_terminal(self._terminal):
            self._take()
            self._resume()

    def _listen(self) -> None:
        # A read in the background is to fail, and not to stop the whole process.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTIN, signal.SIGTTOU})
        woken, _ = self._wake
        try:
            while True:
                watched = [woken, self._terminal] if owns_terminal(self._terminal) else [woken]
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
            return not owns_terminal(self._terminal)
        for key in keys_in(typed.decode("utf-8", "replace")):
            self._on_key(key)
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


FIXED_KEYS = (
    ("Ctrl-Z", "hand the terminal back to the shell; fg goes on"),
    ("?", "show these keys"),
)
KEY_COLUMNS = 8


class HelpScreen:
    """Shows the keys, until another is pressed."""

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        self._keys = [*keys, *FIXED_KEYS]

    def hear(self, _key: str) -> bool:
        """Go away."""
        return False

    def rows(self, columns: int, rows: int) -> list[str]:
        """Return a screen of it."""
        lines = ["Keys while it runs:", ""]
        indent = " " * KEY_COLUMNS
        for key, does in self._keys:
            lines += wrap(does, first=f"{key:<{KEY_COLUMNS}}", indent=indent, width=columns)
        return [cut(line, columns) for line in [*lines, "", "Any key: back."]][:rows]


DIM, KEY, ALARM = "dim", "bold", "bold red"
HELP_KEYS = ("?", "h")


SKIP, PAUSE, CASE, STOP, LEAVE = "s", "p", "v", "q", "q"


class KeyWords(NamedTuple):
    """A key, and what it does."""

    key: str
    label: str
    """In a word, for the line of keys; empty: it is not there."""
    help: str
    """In a sentence, for the help and the manual."""


STEERING_KEYS = (
    KeyWords(SKIP, "skip", "end this pass, with what it has reached"),
    KeyWords(PAUSE, "pause", "start no more tests; again: go on"),
    KeyWords(CASE, "view", "look at the best case so far"),
    KeyWords(STOP, "stop", "stop now, with the best case so far in place"),
    KeyWords("Ctrl-C", "", "the same, at any moment"),
)
"""The keys of one who has started a run."""
WATCHING_KEYS = (
    KeyWords(CASE, "view", "look at the best case so far"),
    KeyWords(LEAVE, "leave", "watch no longer; the run goes on"),
    KeyWords("Ctrl-C", "", "the same"),
)
"""And of one who looks on."""


class Controls:
    """Listens as long as the view is open."""

    def __init__(self, view: LiveView, steering: Steering | None, *, watches: bool = False) -> None:
        """Take what to steer, None: nothing is heard.

        With ``watches`` the run is another process's, and can only be looked at.
        """
        self._view = view
        self._steering = steering or Steering()
        self._is_new = steering is not None
        """Whether it is yet to listen."""
        self._screen: CasePager | HelpScreen | None = None
        self._alarm = ""
        """What was asked for, until it is done."""
        self._keyboard = Keyboard(self.hear, view.suspend, view.resume)
        self._listens = False
        self._keys = WATCHING_KEYS if watches else STEERING_KEYS
        self._actions: dict[str, Callable[[], None]] = {
            SKIP: self._skip,
            PAUSE: self._pause,
            CASE: self._show_case,
            STOP: self._steering.stop,
        }

    def open(self) -> None:
        """Begin to listen, the first time: also before there is a view nothing is to be echoed."""
        if self._is_new:
            self._is_new = False
            self._listens = self._keyboard.open()

    def close(self) -> None:
        """Listen no longer; the terminal is as it was."""
        self._is_new = self._listens = False
        self._keyboard.close()

    def look(self) -> None:
        """Draw what is shown, as it is by now."""
        self._view.draw()

    def begins(self) -> None:
        """Take note that another pass begins."""
        if self._alarm == "skips":
            self._alarm = ""

    def line(self, room: int) -> Text | None:
        """Return which keys there are, or what was asked for; None: nobody can type."""
        if not self._listens:
            return None
        if self._steering.is_stopped:
            return _alarm("stopping: the best case so far is put in place", room)
        if self._steering.is_paused:
            return _alarm("paused · p goes on · q stops", room)
        if self._alarm:
            return _alarm("skipping this pass", room)
        row = Text.assemble(("? ", KEY), ("help", DIM))
        for each in filter(attrgetter("label"), self._keys):
            if row.cell_len + len(f" · {each.key} {each.label}") > room:
                break
            row.append(" · ", DIM).append(f"{each.key} ", KEY).append(each.label, DIM)
        return row

    def hear(self, key: str) -> None:
        """Do what a key is for; one that is for nothing is not heard."""
        if not self._view.is_open:
            return
        if self._screen is not None:
            if not self._screen.hear(key):
                self._show(None)
        elif key in HELP_KEYS:
            self._show(HelpScreen([(each.key, each.help) for each in self._keys]))
        else:
            key = PAUSE if key == " " else key
            if any(each.key == key for each in self._keys):
                self._actions[key]()
        self._view.draw()

    def _show(self, screen: CasePager | HelpScreen | None) -> None:
        self._screen = screen
        self._view.fill(None if screen is None else screen.rows)

    def _show_case(self) -> None:
        self._show(CasePager(lambda: self._steering.case))

    def _skip(self) -> None:
        self._alarm = "skips"
        self._steering.skip()

    def _pause(self) -> None:
        if self._steering.is_paused:
            self._steering.resume()
        else:
            self._steering.pause()


def _alarm(alarm: str, room: int) -> Text:
    row = Text(alarm, ALARM)
    row.truncate(room, overflow="ellipsis")
    return row
