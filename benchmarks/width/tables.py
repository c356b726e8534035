"""The tables of the benchmark: speed-ups, by steps and by the clock, and how good the odds are."""

from collections.abc import Mapping, Sequence
from statistics import geometric_mean

from benchmarks.width.markdown import print_head, print_row
from benchmarks.width.odds import Guess, brier, by_deciles, fixed, log_loss
from benchmarks.width.outcome import Outcome


def speed_table(found: Mapping[str, Sequence[Outcome]], unit: str) -> bool:
    """Print how long each took and the speed-up; tell whether answers are the same at any width."""
    columns = list(zip(*found.values(), strict=True))
    print(f"\n{unit} (speed-up)")
    print_head("case", "tests", "bytes", *(each[0].setting.words for each in columns), "same")
    all_same = True
    for name, row in found.items():
        first, *_ = row
        same = len({(each.content, each.tests) for each in row}) == 1
        all_same &= same
        cells = [cell(each, first) for each in row]
        print_row(name, first.tests, len(first.content), *cells, "yes" if same else "NO")
    means = [
        geometric_mean(one.span / each.span for one, each in zip(columns[0], column, strict=True))
        for column in columns
    ]
    print_row("geometric mean", "", "", *(f"{each:.2f}" for each in means), "")
    spans = [sum(each.span for each in column) for column in columns]
    workers = [
        sum(each.busy for each in column) / span / column[0].setting.width
        for column, span in zip(columns, spans, strict=True)
    ]
    print_row("workers' time in use", "", "", *(f"{each:.0%}" for each in workers), "")
    tests = [sum(each.tests for each in column) for column in columns]
    extra = [sum(each.extra for each in column) for column in columns]
    shares = [f"{more / count:.0%}" for more, count in zip(extra, tests, strict=True)]
    print_row("extra tests", "", "", *shares, "")
    own = [sum(each.own_seconds for each in column) for column in columns]
    each_test = [f"{1000 * used / count:.0f}" for used, count in zip(own, tests, strict=True)]
    print_row("own CPU, ms a test", "", "", *each_test, "")
    return all_same


def cell(one: Outcome, first: Outcome) -> str:
    """Return how long it took, and the speed-up."""
    took = f"{one.span:.1f}".removesuffix(".0")
    return f"{took} ({first.span / one.span:.1f})"


def run_line(one: Outcome) -> str:
    """Return a line on one run."""
    return (
        f"  {one.case:18} {one.setting.words:20} {one.span:7.1f} s {one.tests:5} tests"
        f" + {one.extra:4} extra, {one.use:4.0%} in use, {one.own_seconds:5.1f} s CPU"
    )


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
