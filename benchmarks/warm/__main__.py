"""Warm tests beside cold ones: eight programs in Python, each with a failure of its own.

    python -m benchmarks.warm [NAME …] [-j N] [--rounds N] [--json FILE]
    python -m benchmarks.warm --verdicts 10000 [NAME …] [-j N] [--json FILE]

The first tells what one test of each program takes, start and work apart, and how much less there
could be at most. Then it reduces each case, with the modules of the program loaded ahead and with
``--cold`` in turns: wall time (the median of the rounds), tests, bytes, whether both came to the
same. The second asks both ways about candidates that real reductions come to, so many in all, and
counts where the exit status, standard output or standard error differ; what is random in a program,
as the names of its temporary files, is masked.

The programs are installed from PyPI into ``${WYNOT_BENCH_HOME:-~/.cache/wynot-bench}``, once.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import geometric_mean, mean, median
from typing import Any, NamedTuple
from unittest.mock import patch

from benchmarks.warm.programs import WarmCase
from benchmarks.warm.single import print_singles, single_test

from wynot.agents.sandbox import Sandbox
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.answer import Answer
from wynot.core.ending import Ending
from wynot.core.errors import WynotError
from wynot.failures.diagnostic_reading import read_diagnostics
from wynot.job.warm_tests import WarmTests
from wynot.oracle.oracle import Judgement, Oracle
from wynot.reduction.job import Reduce
from wynot.settings import ignore_event

WAYS: tuple[dict[str, Any], ...] = (
    {},
    {"atoms": "tokens"},
    {"atoms": "lines", "search": "ddmin"},
    {"search": "hdd"},
    {"atoms": "chars"},
    {"atoms": "bytes"},
)
"""Ways to reduce, which ask different questions, until there are enough."""
RANDOM_TEXT = re.compile(rb"/\S+|0x[0-9a-f]+|\b[0-9a-f]{8}\b|[0-9]+")
"""Paths, addresses and numbers: names of temporary files, times, the names that nbformat gives to
cells without one."""


class Reduction(NamedTuple):
    """What came of one reduction."""

    seconds: float
    tests: int
    result: bytes
    notices: tuple[str, ...] = ()


def reduced(case: WarmCase, jobs: int, *more: str) -> Reduction:
    """Reduce a case, by the command as users run it."""
    with case.in_folder() as path:
        said = [word for each in case.text for word in ("--text", each)]
        options = ["-j", str(jobs), "--json", *said, *more]
        argv = [sys.executable, "-m", "wynot", "reduce", *options, path.name, "--", *case.command]
        began = time.monotonic()
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - began
        if done.returncode:
            raise SystemExit(f"{case.name}: {done.stderr}")
        events = [json.loads(line) for line in done.stdout.splitlines()]
        notices = [each["message"] for each in events if each["event"] == "noticed"]
        return Reduction(seconds, events[-1]["tests"], path.read_bytes(), tuple(notices))


def compare_times(cases: Sequence[WarmCase], jobs: int, rounds: int) -> list[dict[str, Any]]:
    """Print a table: how long each case takes, warm and cold."""
    print(f"{'program':<10} {'bytes':>6} {'left':>5} {'tests':>6} {'warm':>8} {'cold':>8}  ratio")
    rows: list[dict[str, Any]] = []
    for case in cases:
        both = [(reduced(case, jobs), reduced(case, jobs, "--cold")) for _ in range(rounds)]
        warm, cold = both[0]
        is_same = len({(each.tests, each.result) for pair in both for each in pair}) == 1
        times = [median(each.seconds for each in which) for which in zip(*both, strict=True)]
        ratio = median(pair[1].seconds / pair[0].seconds for pair in both)
        size = case.file.stat().st_size
        rows.append(
            {
                "program": case.name,
                "bytes": size,
                "left": len(warm.result),
                "tests": warm.tests,
                "warm": round(times[0], 2),
                "cold": round(times[1], 2),
                "ratio": round(ratio, 2),
                "same": is_same,
            }
        )
        print(
            f"{case.name:<10} {size:>6} {len(warm.result):>5} {warm.tests:>6} "
            f"{times[0]:>7.1f}s {times[1]:>7.1f}s {ratio:>5.1f}x"
            f"{'' if is_same else f'  not the same: {len(cold.result)} bytes, {cold.tests} tests'}",
            flush=True,
        )
        for notice in warm.notices:
            print(f"           {notice}")
    ratios = [row["ratio"] for row in rows]
    print(
        f"less wall time, geometric mean: {geometric_mean(ratios):.1f}x, mean: {mean(ratios):.1f}x"
    )
    return rows


class Comparison:
    """Asks both ways about every candidate, and believes the cold answer."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.asked: set[bytes] = set()
        self.counts: Counter[str] = Counter()
        self.differing: list[str] = []
        self._lock = threading.Lock()

    def ask(
        self,
        tests: WarmTests,
        oracle: Oracle[Any],
        subject: object,
        digest: bytes,
        sandbox: Sandbox,
        *,
        short: bool,  # noqa: ARG002 - both have all their time
        diagnostics: bool = False,
    ) -> Judgement:
        """Stand in for the usual way of asking."""
        warm = replace(oracle, limits=oracle.limits._replace(warm_plan=tests.plan))
        cold_said = oracle.once(subject, sandbox, capture=True)
        with self._lock:
            is_new = digest not in self.asked and len(self.asked) < self.most
            self.asked.add(digest)
        if is_new:
            warm_said = warm.once(subject, sandbox, capture=True)
            self._note(warm_said.ending, cold_said.ending)
            self.counts["verdicts differ"] += warm_said.verdict is not cold_said.verdict
        answer = Answer(
            cold_said.verdict,
            diagnostics=read_diagnostics(cold_said.ending) if diagnostics else None,
            seconds=cold_said.seconds,
        )
        return Judgement(answer, cold_said.words, timed_out=cold_said.timed_out)

    def _note(self, warm: Ending, cold: Ending) -> None:
        both: dict[str, tuple[object, object]] = {"status": (_how(warm), _how(cold))}
        for name in ("stdout", "stderr"):
            texts = [RANDOM_TEXT.sub(b"~", getattr(each, name)) for each in (warm, cold)]
            both[name] = (texts[0], texts[1])
        with self._lock:
            self.counts["asked"] += 1
            self.counts["warm"] += warm.is_warm
            for name, (one, other) in both.items():
                if one != other:
                    self.counts[f"{name} differs"] += 1
                    self.differing.append(f"{name}: warm {one!r:.300} cold {other!r:.300}")


