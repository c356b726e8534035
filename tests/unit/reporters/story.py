"""Events as a reduction sends them, a clock to turn by hand, and streams that behave badly."""

import io
from dataclasses import dataclass
from threading import Thread

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.events import (
    Accepted,
    CandidateJudged,
    Event,
    Noticed,
    PassEnded,
    PassStarted,
    Ran,
    ReductionEnded,
    ReductionStarted,
    SessionEnded,
    SessionStarted,
)
from wynot.core.verdict import Verdict
from wynot.reporters.reporter import Reporter

BEGAN = ReductionStarted(("prog.c",), 32_689, 2, "killed by SIGSEGV", 0.038, 0)
ENDED = ReductionEnded(
    "finished",
    32_689,
    116,
    1_126,
    0,
    41.0,
    ("lines", "tokens", "characters"),
    "prog.c",
    "prog.c.orig",
    "",
    runs=1_126,
)
HOSTILE = "[bold red]x[/]\x1b[2J\x1b]0;t\x07\r\n\u202e宽宽:smile:\udcff[/not-open]"


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


class Broken(io.StringIO):
    """A terminal that takes nothing; it counts how often it was asked to."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error
        self.tries = 0

    def isatty(self) -> bool:
        return True

    def write(self, _text: str) -> int:
        self.tries += 1
        raise self.error


def asked(
    verdict: Verdict = Verdict.UNINTERESTING,
    *,
    base: Deltas | None = None,
    start: int = 0,
    stop: int = 1,
    from_memo: bool = False,
) -> CandidateJudged:
    base = base or Deltas.first(10)
    candidate = Candidate(base, Edit.drop(base.part(start, stop)), "r1/c1")
    interesting = verdict is Verdict.INTERESTING
    return CandidateJudged(
        candidate, verdict, from_memo, decided=interesting, iteration=1, so_far=None
    )


def ran(seconds: float = 0.04, verdict: Verdict = Verdict.UNINTERESTING) -> Ran:
    return Ran(0, verdict, seconds, "exit status 1")


def from_threads(reporter: Reporter, event: Event, *, threads: int, times: int) -> None:
    """Tell of the same event from several threads at once."""

    def tell() -> None:
        for _ in range(times):
            reporter.handle(event)

    running = [Thread(target=tell) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


EVERY: list[Event] = [
    Noticed("slow-test", "it is slow"),
    BEGAN,
    PassStarted("lines", 10, 1),
    SessionStarted(10, 2),
    ran(),
    asked(),
    asked(Verdict.INTERESTING),
    Accepted(1, 20_000, 2, "lines", "r1/c1"),
    SessionEnded("finished", 9),
    PassEnded("lines", 20_000, 2, minimal=True),
    ENDED,
]
