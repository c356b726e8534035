"""Kinds of input that are hard to reduce: how much of each is left, and what that takes.

    python -m benchmarks.probes [--only PART …] [--match WORD] [--limit SECONDS] [--show]

Each module of this folder with a function ``probes`` is a part; that yields `Probe`s. wynot reduces
each of them with one worker. Printed: bytes before and after, the size that is within reach, tests,
seconds, wynot's own processor time without that of the tests; and the medians of each part. It
exits with 1 if a result is larger than the size within reach, or took more tests than the probe
allows.
"""

import argparse
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from benchmarks.probes.measured import Measured, measured
from benchmarks.probes.probe import Probe

HEAD = f"{'probe':<34} {'before':>9} {'after':>8} {'reach':>8} {'tests':>6} {'s':>7} {'own s':>6}"
SHOWN_BYTES = 300


def main() -> int:
    """Print the tables; return 1 if something falls short."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = dict(all_parts())
    parser.add_argument("--only", nargs="+", metavar="PART", choices=parts, default=list(parts))
    parser.add_argument("--match", default="", help="only probes with this in their names")
    parser.add_argument("--limit", type=float, default=60, help="seconds for each probe")
    parser.add_argument("--show", action="store_true", help="print what is left of each, too")
    given = parser.parse_args()
    short = 0
    for part in given.only:
        print(f"{part}\n  {HEAD}")
        figures = []
        for probe in parts[part]():
            if given.match in probe.name:
                figures.append((probe, measured(probe, given.limit)))
                short += falls_short(*figures[-1])
                print(f"  {row(*figures[-1])}", flush=True)
                if given.show:
                    print_contents(figures[-1][1])
        if figures:
            print(f"  {medians(figures)}\n")
    return int(short > 0)


def all_parts() -> Iterator[tuple[str, Callable[[], Iterator[Probe]]]]:
    """Yield the parts in this folder by their names, so that no list of them has to be kept."""
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem != "__main__":
            module = importlib.import_module(f"benchmarks.probes.{path.stem}")
            if hasattr(module, "probes"):
                yield path.stem, module.probes


def falls_short(probe: Probe, figures: Measured) -> bool:
    """Tell whether a result is too large, or took too many tests."""
    return figures.after > probe.size or figures.tests > (probe.tests or figures.tests)


def row(probe: Probe, figures: Measured) -> str:
    """Return the line of one probe."""
    short = "  short" if falls_short(probe, figures) else ""
    return (
        f"{probe.name:<34} {figures.before:>9,} {figures.after:>8,} {probe.size:>8,} "
        f"{figures.tests:>6,} {figures.seconds:>7.1f} {figures.own:>6.1f}{short}"
    )


def medians(figures: list[tuple[Probe, Measured]]) -> str:
    """Return the last line of a part."""
    size = median(probe.size for probe, _ in figures)
    before, after, tests, seconds, own = (
        median(each) for each in zip(*(each[:5] for _, each in figures), strict=True)
    )
    return (
        f"{f'median of {len(figures)}':<34} {before:>9,.0f} {after:>8,.0f} {size:>8,.0f} "
        f"{tests:>6,.0f} {seconds:>7.1f} {own:>6.1f}"
    )


def print_contents(figures: Measured) -> None:
    """Print what is left of each file, if it is not long."""
    for path, content in figures.contents.items():
        more = f" … {len(content):,} bytes" if len(content) > SHOWN_BYTES else ""
        print(f"      {path}: {content[:SHOWN_BYTES]!r}{more}")


if __name__ == "__main__":
    sys.exit(main())