def _how(ending: Ending) -> str:
    return ending.limit or str(ending.status)


def compare_verdicts(cases: Sequence[WarmCase], jobs: int, total: int) -> list[dict[str, Any]]:
    """Print a table: what differs between a warm answer and a cold one."""
    rows: list[dict[str, Any]] = []
    for number, case in enumerate(cases):
        done = sum(row["asked"] for row in rows)
        comparison = Comparison(math.ceil((total - done) / (len(cases) - number)))
        for way in WAYS:
            if len(comparison.asked) < comparison.most:
                _asked_both_ways(case, jobs, way, comparison)
        counts = comparison.counts
        rows.append({"program": case.name, "asked": counts["asked"], **counts})
        told = ", ".join(f"{value:,} {name}" for name, value in counts.items() if value)
        print(f"{case.name:<10} {told or 'nothing asked'}", flush=True)
        for line in comparison.differing[:5]:
            print(f"           {line}")
    asked = sum(row["asked"] for row in rows)
    differ = sum(row.get("verdicts differ", 0) + row.get("status differs", 0) for row in rows)
    printed = sum(row.get("stdout differs", 0) + row.get("stderr differs", 0) for row in rows)
    print(
        f"{asked:,} candidates: {differ} differ in status or verdict, {printed} in what is printed"
    )
    return rows


def _asked_both_ways(
    case: WarmCase, jobs: int, way: dict[str, Any], comparison: Comparison
) -> None:
    left = comparison.most - len(comparison.asked)
    with case.in_folder() as path, patch.object(WarmTests, "ask", _asking(comparison)):
        options = ReduceOptions(
            files=(path.name,),
            command=case.command,
            text=case.text,
            jobs=jobs,
            max_tests=left,
            **way,
        )
        try:
            Reduce(options, ignore_event).run()
        except WynotError as error:
            print(f"{case.name} {way}: {error}", file=sys.stderr)


def _asking(comparison: Comparison) -> Any:
    def ask(tests: WarmTests, *arguments: Any, **more: Any) -> Judgement:
        return comparison.ask(tests, *arguments, **more)

    return ask


def main() -> None:
    """Read the arguments, install, compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="which programs; all if none")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1, help="reduce each so often, both ways")
    parser.add_argument("--verdicts", type=int, metavar="N", help="compare so many verdicts")
    parser.add_argument("--json", help="write the rows there, too")
    given = parser.parse_args()
    cases = [case for case in WarmCase.read() if not given.names or case.name in given.names]
    for case in cases:
        case.install()
    if given.verdicts:
        rows = compare_verdicts(cases, given.jobs, given.verdicts)
    else:
        singles = [single_test(case) for case in cases]
        print_singles(singles)
        rows = compare_times(cases, given.jobs, given.rounds)
        rows = [row | single for row, single in zip(rows, singles, strict=True)]
    if given.json:
        Path(given.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
