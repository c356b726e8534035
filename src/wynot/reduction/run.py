"""A reduction: passes in the order of the plan, each a session on the best case so far.

The plan is gone through until a whole round of it changes nothing. Everything it does depends on
verdicts only, so a run that is begun again with the same verdicts comes to the same steps.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import cast

from wynot.assemble import memo_of, pass_search
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.events import Asked, Event, PassBegan, PassEnded
from wynot.engine.budget import Budget, Limit, Spent
from wynot.engine.recorder import Recorder
from wynot.engine.session import Outcome, Session
from wynot.oracle.memo import Memo
from wynot.passes.base import Pass
from wynot.passes.plan import plan
from wynot.reduction.best import Best
from wynot.reduction.options import Options
from wynot.reduction.reliability import Reliability
from wynot.reduction.tester import PassRunner, Tester


@dataclass(slots=True)
class Reduction:
    """Reduces until nothing more can go, or a budget is spent."""

    options: Options
    tester: Tester
    best: Best
    reliability: Reliability
    deadline: float
    clock: Callable[[], float]
    observe: Callable[[Event], None]
    memo: Memo = field(init=False)
    tests: int = 0
    extra: int = 0
    minimal: dict[str, bytes] = field(default_factory=dict)
    """Of which kinds of parts it is proved, and of what content, that no single one can go."""
    _last_progress: int = 0

    def __post_init__(self) -> None:
        self.memo = memo_of(self.options.searching)

    def run(self) -> str:
        """Go through the plan until nothing changes; return why it ended."""
        try:
            self._stop_at_target()
            self._loop()
            while not self.reliability.holds_at_the_end():
                self._begin_again()
                self._loop()
        except Spent as spent:
            return spent.by
        return "finished"

    @property
    def proved(self) -> tuple[str, ...]:
        """The kinds of parts of which no single one of the best case can go."""
        digest = self.best.files.digest
        return tuple(kind for kind, of in self.minimal.items() if of == digest)

    def _loop(self) -> None:
        loop, changed = 0, True
        while changed:
            loop, before = loop + 1, self.best.files.digest
            steps = plan(self.best.files, self.options.atoms)
            step = next(steps, None)
            while step is not None:
                self._run_pass(step, loop)
                if not self.reliability.still_holds(f"{loop}/{step.name}", self.tests):
                    self._begin_again()
                try:
                    step = steps.send(self.best.files)
                except StopIteration:
                    step = None
            changed = self.best.files.digest != before

    def _begin_again(self) -> None:
        """Go on from a case that holds, with a test that is asked more often."""
        self.reliability.recover(self.tests)
        self.memo = memo_of(self.options.searching)
        self.minimal.clear()

    def _run_pass(self, step: Pass, loop: int) -> None:
        """Search one kind of parts."""
        case, groups = step.cut(self.best.files, self.options.patterns())
        if not case.deltas:
            return
        self.observe(PassBegan(step.name, len(case.deltas), loop))
        recorder = Recorder(case, NONE, case.deltas, memo_proves=self.memo.proves)
        before, tests_before = recorder.failing, self.tests
        most_in_vain = inf if self.options.patience is None else self.options.patience

        def observe(event: Event) -> None:
            nonlocal before
            if not isinstance(event, Asked):
                return
            self.tests += not event.from_memo
            if recorder.failing is not before:
                before = recorder.failing
                best = Candidate.whole(before)
                self.best.accept(
                    case.render(best),
                    case.digest(best),
                    step.name,
                    event.candidate.name,
                    self.tests,
                )
                self._last_progress = self.tests
                self._stop_at_target()
            elif self.tests - self._last_progress >= most_in_vain:
                raise Spent("patience")
            self.observe(event)

        session: Session[Deltas, Outcome[Deltas]] = Session(
            case=case,
            runner=PassRunner(self.tester, case),
            memo=self.memo,
            budget=self._budget(),
            pick=self.options.searching.pick,
            checks=(),
            observe=observe,
            result=lambda outcome: outcome,
        )
        weights = case.weights if self.options.by_weight else None
        search = pass_search(self.options.searching, groups, weights)
        outcome = session.run(partial(search, case.deltas), recorder)
        self.extra += outcome.tally.extra
        minimal = outcome.found is not None and recorder.is_minimal(outcome.found)
        if minimal and step.proves:
            self.minimal[step.proves] = self.best.files.digest
        self.observe(PassEnded(step.name, self.best.files.size, self.tests - tests_before, minimal))
        if outcome.stopped != "finished":
            raise Spent(cast("Limit", outcome.stopped))

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
