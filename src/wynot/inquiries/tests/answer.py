"""What is told of earlier tests: which they are, and how to see it."""

from typing import NamedTuple

from wynot.core.deltas import Deltas
from wynot.core.events import Shown
from wynot.core.options.quantities import counted
from wynot.inquiries.tests.circumstance import EarlierTests
from wynot.inquiries.worded import Worded

MAX_SHOWN_TESTS = 20
"""So many tests are named in a command line that is shown."""


class OrderFound(NamedTuple):
    """The order that was looked for, and in which the test fails."""

    name: str
    seed: int | None
    again: str
    """A command that comes to it again."""
    others: tuple[str, ...]
    """Other tests that fail in it, and pass in their own order."""


def worded(case: EarlierTests, order: OrderFound | None, _question: str, found: Deltas) -> Worded:
    """Word which earlier tests it is, with a command that shows it.

    What pollutes a test is the cause of its failure; what a brittle one needs would be a cure.
    """
    subject = case.selected(found)
    tests, imported = (
        [each.name for each in some] for some in (subject.tests[:-1], subject.imported)
    )
    earlier = [counted(len(tests), "earlier test")] if tests else []
    later = [f"the import of {counted(len(imported), 'later file')}"] if imported else []
    others = " and ".join(earlier + later)
    what = f"needs {others} to pass" if case.is_brittle else f"fails after {others}"
    lines = [Shown(name) for name in (*tests, *imported)]
    # A line with hundreds of names helps nobody.
    if len(lines) < MAX_SHOWN_TESTS:
        ends = "passes" if case.is_brittle else "fails"
        lines.append(Shown(f"{ends}: {case.runs.line(subject)}"))
    if order is not None:
        lines.append(Shown(f"found in {order.name}: {order.again}"))
        lines += [Shown(f"also fails in it: {name}") for name in order.others[:MAX_SHOWN_TESTS]]
    data = {
        "test": case.target.name,
        "kind": "brittle" if case.is_brittle else "polluted",
        "tests": tests,
        "imported": imported,
        "line": case.runs.line(subject),
        "order": order and order._asdict(),
    }
    return Worded(f"{case.target.name} {what}", tuple(lines), data)
