"""What is said while nothing else is: what is being done, for how long, and what one can do.

A phase that is over within a second is not worth a word. On a terminal its line is written over,
and goes when the phase ends; elsewhere there is a line after a second, and then ever more rarely.
"""

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import RLock
from typing import TextIO

from wynot.core.events import (
    Accepted,
    Answered,
    CandidateJudged,
    Doing,
    Event,
    InquiryEnded,
    InquiryStarted,
    LevelStarted,
    Narrowed,
    PassStarted,
    ReductionEnded,
    ReductionStarted,
)
from wynot.core.foreign_text import for_terminal
from wynot.document.sentences import duration
from wynot.document.text_width import cells, cut, wrap
from wynot.reporters.outlet import Outlet

SILENT_SECONDS = 1.0
"""Seconds of silence before anything is said."""
LATER_SECONDS = (10.0, 30.0, 60.0)
"""When it is said again, where lines cannot be written over; after that every minute."""
_MINUTE_SECONDS = 60.0
_ENDS = (
    *(Doing, ReductionStarted, PassStarted, CandidateJudged, Accepted, ReductionEnded),
    *(InquiryStarted, LevelStarted, Narrowed, Answered, InquiryEnded),
)
"""Events after which what was being done before is done: they tell of something else."""


class PhaseLine:
    """Holds the present phase, and says of it what is due."""

    def __init__(
        self,
        outlet: Outlet,
        lock: AbstractContextManager[object],
        clock: Callable[[], float],
        *,
        over: bool,
    ) -> None:
        """Take ``over`` to write on a line that is written over, where the stream allows that."""
        self._outlet = outlet
        self._lock = lock
        self._clock = clock
        self._over = over and outlet.is_live
        self._doing: Doing | None = None
        self._since = 0.0
        self._due = 0.0
        self._shown = False

    @property
    def keeps(self) -> bool:
        """Whether there is a phase that it would tell of."""
        return self._doing is not None

    def handle(self, event: Event) -> None:
        """Take note of a phase that begins, or of anything that shows that it has ended."""
        with self._lock:
            if isinstance(event, Doing) and event.what:
                self._begin(event)
            elif isinstance(event, _ENDS):
                self.close()

    def look(self) -> None:
        """Say what is due by now; to be called a few times a second."""
        with self._lock:
            doing, now = self._doing, self._clock()
            if doing is None or now < self._due:
                return
            spent = now - self._since
            if self._over:
                self._shown = True
                line = in_a_row(doing, spent, self._outlet.width - 1)
                self._outlet.write(f"\r\x1b[K{self._outlet.paint('dim', line)}")
                self._outlet.flush()
            else:
                self._due = self._since + _next(spent)
                sentence = in_a_sentence(doing, spent)
                self._outlet.say(*wrap(sentence, indent="       ", width=self._outlet.width))

    def clear(self) -> None:
        """Make room for a line of somebody else's; the phase goes on."""
        with self._lock:
            if self._shown:
                self._outlet.write("\r\x1b[K")
                self._outlet.flush()
                self._shown = False

    def close(self) -> None:
        """Take the phase for ended, and leave no line that was to be written over."""
        with self._lock:
            self.clear()
            self._doing = None

    def _begin(self, event: Doing) -> None:
        if self._doing is None or self._doing.what != event.what:
            self.clear()
            self._since = self._clock()
            self._due = self._since + SILENT_SECONDS
        self._doing = event


def phase_reporter(
    stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> PhaseLine:
    """Return a reporter of its own, for commands that write what they find themselves.

    It says what takes long, and nothing else; on standard error, so that the output stays clean.
    """
    return PhaseLine(Outlet(stream or sys.stderr), RLock(), clock, over=True)


def in_a_sentence(doing: Doing, spent: float) -> str:
    """Return what is being done, for how long, and what can be done about it."""
    counts = f", {doing.done:,} of {doing.of:,} done" if doing.of else ""
    # What has taken longer than one run may is more than one.
    longest = f"; it may take up to {_limit(doing.longest)}" if doing.longest > spent else ""
    advice = f"{doing.hint}; Ctrl-C stops" if doing.hint else "Ctrl-C stops"
    return (
        f"wynot: {for_terminal(doing.what)} has taken {duration(spent)}{counts}{longest} ({advice})"
    )


def in_a_row(doing: Doing, spent: float, room: int) -> str:
    """Return the same as facts, as many as fit, the most important first."""
    limit = f" of at most {_limit(doing.longest)}" if doing.longest > spent else ""
    counts = f"{doing.done:,} of {doing.of:,}" if doing.of else ""
    what = for_terminal(doing.what).removeprefix("the ")
    row = cut(what, room)
    for fact in (f"{duration(spent)}{limit}", counts, doing.hint, "Ctrl-C stops"):
        longer = f"{row} · {fact}"
        if fact and cells(longer) <= room:
            row = longer
    return row


def _limit(seconds: float) -> str:
    return f"{seconds:,.0f} s" if seconds >= 1 else duration(seconds)


def _next(spent: float) -> float:
    """Return after how many seconds of a phase it is said again."""
    return next(
        (each for each in LATER_SECONDS if each > spent),
        _MINUTE_SECONDS * (spent // _MINUTE_SECONDS + 1),
    )
