"""What is told of earlier tests: which they are, and how to see it."""

from wynot.core.deltas import Deltas
from wynot.core.events import Shown
from wynot.core.phrases import counted
from wynot.inquiries.tests.circumstance import EarlierTests
from wynot.inquiries.worded import Worded

MAX_SHOWN_TESTS = 20
"""So many tests are named in a command line that is shown."""


def worded(case: EarlierTests, _question: str, found: Deltas) -> Worded:
    """Word which earlier tests it is, with a command that shows it.

    What pollutes a test is the cause of its failure; what a brittle one needs would be a cure.
    """
    names = [case.earlier[delta].name for delta in found]
    tests = case.chosen(case.deltas.toggle(found) if case.is_brittle else found).tests
    earlier = counted(len(names), "earlier test")
    what = f"needs {earlier} to pass" if case.is_brittle else f"fails after {earlier}"
    lines = [Shown(name) for name in names]
    # A line with hundreds of names helps nobody.
    if len(tests) <= MAX_SHOWN_TESTS:
        ends = "passes" if case.is_brittle else "fails"
        lines.append(Shown(f"{ends}: {case.runs.line(tests)}"))
    data = {
        "test": case.target.name,
        "kind": "brittle" if case.is_brittle else "polluted",
        "tests": names,
        "line": case.runs.line(tests),
    }
    return Worded(f"{case.target.name} {what}", tuple(lines), data)
