"""``wynot watch``: a reduction of another process, as its journal has it."""

import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from wynot.cli.exit_codes import BUDGET, DONE, INTERRUPTED
from wynot.cli.history import journal_path
from wynot.commands.table import WatchOptions
from wynot.core.errors import InvalidOption, NoSuchFile
from wynot.core.events import Doing, Event, ReductionEnded
from wynot.core.foreign_text import for_terminal
from wynot.core.standing import COMPLETE_STOPS, Steering, Stop
from wynot.core.system.debug_log import Observer
from wynot.core.system.lazy import lazy
from wynot.disk.journal_follower import JournalFollower, JournalNews
from wynot.disk.load import OURS
from wynot.disk.output import shown
from wynot.reporters.outlet import Outlet
from wynot.reporters.plain import Plain
from wynot.reporters.reporter import Reporter, ticking

if TYPE_CHECKING:
    from wynot.reporters import live
else:
    live = lazy("wynot.reporters.live")

LOOK_SECONDS = 0.25
"""Seconds between two looks into the journal."""
CRASHED = "the run was killed, or has crashed; the same command continues it"


def run(options: WatchOptions) -> int:
    """Follow a run to its end."""
    path = journal_path(options.file) if options.file else _only_run(Path.cwd() / OURS)
    follower = JournalFollower(path)
    if not path.exists() and not follower.process:
        raise NoSuchFile(
            f"there is no journal for {options.file!r}: {shown(path)!r} does not exist",
            path=options.file,
            hint="give the file that is reduced; after reduce -o OUT, give OUT",
        )
    watch = RunWatch(follower, JournalClock(), Steering())
    try:
        with ticking(watch.reporter) as observer:
            return watch.follow(observer)
    except KeyboardInterrupt:
        return INTERRUPTED


def _only_run(home: Path) -> Path:
    """Return the journal of the run that is under way here; if none is, of the last one."""
    there = {path.with_suffix(".journal") for path in home.glob("*.lock")}
    running = [path for path in sorted(there) if JournalFollower(path).process]
    if len(running) > 1:
        names = ", ".join(for_terminal(path.stem) for path in running)
        raise InvalidOption(
            f"{len(running)} runs are under way here: {names}", hint="wynot watch FILE"
        )
    journals = running or sorted(home.glob("*.journal"), key=lambda path: path.stat().st_mtime)
    if not journals:
        raise NoSuchFile("no run has left a journal here", hint="wynot watch FILE")
    return journals[-1]


class JournalClock:
    """The seconds of a run that is another process's, by the clock on the wall.

    Whoever tells of what is past turns it back, for its own thread only.
    """

    def __init__(self) -> None:
        self._began = time.time()
        self._now = 0.0
        self._is_going = False
        self._past = threading.local()

    def __call__(self) -> float:
        """Return how many seconds the run has taken."""
        past: float | None = getattr(self._past, "seconds", None)
        if past is not None:
            return past
        return max(self._now, time.time() - self._began) if self._is_going else self._now

    def turn(self, seconds: float | None) -> None:
        """Let it be so late for this thread; None: let it be what it is."""
        self._past.seconds = seconds

    def go(self, began: float) -> None:
        """Let the run have begun at a time, and go on."""
        self._began, self._is_going = began, True

    def stand(self, seconds: float) -> None:
        """Let the run be over after so many seconds."""
        self._now, self._is_going = seconds, False


class RunWatch:
    """Reads a journal now and then, and tells of what is new as the run itself would."""

    def __init__(self, follower: JournalFollower, clock: JournalClock, steering: Steering) -> None:
        self._follower = follower
        self._clock = clock
        self._steering = steering
        steering.shows(follower.case)
        self._outlet = Outlet(sys.stdout)
        self._has_begun = False
        self._latest = 0.0
        """Seconds that the run had taken when it wrote last."""
        is_terminal = self._outlet.is_live
        self.reporter: Reporter = (
            live.Live(sys.stdout, clock, steering, watches=True)
            if is_terminal
            else Plain(sys.stdout, clock)
        )

    def follow(self, observer: Observer) -> int:
        """Tell of the run until it ends, or nobody wants to know any more."""
        while not self._steering.is_stopped:
            news = None if self._follower.is_checking else self._follower.news()
            if news is None:
                observer.handle(Doing("the first runs of the test"))
            else:
                ended = self._tell(news, observer)
                if ended is not None or not news.process:
                    return self._end(news, ended, observer)
            self._steering.rest(LOOK_SECONDS)
        return DONE

    def _tell(self, news: JournalNews, observer: Observer) -> ReductionEnded | None:
        """Tell what is new; return how the run ended, if it has."""
        ends = [event for _, event in news.events if isinstance(event, ReductionEnded)]
        self._latest = max([self._latest, *(each.seconds for each in news.events)])
        if not self._has_begun:
            self._has_begun = True
            self._outlet.say(f"wynot: {_description(news, is_over=bool(ends))}")
            if news.process and not ends:
                self._clock.go(news.began)
            else:
                self._clock.stand(self._latest)
        for seconds, event in news.events:
            if not isinstance(event, ReductionEnded):
                self._past(seconds, event, observer)
        return ends[-1] if ends else None

    def _past(self, seconds: float, event: Event, observer: Observer) -> None:
        """Tell of something as if it were the time when it took place."""
        self._clock.turn(seconds)
        try:
            observer.handle(event)
        finally:
            self._clock.turn(None)

    def _end(self, news: JournalNews, ended: ReductionEnded | None, observer: Observer) -> int:
        """Tell how it ended, in its own words if it has any."""
        self._clock.stand(self._latest)
        is_complete = news.state == Stop.FINISHED or (ended and ended.stopped in COMPLETE_STOPS)
        if ended is not None:
            observer.handle(ended)
        else:
            self.reporter.close()
            self._outlet.say(f"wynot: {_description(news, is_over=False)}")
        return DONE if is_complete else BUDGET


def _description(news: JournalNews, *, is_over: bool) -> str:
    """Say what has become of the run by now."""
    if news.state == Stop.FINISHED:
        return "the run has finished"
    if is_over:
        return "the run has stopped"
    return f"the run is under way, as process {news.process}" if news.process else CRASHED
