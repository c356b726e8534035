"""What of the first bad commit does the harm, what else that needs, and the revert.

Each is first asked of the one guess that is right as a rule: the change that makes the difference
between the commit and its parent also makes the good side fail, and without it the bad side passes.
Only where a guess is wrong more is asked, and never more than it is worth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, log2

from wynot.commands.inquiry_options import ChangesOptions
from wynot.core.candidate import Candidate
from wynot.core.circumstances import Level
from wynot.core.deltas import NONE, Deltas
from wynot.core.events import Doing, Event, Noticed
from wynot.core.stop import Stop
from wynot.core.verdict import Verdict
from wynot.inquiries.changes.answer import cause_worded, cure_worded, no_cure_worded
from wynot.inquiries.changes.chain import ChainStep, chain, step_of
from wynot.inquiries.changes.circumstance import Changes, whole_hunks
from wynot.inquiries.changes.commits import GitCommit, commit
from wynot.inquiries.changes.first_bad import Suspected
from wynot.inquiries.changes.namesakes import moved_lines, namesakes
from wynot.inquiries.changes.overlay import Overlay
from wynot.inquiries.changes.scene import (
    Detail,
    Scene,
    following,
    leading_to,
    scene_of,
    united,
    with_dependent,
    with_needed,
)
from wynot.inquiries.changes.sources import Recorded
from wynot.inquiries.changes.states import States
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.questions import (
    CURE,
    DIFFERENCE,
    Finding,
    cause_with,
    groups_left,
    patiently,
)
from wynot.inquiries.worded import Worded
from wynot.search.dd import Pair

ALLOWED_TESTS = 10
"""Tests that all this is worth after the commit is known, as a rule: a bisection of the commit, a
cause, a revert, and a few more guesses."""
RESERVED_TESTS = 2
"""Of these, one for the cause and one for the revert."""
PATIENCE_ROUNDS = {"lines": 1}
"""Rounds without a resolved test after which parts of a kind are left together; of others two:
half of a statement hardly ever works, half of the hunks do."""
MAX_CAUSE_HUNKS = 20
"""Hunks that a cause may have: more of them explain nothing."""


def scene_at(
    inquiry: Inquiry[Overlay],
    recorded: Recorded,
    suspected: Suspected,
    observe: Callable[[Event], None],
) -> Scene:
    """Read what the suspected commits change, between a state that passes and one that fails."""
    history, (commits, is_undone) = recorded.history, suspected
    last = commits[-1]
    other = _beside(inquiry, recorded, suspected)
    if other is None:
        other = history.base if is_undone and history.base else history.good
        why = f"no parent of {last.id[:10]} {'fails' if is_undone else 'passes'}: it is compared "
        observe(Noticed("parents", f"{why}with {other.id[:10]}"))
    passing, failing = (last, other) if is_undone else (other, last)
    if len(commits) == 1 and other.id in last.parents:
        steps: tuple[ChainStep, ...] = (step_of(last, failing.tree, is_undone=is_undone),)
    else:
        steps = chain(recorded.source.store, passing.id, failing.id).steps
    observe(Doing("reading the commit"))
    return scene_of(recorded, passing, failing, steps)


def _beside(
    inquiry: Inquiry[Overlay], recorded: Recorded, suspected: Suspected
) -> GitCommit | None:
    """Return a commit that the suspects come from, and that is of the other side."""
    (history, source), (commits, is_undone) = recorded, suspected
    names = [name for each in commits[::-1] for name in each.parents]
    wanted = Verdict.INTERESTING if is_undone else Verdict.UNINTERESTING
    for name in dict.fromkeys(names):
        if name not in {each.id for each in commits}:
            parent = commit(source.store, name)
            state = States(source.store, history.good, [parent])
            if inquiry.narrowing.first_of(state, [state.deltas], wanted) is not None:
                return parent
    return None


@dataclass(slots=True)
class GuiltyChange:
    """Looks into a commit."""

    inquiry: Inquiry[Overlay]
    recorded: Recorded
    options: ChangesOptions
    scene: Scene
    levels: Sequence[Level]
    """Kinds of parts, from coarse to fine."""
    began: int
    """How many tests there were when the commit was known."""

    def explain(self) -> bool:
        """Tell the cause and the cure; False: asked again, the test says something else."""
        scene, changes = self.scene, self.scene.compared.changes
        around = Pair(scene.before, united(scene.before, scene.guilty))
        pair = self._within(around)
        found = pair.failing.toggle(pair.passing)
        is_cause = self._is(found, Verdict.INTERESTING)
        revert = self._revert(found) if self.options.cure else None
        is_odd = self._said(changes, found) is Verdict.UNINTERESTING and revert is None
        if is_odd and self._goes_on and not self.inquiry.confirmed(DIFFERENCE, changes, around):
            return False
        self._tell_cause(pair, is_cause=is_cause)
        if self.options.cure and self._goes_on:
            self._tell_cure(found, revert)
        return True

    @property
    def _goes_on(self) -> bool:
        """Whether nothing has ended it."""
        return self.inquiry.stopped == Stop.FINISHED

    @property
    def _left(self) -> int:
        """How many more tests it is worth."""
        return max(0, ALLOWED_TESTS + self.began - self.inquiry.narrowing.tests)

    def _is(self, kept: Deltas, verdict: Verdict) -> bool:
        changes, narrowing = self.scene.compared.changes, self.inquiry.narrowing
        return narrowing.first_of(changes, [kept], verdict) is not None

    def _said(self, changes: Changes, kept: Deltas) -> Verdict | None:
        """Return what was said of a configuration; None if that cannot be, or was not asked."""
        candidate = Candidate.whole(kept)
        return self.inquiry.narrowing.memo.recall(candidate, changes.digest(candidate))

    def _within(self, pair: Pair) -> Pair:
        """Narrow the commit down, from its files to its lines, as long as that gets somewhere."""
        changes, narrowing = self.scene.compared.changes, self.inquiry.narrowing
        for level in self.levels:
            count = groups_left(level, pair)
            if count > 1 and self._goes_on:
                question = patiently(PATIENCE_ROUNDS.get(level.name, 2))
                most = max(self._left - RESERVED_TESTS, ceil(log2(count)))
                pair = narrowing.narrowed(question, changes, pair, [level], most).pair
                if level.name == "hunks" and groups_left(level, pair) > 1:
                    break  # what cannot be told apart by hunks cannot be by lines
        return pair

    def _tell_cause(self, pair: Pair, *, is_cause: bool) -> None:
        """Tell what makes it fail: in the good side, if it is known what does."""
        found, finest = pair.failing.toggle(pair.passing), self.levels[-1]
        if is_cause:
            is_single = groups_left(finest, Pair(NONE, found)) == 1
            told = cause_worded(self.scene.compared, NONE, found, "the good side")
            minimal = finest.name if is_single else ""
        else:
            more = self._cause_with(pair) if self._goes_on else None
            told, minimal = more or (self._in_its_place(pair), "")
        self.inquiry.report("cause", told, minimal, self.options.out)

    def _in_its_place(self, pair: Pair) -> Worded:
        """Word what makes the difference where the commit was made."""
        remark = "put into the good side alone, it does not make that fail" if self._goes_on else ""
        where = "its parent" if pair.passing == self.scene.before else "the rest of its commit"
        return cause_worded(self.scene.compared, *pair, where, remark)

    def _cause_with(self, pair: Pair) -> tuple[Worded, str] | None:
        """Look for what else makes the good side fail; None: that is too much to find or to tell.

        Guesses are what has names in common with the change, then the rest of the commit. If the
        change alone lets the good side pass, and does not break it, it is searched for in earnest.
        """
        scene, narrowing = self.scene, self.inquiry.narrowing
        detail = leading_to(scene, self.recorded) or Detail(scene.compared, scene.guilty, 0)
        changes, found = detail.compared.changes, pair.failing.toggle(pair.passing)
        own = changes.whole(detail.moved(found), "hunks")
        near = namesakes(changes, own, detail.guilty, steps=1)
        far = namesakes(changes, own, changes.deltas)
        rest = changes.whole(detail.moved(pair.failing.toggle(scene.before)), "hunks")
        guesses = [own, near, far, rest, united(rest, far)]
        closed = dict.fromkeys(with_needed(detail.compared, each) for each in guesses)
        fitting = [each for each in closed if each is not None][: max(2, self._left)]
        failing = narrowing.first_of(changes, fitting, Verdict.INTERESTING)
        levels, most = whole_hunks(changes.levels, changes.deltas), self._left
        if failing is None and self._said(changes, own) is Verdict.UNINTERESTING:
            failing, most = changes.deltas, 4 * ceil(log2(len(levels[-1].units))) + ALLOWED_TESTS
        if failing is None:
            return None
        least = Finding(Pair(NONE, failing), "")
        if groups_left(levels[-1], least.pair) > 1 and self._goes_on:
            least = narrowing.narrowed(cause_with(own), changes, least.pair, levels, most)
        if groups_left(levels[-1], least.pair) > MAX_CAUSE_HUNKS:
            return None
        return cause_worded(detail.compared, NONE, least.deltas, "the good side"), least.minimal

    def _revert(self, found: Deltas) -> Deltas | None:
        """Return the hunks of what is found, and those on top of them, if it passes without."""
        changes = self.scene.compared.changes
        taken = with_dependent(self.scene.compared, changes.whole(found, "hunks"))
        if taken is None or not self._is(changes.deltas.toggle(taken), Verdict.UNINTERESTING):
            return None
        return taken

    def _tell_cure(self, found: Deltas, taken: Deltas | None) -> None:
        """Tell what to take back from the bad side."""
        scene, narrowing = self.scene, self.inquiry.narrowing
        detail = Detail(scene.compared, scene.guilty, 0)
        if taken is None:
            detail = following(scene, self.recorded) or detail
            taken = self._wider_revert(detail, detail.moved(found))
        if taken is None:
            if self._goes_on:
                self.inquiry.tell("cure", no_cure_worded(scene.steps))
            return
        changes, whole = detail.compared.changes, detail.compared.changes.deltas
        pair, hunks = Pair(whole.toggle(taken), whole), whole_hunks(changes.levels, whole)
        if groups_left(hunks[-1], pair) > 1 and self._left:
            pair = narrowing.narrowed(CURE, changes, pair, hunks[-1:], self._left).pair
        is_single = groups_left(hunks[-1], pair) == 1
        told = cure_worded(detail.compared, *pair, is_smallest=is_single)
        self.inquiry.report("cure", told, hunks[-1].name if is_single else "", self.options.out)

    def _wider_revert(self, detail: Detail, found: Deltas) -> Deltas | None:
        """Return what else to take back: lines that were moved, namesakes, the commit."""
        changes, whole = detail.compared.changes, detail.compared.changes.deltas
        hunks = changes.whole(found, "hunks")
        related = namesakes(changes, hunks, detail.since, back=True)
        guesses = (
            moved_lines(changes, found, detail.since.toggle(detail.guilty)) or hunks,
            related,
            united(detail.guilty, related),
            changes.whole(found, "files"),
            detail.guilty,
        )
        closed = [with_dependent(detail.compared, each) for each in guesses]
        kept = [whole.toggle(each) for each in dict.fromkeys(closed) if each is not None]
        passing = self.inquiry.narrowing.first_of(
            changes, kept[: max(2, self._left)], Verdict.UNINTERESTING
        )
        return None if passing is None else whole.toggle(passing)
