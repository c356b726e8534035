"""How much faster wynot is with N workers: real reductions, with tests that sleep.

    python -m benchmarks.width [TABLE …] [--from FOLDER] [--cases A,B] [--widths 1,16] [--seconds S]

Tables, all but the last by default:

- ``virtual``: steps in virtual time, in which each test takes one step; exact;
- ``wall``: seconds of ``wynot reduce`` with tests that sleep for half a second;
- ``odds``: how good the odds are by which tests are run ahead;
- ``lists``: lists of items, by the library;
- ``peers``: Shrink Ray and C-Vise beside it with 16 workers (install-peers.sh installs them).

The answer and the count of tests must be the same at any width; it exits with 1 if they are not.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.width.beside import compare
from benchmarks.width.lists import print_lists
from benchmarks.width.odds import Guess, guesses
from benchmarks.width.outcome import Outcome, Setting
from benchmarks.width.recorded_test import OWN_CASES, Asked, RecordedTest, found
from benchmarks.width.tables import odds_table, run_line, speed_table
from benchmarks.width.virtual_time import reduced
from benchmarks.width.wall_time import measured

from wynot.core.files import Files

CASES = (
    *("text-markdown2", "py-ruff", "c-csmith-segv", "rust-region-ice", "sql-duckdb"),
    *("js-butternut", "php-prettier", "toml-tomlkit", "yaml-ruamel"),
)
"""Those of the default; the first five are not in this repository (``--from``)."""
WIDTHS = (1, 2, 4, 8, 16, 64)
TABLES = ("virtual", "wall", "odds", "lists")
PEER_WIDTH = 16
VIRTUAL = "steps in virtual time, each test one step, the search alone"


def main() -> int:
    """Print the tables; return 1 if something depends on the width."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join((*TABLES, "peers")))
    parser.add_argument("--from", dest="folder", type=Path, help="a folder with more cases")
    parser.add_argument("--cases", type=names, default=CASES, help="names, by commas")
    parser.add_argument("--widths", type=numbers, default=WIDTHS, help="workers, by commas")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long a test takes")
    parser.add_argument("--limit", type=float, default=100, help="seconds for each peer")
    parser.add_argument("--rounds", type=int, default=2, help="runs of each peer; the last counts")
    given = parser.parse_args()
    tables = set(given.tables or TABLES)
    if wrong := tables - {*TABLES, "peers"}:
        parser.error(f"there is no table {', '.join(sorted(wrong))}")
    folders = [OWN_CASES, *([given.folder] if given.folder else [])]
    tests = list(found(folders, given.cases)) if tables != {"lists"} else []
    settings = [*map(Setting, given.widths)]
    same, counts = True, dict[str, int]()
    if tables & {"virtual", "wall", "odds"}:
        same, counts = steps(tests, settings if "virtual" in tables else settings[:1], tables)
    if "wall" in tables:
        print(f"\nwynot reduce, tests that sleep for {given.seconds:g} s", flush=True)
        before = recorded(tests)
        asked = [(test, counts[test.name]) for test in tests]
        results = measured(asked, settings, given.seconds, lambda one: print(run_line(one)))
        same &= speed_table(results, "seconds by the clock")
        print(f"\n{recorded(tests) - before} verdicts had to be computed meanwhile")
    if "peers" in tables:
        compare(tests, PEER_WIDTH, given.seconds, given.limit, given.rounds)
    if "lists" in tables:
        print_lists()
    return int(not same)


def recorded(tests: Sequence[RecordedTest]) -> int:
    """Return how many verdicts are known."""
    return sum(test.recorded for test in tests)


def names(text: str) -> tuple[str, ...]:
    """Return what stands between commas."""
    return tuple(filter(None, text.split(",")))


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers between commas."""
    return tuple(map(int, names(text)))


def steps(
    tests: Sequence[RecordedTest], settings: Sequence[Setting], tables: set[str]
) -> tuple[bool, dict[str, int]]:
    """Reduce in virtual time, which also records verdicts; return how many tests it takes."""
    found: dict[str, list[Outcome]] = {}
    odds: list[Guess] = []
    for test in tests:
        asked = Asked(test)
        files = Files({test.file: test.original})

        def judge(files: Files, asked: Asked = asked, file: str = test.file) -> bool:
            return asked(files.contents[file])

        found[test.name] = [reduced(test.name, files, judge, each) for each in settings]
        if "odds" in tables:
            odds += guesses(files, judge, settings[0].options)
        asked.close()
        print(f"{test.name}: {test.recorded} verdicts recorded", file=sys.stderr)
    same = "virtual" not in tables or speed_table(found, VIRTUAL)
    if odds:
        odds_table(odds)
    return same, {name: results[0].tests for name, results in found.items()}


if __name__ == "__main__":
    sys.exit(main())
