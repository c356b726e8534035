"""``wynot watch``: a reduction of another process, as its journal has it."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from wynot.cli.exit_codes import BUDGET, DONE, INTERRUPTED
from wynot.cli.history import JournalClock, JournalEvents, began_in, ended_in, journal_path, latest
from wynot.commands.table import WatchOptions
from wynot.core.errors import InvalidOption, NoSuchFile
from wynot.core.events import Doing, Event
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


class RunWatch:
    """Reads a journal now and then, and tells of what is new as the run itself would."""

    def __init__(self, follower: JournalFollower, clock: JournalClock, steering: Steering) -> None:
        self._follower = follower
        self._clock = clock
        self._steering = steering
        steering.shows(follower.case)
        self._outlet = Outlet(sys.stdout)
        self._events = JournalEvents()
        self._has_begun = False
        is_terminal = self._outlet.isatty() and os.environ.get("TERM", "dumb") != "dumb"
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
                self._tell(news, observer)
                if self._is_over(news):
                    return self._end(news, observer)
            self._steering.rest(LOOK_SECONDS)
        return DONE

    def _is_over(self, news: JournalNews) -> bool:
        return bool(news.ended) or not news.process

    def _tell(self, news: JournalNews, observer: Observer) -> None:
        if not self._has_begun:
            self._begin(news, observer)
        for seconds, event in self._events.told(news):
            self._past(seconds, event, observer)

    def _begin(self, news: JournalNews, observer: Observer) -> None:
        self._has_begun = True
        self._outlet.say(f"wynot: {_words(news)}")
        began = news.began.get("at")
        if not self._is_over(news) and isinstance(began, int | float):
            self._clock.go(float(began))
        else:
            self._clock.stand(latest(news))
        original = self._follower.original
        names = (self._follower.path.stem,)
        self._past(0.0, began_in(news, original, names), observer)

    def _past(self, seconds: float, event: Event, observer: Observer) -> None:
        """Tell of something as if it were the time when it took place."""
        self._clock.turn(seconds)
        try:
            observer.handle(event)
        finally:
            self._clock.turn(None)

    def _end(self, news: JournalNews, observer: Observer) -> int:
        """Tell how it ended, in its own words if it has any."""
        self._clock.stand(latest(news))
        ended = ended_in(news)
        is_complete = news.state == Stop.FINISHED or (ended and ended.stopped in COMPLETE_STOPS)
        if ended is not None:
            observer.handle(ended)
        else:
            self.reporter.close()
            self._outlet.say(f"wynot: {_words(news)}")
        return DONE if is_complete else BUDGET


def _words(news: JournalNews) -> str:
    """Say what has become of the run by now."""
    if news.ended or news.state == Stop.FINISHED:
        is_done = news.state == Stop.FINISHED
        return "the run has finished" if is_done else "the run has stopped"
    return f"the run is under way, as process {news.process}" if news.process else CRASHED
