"""Earlier tests as circumstances of a test: those that pollute it, those that it cannot do without.

A *polluted* test passes alone and fails after others: each delta has an earlier test run. A
*brittle* one fails alone and passes after others: each delta keeps an earlier test from running.
"""

from dataclasses import dataclass

from wynot.core.circumstances import Choice
from wynot.core.deltas import Deltas
from wynot.inquiries.tests.selection import Listed, Selection, TestRuns


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
