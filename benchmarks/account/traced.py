"""One reduction, traced candidate by candidate.

    python -m benchmarks.account.traced OUT NAMES reduce [what wynot reduce takes]

Writes a JSON object to OUT: for each pass and kind of proposal the tests, the accepted steps, the
bytes gained and wynot's own processor time; and the tests and the bytes of the whole. NAMES are
sources, rewrites or miners of relations to switch off, with commas between them, or ``gate``; each
must be known.
"""

import json
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
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
from wynot.passes import catalog, plan, sources
from wynot.passes.tiers import Source
from wynot.passes.trees import tree_passes
from wynot.relations import mining
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


GROUPS = ("TEXTS", "QUICK_MEANINGS", "MEANINGS")
"""The tuples of rewrites that sources of the plan are made of."""


def prepare(off: set[str], found: dict[str, str]) -> None:
    """Switch off some mechanisms, and have each rewrite note the kinds that it proposes."""
    known = {"gate"}

    def watched(rewrites: Callable[[Any], Iterable[Any]]) -> Callable[[Any], Any]:
        def noting(forest: Any) -> Iterator[Any]:
            for each in rewrites(forest):
                found.setdefault(each.category, rewrites.__name__)
                yield each

        return noting

    made: dict[Source, Source] = {}
    for old, group in zip(
        (sources.texts, sources.quick_meanings, sources.meanings), GROUPS, strict=True
    ):
        rewrites = getattr(catalog, group)
        known |= {each.__name__ for each in rewrites}
        left = tuple(watched(each) for each in rewrites if each.__name__ not in off)
        made[old] = sources.rewriting(old.__name__, left)
    known |= {source.__name__ for tier in plan.PLAN for source in tier.sources}
    plan.PLAN = tuple(
        replace(
            tier,
            sources=tuple(
                made.get(each, each) for each in tier.sources if each.__name__ not in off
            ),
        )
        for tier in plan.PLAN
    )
    for miners in ("BINARY_MINERS", "TEXT_MINERS"):
        found_miners = getattr(mining, miners)
        known |= {*found_miners}
        left_miners = {name: each for name, each in found_miners.items() if name not in off}
        setattr(mining, miners, left_miners)
    if "gate" in off:
        setattr(tree_passes, "ParseGate", lambda *_: None)  # noqa: B010
    if unknown := off - known:
        sys.exit(f"not known: {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")


def traced(off: set[str], arguments: list[str]) -> dict[str, object]:
    """Run one command, and return its figures."""
    owners: dict[str, str] = {}
    prepare(off, owners)
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
    Path(sys.argv[1]).write_text(
        json.dumps(traced({*filter(None, sys.argv[2].split(","))}, sys.argv[3:]))
    )
