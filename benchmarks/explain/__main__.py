"""Explanations of failures whose pattern is known: whether they are right, and what they take.

    python -m benchmarks.explain [--match WORD] [--show]

Each failure is reduced, and what is left explained, by the command. Then a hundred fresh cases of
the stated form are made, which the explanation has not seen, and it is looked how many of them fail
in the same way. Printed: bytes of the case, tests of the reduction, tests and recalled verdicts of
the explanation, the share of its questions that were recalled, fresh cases that fail, and whether
all limits are exact and equal parts and choices were found. It exits with 1 if fewer than 95 fail,
a limit is wrong, or there were more than 300 tests.
"""

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.explain.failures import FAILURES, KnownFailure
from benchmarks.explain.instances import instance

from wynot.core.ending import Ending
from wynot.core.explanation import Explanation, recalled_explanation
from wynot.core.files import Files
from wynot.document.explanation_blocks import lines_of, title_of
from wynot.failures.signature import Signature, signature

FRESH_CASES, LEAST_FAILING, MOST_TESTS = 100, 95, 300
FIRST_SEED = 1_000
HEAD = (
    f"{'failure':<32} {'bytes':>5} {'reduce':>6} {'tests':>5} {'known':>5} {'share':>6} "
    f"{'fresh':>5} {'limits':>6} {'equal':>5} {'of few':>6} {'s':>6}"
)


class ExplainFigures(NamedTuple):
    """What came of one failure."""

    explanation: Explanation
    size: int
    reduce_tests: int
    fresh: int
    limits: bool
    equal: bool
    choices: bool

    @property
    def is_right(self) -> bool:
        """Whether all is as it must be."""
        found = self.limits and self.equal and self.choices
        return found and self.fresh >= LEAST_FAILING and self.explanation.tests <= MOST_TESTS

    @property
    def share(self) -> float:
        """Which part of the questions was answered by what the reduction knew."""
        asked = self.explanation.tests - self.explanation.runs + self.explanation.recalled
        return self.explanation.recalled / max(1, asked)


def main() -> int:
    """Print the table; return 1 if something is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--match", default="", help="only failures with this in their names")
    parser.add_argument("--show", action="store_true", help="print the explanations, too")
    given = parser.parse_args()
    print(HEAD)
    figures = []
    for failure in FAILURES:
        if given.match in failure.name:
            figures.append(measured(failure))
            print(row(failure, figures[-1]), flush=True)
            if given.show:
                show(figures[-1].explanation)
    print(
        f"{len(figures)} failures, {sum(each.is_right for each in figures)} as they must be; "
        f"median tests {median(each.explanation.tests for each in figures):.0f}, "
        f"median share known {median(each.share for each in figures):.0%}"
    )
    return int(not all(each.is_right for each in figures))


def measured(failure: KnownFailure) -> ExplainFigures:
    """Reduce and explain a failure in a folder of its own, and try fresh cases."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / failure.path).write_text(failure.content)
        reduced = command(
            folder, "reduce", "--json", failure.path, "--", *failure.command, last="ended"
        )
        answered = command(folder, "explain", "--json", failure.path, last="answered")
        explanation = recalled_explanation(json.dumps(answered["data"]))
        if explanation is None:
            raise RuntimeError("what was told is no explanation")
        case = Files({failure.path: (folder / failure.path).read_bytes()})
        return ExplainFigures(
            explanation,
            case.size,
            int(reduced["tests"]),
            fresh_failing(failure, case, explanation),
            limits_found(explanation) >= set(failure.limits),
            sum(len(part.places) > 1 for part in explanation.free) >= failure.equal,
            sum(bool(part.choices) for part in explanation.free) >= failure.choices,
        )


def limits_found(explanation: Explanation) -> set[tuple[str, int | None, int | None]]:
    """Return all limits that an explanation states."""
    return {(part.scale, part.low, part.high) for part in explanation.free if part.scale}


def fresh_failing(failure: KnownFailure, case: Files, explanation: Explanation) -> int:
    """Return how many of a hundred fresh cases of the form fail as the case does."""
    wanted = looked_at(failure, case)
    seeds = range(FIRST_SEED, FIRST_SEED + FRESH_CASES)
    with ThreadPoolExecutor(2) as workers:
        fresh = (instance(case, explanation.free, seed) for seed in seeds)
        seen = workers.map(lambda files: looked_at(failure, files), fresh)
        return sum(each[:3] == wanted[:3] for each in seen)


def looked_at(failure: KnownFailure, files: Files) -> Signature:
    """Run the command on a case, and return what its failure looks like."""
    with TemporaryDirectory() as name:
        path = Path(name, failure.path)
        path.write_bytes(files.contents[failure.path])
        argv = [str(path) if word == "{}" else word for word in failure.command]
        done = subprocess.run(argv, cwd=name, capture_output=True, check=False)
        return signature(Ending(done.returncode, 0.0, "", done.stdout, done.stderr))


def command(folder: Path, *words: str, last: str) -> dict[str, Any]:
    """Run wynot, and return the last of its events of this name."""
    done = subprocess.run(
        [sys.executable, "-m", "wynot", *words], cwd=folder, capture_output=True, check=False
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    found = [event for event in told if event["event"] == last]
    if not found:
        raise RuntimeError(done.stderr.decode())
    event: dict[str, Any] = found[-1]
    return event


def row(failure: KnownFailure, figures: ExplainFigures) -> str:
    """Return the line of a failure."""
    explanation = figures.explanation
    marks = [
        ("yes" if is_right else "NO") if wanted else "-"
        for is_right, wanted in (
            (figures.limits, failure.limits),
            (figures.equal, failure.equal),
            (figures.choices, failure.choices),
        )
    ]
    return (
        f"{failure.name:<32} {figures.size:>5,} {figures.reduce_tests:>6,} "
        f"{explanation.tests:>5} {explanation.recalled:>5} {figures.share:>6.0%} "
        f"{figures.fresh:>5} {marks[0]:>6} {marks[1]:>5} {marks[2]:>6} {explanation.seconds:>6.1f}"
        + ("" if figures.is_right else "  WRONG")
    )


def show(explanation: Explanation) -> None:
    """Print an explanation."""
    print(
        f"  {title_of(explanation)}",
        *(f"  {line.text}" for line in lines_of(explanation)),
        sep="\n",
    )


if __name__ == "__main__":
    sys.exit(main())
