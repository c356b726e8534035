"""One reduction, traced candidate by candidate.

    python -m benchmarks.account.traced OUT reduce [what wynot reduce takes]

Writes a JSON object to OUT: for each pass and kind of proposal the tests, the accepted steps, the
bytes gained and wynot's own processor time; and the tests and the bytes of the whole.
"""

import json
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from wynot.cli import main, reduce
from wynot.core.events import (
    Accepted,
    CandidateJudged,
    Event,
    PassEnded,
    PassStarted,
    ReductionEnded,
    ReductionStarted,
)
from wynot.passes import catalog
from wynot.reporters.reporter import Reporter

BETWEEN = "between passes"


class Tracer(Reporter):
    """Adds up what each kind of proposal costs and gains."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], list[float]] = {}
        """By pass and kind: tests, steps, bytes gained, seconds of wynot's own processor time."""
        self.ended: ReductionEnded | None = None
        self._pass = BETWEEN
        self._size = 0
        self._cpu = own_seconds()

    def handle(self, event: Event) -> None:
        """Take an event; the other kinds come from workers or tell nothing new."""
        match event:
            case ReductionStarted():
                self._size = event.size
                self._row("")[3] += self._spent()
            case PassStarted():
                self._row("")[3] += self._spent()
                self._pass = event.name
            case PassEnded():
                self._row("")[3] += self._spent()
                self._pass = BETWEEN
            case CandidateJudged():
                row = self._row(event.candidate.name)
                row[0] += not event.from_memo
                row[3] += self._spent()
            case Accepted():
                row = self._row(event.candidate)
                row[1] += 1
                row[2] += self._size - event.size
                self._size = event.size
            case ReductionEnded():
                self._row("")[3] += self._spent()
                self.ended = event

    def _row(self, kind: str) -> list[float]:
        return self.rows.setdefault((self._pass, kind), [0, 0, 0, 0.0])

    def _spent(self) -> float:
        before, self._cpu = self._cpu, own_seconds()
        return self._cpu - before


def own_seconds() -> float:
    """Return the processor time of this process, without that of its children."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def watch_rewrites(found: dict[str, str]) -> None:
    """Have each rewrite note the kinds that it proposes."""

    def watched(rewrites: Callable[[Any], Iterable[Any]]) -> Callable[[Any], Any]:
        def noting(forest: Any) -> Iterator[Any]:
            for each in rewrites(forest):
                found.setdefault(each.category, rewrites.__name__)
                yield each

        return noting

    for group in ("TEXTS", "QUICK_MEANINGS", "MEANINGS"):
        setattr(catalog, group, tuple(map(watched, getattr(catalog, group))))


def traced(arguments: list[str]) -> dict[str, object]:
    """Run one command, and return its figures."""
    owners: dict[str, str] = {}
    watch_rewrites(owners)
    tracer = Tracer()
    setattr(reduce, "reporter_of", lambda *_: tracer)  # noqa: B010 - only imported there
    code = main.main(arguments)
    ended = tracer.ended
    if ended is None:
        sys.exit(code)
    return {
        "stopped": ended.stopped,
        "before": ended.before,
        "after": ended.size,
        "tests": ended.tests,
        "extra": ended.extra,
        "timed_out": ended.timed_out,
        "seconds": ended.seconds,
        "test_seconds": ended.test_seconds,
        "own": own_seconds(),
        "owners": owners,
        "rows": [[*key, *row] for key, row in tracer.rows.items()],
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(traced(sys.argv[2:])))
