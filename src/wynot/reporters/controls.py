"""What keys do while a run is shown, and the line that says so.

A key that is about the run becomes a request to it (``core.steering``); the others change what is
shown.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import NamedTuple

from rich.text import Text

from wynot.core.steering import Steering
from wynot.reporters.case_pager import CasePager
from wynot.reporters.help_screen import HelpScreen
from wynot.reporters.keyboard import Keyboard
from wynot.reporters.live_view import LiveView

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
        self._said = ""
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
        if self._said == "skips":
            self._said = ""

    def line(self, room: int) -> Text | None:
        """Return which keys there are, or what was asked for; None: nobody can type."""
        if not self._listens:
            return None
        if self._steering.is_stopped:
            return _alarm("stopping: the best case so far is put in place", room)
        if self._steering.is_paused:
            return _alarm("paused · p goes on · q stops", room)
        if self._said:
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
        self._said = "skips"
        self._steering.skip()

    def _pause(self) -> None:
        if self._steering.is_paused:
            self._steering.resume()
        else:
            self._steering.pause()


def _alarm(said: str, room: int) -> Text:
    row = Text(said, ALARM)
    row.truncate(room, overflow="ellipsis")
    return row
