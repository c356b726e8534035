"""Earlier tests as circumstances of a test: those that pollute it, those that it cannot do without.

A *polluted* test passes alone and fails after others: each delta has an earlier test run. A
*brittle* one fails alone and passes after others: each delta keeps an earlier test from running.
"""

from dataclasses import dataclass

from wynot.circumstances.tests.selection import Listed, Runs, Selection
from wynot.core.circumstances import Choice
from wynot.core.deltas import Deltas
from wynot.core.events import Answered, Shown

SHORT = 20
"""So many tests are named in a command line that is shown."""


@dataclass(frozen=True, slots=True)
class EarlierTests(Choice[Selection]):
    """The tests that run before the one in question, in their order."""

    earlier: tuple[Listed, ...]
    target: Listed
    runs: Runs
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

    def name(self, delta: int) -> str:
        """Return the name of an earlier test."""
        return self.earlier[delta].name

    def answered(self, question: str, found: Deltas) -> Answered:
        """Word an answer, with a command that shows it."""
        chosen = [self.earlier[delta] for delta in found]
        names = [test.name for test in chosen]
        applied = self.deltas.toggle(found) if question == "cure" else found
        tests = self.chosen(applied).tests
        lines = [Shown(name) for name in names]
        # A line with hundreds of names helps nobody.
        if len(tests) <= SHORT:
            what = "passes" if question == "cure" else "fails"
            lines.append(Shown(f"{what}: {self.runs.line(tests)}"))
        data = {
            "test": self.target.name,
            "kind": "brittle" if self.is_brittle else "polluted",
            "tests": names,
            "line": self.runs.line(tests),
        }
        return Answered(question, self._title(question, len(found)), tuple(lines), "", data)

    def _title(self, question: str, count: int) -> str:
        tests = "1 earlier test" if count == 1 else f"{count} earlier tests"
        if self.is_brittle:
            if question == "cure":
                return f"{self.target.name} needs {tests} to pass"
            return f"{self.target.name} fails if {tests} of {len(self.earlier)} did not run"
        if question == "cure":
            return f"{self.target.name} passes if {tests} of {len(self.earlier)} did not run"
        return f"{self.target.name} fails after {tests}"
