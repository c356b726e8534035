"""The lines of an inquiry: progress and the answer.

On a terminal the last line shows where it is, and is written over; elsewhere a line is written when
a level begins, and a sign of life every few seconds, more rarely if nothing has changed.
"""

import time
from collections.abc import Callable
from itertools import takewhile
from threading import RLock
from typing import TextIO

from wynot.core import events
from wynot.core.events import Answered
from wynot.core.foreign_text import for_terminal
from wynot.core.options.quantities import counted, singular
from wynot.core.standing import Stop
from wynot.document.blocks import Block, CodeBlock, Difference, Paragraph, StyledText
from wynot.document.sentences import duration, proof, test_cost, timed_out
from wynot.document.terminal import terminal_lines
from wynot.document.text_width import cut, wrap
from wynot.reporters.closing import opening, refusals, stopped_by
from wynot.reporters.outlet import Outlet
from wynot.reporters.phase_line import PhaseLine
from wynot.reporters.reporter import notice


def answer(answered: Answered, outlet: Outlet) -> list[str]:
    """Return the lines of an answer, in the styles that the outlet takes."""
    blocks: list[Block] = [Paragraph(answered.title, "heading")]
    if answered.lines:
        blocks.append(CodeBlock([StyledText(style, f"{text}\n") for text, style in answered.lines]))
    blocks += [Difference(*pair) for pair in answered.pairs]
    if answered.minimal:
        blocks.append(Paragraph(proof([answered.minimal], question=answered.question)))
    return [
        "".join(outlet.paint(style, text) if style else text for style, text in line)
        for line in terminal_lines(blocks, outlet.width, coloured=outlet.coloured)
    ]


_PACE_SECONDS = 5.0
"""Seconds between two lines about progress, where they are not written over."""
_FRAME_SECONDS = 0.1
"""The same, where they are."""
_STILL_FACTOR = 6
"""How many times as long it takes to the next line if nothing has changed since the last."""


class InquiryLines:
    """Writes lines; with ``quiet`` only the answers in one line each, and problems."""

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        *,
        quiet: bool = False,
    ) -> None:
        self._outlet = Outlet(stream)
        self._clock = clock
        self._start = clock()
        self._quiet = quiet
        self._last = 0.0
        self._where = ""
        self._runs = 0
        self._over = False
        """Whether there is a line that is to be written over."""
        self._reported: tuple[str, int] | None = None
        """What the last line about progress was about."""
        self._lock = RLock()
        self._phase_line = PhaseLine(self._outlet, self._lock, clock, over=True)

    def handle(self, event: events.Event) -> None:
        """Take the event in; write what there is to be said of it."""
        with self._lock:
            if not self._quiet:
                self._phase_line.handle(event)
            match event:
                case events.Ran():
                    self._runs += 1
                    self._progress()
                case events.InquiryStarted():
                    if not self._quiet:
                        self._say(*opening(event, self._outlet.width))
                case events.LevelStarted():
                    self._where = _sought(event.question, event.level, event.units)
                    self._progress(always=not self._outlet.isatty())
                case events.Narrowed():
                    self._where = _sought(event.question, event.level, event.units)
                    self._progress()
                case events.Noticed():
                    self._say(*notice(event, self._outlet))
                case events.Answered():
                    self._answer(event)
                case events.InquiryEnded():
                    self._conclude(event)

    def look(self) -> None:
        """Say what is being done, or where it is, if it is time for that."""
        with self._lock:
            if self._phase_line.keeps:
                self._phase_line.look()
            else:
                self._progress()

    def close(self) -> None:
        """Leave no line that was to be written over."""
        with self._lock:
            self._where = ""
            self._phase_line.close()
            self._say()

    def _progress(self, *, always: bool = False) -> None:
        now = self._clock()
        if self._quiet or not self._where or (not always and now - self._last < self._pace):
            return
        self._last, self._reported = now, (self._where, self._runs)
        runs = counted(self._runs, "run")
        line = cut(
            f"{duration(now - self._start):>8} {runs:>10}  {self._where}",
            self._outlet.width - 1,
        )
        if self._outlet.isatty():
            self._outlet.write(f"\r\x1b[K{self._outlet.paint('dim', line)}")
            self._outlet.flush()
            self._over = True
        else:
            self._say(line)

    @property
    def _pace(self) -> float:
        if self._outlet.isatty():
            return _FRAME_SECONDS
        return (
            _PACE_SECONDS * _STILL_FACTOR
            if self._reported == (self._where, self._runs)
            else _PACE_SECONDS
        )

    def _answer(self, event: events.Answered) -> None:
        self._where = ""
        if self._quiet:
            # What is behind an empty line is to be looked at, and not to be told in short.
            names = takewhile(lambda shown: shown.text, event.lines)
            self._say(for_terminal(event.title), *(f"  {for_terminal(text)}" for text, _ in names))
        else:
            self._say("", *answer(event, self._outlet))

    def _conclude(self, event: events.InquiryEnded) -> None:
        self._where = ""
        tests = test_cost(event.tests, event.runs, event.checks, event.repeated)
        cost = f"{tests}, {duration(event.seconds)}."
        if event.timed_out:
            hung = timed_out(event.timed_out, event.timed_out_seconds, event.test_seconds)
            cost = f"{cost} {hung}."
        cost = " ".join([cost, *refusals(event.refused)])
        if event.stopped != Stop.FINISHED:
            cost = f"{stopped_by(event.stopped)}; what is found so far is true. {cost}"
        self._say(*([] if self._quiet else [""]), *wrap(cost, width=self._outlet.width))
        for label, place in event.written:
            self._say(f"{label:<8}  {for_terminal(place)}")

    def _say(self, *lines: str) -> None:
        self._phase_line.clear()
        if self._over:
            self._outlet.write("\r\x1b[K")
            self._over = False
        self._outlet.say(*lines)


def _sought(question: str, level: str, units: int) -> str:
    noun = singular(level) if units == 1 else level
    return f"{question}: {units:,} {for_terminal(noun)} left"
