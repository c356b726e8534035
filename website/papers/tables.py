"""Tables 3 and 4 of Hodován & Kiss 2016, from runs of wynot."""

from collections.abc import Iterator, Sequence

import wynot
from website.papers.parallel_runs import ORDERS, PACES, RULES, Timed, measured
from website.papers.problems import EXAMPLES


def rows_of(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def table_3a() -> str:
    """Return evaluated tests, memo hits and iterations for each order of the reductions."""
    rows = []
    for example, (items, fails) in EXAMPLES.items():
        runs = [
            wynot.minimize(items, fails, search="ddmin", order=order, check=False)  # type: ignore[arg-type]
            for order in ORDERS
        ]
        counts = [f"{run.tests} (+{run.memo_hits}) [{run.iterations}]" for run in runs]
        rows.append([example, *counts, str(len(runs[0].items))])
    head = ["example", "subsets first", "complements first", "complements only", "left"]
    return rows_of(head, rows)


def span(numbers: Sequence[int]) -> str:
    """Return the least and the most of some numbers, or the one that they all are."""
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least} to {most}"


def table_3b() -> str:
    """Return the same for tests at a time, subsets first, from what was measured."""
    rows = []
    for example in EXAMPLES:
        cells = [example]
        for rule in RULES:
            found = [
                run
                for run in measured()
                if (run.example, run.order) == (example, ORDERS[0])
                and run.rule in {rule, "in order"}
                if run.rule == rule or run.width == 1
            ]
            memo_hits = span([run.memo_hits for run in found])
            iterations = span([run.iterations for run in found])
            cells.append(f"{span([run.tests for run in found])} (+{memo_hits}) [{iterations}]")
        rows.append(cells)
    return rows_of(["example", "in order (wynot)", "parallel", "combined"], rows)


def _best(example: str, pace: str) -> Iterator[str]:
    """Yield the cells of a row of Table 4."""
    runs = [run for run in measured() if (run.example, run.pace) == (example, pace)]
    [original] = [run for run in runs if run.width == 1 and run.order == ORDERS[0]]
    quickest = min(runs, key=lambda run: run.seconds)
    usual = [run for run in runs if run.rule == "in order" and run.order == ORDERS[2]]
    ours = min(usual, key=lambda run: run.seconds)
    yield f"{quickest.rule}, {quickest.order.replace('-', ' ')} ({quickest.width})"
    yield f"{quickest.seconds:.3g} s / {original.seconds:.3g} s"
    yield _saved(quickest, original)
    yield f"{ours.seconds:.3g} s ({ours.width})"
    yield _saved(ours, original)


def _saved(run: Timed, original: Timed) -> str:
    return f"{100 * (1 - run.seconds / original.seconds):.0f} %"


def table_4() -> str:
    """Return which variant took least time, and what wynot's default takes."""
    rows = [
        [f"{example} ({pace})", *_best(example, pace)] for example in EXAMPLES for pace in PACES
    ]
    head = [
        "example",
        "quickest (workers)",
        "best / original",
        "saved",
        "default (workers)",
        "saved",
    ]
    return rows_of(head, rows)


TABLES = {"table-3a": table_3a, "table-3b": table_3b, "table-4": table_4}
"""The name of each table, and what makes it."""
