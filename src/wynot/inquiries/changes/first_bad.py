"""The first bad commit, by bisection; and the good end where none is given, by doubling steps.

One, two, four, eight … steps back: so a change of n steps ago is behind after about log₂n tests,
however long the history is (Bentley & Yao 1976). States that cannot be built are stepped over. If
none passes, but from some state on they cannot be built at all, that boundary is looked at more
closely: the good end may be just this side of it. Both ends are tried once more: nobody has said
that they are what they seem to be.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.deltas import Deltas
from wynot.core.errors import NotPassing
from wynot.core.events import Noticed
from wynot.core.options.quantities import counted
from wynot.core.result import Trace
from wynot.core.round import Search
from wynot.core.verdict import Verdict
from wynot.inquiries.changes.answer import first_bad_worded
from wynot.inquiries.changes.change_sources import SourceHistory
from wynot.inquiries.changes.commit_context import CommitContext, ContextReader
from wynot.inquiries.changes.commit_history import (
    ChainStep,
    EarlierStates,
    GitCommit,
    NamedCommit,
    States,
    UndoneStates,
    chain,
    commit,
    step_of,
)
from wynot.inquiries.changes.overlay import Overlay
from wynot.inquiries.driver import Course, Driver, StoryEnded
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.questions import DIFFERENCE, Question
from wynot.search.combinators import mapped
from wynot.search.sides.bisection import Ancestry, bisection, still_suspected
from wynot.search.sides.dd import Pair
from wynot.search.sides.ddmax import OPPOSITE, opposite

_OUTCOMES = {
    Verdict.INTERESTING: "fails",
    Verdict.UNINTERESTING: "passes",
    Verdict.UNRESOLVED: "cannot tell",
}


class GoodEnd(NamedTuple):
    """A state that passes, and what was said on the way there."""

    good: NamedCommit
    verdicts: Sequence[tuple[NamedCommit, Verdict]]
    """What the test says of the states that were asked about, the latest first."""

    @property
    def failing(self) -> list[NamedCommit]:
        """The states that fail, the earliest first."""
        return [state for state, verdict in self.verdicts[::-1] if verdict is Verdict.INTERESTING]

    @property
    def summary(self) -> str:
        """What was found."""
        last = f", and {self.failing[0].summary} fails" if self.failing else ""
        return f"the good side is {self.good.summary}: it passes{last}"


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
        if not inquiry.is_going:
            return None
        if found is None:
            raise self._not_found()
        return GoodEnd(found, [*self._verdicts()])

    def _found(self) -> NamedCommit | None:
        return self._first([*_doubled(len(self._states.earlier))]) or self._at_boundary()

    def _is_sure(self, good: NamedCommit) -> bool:
        """Tell whether both ends are what they seem: all else stands on them."""
        if self._inquiry.is_repeating:
            return True
        states = self._states
        passing = states.back(states.earlier.index(good) + 1)
        return self._inquiry.confirmed(DIFFERENCE, states, Pair(passing, states.deltas))

    def _not_found(self) -> NotPassing:
        states = self._states
        tried = ", ".join(
            f"{state.name} {_OUTCOMES[verdict]}" for state, verdict in self._verdicts()
        )
        hint = (
            "give one that passes, --good REV; a test that older commits do not have: name a copy "
            "of it that is not committed"
        )
        return NotPassing(
            f"no {states.step} before {states.bad.summary} passes: {tried}",
            hint="this is a shallow clone: git fetch --unshallow" if states.is_cut else hint,
        )

    def _first(self, steps: Sequence[int]) -> NamedCommit | None:
        """Ask about the states so many steps back, one after the other, until one passes."""
        states, inquiry = self._states, self._inquiry
        width = inquiry.width
        for done in range(0, len(steps), width):
            if not inquiry.is_going:
                return None
            self._asked.update(steps[done : done + width])
            some = [states.back(each) for each in steps[done : done + width]]
            what = f"looking for a {states.step} that passes, now at {states.at(some[0]).name}"
            inquiry.progress(what, done, len(steps))
            found = inquiry.driver.find_first(states, some, Verdict.UNINTERESTING)
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
        while blind - fails > 1 and self._inquiry.is_going:
            middle = (fails + blind) // 2
            if found := self._first([middle]):
                return found
            if self._verdict(middle) is Verdict.INTERESTING:
                fails = middle
            else:
                blind = middle
        return None

    def _verdicts(self) -> Iterator[tuple[NamedCommit, Verdict]]:
        """Go through what was asked about, the latest first."""
        for steps in sorted(self._asked):
            if verdict := self._verdict(steps):
                yield self._states.earlier[steps - 1], verdict

    def _verdict(self, steps: int) -> Verdict | None:
        """Return what was said of the state so many steps back, if it was asked about."""
        return self._inquiry.driver.verdict_of(self._states, self._states.back(steps))


def teach(driver: Driver[Overlay], states: States, end: GoodEnd) -> None:
    """Have what was said on the way back known of the states between both ends, too."""
    numbers = {each.id: number for number, each in enumerate(states.commits)}
    driver.learn_sides(states, Verdict.UNINTERESTING)
    for state, verdict in end.verdicts:
        if state.commit.id in numbers:
            driver.learn(states, Deltas.of([numbers[state.commit.id]]), verdict)


def _doubled(most: int) -> Iterator[int]:
    """Go through 1, 2, 4, 8 …, and the most there is at last."""
    steps = 1
    while steps < most:
        yield steps
        steps *= 2
    yield most


COMMIT_ODDS = 0.2
"""How likely a commit must be the first bad one to be read before that is known."""


class Suspects(NamedTuple):
    """Commits of which one is to blame: as a rule there is only one."""

    commits: tuple[GitCommit, ...]
    """Parents come first, and the last one fails; or passes, if they are undone."""
    is_undone: bool
    """Whether it fails without them: the passing side has them, the failing one not."""


class SuspectStates:
    """Some states, and how to search them for the first bad one."""

    def __init__(self, states: States, failing: str = "") -> None:
        """Take a commit that is known to fail, if there is one besides the last."""
        self.states = states
        self.is_undone = isinstance(states, UndoneStates)
        """Whether the first that passes is looked for, and what went before it fails."""
        numbers = {each.id: number for number, each in enumerate(states.commits)}
        self._ancestry = Ancestry(
            [
                [numbers[name] for name in each.parents if name in numbers]
                for each in states.commits
            ],
            [each.when for each in states.commits],
        )
        is_known = failing in numbers
        self.suspects = self._ancestry.line(numbers[failing]) if is_known else states.deltas
        """The commits that may be the first bad one."""

    @property
    def question(self) -> Question:
        """What is asked: which commit is the first bad one."""
        return Question(
            "commit",
            lambda _pair, _levels: mapped(self._search(), self.pair),
            lambda _pair, _moved, trace: self.pair(self._suspects(trace)),
            lambda _recorder, _pair, _units: False,
            lambda _pair: (),
        )

    def pair(self, suspects: Deltas) -> Pair:
        """Return both sides of some suspects."""
        before, line = self._ancestry.pair(suspects)
        if not self.is_undone:
            return Pair(before, line)
        return Pair(self.states.deltas.toggle(line), self.states.deltas.toggle(before))

    def suspected(self, pair: Pair) -> Suspects:
        """Return the commits that two sides differ in."""
        different = pair.failing.toggle(pair.passing)
        return Suspects(tuple(self.states.commits[each] for each in different), self.is_undone)

    def _search(self) -> Search[Deltas]:
        search = bisection(self._ancestry, self.suspects)
        return opposite(self.states.deltas, search) if self.is_undone else search

    def _suspects(self, trace: Trace) -> Deltas:
        """Return the commits that are still suspected after what was asked."""
        verdicts = [OPPOSITE[each] if self.is_undone else each for each in trace.verdicts]
        lines = (edit.deltas for edit in trace.edits)
        return still_suspected(self.suspects, zip(lines, verdicts, strict=True))


def states_of(origin: SourceHistory) -> States:
    """Return the states that lead from one side to the other, in the first instance."""
    history, source = origin
    if not history.ahead and history.base is not None:
        return _undone(origin, history.base)
    return States(source.store, history.good, history.ahead)


def first_bad(
    course: Course[Overlay], inquiry: Inquiry[Overlay], origin: SourceHistory
) -> Search[Suspects]:
    """Find the first bad commit, and report it."""

    def report(searched: SuspectStates, pair: Pair, *, is_done: bool = False) -> None:
        if course.is_live:
            commits, is_undone = searched.suspected(pair)
            word = partial(first_bad_worded, commits, is_undone=is_undone, is_done=is_done)
            inquiry.report("commit", word)

    ahead = course.once(lambda: _ahead(origin))
    try:
        searched = yield from _suspicious(course, origin, ahead)
    except StoryEnded:
        report(ahead, ahead.pair(ahead.suspects))
        raise
    whole, states = searched.pair(searched.suspects), searched.states
    found = yield from course.narrow(searched.question, states, whole, states.levels)
    report(searched, found.pair, is_done=not found.is_ended)
    return searched.suspected(found.pair)


def _suspicious(
    course: Course[Overlay], origin: SourceHistory, ahead: SuspectStates
) -> Search[SuspectStates]:
    """Return the states to search: those of the passing side, if it fails where the two parted.

    As git does where the passing side is no ancestor of the other; but git leaves it at that, and
    says that something was fixed on the way.
    """
    history = origin.history
    base = history.base
    if not history.behind or base is None:
        return ahead
    undone = course.once(lambda: SuspectStates(_undone(origin, base), history.failing))
    verdict = yield from course.verdict(undone.states, undone.states.deltas)
    if verdict is Verdict.INTERESTING:
        return undone
    if verdict is Verdict.UNRESOLVED:
        why = f"whether {base.id[:10]}, where the two sides part, passes cannot be told: it is"
        course.observe(Noticed("merge-base", f"{why} taken to"))
    return ahead


def _ahead(origin: SourceHistory) -> SuspectStates:
    history, source = origin
    return SuspectStates(States(source.store, history.good, history.ahead), history.failing)


def _undone(origin: SourceHistory, base: GitCommit) -> UndoneStates:
    history, source = origin
    return UndoneStates(source.store, history.good, history.behind, base)


def context_at(
    course: Course[Overlay], origin: SourceHistory, contexts: ContextReader, suspected: Suspects
) -> Search[CommitContext]:
    """Read what the suspected commits change, between a state that passes and one that fails."""
    history, (commits, is_undone) = origin.history, suspected
    last = commits[-1]
    other = yield from _beside(course, origin, suspected)
    if other is None:
        other = history.base if is_undone and history.base else history.good
        why = f"no parent of {last.id[:10]} {'fails' if is_undone else 'passes'}: it is compared "
        course.observe(Noticed("parents", f"{why}with {other.id[:10]}"))
    passing, failing = (last, other) if is_undone else (other, last)
    is_next = len(commits) == 1 and other.id in last.parents

    def read() -> CommitContext:
        if is_next:
            steps: tuple[ChainStep, ...] = (step_of(last, failing.tree, is_undone=is_undone),)
        else:
            steps = chain(origin.source.store, passing.id, failing.id).steps
        return contexts.of(passing, failing, steps)

    yield from course.tests("reading the commit", COMMIT_ODDS)
    return course.once(read)


def _beside(
    course: Course[Overlay], origin: SourceHistory, suspected: Suspects
) -> Search[GitCommit | None]:
    """Return a commit that the suspects come from, and that is of the other side."""
    (history, source), (commits, is_undone) = origin, suspected
    names = [name for each in commits[::-1] for name in each.parents]
    wanted = Verdict.INTERESTING if is_undone else Verdict.UNINTERESTING
    for name in dict.fromkeys(names):
        if name not in {each.id for each in commits}:
            parent = course.once(partial(commit, source.store, name))
            state = course.once(partial(States, source.store, history.good, [parent]))
            if (yield from course.first_with(state, [state.deltas], wanted)) is not None:
                return parent
    return None
