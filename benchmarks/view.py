"""What the live view costs: processor time of a frame, and bytes that it writes.

    python benchmarks/view.py

The figures are those of a long run: as many points of the curve as are kept, a pass of 100,000
parts, and something new in every frame.
"""

import io
import time
from itertools import count
from threading import RLock
from unittest.mock import patch

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.events import (
    Accepted,
    CandidateJudged,
    PassStarted,
    Ran,
    ReductionStarted,
)
from wynot.core.verdict import Verdict
from wynot.reporters.live_view import LiveView
from wynot.reporters.outlet import Outlet
from wynot.reporters.panel import Panel
from wynot.reporters.reporter import SECONDS_BETWEEN_LOOKS
from wynot.reporters.run_figures import RunFigures

SIZES = ((40, 15), (80, 24), (200, 60))
FRAMES, STEPS, PARTS = 400, 2_000, 100_000


class CountingTerminal(io.StringIO):
    """A terminal that counts what is written to it, and keeps nothing."""

    written = writes = 0

    def isatty(self) -> bool:
        """Whether this is a terminal."""
        return True

    def write(self, text: str) -> int:
        """Count a text."""
        self.written += len(text.encode())
        self.writes += 1
        return len(text)


def judged(number: int, base: Deltas) -> CandidateJudged:
    candidate = Candidate(base, Edit.drop(base.part(number % 500, number % 500 + 1)), "r1/c1")
    return CandidateJudged(
        candidate,
        Verdict.UNINTERESTING,
        from_memo=False,
        decided=False,
        iteration=1,
        so_far=None,
        left=9_000,
    )


def long_run(clock: "Turned") -> RunFigures:
    figures = RunFigures(clock)
    figures.fold(ReductionStarted(("prog.c",), 1_000_000, 16, "killed by SIGSEGV", 0.05, 0))
    figures.fold(PassStarted("tokens", PARTS, 3))
    for number in range(1, STEPS):
        clock.now += 0.5
        figures.fold(Ran(0, Verdict.UNINTERESTING, 0.05, "exit status 1"))
        figures.fold(Accepted(number, 1_000_000 // number, 10 * number, "tokens", "r1/c1"))
    return figures


class Turned:
    """A clock that is turned by hand."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def measured(columns: int, rows: int) -> tuple[float, float, float]:
    """Return seconds of the processor, bytes and writes of a frame."""
    clock, stream = Turned(), CountingTerminal()
    figures = long_run(clock)
    base = Deltas(tuple(range(0, PARTS, 50)))  # in a thousand pieces
    with patch.dict("os.environ", {"COLUMNS": str(columns), "LINES": str(rows), "TERM": "xterm"}):
        view = LiveView(Outlet(stream))
        view.open(Panel(figures, RLock()))
        stream.written = stream.writes = 0
        spent = 0.0
        for number in count():
            if number == FRAMES:
                break
            for _ in range(12):
                clock.now += SECONDS_BETWEEN_LOOKS / 12
                figures.fold(Ran(0, Verdict.UNINTERESTING, 0.05, "exit status 1"))
                figures.fold(judged(number, base))
            began = time.process_time()
            view.draw()
            spent += time.process_time() - began
        view.close()
    return spent / FRAMES, stream.written / FRAMES, stream.writes / FRAMES


def main() -> None:
    a_second = 1 / SECONDS_BETWEEN_LOOKS
    print(f"{FRAMES} frames each, {a_second:.0f} a second")
    print("| terminal | ms a frame | of a core | bytes a frame | writes a frame |")
    print("| --- | --- | --- | --- | --- |")
    for columns, rows in SIZES:
        seconds, written, writes = measured(columns, rows)
        share = 100 * seconds * a_second
        print(
            f"| {columns} x {rows} | {1000 * seconds:.2f} | {share:.2f} % | {written:,.0f} | "
            f"{writes:.2f} |"
        )


if __name__ == "__main__":
    main()
