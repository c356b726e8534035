"""Where a reduction stands, why it ended, and what a person asks of it meanwhile.

Whoever hears keys knocks from its own thread; the engine looks between two verdicts, on its own
thread, and does what is asked when it can. A run that nobody steers never learns that there is such
a door: what it asks, and in which order, depends on verdicts only.

A reporter folds the events of a run into a `RunStatus`; the journal keeps one now and then, so that
others can show the same.
A fold costs about a microsecond.
"""

from collections import deque
from collections.abc import Callable, Mapping
from enum import StrEnum
from threading import Event, Lock
from typing import NamedTuple

from wynot.core import events
from wynot.core.events import StatusRead
from wynot.core.verdict import Verdict


class Stop(StrEnum):
    """The reasons, but for errors: of those it is the slug that takes this place.

    They are the words that results, events, journals and JSON have.
    """

    FINISHED = "finished"
    """It came to its end."""
    ALREADY_FINISHED = "already-finished"
    """An earlier run of the same command had come to its end."""
    MAX_TESTS = "max-tests"
    MAX_TIME = "max-time"
    TARGET_SIZE = "target-size"
    PATIENCE = "patience"
    INTERRUPTED = "interrupted"
    BY_HAND = "by-hand"
    """A person who watched it asked for the end."""

    __repr__ = str.__repr__  # a result shows it as the word that it is


COMPLETE_STOPS = frozenset({Stop.FINISHED, Stop.ALREADY_FINISHED, Stop.TARGET_SIZE})
"""Those after which nothing is left of what was asked for."""


PresentCase = Callable[[], Mapping[str, bytes]]
"""Returns the best case so far: the content of each file, by path."""


class Steering:
    """What is asked for: to skip the present pass, to pause, to stop; and what there is to see."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._skips = 0
        self._stop = Event()
        self._going = Event()
        self._going.set()
        self._present: PresentCase | None = None

    # For those who ask.

    def skip(self) -> None:
        """Ask for the present pass to end with what it has reached."""
        with self._lock:
            self._skips += 1

    def pause(self) -> None:
        """Ask for no more tests to be started; those that run may end."""
        self._going.clear()

    def resume(self) -> None:
        """Let tests be started again."""
        self._going.set()

    def stop(self) -> None:
        """Ask for the end, with the best case so far; a run that is paused ends, too."""
        self._stop.set()
        self._going.set()

    @property
    def case(self) -> Mapping[str, bytes]:
        """The best case so far; empty as long as there is none."""
        return self._present() if self._present else {}

    # For the one who is asked.

    def shows(self, present: PresentCase) -> None:
        """Let the best case be looked at, from any thread."""
        self._present = present

    @property
    def is_paused(self) -> bool:
        """Whether no test is to be started."""
        return not self._going.is_set()

    @property
    def is_stopped(self) -> bool:
        """Whether the run is to end."""
        return self._stop.is_set()

    def takes_skip(self) -> bool:
        """Tell whether the present pass is to end; each request is told once."""
        with self._lock:
            is_asked = self._skips > 0
            self._skips -= is_asked
        return is_asked

    def rest(self, seconds: float) -> None:
        """Wait for so long, or until the run is to end."""
        self._stop.wait(seconds)

    def wait(self, seconds: float) -> None:
        """Wait until it is to go on, or for so long."""
        self._going.wait(seconds)


MAX_NOTICES = 20
_VERBS = ("drop", "add", "keep")


class LatestQuestion(NamedTuple):
    """What was asked last."""

    parts: int
    """How many parts there were."""
    verb: str
    """drop, add or keep."""
    about: int
    """How many of them it is about."""
    left: int | None
    """How many more such questions there are at most, if the search can say."""


class RunStatus:
    """The counts, as of the last event. Whoever holds it locks it."""

    def __init__(self) -> None:
        self.tests = 0
        self.recalled = 0
        """Questions that the memo answered."""
        self.verdicts = dict.fromkeys(Verdict, 0)
        self.current: events.PassStarted | None = None
        self.deltas = 0
        """Of the present session."""
        self.latest: events.CandidateJudged | None = None
        self.doing: events.Doing | None = None
        """What is being done, if that is not the present pass."""
        self.noticed: deque[events.Noticed] = deque(maxlen=MAX_NOTICES)
        self._question: LatestQuestion | None = None
        """What another has said was asked last."""

    def fold(self, event: events.Event) -> None:
        """Take an event in."""
        match event:
            case events.CandidateJudged():
                self.latest, self.doing = event, None
                if event.from_memo:
                    self.recalled += 1
                else:
                    self.tests += 1
                    self.verdicts[event.verdict] += 1
            case events.Accepted():
                self.tests = max(self.tests, event.tests)
            case events.SessionStarted():
                self.deltas = event.deltas
                self.latest = self._question = None
            case events.PassStarted():
                self.current, self.deltas, self.doing = event, event.parts, None
                self.latest = self._question = None
            case events.Doing():
                self.doing = event if event.what else None
            case events.Noticed():
                self.noticed.append(event)
            case StatusRead():
                self.recall(event.row)

    @property
    def question(self) -> LatestQuestion | None:
        """What was asked last in the present pass."""
        if self.latest is None:
            return self._question
        candidate = self.latest.candidate
        verb, deltas = candidate.edit
        return LatestQuestion(len(candidate.base), verb, len(deltas), self.latest.left)

    def row(self) -> dict[str, object]:
        """Return it as JSON can say it."""
        return {
            "tests": self.tests,
            "recalled": self.recalled,
            "verdicts": {verdict.value: count for verdict, count in self.verdicts.items()},
            "question": self.question,
        }

    def recall(self, row: object) -> None:
        """Take over the counts of another; values that make no sense are left out."""
        if not isinstance(row, Mapping):
            return
        self.tests = max(self.tests, _count(row.get("tests"), 0))
        self.recalled = _count(row.get("recalled"), self.recalled)
        verdicts = row.get("verdicts")
        if isinstance(verdicts, Mapping):
            for verdict in Verdict:
                self.verdicts[verdict] = _count(verdicts.get(verdict.value), 0)
        self.latest, self._question = None, _question(row.get("question"))


def _question(row: object) -> LatestQuestion | None:
    match row:
        case [int(parts), str(verb), int(about), (int() | None) as left] if verb in _VERBS:
            return LatestQuestion(parts, verb, about, left)
    return None


def _count(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and value >= 0 else otherwise
