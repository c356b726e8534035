"""Earlier tests as circumstances of a test: those that pollute it, those that it cannot do without.

A *polluted* test passes alone and fails after others: each delta has an earlier test run. A
*brittle* one fails alone and passes after others: each delta keeps an earlier test from running.
pytest imports all files before it runs any test, so what the import of a later one does counts too.
"""

from dataclasses import dataclass

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.options.quantities import some_of
from wynot.inquiries.circumstances import Choice
from wynot.inquiries.tests.selection import Listed, Selection, TestRuns

MAX_TOLD_TESTS = 2
"""So many of the tests that run before are named before they are counted."""


@dataclass(frozen=True, slots=True)
class EarlierTests(Choice[Selection]):
    """The tests that run before the one in question, in their order; then the later files."""

    earlier: tuple[Listed, ...]
    target: Listed
    runs: TestRuns
    is_brittle: bool = False
    later: tuple[Listed, ...] = ()
    """Files that are imported as well, though none of their tests runs before it."""

    @property
    def deltas(self) -> Deltas:
        """One for each earlier test, then one for the import of each later file."""
        return Deltas.first(len(self.earlier) + len(self.later))

    @property
    def kind(self) -> str:
        """Tests, all of them."""
        return "tests"

    def chosen(self, applied: Deltas) -> Selection:
        """Return the tests that run if these deltas are applied."""
        return self.selected(self.deltas.toggle(applied) if self.is_brittle else applied)

    def describe(self, candidate: Candidate) -> str:
        """Return the test, and some of those that run before it."""
        return self.called(self.render(candidate))

    def called(self, subject: Selection) -> str:
        """Return the test in question, and some of those that run before it."""
        *before, last = (each.name for each in subject.tests)
        others = [*before, *(f"the import of {each.name}" for each in subject.imported)]
        if not others:
            return f"{last} alone"
        return f"{last} after {some_of(others, MAX_TOLD_TESTS)}"

    def selected(self, there: Deltas) -> Selection:
        """Return what runs if these of the earlier tests and later files are there."""
        count = len(self.earlier)
        tests = (self.earlier[each] for each in there if each < count)
        imported = (self.later[each - count] for each in there if each >= count)
        return Selection((*tests, self.target), tuple(imported))
