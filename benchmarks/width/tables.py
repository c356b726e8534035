"""The tables of the benchmark: speed-ups, by steps and by the clock, and how good the odds are."""

from collections.abc import Mapping, Sequence
from statistics import geometric_mean

from benchmarks.width.markdown import print_head, print_row
from benchmarks.width.odds import Guess, brier, by_deciles, fixed, log_loss
from benchmarks.width.recorded_test import RecordedTest
from benchmarks.width.virtual_time import VirtualResult
from benchmarks.width.wall_time import Setting, WallResult


def print_mean(columns: Sequence[Sequence[float]]) -> None:
    """Print how many times less each column is than the first, in the mean."""
    pairs = [list(zip(columns[0], column, strict=True)) for column in columns]
    means = [geometric_mean(one / each for one, each in column) for column in pairs]
    print_row("geometric mean", "", "", *(f"{each:.2f}" for each in means), "")


def virtual_table(found: Mapping[str, Sequence[VirtualResult]], widths: Sequence[int]) -> bool:
    """Print steps in virtual time; tell whether the answers are the same at any width."""
    print("\nsteps in virtual time (speed-up), each test one step, the search alone")
    print_head("case", "tests", "bytes", *(f"-j {width}" for width in widths), "same")
    all_same = True
    for name, results in found.items():
        first = results[0]
        same = len({(each.content, each.tests) for each in results}) == 1
        all_same &= same
        cells = [f"{each.steps} ({first.steps / each.steps:.1f})" for each in results]
        print_row(name, first.tests, len(first.content), *cells, "yes" if same else "NO")
    columns = list(zip(*found.values(), strict=True))
    print_mean([[each.steps for each in column] for column in columns])
    extra = [sum(each.extra for each in column) for column in columns]
    tests = sum(each.tests for each in columns[0])
    print_row("extra tests", "", "", *(f"{each / tests:.0%}" for each in extra), "")
    shares = [
        sum(each.worked for each in column) / sum(each.steps for each in column) / width
        for column, width in zip(columns, widths, strict=True)
    ]
    print_row("workers in use", "", "", *(f"{each:.0%}" for each in shares), "")
    own = [sum(each.own_seconds for each in column) / tests * 1000 for column in columns]
    print_row("own CPU a test, ms", "", "", *(f"{each:.1f}" for each in own), "")
    return all_same


def wall_line(one: WallResult) -> str:
    """Return a line on one run."""
    return (
        f"  {one.test.name:18} {one.setting.words:22} {one.seconds:7.1f} s {one.tests:5} tests"
        f" + {one.extra:4} extra, {one.use:4.0%} use, {one.own_seconds:5.1f} s CPU"
    )


def wall_table(
    tests: Sequence[RecordedTest], settings: Sequence[Setting], results: Sequence[WallResult]
) -> bool:
    """Print seconds and speed-ups; tell whether the answers are the same at any width."""
    by_place = {(each.test.name, each.setting): each for each in results}
    rows = {test.name: [by_place[test.name, each] for each in settings] for test in tests}
    print("\nseconds by the clock (speed-up)")
    print_head("case", "tests", "bytes", *(each.words for each in settings), "same")
    all_same = True
    for name, row in rows.items():
        first = row[0]
        plain = [each for each in row if not each.setting.options]
        same = len({(each.content, each.tests) for each in plain}) == 1
        all_same &= same
        cells = [f"{each.seconds:.1f} ({first.seconds / each.seconds:.1f})" for each in row]
        print_row(name, first.tests, len(first.content), *cells, "yes" if same else "NO")
    columns = list(zip(*rows.values(), strict=True))
    print_mean([[each.seconds for each in column] for column in columns])
    tests_in_all = sum(each.tests for each in columns[0])
    for name, figures in {
        "extra tests": [
            sum(each.tests + each.extra for each in column) / tests_in_all - 1 for column in columns
        ],
        "workers in use": [
            sum(each.use * each.seconds for each in column) / sum(each.seconds for each in column)
            for column in columns
        ],
        "own CPU, cores": [
            sum(each.own_seconds for each in column) / sum(each.seconds for each in column)
            for column in columns
        ],
    }.items():
        print_row(name, "", "", *(f"{figure:.0%}" for figure in figures), "")
    return all_same


def odds_table(found: Sequence[Guess]) -> None:
    """Print what came of odds, by deciles."""
    print("\nodds that a test is interesting, and what came of it")
    print_head("odds", "tests", "given", "came true")
    for number, decile in enumerate(by_deciles(found)):
        if decile is not None:
            words = f"{number * 10} to {number * 10 + 10} %"
            print_row(words, decile.tests, f"{decile.given:.0%}", f"{decile.came_true:.0%}")
    print(
        f"\nBrier score {brier(found):.3f}, {log_loss(found):.2f} bits a test; if the average were"
        f" said of each: {brier(fixed(found)):.3f}, {log_loss(fixed(found)):.2f} bits"
    )
