"""The good end by itself: back from a state that fails, by doubling steps, to one that passes.

One, two, four, eight … steps back: so a change of n steps ago is behind after about log₂n tests,
however long the history is (Bentley & Yao 1976). States that cannot be built are stepped over. If
none passes, but from some state on they cannot be built at all, that boundary is looked at more
closely: the good end may be just this side of it. Both ends are tried once more: nobody has said
that they are what they seem to be.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import NotPassing
from wynot.core.phrases import counted
from wynot.core.stop import Stop
from wynot.core.verdict import Verdict
from wynot.inquiries.changes.earlier_states import EarlierStates, NamedCommit
from wynot.inquiries.changes.overlay import Overlay
from wynot.inquiries.changes.states import States
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.narrowing import Narrowing
from wynot.inquiries.questions import DIFFERENCE
from wynot.oracle.repetition import RELIABLE
from wynot.search.dd import Pair

_SAID = {
    Verdict.INTERESTING: "fails",
    Verdict.UNINTERESTING: "passes",
    Verdict.UNRESOLVED: "cannot tell",
}


class GoodEnd(NamedTuple):
    """A state that passes, and what was said on the way there."""

    good: NamedCommit
    said: Sequence[tuple[NamedCommit, Verdict]]
    """What the test says of the states that were asked about, the latest first."""

    @property
    def failing(self) -> list[NamedCommit]:
        """The states that fail, the earliest first."""
        return [state for state, verdict in self.said[::-1] if verdict is Verdict.INTERESTING]

    @property
    def words(self) -> str:
        """What was found."""
        last = f", and {self.failing[0].words} fails" if self.failing else ""
        return f"the good side is {self.good.words}: it passes{last}"


class GoodEndSearch:
    """Goes back through earlier states."""

    def __init__(self, inquiry: Inquiry[Overlay], states: EarlierStates) -> None:
        self._inquiry = inquiry
        self._states = states
        self._asked: set[int] = set()

    def run(self) -> GoodEnd | None:
        """Return the good end; None if it was stopped before. Raise if there is none."""
        states, inquiry = self._states, self._inquiry
        before = f"{counted(len(states.earlier), states.step)} before {states.bad.name}"
        nearest = EarlierStates(states.bad, states.earlier[:1], states.step, is_cut=states.is_cut)
        failing = inquiry.try_failing(nearest, once=True)
        inquiry.begin(nearest, before, inquiry.try_passing(nearest, failing, once=True))
        found = self._found()
        if found and not self._is_sure(found):
            found = self._found()  # now that the test is asked more often
        if inquiry.stopped != Stop.FINISHED:
            return None
        if found is None:
            raise self._not_found()
        return GoodEnd(found, [*self._said()])

    def _found(self) -> NamedCommit | None:
        return self._first([*_doubled(len(self._states.earlier))]) or self._at_boundary()

    def _is_sure(self, good: NamedCommit) -> bool:
        """Tell whether both ends are what they seem: all else stands on them."""
        if self._inquiry.narrowing.evaluator.oracle.repetition is not RELIABLE:
            return True
        states = self._states
        passing = states.back(states.earlier.index(good) + 1)
        return self._inquiry.confirmed(DIFFERENCE, states, Pair(passing, states.deltas))

    def _not_found(self) -> NotPassing:
        states = self._states
        tried = ", ".join(f"{state.name} {_SAID[said]}" for state, said in self._said())
        hint = (
            "give one that passes, --good REV; a test that older commits do not have: name a copy "
            "of it that is not committed"
        )
        return NotPassing(
            f"no {states.step} before {states.bad.words} passes: {tried}",
            hint="this is a shallow clone: git fetch --unshallow" if states.is_cut else hint,
        )

    def _first(self, steps: Sequence[int]) -> NamedCommit | None:
        """Ask about the states so many steps back, one after the other, until one passes."""
        states, narrowing = self._states, self._inquiry.narrowing
        width = narrowing.evaluator.width
        for done in range(0, len(steps), width):
            if narrowing.stopped != Stop.FINISHED:
                return None
            self._asked.update(steps[done : done + width])
            some = [states.back(each) for each in steps[done : done + width]]
            what = f"looking for a {states.step} that passes, now at {states.at(some[0]).name}"
            narrowing.evaluator.tell(what, done=done, of=len(steps))
            found = narrowing.first_of(states, some, Verdict.UNINTERESTING)
            if found is not None:
                return states.at(found)
        return None

    def _at_boundary(self) -> NamedCommit | None:
        """Halve what lies between the last that fails and where it can no longer be told."""
        fails, blind = 0, len(self._states.earlier)
        for steps in _doubled(len(self._states.earlier)):
            match self._verdict(steps):
                case Verdict.INTERESTING:
                    fails, blind = steps, len(self._states.earlier)
                case Verdict.UNRESOLVED:
                    blind = min(blind, steps)
        while blind - fails > 1 and self._inquiry.stopped == Stop.FINISHED:
            middle = (fails + blind) // 2
            if found := self._first([middle]):
                return found
            if self._verdict(middle) is Verdict.INTERESTING:
                fails = middle
            else:
                blind = middle
        return None

    def _said(self) -> Iterator[tuple[NamedCommit, Verdict]]:
        """Go through what was asked about, the latest first."""
        for steps in sorted(self._asked):
            if verdict := self._verdict(steps):
                yield self._states.earlier[steps - 1], verdict

    def _verdict(self, steps: int) -> Verdict | None:
        """Return what was said of the state so many steps back, if it was asked about."""
        candidate = Candidate.whole(self._states.back(steps))
        return self._inquiry.narrowing.memo.recall(candidate, self._states.digest(candidate))


def teach(narrowing: Narrowing[Overlay], states: States, end: GoodEnd) -> None:
    """Have what was said on the way back known of the states between both ends, too."""
    numbers = {each.id: number for number, each in enumerate(states.commits)}
    narrowing.learn(states, NONE, Verdict.UNINTERESTING)
    narrowing.learn(states, states.deltas, Verdict.INTERESTING)
    for state, verdict in end.said:
        if state.commit.id in numbers:
            narrowing.learn(states, Deltas.of([numbers[state.commit.id]]), verdict)


def _doubled(most: int) -> Iterator[int]:
    """Go through 1, 2, 4, 8 …, and the most there is at last."""
    steps = 1
    while steps < most:
        yield steps
        steps *= 2
    yield most
