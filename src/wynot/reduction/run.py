"""A reduction: passes in the order of the plan, each a session on the best case so far.

The plan is gone through until a whole round of it changes nothing. Everything it does depends on
verdicts only, so a run that is begun again with the same verdicts comes to the same steps.
"""

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from types import MappingProxyType
from typing import cast

from wynot.assemble import memo_of, pass_search, tree_search
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.events import Asked, Doing, Event, Noticed, PassBegan, PassEnded
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget, Limit, Spent
from wynot.engine.recorder import Recorder
from wynot.engine.session import Outcome, Session
from wynot.engine.tester import Tester
from wynot.oracle.memo import Memo, Sure
from wynot.passes.base import Cut, Pass
from wynot.passes.line_ends import EndLines
from wynot.passes.plan import plan
from wynot.passes.trees import Trees
from wynot.reduction.best import Best
from wynot.reduction.keeps import Keeps
from wynot.reduction.options import Options
from wynot.reduction.pass_runner import PassRunner
from wynot.reduction.reliability import Reliability
from wynot.search.largest import NO_RECORD, Record
from wynot.search.star import Minimizer

KINDS = ("files", "members", "records", "lines", "nodes", "tokens", "characters", "bytes")
"""What can be proved of, from coarse to fine."""

CUT_OFF = (
    "some candidates that had been cut off early were interesting when they had all their time; "
    "the reduction went on from there"
)


