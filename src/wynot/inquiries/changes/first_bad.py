"""The first bad commit: by bisection over states that have existed, and told before all else."""

from collections.abc import Callable
from typing import NamedTuple

from wynot.core.deltas import Deltas
from wynot.core.events import Event, Noticed
from wynot.core.result import Trace
from wynot.core.round import Search
from wynot.core.stop import Stop
from wynot.core.verdict import Verdict
from wynot.inquiries.changes.answer import first_bad_worded
from wynot.inquiries.changes.commits import GitCommit
from wynot.inquiries.changes.overlay import Overlay
from wynot.inquiries.changes.sources import Recorded
from wynot.inquiries.changes.states import States, UndoneStates
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.narrowing import Narrowing
from wynot.inquiries.questions import Question
from wynot.search.bisection import Ancestry, bisection, still_suspected
from wynot.search.combinators import mapped
from wynot.search.dd import Pair
from wynot.search.ddmax import OPPOSITE, opposite


class Suspected(NamedTuple):
    """Commits of which one is to blame: as a rule there is only one."""

    commits: tuple[GitCommit, ...]
    """Parents come first, and the last one fails; or passes, if they are undone."""
    is_undone: bool
    """Whether it fails without them: the passing side has them, the failing one not."""


class Bisected:
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
            lambda _pair, recorder: self.pair(self._suspects(recorder.trace)),
            lambda _recorder, _pair, _units: False,
            lambda _pair: (),
        )

    def pair(self, suspects: Deltas) -> Pair:
        """Return both sides of some suspects."""
        before, line = self._ancestry.pair(suspects)
        if not self.is_undone:
            return Pair(before, line)
        return Pair(self.states.deltas.toggle(line), self.states.deltas.toggle(before))

    def _search(self) -> Search[Deltas]:
        search = bisection(self._ancestry, self.suspects)
        return opposite(self.states.deltas, search) if self.is_undone else search

    def _suspects(self, trace: Trace) -> Deltas:
        """Return the commits that are still suspected after what was asked."""
        verdicts = [OPPOSITE[each] if self.is_undone else each for each in trace.verdicts]
        lines = (edit.deltas for edit in trace.edits)
        return still_suspected(self.suspects, zip(lines, verdicts, strict=True))


def states_of(recorded: Recorded) -> States:
    """Return the states that lead from one side to the other, in the first instance."""
    history, source = recorded
    if not history.ahead and history.base is not None:
        return _undone(recorded, history.base)
    return States(source.store, history.good, history.ahead)


def first_bad(
    inquiry: Inquiry[Overlay], recorded: Recorded, observe: Callable[[Event], None]
) -> Suspected:
    """Find the first bad commit, and tell it."""
    states = _suspicious(inquiry.narrowing, recorded, observe)
    bisected = Bisected(states, recorded.history.failing)
    is_undone, whole = bisected.is_undone, bisected.pair(bisected.suspects)
    finding = inquiry.narrowing.narrowed(bisected.question, states, whole, states.levels)
    commits = tuple(states.commits[each] for each in finding.deltas)
    is_done = inquiry.stopped == Stop.FINISHED
    inquiry.tell("commit", first_bad_worded(commits, is_undone=is_undone, is_done=is_done))
    return Suspected(commits, is_undone)


def _suspicious(
    narrowing: Narrowing[Overlay], recorded: Recorded, observe: Callable[[Event], None]
) -> States:
    """Return the states to search: those of the passing side, if it fails where the two parted.

    As git does where the passing side is no ancestor of the other; but git leaves it at that, and
    says that something was fixed on the way.
    """
    history, source = recorded
    states = States(source.store, history.good, history.ahead)
    if not history.behind or history.base is None:
        return states
    undone = _undone(recorded, history.base)
    if narrowing.first_of(undone, [undone.deltas], Verdict.INTERESTING) is not None:
        return undone
    if narrowing.first_of(undone, [undone.deltas], Verdict.UNINTERESTING) is None:
        name = history.base.id[:10]
        why = f"whether {name}, where the two sides part, passes cannot be told: it is taken to"
        observe(Noticed("merge-base", why))
    return states


def _undone(recorded: Recorded, base: GitCommit) -> UndoneStates:
    history, source = recorded
    return UndoneStates(source.store, history.good, history.behind, base)
