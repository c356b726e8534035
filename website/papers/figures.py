"""The papers' figures, from runs of wynot.

They are 2, 6, 8, 12 and 16 of Zeller & Hildebrandt 2002, and 5 of Gharachorlu & Sumner 2018.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

import wynot
from website.papers.problems import (
    DEFERRED,
    ONE_TO_EIGHT,
    PROGRAM,
    TAG,
    compiles,
    prints_badly,
    search_page,
)
from website.svg import FAILS, FAINT, INK, PASSES, UNRESOLVED, Curve, Frame, Picture, chart
from wynot import Verdict
from wynot.core.result import Step

MARKS = {
    Verdict.INTERESTING: ("✘", FAILS),
    Verdict.UNINTERESTING: ("✓", PASSES),
    Verdict.UNRESOLVED: ("?", UNRESOLVED),
}
ROW = 15
"""Height of a step in a table of steps."""
GREY_ITEM = "#d0d0d0"
CHARACTER = 7.9
"""Width of a character of what is reduced."""
AS_IN_2002: dict[str, Any] = {"search": "ddmin", "order": "subsets-first", "restart": True}
"""ddmin as the paper prints it."""


def step_rows(
    picture: Picture, left: float, items: Sequence[str], steps: Sequence[tuple[str, Step[Any]]]
) -> None:
    """Draw a row for each step: what it kept in black, what it left out in grey, and its verdict.

    The items are told apart by their places, so those of a step have to be numbers of them.
    """
    for row, (label, step) in enumerate(steps):
        y = 44 + ROW * row
        kept = set(step.items)
        picture.text(left + 26, y, label, size=11, anchor="end", fill=FAINT)
        places = groupby(range(len(items)), kept.__contains__)
        runs = [
            ("".join(items[place] for place in run), INK if is_kept else GREY_ITEM)
            for is_kept, run in places
        ]
        picture.runs(left + 36, y, runs)
        mark, colour = MARKS[step.verdict]
        weight = FAINT if step.from_memo else colour
        x = left + 46 + CHARACTER * len(items)
        picture.text(x, y, mark, fill=weight, size=12)
        if step.from_memo:
            picture.text(x + 16, y, "known", fill=FAINT, size=10)
        elif step.accepted:
            picture.text(x + 16, y, "kept", fill=colour, size=10)


def _numbered(problem_items: Sequence[Any], fails: Any) -> Any:
    """Return a test of numbers of items instead of items."""
    return lambda kept: fails([problem_items[number] for number in kept])


def figure_2() -> Picture:
    """One line of HTML, character by character."""
    result = wynot.minimize(range(len(TAG)), _numbered(TAG, prints_badly))
    tested = [step for step in result.steps if not step.from_memo]
    picture = Picture(480, 60 + ROW * len(tested), "One line of HTML, minimized by characters")
    picture.text(12, 20, f"{len(TAG)} characters to {len(result.items)}, {result.tests} tests")
    labelled = [(str(number), step) for number, step in enumerate(tested, start=1)]
    step_rows(picture, 12, TAG, labelled)
    return picture


def figure_6() -> Picture:
    """Eight changes of which three are needed, in 27 steps."""
    items, fails = ONE_TO_EIGHT
    result = wynot.minimize(range(8), _numbered(items, fails), **AS_IN_2002)
    picture = Picture(230, 60 + ROW * len(result.steps), "Eight changes, three of them needed")
    picture.text(12, 20, f"{len(result.steps)} steps, {result.tests} tests")
    labelled = [(str(number), step) for number, step in enumerate(result.steps, start=1)]
    step_rows(picture, 12, [str(item) for item in items], labelled)
    return picture


def figure_5_of_opdd() -> Picture:
    """What ddmin finds by visiting again, one pass finds when it cuts finer."""
    items, fails = DEFERRED
    numbered = _numbered(items, fails)
    runs = [
        wynot.minimize(range(12), numbered, granularity=6, search="ddmin", restart=True),
        wynot.minimize(range(12), numbered, granularity=6, search="opdd"),
    ]
    rows = max(len(run.steps) for run in runs)
    picture = Picture(520, 60 + ROW * rows, "Visiting again, and not")
    for column, (name, run) in enumerate(zip(("ddmin", "opdd"), runs, strict=True)):
        left = 12 + 256 * column
        picture.text(left, 20, f"{name}: {run.tests} tests")
        parts = ["1", *(step.name.partition("/")[0].removeprefix("r") for step in run.steps)]
        labels = [now if now != before else "" for before, now in pairwise(parts)]
        labels[0] = "1"
        step_rows(picture, left, items, list(zip(labels, run.steps, strict=True)))
    return picture


def sizes(result: Any) -> list[tuple[float, float]]:
    """Return how many items were left after so many tests."""
    tests, points = 0, []
    for step in result.steps:
        tests += not step.from_memo
        if step.accepted and step.verdict is Verdict.INTERESTING:
            points.append((float(tests), float(len(step.items))))
    return [*points, (float(tests), points[-1][1])]


def figure_8() -> Picture:
    """A program that crashes a compiler: as in 2002, as now, and with the structure of C."""
    start = (0.0, float(len(PROGRAM)))
    classic = wynot.minimize(PROGRAM, compiles, **AS_IN_2002)
    today = wynot.minimize(PROGRAM, compiles)
    tree = wynot.reduce(PROGRAM.encode(), lambda text: compiles(list(text.decode())), language="c")
    by_tree = [
        (float(step.tests), float(sum(map(len, step.files.values())))) for step in tree.steps
    ]
    curves = [
        Curve(
            f"ddmin of 2002: {len(classic.items)} in {classic.tests:,}", [start, *sizes(classic)]
        ),
        Curve(f"wynot.minimize: {len(today.items)} in {today.tests:,}", [start, *sizes(today)]),
        Curve(
            f"wynot.reduce, which knows C: {tree.size} in {tree.tests:,}",
            [start, *by_tree, (float(tree.tests), float(tree.size))],
        ),
    ]
    picture = Picture(640, 330, "A program that crashes a compiler, size over tests")
    most = 1.02 * classic.tests
    chart(picture, Frame(64, 34, 550, 250, most, len(PROGRAM)), curves, "characters")
    return picture


def figure_12() -> Picture:
    """A page of 896 lines, one of which is needed."""
    page = search_page()
    classic = wynot.minimize(page, prints_badly, **AS_IN_2002)
    today = wynot.minimize(page, prints_badly)
    start = (0.0, float(len(page)))
    curves = [
        Curve(f"ddmin of 2002: {classic.tests} tests", [start, *sizes(classic)]),
        Curve(f"wynot.minimize: {today.tests} tests", [start, *sizes(today)]),
    ]
    picture = Picture(640, 300, "A page of 896 lines, lines over tests")
    chart(picture, Frame(64, 34, 550, 220, 1.05 * classic.tests, len(page)), curves, "lines")
    return picture


def figure_16() -> Picture:
    """The same program, isolated: the failing side shrinks and the passing side grows."""
    pair = wynot.isolate("", PROGRAM, compiles)
    fails, passes, tests = [(0.0, float(len(PROGRAM)))], [(0.0, 0.0)], 0
    for step in pair.steps:
        tests += not step.from_memo
        if step.accepted:
            side = fails if step.verdict is Verdict.INTERESTING else passes
            side.append((float(tests), float(len(step.items))))
    fails.append((float(tests), fails[-1][1]))
    passes.append((float(tests), passes[-1][1]))
    curves = [
        Curve(f"fails: {len(pair.failing)} characters", fails),
        Curve(f"passes: {len(pair.passing)} characters, after {pair.tests} tests", passes),
    ]
    picture = Picture(640, 330, "The same program, both sides of the difference")
    chart(picture, Frame(64, 34, 550, 250, 1.02 * tests, len(PROGRAM)), curves, "characters")
    return picture


FIGURES = {
    "html-characters": figure_2,
    "eight-changes": figure_6,
    "compiler-input": figure_8,
    "html-lines": figure_12,
    "both-sides": figure_16,
    "visiting-again": figure_5_of_opdd,
}
"""The name of each picture, and what draws it."""
