"""A passing side for a failing input that has none: the input without what the failure needs.

What is left when the input is reduced is what the failure needs; so that is what to take out of the
input itself, as little of it as will do. If the input fails all the same, there is more than one
thing that makes it fail: what was found is taken out, and what is left is reduced in its turn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import NotPassing
from wynot.core.events import Doing, Event, LevelStarted, Narrowed, Noticed
from wynot.core.files import Files
from wynot.core.standing import Stop
from wynot.core.verdict import Verdict
from wynot.engine.budget import Spent
from wynot.inquiries.inputs.nearest import (
    InputPiece,
    Remnant,
    Surviving,
    WithoutPieces,
    nearest,
    pieces_of,
    siblings_of,
    taken_out,
)
from wynot.inquiries.inquiry import Inquiry
from wynot.job.case_runner import CaseRunner
from wynot.passes.catalog import PlanOptions
from wynot.reduction.best import TrustedTest
from wynot.reduction.run import Reduction
from wynot.reduction.whole_plan import Keeps, plan_options, trees_of, whole_plan

SMALL_BYTES, FEW_PIECES = 2_000, 100
"""How large an input may be, and how many pieces it may have, for all of them to be tried without
finding out first which of them matter."""
MAX_CAUSES = 5
"""How many things are taken out, one after the other, each of which makes the input fail alone."""
MAX_IN_VAIN, MAX_IN_VAIN_AT_LAST = 60, 240
"""Tests in a row that a reduction may fail before it is left at that: it need not be the smallest
input that there is. If no part of that is it, more is worth it."""
PIECES_PER_TOKEN = 2
"""How many pieces there are to try for each token that is left, about: nodes and lines, too."""
LOOKING_FOR_PART = "looking for a part without which it passes"
SMALL_SIDES = (
    "the input fails in more than one way, or passes only without more than one part: both sides "
    "are what is left of it when it is reduced"
)


class FoundSides(NamedTuple):
    """Two sides, of which the failing one is smaller than what was given if nothing else passes."""

    passing: Files
    failing: Files


class TakingOut:
    """Looks for a passing side."""

    def __init__(self, inquiry: Inquiry[Files], failing: Files, last: Files | None) -> None:
        """Take an input that fails, and one that passes if nothing nearer to it does."""
        self._inquiry = inquiry
        self._last = last
        self._driver = inquiry.driver
        self._failing = failing
        self._small: FoundSides | None = None
        """Two sides that were found in the course of a reduction, both smaller than the input."""
        self.smallest = failing
        """The smallest input so far that is known to fail."""

    def sides(self) -> FoundSides | None:
        """Return two sides; None if something has ended the inquiry before; raise if none pass."""
        with self._driver.interruptible():
            passing = self._passing_neighbour() or self._passing_without_causes()
            return FoundSides(passing, self._failing) if passing else self._small_sides()
        return None

    def _passing_neighbour(self) -> Files | None:
        """Try each part of a small input; None if it is not small, or passes without none."""
        if self._failing.size > SMALL_BYTES:
            return None
        pieces = pieces_of(self._failing)
        return self._first_passing(self._failing, pieces) if len(pieces) <= FEW_PIECES else None

    def _passing_without_causes(self) -> Files | None:
        """Take out one thing after the other that makes it fail, until it passes; None: never."""
        left: Files | None = self._failing
        for _ in range(MAX_CAUSES):
            if left is None or not self._goes_on:
                break
            surviving = Surviving(left)
            self._reduce(surviving, MAX_IN_VAIN, is_rough=True)
            places = surviving.left.places
            passing = self._all_at_once(left, places)
            passing = passing or self._first_passing(left, pieces_of(left, places))
            if passing is not None:
                return passing
            self._reduce(surviving, MAX_IN_VAIN_AT_LAST)
            left = self._without_cause(left, surviving)
        return None

    @property
    def _goes_on(self) -> bool:
        return self._driver.is_going

    def _all_at_once(self, whole: Files, places: Mapping[str, Sequence[int]]) -> Files | None:
        """Return an input without all children of one node that are left, if it passes like that.

        What is left may be mostly what the input must have some of: many entries that are alike.
        The input has others of them; and which of those taken out matters is for `dd` to find.
        """
        if not self._goes_on:
            return None
        case = WithoutPieces(whole, siblings_of(whole, places))
        show = partial(self._show, len(case.pieces), 0)
        found = self._driver.passing_without(case, case.levels[0].units, show, most=1)
        return case.render(case.without(found[0])) if found else None

    def _first_passing(self, whole: Files, pieces: Sequence[InputPiece]) -> Files | None:
        """Return an input without the first piece without which it passes, if there is one."""
        tried = 0
        self._show(len(pieces), tried)
        for batch in nearest(pieces, whole):
            if not self._goes_on:
                break
            case = WithoutPieces(whole, [[piece] for piece in batch])
            show = partial(self._show, len(pieces), tried)
            found = self._driver.passing_without(case, case.levels[0].units, show, most=1)
            if found:
                return case.render(case.without(found[0]))
            tried += len(batch)
        return None

    def _show(self, of: int, before: int, done: int = 0) -> None:
        self._inquiry.progress(LOOKING_FOR_PART, before + done, of)

    def _reduce(self, surviving: Surviving, patience: int, *, is_rough: bool = False) -> None:
        """Reduce an input as ``wynot reduce`` does; but only leave out, and rewrite nothing.

        A rough reduction ends when to try each part that is left takes no more tests than it took.
        """
        driver = self._driver
        spent = driver.tests
        if not self._goes_on:
            return
        driver.observe(LevelStarted("reducing", "bytes", surviving.files.size))

        def take(tests: int) -> None:
            size = surviving.files.size
            driver.observe(Narrowed("reducing", "bytes", size, spent + tests))
            if is_rough and PIECES_PER_TOKEN * surviving.count() <= tests:
                raise Spent(Stop.TARGET_SIZE)

        surviving.take = take
        options = ReduceOptions(files=(), layout="keep", fast=True, patience=patience)
        runner = CaseRunner(
            driver.evaluator, lambda _case, _candidate: False, queues_short_tests=True
        )
        reduction = Reduction(
            options=options,
            runner=runner,
            best=surviving,
            plan=whole_plan(
                options,
                _leaving_out(options),
                Keeps((), surviving.files),
                trees_of(options, surviving.files),
            ),
            reliability=TrustedTest(),
            budget=driver.budget.after(spent),
            observe=self._hand_on,
        )
        try:
            stopped = reduction.run()
            if stopped not in {Stop.PATIENCE, Stop.TARGET_SIZE}:
                driver.stop(stopped)
        finally:
            driver.count_reduction(reduction.tests, reduction.extra, reduction.refused)
            self.smallest = min(self.smallest, surviving.files, key=lambda files: files.size)

    def _hand_on(self, event: Event) -> None:
        """Tell what takes long; the passes of a reduction are of no interest here."""
        if isinstance(event, Doing):
            self._inquiry.observe(event)

    def _without_cause(self, whole: Files, surviving: Surviving) -> Files | None:
        """Return what still fails without a piece that makes it fail; None if there is none.

        It is one if some of what was left in the course of the reduction passes without it. The
        smallest is asked first, which fails for one reason only; but it may have nothing to spare.
        """
        pieces = pieces_of(whole, surviving.left.places)
        still = [self._verdict_without(whole, piece) is Verdict.INTERESTING for piece in pieces]
        for is_still in (True, False):
            some = [piece for piece, each in zip(pieces, still, strict=True) if each is is_still]
            for remnant in (surviving.left, *reversed(surviving.earlier)):
                piece = self._passing_piece(remnant, some) if self._goes_on else None
                if piece is not None:
                    return taken_out(whole, [piece]) if is_still else None
        return None

    def _passing_piece(self, remnant: Remnant, pieces: Sequence[InputPiece]) -> InputPiece | None:
        """Return the first piece without which what is left passes; keep the two sides."""
        found = [(piece, within) for piece in pieces if (within := remnant.within(piece))]
        case = WithoutPieces(remnant.files, [within for _, within in found])
        show = partial(self._show, len(found), 0)
        numbers = self._driver.passing_without(case, case.levels[0].units, show, most=1)
        if not numbers:
            return None
        if self._small is None:
            passing = case.render(case.without(numbers[0]))
            self._small = FoundSides(passing, remnant.files)
        return found[numbers[0]][0]

    def _verdict_without(self, whole: Files, piece: InputPiece) -> Verdict | None:
        """Return what is known of an input without a piece."""
        case = WithoutPieces(whole, [[piece]])
        return self._driver.verdict_of(case, case.without(0).kept)

    def _small_sides(self) -> FoundSides | None:
        """Return two sides that are both smaller than the input, since none near it passes."""
        if self._small is not None:
            self._inquiry.observe(Noticed("reduced", SMALL_SIDES))
            return self._small
        if self._last is not None:
            return FoundSides(self._last, self._failing)
        if not self._goes_on:
            return None
        raise NotPassing(
            "no variant of the failing input was found that passes: an empty one does not, nor any "
            f"of {self._driver.tests:,} others, down to parts of the {self.smallest.size:,} "
            "bytes that still fail",
            hint="give an input that passes: wynot isolate TEST PASSING FAILING",
        )


def _leaving_out(options: ReduceOptions) -> PlanOptions:
    """Return what the passes are to know: what is left stands in the input as it is."""
    return replace(plan_options(options), rewrite=False, passes=())
