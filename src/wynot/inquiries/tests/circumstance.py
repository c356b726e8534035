"""Earlier tests as circumstances of a test: those that pollute it, those that it cannot do without.

A *polluted* test passes alone and fails after others: each delta has an earlier test run. A
*brittle* one fails alone and passes after others: each delta keeps an earlier test from running.
"""

from dataclasses import dataclass

from wynot.core.circumstances import Choice
from wynot.core.deltas import Deltas
from wynot.core.events import Answered, Shown
from wynot.inquiries.tests.selection import Listed, Selection, TestRuns

MAX_SHOWN_TESTS = 20
"""So many tests are named in a command line that is shown."""


@dataclass(frozen=True, slots=True)
class EarlierTests(Choice[Selection]):
    """The tests that run before the one in question, in their order."""

    earlier: tuple[Listed, ...]
    target: Listed
    runs: TestRuns
    is_brittle: bool = False

    @property
    def deltas(self) -> Deltas:
        """One for each earlier test."""
        return Deltas.first(len(self.earlier))

    @property
    def kind(self) -> str:
        """Tests, all of them."""
        return "tests"

    def chosen(self, applied: Deltas) -> Selection:
        """Return the tests that run if these deltas are applied."""
        there = self.deltas.toggle(applied) if self.is_brittle else applied
        return Selection((*(self.earlier[each] for each in there), self.target))

    def answered(self, found: Deltas) -> Answered:
        """Word which earlier tests it is, with a command that shows it.

        What pollutes a test is the cause of its failure; what a brittle one needs would be a cure.
        """
        names = [self.earlier[delta].name for delta in found]
        tests = self.chosen(self.deltas.toggle(found) if self.is_brittle else found).tests
        earlier = "1 earlier test" if len(names) == 1 else f"{len(names)} earlier tests"
        what = f"needs {earlier} to pass" if self.is_brittle else f"fails after {earlier}"
        lines = [Shown(name) for name in names]
        # A line with hundreds of names helps nobody.
        if len(tests) <= MAX_SHOWN_TESTS:
            ends = "passes" if self.is_brittle else "fails"
            lines.append(Shown(f"{ends}: {self.runs.line(tests)}"))
        data = {
            "test": self.target.name,
            "kind": "brittle" if self.is_brittle else "polluted",
            "tests": names,
            "line": self.runs.line(tests),
        }
        question = "cure" if self.is_brittle else "cause"
        return Answered(question, f"{self.target.name} {what}", tuple(lines), "", data)