@dataclass(slots=True)
class Reduction:
    """Reduces until nothing more can go, or a budget is spent."""

    options: Options
    tester: Tester[Files]
    best: Best
    reliability: Reliability
    deadline: float
    clock: Callable[[], float]
    observe: Callable[[Event], None]
    trees: Trees
    memo: Memo = field(init=False)
    keeps: Keeps = field(init=False)
    tests: int = 0
    extra: int = 0
    refused: "Counter[str]" = field(default_factory=Counter)
    """How many candidates each guard has refused; under no name, those that none has."""
    lessons: dict[str, Record] = field(default_factory=dict)
    """What the verdicts so far have taught, in the order in which they were committed."""
    minimal: dict[str, bytes] = field(default_factory=dict)
    """Of which kinds of parts it is proved, and of what content, that no single one can go."""
    line_ends: int = 0
    """How many texts have got their final newline back."""
    _in_vain: dict[tuple[bytes, Hashable, Hashable], bool] = field(default_factory=dict)
    """Cuts that nothing could be left out of, and whether that is proved of each single part."""
    _unsure: bool = False
    """Whether this time through the plan rests on something that was cut off early."""
    _tight: bool = False
    """Whether candidates may be cut off early."""
    _lessons_before: dict[str, Record] = field(default_factory=dict)
    """What was known before this time through the plan."""
    _last_progress: int = 0
    _seen: Deltas = NONE
    """The best configuration of the present pass, as far as it was told of."""

    def __post_init__(self) -> None:
        self.memo = memo_of(self.options.searching)
        self.keeps = Keeps(self.options.patterns(), self.best.files)

    def run(self) -> str:
        """Go through the plan until nothing changes; return why it ended."""
        try:
            self._stop_at_target()
            self._reduce()
            self._end_lines()
            while not self.reliability.holds_at_the_end():
                self._begin_again()
                self._reduce()
                self._end_lines()
        except Spent as spent:
            return spent.by
        return "finished"

    @property
    def proved(self) -> tuple[str, ...]:
        """The kinds of parts of which no single one of the best case can go."""
        digest = self.best.files.digest
        return tuple(kind for kind in KINDS if self.minimal.get(kind) == digest)

    def _reduce(self) -> None:
        """Go through the plan, quickly first; then ask again what was cut off early and matters.

        What matters is what the last time through the plan, which has changed nothing, rests on:
        so that is gone through again, in the same order.
        """
        self._tight = True
        last, before = self._loop(1), self.best.files.digest
        while self._unsure:
            self._tight = False
            self.lessons = dict(self._lessons_before)
            last = self._loop(last, again=True)
        if self.best.files.digest != before:
            self.observe(Noticed("cut-off", CUT_OFF))

    def _loop(self, loop: int, *, again: bool = False) -> int:
        """Go through the plan until nothing changes; return how often that was.

        ``again``: to ask once more what was cut off early.
        """
        while True:
            before = self.best.files.digest
            self._unsure, self._lessons_before = False, dict(self.lessons)
            steps = plan(self.best.files, self.options.wishes, self.trees, loop, lambda: self.tests)
            step = next(steps, None)
            while step is not None:
                self._run_pass(step, loop, again=again)
                if not self.reliability.still_holds(f"{loop}/{step.name}", self.tests):
                    self._begin_again()
                try:
                    step = steps.send(self.best.files)
                except StopIteration:
                    step = None
            if self.best.files.digest == before:
                return loop
            loop += 1

    def _end_lines(self) -> None:
        """Put final newlines back: what is proved is so of all but them."""
        proved, before = self.proved, self.best.files.contents
        ends = self.options.line_ends(self.keeps.original)
        self._tight = False  # there is no second time for what is cut off early
        self._run_pass(EndLines(ends), 1)
        after = self.best.files
        self.line_ends = sum(after.contents[path] != before[path] for path in before)
        self.minimal |= dict.fromkeys(proved, after.digest)

    def _begin_again(self) -> None:
        """Go on from a case that holds, with a test that is asked more often."""
        self.reliability.recover(self.tests)
        self.memo = memo_of(self.options.searching)
        self.minimal.clear()
        self.lessons.clear()
        self._in_vain.clear()

    def _run_pass(self, step: Pass, loop: int, *, again: bool = False) -> None:
        """Search one kind of parts."""
        self.observe(Doing(f"preparing the pass {step.name!r}"))
        cut = step.cut(self.best.files, self.keeps.patterns, MappingProxyType(self.lessons))
        case = cut.case
        # Two list searches on the same parts find the same; others are known by their names.
        search = None if cut.search is None else (step.name, cut.search.patience)
        known = (self.best.files.digest, case.key, search)
        if not case.deltas:
            return
        if known in self._in_vain:  # another pass has cut it in the same way, and found nothing
            self._prove(step, minimal=self._in_vain[known])
            return
        self.observe(PassBegan(step.name, len(case.deltas), loop, again=again))
        before = self.tests
        recorder = Recorder(
            case,
            NONE,
            case.deltas,
            memo_proves=self.memo.proves,
            is_final=partial(self.tester.is_final, tight=self._tight),
        )
        outcome = self._session(step, cut, recorder).run(
            partial(self._search(cut, loop), case.deltas), recorder
        )
        self.extra += outcome.tally.extra
        minimal = outcome.found is not None and recorder.is_minimal(outcome.found)
        self._prove(step, minimal=minimal)
        self._unsure = self._unsure or recorder.unsure > 0
        if outcome.found == case.deltas and not recorder.unsure:
            self._in_vain[known] = minimal
        finished = outcome.stopped == "finished"
        size = self.best.files.size
        self.observe(PassEnded(step.name, size, self.tests - before, minimal, finished=finished))
        if not finished:
            raise Spent(cast("Limit", outcome.stopped))

    def _prove(self, step: Pass, *, minimal: bool) -> None:
        """Take note that no single part of this kind can go, if that was proved."""
        if minimal and step.proves:
            self.minimal[step.proves] = self.best.files.digest

    def _session(
        self, step: Pass, cut: Cut, recorder: Recorder
    ) -> Session[Deltas, Outcome[Deltas]]:
        case = cut.case
        return Session(
            case=case,
            runner=PassRunner(self.tester, case, self.keeps, self._tight),
            memo=Sure(self.memo, partial(self.tester.is_final, tight=self._tight)),
            budget=self._budget(),
            pick=self.options.searching.pick,
            checks=(),
            observe=partial(self._watch, step, cut, recorder),
            result=lambda outcome: outcome,
        )

    def _search(self, cut: Cut, loop: int) -> Minimizer:
        if cut.nodes is not None and self.options.tree is not None:
            return tree_search(self.options.searching, self.options.tree, cut.nodes)
        if cut.search is not None:
            return cut.search
        weights = cut.case.weights if self.options.by_weight else None
        return pass_search(self.options.searching, cut.groups, weights, loop)

    def _watch(self, step: Pass, cut: Cut, recorder: Recorder, event: Event) -> None:
        """Take each smaller case as soon as it is committed; stop if there is none for long."""
        if not isinstance(event, Asked):
            return
        case = cut.case
        self._learn(cut, event)
        if not event.from_memo:
            self.tests += 1
            if event.verdict is Verdict.UNRESOLVED and self.tester.oracle.guards.each:
                self.refused[self.tester.refuser(case.digest(event.candidate))] += 1
        self.observe(event)
        if recorder.failing is not self._seen:
            is_new = len(recorder.failing) < len(case.deltas)
            self._seen = recorder.failing
            best = Candidate.whole(recorder.failing)
            files = case.render(best)
            # A rewrite inside of another that was done changes nothing any more.
            is_new = is_new and files.contents != self.best.files.contents
            if is_new and not (cut.must_gain and files.weight >= self.best.files.weight):
                digest = case.digest(best)
                self.best.accept(files, digest, step.name, event.candidate.name, self.tests)
                self._last_progress = self.tests
                self._stop_at_target()
        patience = self.options.patience
        if patience is not None and self.tests - self._last_progress >= patience:
            raise Spent("patience")

    def _learn(self, cut: Cut, event: Asked) -> None:
        """Remember what a verdict tells of others like it."""
        if cut.search is not None:
            worked = event.verdict is Verdict.INTERESTING
            for key in cut.search.about(event.candidate, event.iteration):
                self.lessons[key] = self.lessons.get(key, NO_RECORD).after(worked=worked)

    def _budget(self) -> Budget:
        most = self.options.searching.max_tests
        return Budget(
            max_tests=inf if most is None else most - self.tests,
            deadline=self.deadline,
            clock=self.clock,
        )

    def _stop_at_target(self) -> None:
        target = self.options.target_size
        if target is not None and self.best.files.size <= target:
            raise Spent("target-size")
