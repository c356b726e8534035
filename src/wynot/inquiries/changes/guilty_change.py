"""What of the first bad commit does the harm, what else that needs, and by which names.

A line that uses a name goes with the one that defines it, or imports it; and what takes a
definition out goes with what takes its uses out. Whether a guess like that is right, a test says.

Each question begins with the guess that is right as a rule: the change that makes the difference
between the commit and its parent also makes the good side fail, and without it the bad side passes.
Only where that guess is wrong more is asked, and never more than it is worth.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, log2
from posixpath import splitext
from typing import NamedTuple

from wynot.commands.inquiry_options import ChangesOptions
from wynot.core.deltas import NONE, Deltas
from wynot.core.round import Search
from wynot.core.verdict import Verdict
from wynot.inquiries.changes.answer import cause_worded, cure_worded, no_cure_worded
from wynot.inquiries.changes.change_sources import Comparison
from wynot.inquiries.changes.circumstance import Changes, whole_hunks
from wynot.inquiries.changes.commit_context import (
    CommitContext,
    ContextReader,
    DetailedContext,
    united,
    with_dependent,
    with_needed,
)
from wynot.inquiries.changes.overlay import Overlay
from wynot.inquiries.circumstances import Level
from wynot.inquiries.driver import Course, StoryEnded
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.question_stages import Reached
from wynot.inquiries.questions import CURE, DIFFERENCE, cause_with, groups_left, patiently
from wynot.inquiries.worded import Worded
from wynot.search.sides.dd import Pair

_NAME = re.compile(rb"[^\W\d]\w\w+")
"""Names of any language; those of one or two letters say little."""
_DEFINED = re.compile(
    rb"\s*(?!(?:return|if|elif|else|for|while|yield|raise|await|assert|del|case|throw|new)\b)"
    rb"(?:(?:[\w*&<>]+\s+)+([^\W\d]\w\w+)\s*[(:{=;]|([^\W\d]\w\w+)\s*=[^=])"
)
"""``def name(``, ``class Name:``, ``int name;``, ``name = ``."""
_IMPORTED = re.compile(rb"\bimport\b(.*)")
_WHOLE = re.compile(rb"(.*)")
MAX_MENTIONS = 8
"""A name in more hunks is a common word."""
MAX_STEPS = 4
"""How far it goes from one name to the next."""


class _Lines(NamedTuple):
    """Lines that a hunk brings in, and those that it takes out."""

    path: str
    come: list[bytes]
    gone: list[bytes]


def namesakes(
    changes: Changes, deltas: Deltas, among: Deltas, *, back: bool = False, steps: int = MAX_STEPS
) -> Deltas:
    """Return these hunks with those among some deltas that go with them, and so on, a few times.

    ``back``: if all are taken back.
    """
    others = _lines(changes, among, back=back)
    for _ in range(steps):
        own = _lines(changes, deltas, back=back)
        more = _next(changes, own, among, others)
        if not more:
            break
        deltas = Deltas.covering((*deltas.runs, *more.runs))
    return deltas


def moved_lines(changes: Changes, deltas: Deltas, among: Deltas) -> Deltas:
    """Return what brings in the lines of these deltas once more, indented in another way or not.

    A line that was moved since is not taken back with the change that has brought it in first.
    """
    own = _lines(changes, deltas, back=False).values()
    new = {line.strip() for each in own for line in each.come}
    whole = changes.deltas
    return Deltas.of(
        each
        for each in among
        if changes.described[each].kind in {"added line", "replaced line"}
        and changes.described[each].text.strip() in new
        and changes.conflict(whole.toggle(Deltas.of([each]))) is None  # it is still there
    )


def _next(
    changes: Changes, own: Mapping[int, _Lines], among: Deltas, others: Mapping[int, _Lines]
) -> Deltas:
    """Return the other hunks that go with these, those of the same files or kinds of files."""
    come = [line for each in own.values() for line in each.come]
    gone = [line for each in own.values() for line in each.gone]
    used = _names(come) - _names(gone) - _made(come)
    undefined = _defined(gone) - _names(come)
    places: dict[bytes, dict[int, str]] = defaultdict(dict)
    for hunk, lines in others.items() if used or undefined else ():
        if hunk not in own:
            names = used & _defined(lines.come) if used else set()
            names |= undefined & _names(lines.gone) if undefined else set()
            for name in names:
                places[name][hunk] = lines.path
    paths = {each.path for each in own.values()}
    hunks: set[int] = set()
    for those in places.values():
        nearest = _nearest(those, paths)
        hunks |= nearest if len(nearest) <= MAX_MENTIONS else set()
    found = Deltas.of(each for each in among if changes.hunk_of(each) in hunks)
    return changes.whole(found, "hunks") if found else NONE


def _nearest(places: Mapping[int, str], paths: Collection[str]) -> set[int]:
    """Return the hunks in the same files, else in files of the same kinds."""
    kinds = {splitext(path)[1] for path in paths}
    inside = {hunk for hunk, path in places.items() if path in paths}
    return inside or {hunk for hunk, path in places.items() if splitext(path)[1] in kinds}


def _lines(changes: Changes, deltas: Deltas, *, back: bool) -> dict[int, _Lines]:
    """Return the lines of each hunk, with their directions changed if it is taken back."""
    found: dict[int, _Lines] = {}
    for each in deltas:
        delta = changes.described[each]
        if delta.line:
            lines = found.setdefault(changes.hunk_of(each), _Lines(delta.path, [], []))
            come, gone = (lines.gone, lines.come) if back else lines[1:]
            (gone if delta.kind == "removed line" else come).append(delta.text)
            gone.append(delta.was)
    return found


def _names(lines: Iterable[bytes]) -> set[bytes]:
    """Return the names in lines; of an import only what is imported."""
    parts = (_IMPORTED.search(line) or _WHOLE.match(line) for line in lines)
    return {name for part in parts if part for name in _NAME.findall(part[1])}


def _defined(lines: Sequence[bytes]) -> set[bytes]:
    """Return the names that lines seem to define, or to import."""
    imported = filter(None, map(_IMPORTED.search, lines))
    return _made(lines).union(*(_NAME.findall(each[1]) for each in imported))


def _made(lines: Iterable[bytes]) -> set[bytes]:
    """Return the names that lines seem to define."""
    return {each[1] or each[2] for each in map(_DEFINED.match, lines) if each}


ALLOWED_TESTS = 10
"""Tests that all this is worth after the commit is known, as a rule: a bisection of the commit, a
cause, a revert, and a few more guesses."""
RESERVED_TESTS = 2
"""Of these, one for the cause and one for the revert."""
PATIENCE_ROUNDS = {"lines": 1}
"""Rounds without a resolved test after which parts of a kind are left together; of others two:
half of a statement hardly ever works, half of the hunks do."""
NOT_ALONE = "put into the good side alone, it does not make that fail"
MAX_CAUSE_HUNKS = 20
"""Hunks that a cause may have: more of them explain nothing."""


LIKELY_ODDS = 0.8
"""How likely the one guess is that is right as a rule."""

HISTORY_ODDS = 0.5
"""How likely it must be that all commits have to be read one by one for that to be done ahead."""


@dataclass(slots=True)
class GuiltyChange:
    """Looks into a commit; a part of the story of ``changes``."""

    course: Course[Overlay]
    inquiry: Inquiry[Overlay]
    contexts: ContextReader
    options: ChangesOptions
    context: CommitContext
    levels: Sequence[Level]
    """Kinds of parts, from coarse to fine."""
    tests_before: int
    """How many tests there were when the commit was known."""

    def explain(self) -> Search[None]:
        """Find the cause and the cure, and report them."""
        context, course, changes = self.context, self.course, self.context.comparison.changes
        around = Pair(context.before, united(context.before, context.guilty))
        pair = around
        try:
            pair = yield from self._within(around)
            found = pair.failing.toggle(pair.passing)
            verdict = yield from course.verdict(changes, found, LIKELY_ODDS)
            revert = (yield from self._revert(found)) if self.options.cure else None
            if verdict is Verdict.UNINTERESTING and revert is None and course.is_live:
                self.inquiry.require_confirmed(DIFFERENCE, changes, around)
            yield from self._find_cause(pair, is_cause=verdict is Verdict.INTERESTING)
        except StoryEnded:
            self._report_in_place(pair)
            raise
        if self.options.cure:
            yield from self._find_cure(found, revert)

    def _left(self) -> Search[int]:
        """Return how many more tests it is worth."""
        return max(0, ALLOWED_TESTS + self.tests_before - (yield from self.course.tests()))

    def _within(self, pair: Pair) -> Search[Pair]:
        """Narrow the commit down, from its files to its lines, as long as that gets somewhere."""
        changes = self.context.comparison.changes
        for level in self.levels:
            count = groups_left(level, pair)
            if count > 1:
                question = patiently(PATIENCE_ROUNDS.get(level.name, 2))
                left = yield from self._left()
                most = max(left - RESERVED_TESTS, ceil(log2(count)))
                reached = yield from self.course.narrow(question, changes, pair, [level], most)
                pair = reached.pair
                if reached.is_ended:
                    break
                if level.name == "hunks" and groups_left(level, pair) > 1:
                    break  # what cannot be told apart by hunks cannot be by lines
        return pair

    def _report(self, question: str, word: Callable[[], Worded], minimal: str = "") -> None:
        if self.course.is_live:
            self.inquiry.report(question, word, minimal, self.options.out)

    def _report_in_place(self, pair: Pair, remark: str = "") -> None:
        """Report what makes the difference where the commit was made."""
        where = "its parent" if pair.passing == self.context.before else "the rest of its commit"
        self._report("cause", partial(cause_worded, self.context.comparison, *pair, where, remark))

    def _report_in_good_side(self, comparison: Comparison, found: Pair, minimal: str) -> None:
        """Report what makes the good side fail."""
        self._report("cause", partial(cause_worded, comparison, *found, "the good side"), minimal)

    def _find_cause(self, pair: Pair, *, is_cause: bool) -> Search[None]:
        """Report what makes it fail: in the good side, if it is known what does."""
        found, finest = Pair(NONE, pair.failing.toggle(pair.passing)), self.levels[-1]
        if is_cause:
            minimal = finest.name if groups_left(finest, found) == 1 else ""
            self._report_in_good_side(self.context.comparison, found, minimal)
            return
        if not (yield from self._find_partners(pair)):
            self._report_in_place(pair, NOT_ALONE)

    def _find_partners(self, pair: Pair) -> Search[bool]:
        """Look for what else makes the good side fail, and report it.

        False: that is too much to find or to report.
        Guesses are what has names in common with the change, then the rest of the commit. If the
        change alone lets the good side pass, and does not break it, it is searched for in earnest.
        """
        course = self.course
        yield from course.tests("reading the commits before it", HISTORY_ODDS)
        detail, own, guesses = course.once(partial(self._guesses, pair))
        changes = detail.comparison.changes
        fitting = guesses[: max(2, (yield from self._left()))]
        failing, verdict = yield from self._first_failing(changes, fitting, own)
        levels, most = whole_hunks(changes.levels, changes.deltas), (yield from self._left())
        if failing is None and verdict is Verdict.UNINTERESTING:
            failing, most = changes.deltas, 4 * ceil(log2(len(levels[-1].units))) + ALLOWED_TESTS
        if failing is None:
            return False
        least = Reached(Pair(NONE, failing))
        if groups_left(levels[-1], least.pair) > 1:
            question = cause_with(own)
            least = yield from course.narrow(question, changes, least.pair, levels, most)
        if groups_left(levels[-1], least.pair) <= MAX_CAUSE_HUNKS:
            minimal = least.minimal if course.is_live else ""
            self._report_in_good_side(detail.comparison, least.pair, minimal)
            return True
        return False

    def _first_failing(
        self, changes: Changes, guesses: Sequence[Deltas], own: Deltas
    ) -> Search[tuple[Deltas | None, Verdict | None]]:
        """Return the first guess that fails, and the verdict of the change alone."""
        verdict = None
        if own in guesses[:1]:
            verdict, guesses = (yield from self.course.verdict(changes, own)), guesses[1:]
            if verdict is Verdict.INTERESTING:
                return own, verdict
        wanted = Verdict.INTERESTING
        return (yield from self.course.first_with(changes, guesses, wanted)), verdict

    def _guesses(self, pair: Pair) -> tuple[DetailedContext, Deltas, list[Deltas]]:
        """Return the commits before one by one, the change in them, and what may be needed."""
        context = self.context
        detail = self.contexts.leading_to(context)
        changes, found = detail.comparison.changes, pair.failing.toggle(pair.passing)
        own = changes.whole(detail.moved(found), "hunks")
        near = namesakes(changes, own, detail.guilty, steps=1)
        far = namesakes(changes, own, changes.deltas)
        rest = changes.whole(detail.moved(pair.failing.toggle(context.before)), "hunks")
        guesses = [own, near, far, rest, united(rest, far)]
        closed = dict.fromkeys(with_needed(detail.comparison, each) for each in guesses)
        return detail, own, [each for each in closed if each is not None]

    def _revert(self, found: Deltas) -> Search[Deltas | None]:
        """Return the hunks of what is found, and those on top of them, if it passes without."""
        changes = self.context.comparison.changes
        hunks = changes.whole(found, "hunks")
        taken = self.course.once(partial(with_dependent, self.context.comparison, hunks))
        if taken is None:
            return None
        without, passes = changes.deltas.toggle(taken), Verdict.UNINTERESTING
        passing = yield from self.course.first_with(changes, [without], passes, 1 - LIKELY_ODDS)
        return None if passing is None else taken

    def _find_cure(self, found: Deltas, taken: Deltas | None) -> Search[None]:
        """Report what to take back from the bad side."""
        context, course = self.context, self.course
        detail = DetailedContext(context.comparison, context.guilty, 0)
        if taken is None:
            yield from course.tests("reading the commits after it", HISTORY_ODDS)
            detail = course.once(partial(self.contexts.following, context))
            taken = yield from self._wider_revert(detail, detail.moved(found))
        if taken is None:
            self._report("cure", partial(no_cure_worded, context.steps))
            return
        changes, whole = detail.comparison.changes, detail.comparison.changes.deltas
        pair, hunks = Pair(whole.toggle(taken), whole), whole_hunks(changes.levels, whole)
        left = yield from self._left()
        if groups_left(hunks[-1], pair) > 1 and left:
            pair = (yield from course.narrow(CURE, changes, pair, hunks[-1:], left)).pair
        is_single = groups_left(hunks[-1], pair) == 1
        word = partial(cure_worded, detail.comparison, *pair, is_smallest=is_single)
        self._report("cure", word, hunks[-1].name if is_single else "")

    def _wider_revert(self, detail: DetailedContext, found: Deltas) -> Search[Deltas | None]:
        """Return what else to take back: lines that were moved, namesakes, the commit."""
        changes, whole = detail.comparison.changes, detail.comparison.changes.deltas
        kept = self.course.once(partial(_without_more, detail, found))
        most = max(2, (yield from self._left()))
        passes = Verdict.UNINTERESTING
        passing = yield from self.course.first_with(changes, kept[:most], passes)
        return None if passing is None else whole.toggle(passing)


def _without_more(detail: DetailedContext, found: Deltas) -> list[Deltas]:
    """Return the bad side without what may have to be taken back with a change."""
    changes, whole = detail.comparison.changes, detail.comparison.changes.deltas
    hunks = changes.whole(found, "hunks")
    related = namesakes(changes, hunks, detail.since, back=True)
    guesses = (
        moved_lines(changes, found, detail.since.toggle(detail.guilty)) or hunks,
        related,
        united(detail.guilty, related),
        changes.whole(found, "files"),
        detail.guilty,
    )
    closed = [with_dependent(detail.comparison, each) for each in guesses]
    return [whole.toggle(each) for each in dict.fromkeys(closed) if each is not None]
