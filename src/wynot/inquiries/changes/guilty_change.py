"""What of the first bad commit does the harm, what else that needs, and the revert.

Each is first asked of the one guess that is right as a rule: the change that makes the difference
between the commit and its parent also makes the good side fail, and without it the bad side passes.
Only where a guess is wrong more is asked, and never more than it is worth.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, log2

from wynot.commands.inquiry_options import ChangesOptions
from wynot.core.circumstances import Level
from wynot.core.deltas import NONE, Deltas
from wynot.core.events import Doing, Event, Noticed
from wynot.core.stop import Stop
from wynot.core.verdict import Verdict
from wynot.inquiries.changes.answer import cause_worded, cure_worded, no_cure_worded
from wynot.inquiries.changes.chain import ChainStep, step_of
from wynot.inquiries.changes.circumstance import whole_hunks
from wynot.inquiries.changes.commits import GitCommit, commit
from wynot.inquiries.changes.first_bad import Suspected
from wynot.inquiries.changes.overlay import Overlay
from wynot.inquiries.changes.scene import (
    Scene,
    leading_to,
    scene_of,
    united,
    with_dependent,
    with_needed,
)
from wynot.inquiries.changes.sources import Recorded
from wynot.inquiries.changes.states import States
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.questions import CURE, DIFFERENCE, cause_with, groups_left
from wynot.inquiries.worded import Worded
from wynot.search.dd import Pair

WITHIN = DIFFERENCE._replace(name="cause")
"""What of a commit makes the difference."""
MAX_CAUSE_HUNKS = 20
"""Hunks that a cause may have: more of them explain nothing."""


def worth(units: int) -> int:
    """Return how many tests it is worth to find one of so many, if not all of them are resolved."""
    return 2 * ceil(log2(max(units, 1))) + 2


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
        step = step_of(last, failing.tree, is_undone=is_undone)
    else:
        names = f"{passing.id[:10]} and {failing.id[:10]}"
        step = ChainStep(failing.tree, subject=f"what differs between {names}")
    observe(Doing("reading the commit"))
    return scene_of(recorded, passing, step)


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

    def explain(self) -> bool:
        """Tell the cause and the cure; False: asked again, the test says something else."""
        scene, changes = self.scene, self.scene.compared.changes
        around = Pair(scene.before, united(scene.before, scene.guilty))
        pair = self._within(around)
        found = pair.failing.toggle(pair.passing)
        guesses = [found, pair.failing.toggle(scene.before), scene.guilty]
        alone = self._first(guesses, Verdict.INTERESTING)
        is_surprising = alone != found and changes.conflict(found) is None
        if self._goes_on and is_surprising and not self.inquiry.confirmed(WITHIN, changes, around):
            return False
        self._tell_cause(pair, alone)
        if self.options.cure and self._goes_on:
            self._tell_cure(found, alone or scene.guilty)
        return True

    @property
    def _goes_on(self) -> bool:
        """Whether nothing has ended it."""
        return self.inquiry.stopped == Stop.FINISHED

    def _within(self, pair: Pair) -> Pair:
        """Narrow the commit down, from its files to its lines."""
        changes, narrowing = self.scene.compared.changes, self.inquiry.narrowing
        for level in self.levels:
            left = groups_left(level, pair)
            if left > 1 and self._goes_on:
                pair = narrowing.narrowed(WITHIN, changes, pair, [level], worth(left)).pair
                if level.name == "hunks" and groups_left(level, pair) > 1:
                    break  # what cannot be told apart by hunks cannot be by lines
        return pair

    def _first(self, guesses: Sequence[Deltas], wanted: Verdict) -> Deltas | None:
        """Return the first guess that is right."""
        different = list(dict.fromkeys(guesses))
        return self.inquiry.narrowing.first_of(self.scene.compared.changes, different, wanted)

    def _tell_cause(self, pair: Pair, alone: Deltas | None) -> None:
        """Tell what makes it fail: in the good side, if it is known what does."""
        found, finest = pair.failing.toggle(pair.passing), self.levels[-1]
        if alone is not None:
            pair = Pair(NONE, self._least(found, alone))
            is_single = groups_left(finest, pair) == 1
            told = cause_worded(self.scene.compared, *pair, "the good side")
            minimal = finest.name if is_single else ""
        else:
            needed = self._needed(found) if self._goes_on else None
            told, minimal = needed or (self._in_its_place(pair), "")
        self.inquiry.report("cause", told, minimal, self.options.out)

    def _least(self, found: Deltas, alone: Deltas) -> Deltas:
        """Return what of a part of the commit that fails alone is needed besides what is found."""
        if alone == found or not self._goes_on:
            return alone
        changes, pair = self.scene.compared.changes, Pair(NONE, alone)
        most = worth(groups_left(self.levels[-1], pair))
        question = cause_with(found)
        return self.inquiry.narrowing.narrowed(question, changes, pair, self.levels, most).deltas

    def _in_its_place(self, pair: Pair) -> Worded:
        """Word what makes the difference where the commit was made."""
        remark = "put into the good side alone, it does not make that fail" if self._goes_on else ""
        where = "its parent" if pair.passing == self.scene.before else "the rest of its commit"
        return cause_worded(self.scene.compared, *pair, where, remark)

    def _needed(self, found: Deltas) -> tuple[Worded, str] | None:
        """Look for what else makes the good side fail, among the commits before; None: too much.

        With it comes the kind of parts of which no single one can go, if that is proved.
        """
        compared = leading_to(self.scene, self.recorded)
        if compared is None:
            return None
        changes, narrowing, minimal = compared.changes, self.inquiry.narrowing, ""
        shift = len(changes.deltas) - len(self.scene.guilty) - self.scene.guilty.index(0)
        moved = Deltas.covering((start + shift, stop + shift) for start, stop in found.runs)
        guess = with_needed(compared, moved)
        if guess is None:
            return None
        if narrowing.first_of(changes, [guess], Verdict.INTERESTING) is None:
            levels = whole_hunks(changes.levels, changes.deltas)
            question = cause_with(changes.whole(guess, "hunks"))
            pair, most = Pair(NONE, changes.deltas), 2 * worth(len(levels[-1].units))
            finding = narrowing.narrowed(question, changes, pair, levels, most)
            if groups_left(levels[-1], finding.pair) > MAX_CAUSE_HUNKS:
                return None
            guess, minimal = finding.deltas, finding.minimal
        return cause_worded(compared, NONE, guess, "the good side"), minimal

    def _tell_cure(self, found: Deltas, more: Deltas) -> None:
        """Tell what to take back from the bad side."""
        compared, narrowing = self.scene.compared, self.inquiry.narrowing
        changes, whole = compared.changes, compared.changes.deltas
        kept = [whole.toggle(each) for each in self._reverts(found, more)]
        passing = self._first(kept, Verdict.UNINTERESTING)
        if passing is None:
            if self._goes_on:
                self.inquiry.tell("cure", no_cure_worded(self.scene.step))
            return
        pair, hunks = Pair(passing, whole), whole_hunks(changes.levels, whole)
        if (count := groups_left(hunks[-1], pair)) > 1:
            pair = narrowing.narrowed(CURE, changes, pair, hunks[-1:], worth(count)).pair
        is_single = groups_left(hunks[-1], pair) == 1
        told = cure_worded(compared, *pair, is_smallest=is_single)
        self.inquiry.report("cure", told, hunks[-1].name if is_single else "", self.options.out)

    def _reverts(self, found: Deltas, more: Deltas) -> Iterator[Deltas]:
        """Yield what may be taken back, the smallest first: whole hunks, with what needs them."""
        changes = self.scene.compared.changes
        for some in (
            changes.whole(found, "hunks"),
            changes.whole(more, "hunks"),
            changes.whole(found, "files"),
            self.scene.guilty,
        ):
            taken = with_dependent(self.scene.compared, some)
            if taken is not None:
                yield taken
