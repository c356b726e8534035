"""Which upgrade broke it: `packages` on real breaks whose guilty packages are known.

    python benchmarks/breaks.py [CASE …] [--seconds N]

A case is a folder of `cases/packages`: what differs is in `good` and `bad`, as uv, Poetry or npm
have locked it, and `meta.toml` says which packages are to blame, and in how many tests that should
be found out. Only the packages themselves are downloaded; a first run with an empty cache of the
installer takes longer for that.
"""

import argparse
import contextlib
import shutil
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any, NamedTuple, cast

from wynot.commands.inquiry_options import PackagesOptions
from wynot.core.errors import WynotError
from wynot.core.events import Answered, Event, InquiryStarted, Ran
from wynot.core.verdict import Verdict
from wynot.inquiries.packages.ask import inquire

CASES = Path(__file__).resolve().parent / "cases" / "packages"


class Row(NamedTuple):
    """What came of a case."""

    changes: str = ""
    tests: int = 0
    refused: int = 0
    wall: float = 0.0
    test_seconds: float = 0.0
    named: tuple[str, ...] = ()
    cure: tuple[str, ...] = ()
    error: str = ""


def ran(case: Path, meta: dict[str, Any], seconds: int) -> Row:
    """Ask about a case, in a folder of its own."""
    events: list[Event] = []
    options = PackagesOptions(
        good=str(case / "good" / meta["lock"]),
        bad=str(case / "bad" / meta["lock"]),
        command=meta["command"],
        max_time=seconds,
        fresh=True,
    )
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for program in case.glob("prog.*"):
            shutil.copy(program, folder)
        try:
            ended = inquire(options, events.append)
        except WynotError as raised:
            return Row(wall=time.monotonic() - began, error=str(raised).splitlines()[0])
    wall = time.monotonic() - began
    found = {each.question: names(each) for each in events if isinstance(each, Answered)}
    return Row(
        next(each.subject.split()[0] for each in events if isinstance(each, InquiryStarted)),
        ended.tests,
        sum(isinstance(each, Ran) and each.verdict is Verdict.UNRESOLVED for each in events),
        wall,
        ended.test_seconds,
        found.get("cause", ()),
        found.get("cure", ()),
        "" if ended.stopped == "finished" else f"stopped: {ended.stopped}",
    )


def names(answer: Answered) -> tuple[str, ...]:
    """Return the packages of an answer: `six 1.16 → 1.17`, `+ idna 3.7`."""
    lines = cast("dict[str, list[str]]", answer.data)["packages"]
    return tuple(sorted(line.removeprefix("+ ").removeprefix("- ").split()[0] for line in lines))


def judged(row: Row, meta: dict[str, Any]) -> str:
    """Say whether exactly the guilty ones are named, in so many tests."""
    if row.error:
        return row.error
    wrong = "" if row.named == tuple(meta["guilty"]) else f"named {', '.join(row.named) or 'none'}"
    many = f"more than {meta['most']} tests" if row.tests > meta["most"] else ""
    return "; ".join(filter(None, (wrong, many))) or "right"


def main() -> int:
    """Print a table; the exit status says whether all is as it should be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", help="only these")
    parser.add_argument("--seconds", type=int, default=1800, help="for each case")
    given = parser.parse_args()
    print("| case | changes | tests | refused | wall | in tests | named | held back | |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    outcomes = []
    for name in given.cases or sorted(each.name for each in CASES.iterdir()):
        meta = tomllib.loads((CASES / name / "meta.toml").read_text())
        row = ran(CASES / name, meta, given.seconds)
        outcomes.append(judged(row, meta))
        print(
            f"| {name} | {row.changes} | {row.tests} | {row.refused} | {row.wall:.0f} s "
            f"| {row.test_seconds:.0f} s | {len(row.named)} of {len(meta['guilty'])} "
            f"| {len(row.cure)} | {outcomes[-1]} |",
            flush=True,
        )
    return int(any(outcome != "right" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
