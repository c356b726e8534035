"""A reduction under way: the plan is the search, and passes can be skipped by hand.

A skip is written down before it is done. A run that goes on comes to the same verdicts in the same
order, and so to the same place, where the pass ends as it did the first time.

Everything the plan does depends on verdicts only, so a run that is begun again with the same
verdicts comes to the same steps.
"""

import json
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, Protocol, cast

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.events import LINE_ENDS, Event, Noticed, PassEnded, PassStarted
from wynot.core.files import Files
from wynot.core.round import Skip, Stage
from wynot.core.standing import Steering, Stop
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget, Spent
from wynot.engine.memo import ByContent, Memo
from wynot.engine.recorder import Commit, Recorder
from wynot.engine.scheduler import Scheduler
from wynot.job.warm_tests import WarmDiffers
from wynot.passes.plan import Plan
from wynot.passes.progress import PassStage, Progress
from wynot.reduction.best import TrustedTest
from wynot.runners.runner import Runner

SKIPS_FACT = "skips"
"""What the journal calls them."""


class SkippedPass(NamedTuple):
    """A pass that was ended after so many verdicts of the whole run."""

    after: int
    name: str


class Skips:
    """Those of one run: what it is yet to come to again, and what is asked for now."""

    def __init__(
        self,
        steering: Steering,
        recorded: str = "",
        keep: Callable[[str], None] = lambda _fact: None,
    ) -> None:
        """Take what an earlier run has written down, and where to write."""
        self._steering = steering
        self._recorded = read_skips(recorded)
        self._keep = keep
        self.done: list[SkippedPass] = []

    def are_due(self, after: int, name: str) -> bool:
        """Tell whether a pass is to end, after so many verdicts."""
        here = SkippedPass(after, name)
        if self._recorded and after >= self._recorded[0].after:
            if self._recorded[0] == here:
                self.done.append(self._recorded.pop(0))
                return True
            self._forget()  # it has taken another course, say as a test took too long this time
        if not self._steering.takes_skip():
            return False
        self.done.append(here)
        self._forget()
        return True

    def _forget(self) -> None:
        """Write down what was done so far, and nothing of what once came after it."""
        self._recorded = []
        self._keep(json.dumps(self.done))


def read_skips(fact: str) -> list[SkippedPass]:
    """Return what a journal says of them; a journal is foreign data."""
    try:
        rows = json.loads(fact or "[]")
    except (ValueError, RecursionError):
        return []
    found = []
    for row in rows if isinstance(rows, list) else []:
        match row:
            case [int(after), str(name)]:
                found.append(SkippedPass(after, name))
            case _:
                return []
    return found


MAX_PROOF_BYTES = 64 << 20
"""Bytes that are written to look for a proof that may well not be there: a fraction of a second."""
KINDS = ("files", "members", "records", "lines", "nodes", "tokens", "characters", "bytes")
"""What can be proved of, from coarse to fine."""

SECOND_START = (
    "the result is still large: a second start in another order; the first result stays unless "
    "that leaves less"
)
CUT_OFF = (
    "some candidates that had been cut off early were interesting when they had all their time; "
    "the reduction went on from there"
)


class BestCase(Protocol):
    """Where the best case so far is kept: in memory, or on disk."""

    files: Files

    def accept(
        self, files: Files, digest: bytes, pass_name: str, candidate: str, tests: int, /
    ) -> None:
        """Take a smaller case."""
        ...


class DoesNotHold(Exception):
    """The best case so far does not fail when it is asked about again."""


@dataclass(slots=True)
class Reduction:
    """Reduces until nothing more can go, or a budget is spent.

    All of it runs on one thread: the scheduler's, which is that of the caller.
    """

    options: ReduceOptions
    runner: Runner
    best: BestCase
    plan: Plan
    reliability: TrustedTest
    budget: Budget
    observe: Callable[[Event], None]
    steering: Steering = field(default_factory=Steering)
    """What a person asks for meanwhile."""
    skips: Skips = field(default_factory=lambda: Skips(Steering()))
    tests: int = 0
    extra: int = 0
    judged: set[bytes] = field(default_factory=set)
    """The digests of all candidates that one worker would have tested."""
    refused: "Counter[str]" = field(default_factory=Counter)
    """How many candidates each guard has refused; under no name, those that none has."""
    reached: Progress | None = None
    """Where the plan has come to, once it has come to its end."""
    line_ends: int = 0
    """How many texts have got their final newline back."""
    _stage: PassStage | None = None
    _recorder: Recorder = field(init=False)
    """What is known of the present pass."""
    _is_skipped: bool = False
    """Whether the present pass is to end before its time."""
    _commits: int = 0
    """Verdicts so far, also those that were known."""
    _pass_tests: int = 0
    _last_progress: int = 0
    _memo: Memo = field(init=False)
    _proved: set[str] = field(default_factory=set)
    """The kinds of parts of which it is proved that no single one of the best case can go."""
    _minimal: set[Hashable] = field(default_factory=set)
    """The ways to cut the best case of which the same is proved."""
    _says_cut_off: bool = True
    _says_second_start: bool = True
    _differs: WarmDiffers | None = None
    """Why the last search was given up, if it was for that."""

    def run(self) -> str:
        """Reduce until nothing changes and the result holds; return why it ended."""
        try:
            self._stop_at_target()
            while not self._has_reduced():
                self.reliability.recover(self.tests, self._differs)
                self._forget_proofs()
        except Spent as spent:
            return spent.by
        return Stop.FINISHED

    @property
    def proved(self) -> tuple[str, ...]:
        """The kinds of parts of which no single one of the best case can go."""
        return tuple(kind for kind in KINDS if kind in self._proved)

    def _has_reduced(self) -> bool:
        """Go through the plan from the best case; tell whether what is left of it holds."""
        self._memo = ByContent()
        scheduler = Scheduler(
            partial(self.plan, Progress(self.best.files)),
            runner=self.runner,
            memo=self._memo,
            budget=self.budget.after(self.tests),
            ledger=self,
            observe=self.observe,
            steering=self.steering,
            skip=self._skip,
        )
        try:
            self.reached = scheduler.run()
        except DoesNotHold:
            self._differs = None
            return False
        except WarmDiffers as differs:
            self._differs = differs
            return False
        except Spent:
            self._leave(is_finished=False)
            raise
        finally:
            self.extra += scheduler.extra
        self._leave(is_finished=True)
        self._proved |= {kind for kind, way in self.reached.proofs.items() if way in self._minimal}
        return self.reliability.holds_at_the_end()

    # The ledger.

    def enter(self, stage: Stage) -> None:
        """End the pass before, and begin the next."""
        last = self._stage
        self._leave(is_finished=True)
        if last and not self.reliability.still_holds(f"{last.loop}/{last.step.name}", self.tests):
            raise DoesNotHold
        self._stage = stage = cast("PassStage", stage)
        case, step = stage.case, stage.step
        self._recorder = Recorder(case, NONE, case.deltas, memo_proves=self._memo.proves)
        self._pass_tests = self.tests
        if stage.rival is not None and self._says_second_start:
            self._says_second_start = False
            self.observe(Noticed("second-start", SECOND_START))
        self.observe(PassStarted(step.name, len(case.deltas), stage.loop, again=stage.is_again))

    def commit(self, commit: Commit) -> None:
        """Take a verdict, and a smaller case as soon as there is one."""
        judged, failing = commit.judged, self._recorder.failing
        self._commits += 1
        self._recorder.commit(commit)
        if not judged.from_memo:
            self.tests += 1
            self.judged.add(cast("bytes", commit.digest))
            if judged.verdict is Verdict.UNRESOLVED:
                self.refused[commit.answer.refused_by] += 1
        self.observe(judged)
        if self._recorder.failing is not failing:
            self._accept(self._recorder.failing, judged.candidate.name)
        patience = self.options.patience
        if patience is not None and self.tests - self._last_progress >= patience:
            raise Spent(Stop.PATIENCE)

    def _skip(self) -> Skip | None:
        """Tell whether the present pass is to end here, and with what."""
        stage = self._stage
        if stage is None or not self.skips.are_due(self._commits, stage.step.name):
            return None
        self._is_skipped = True
        return Skip(self._recorder.failing)

    def _accept(self, kept: Deltas, name: str) -> None:
        """Take a smaller case, unless nothing is gained by it; stop if it is small enough."""
        stage = self._stage
        assert stage is not None  # noqa: S101 - verdicts are of a stage
        files, before = stage.case.render(Candidate.whole(kept)), self.best.files
        if not stage.gains(before, files):
            return
        digest = stage.case.digest(Candidate.whole(kept))
        self.best.accept(files, digest, stage.step.name, name, self.tests)
        self._last_progress = self.tests
        if stage.step.name == LINE_ENDS:  # what is proved is so of all but them
            self.line_ends = _differing(before.contents, files.contents)
        else:
            self._forget_proofs()
        if stage.is_again and self._says_cut_off:
            self._says_cut_off = False
            self.observe(Noticed("cut-off", CUT_OFF))
        self._stop_at_target()

    def _leave(self, *, is_finished: bool) -> None:
        """End the present pass."""
        stage, self._stage = self._stage, None
        if stage is None:
            return
        is_finished, self._is_skipped = is_finished and not self._is_skipped, False
        minimal = is_finished and self._is_proved() and not stage.is_behind(self.best.files)
        if minimal and stage.proves:
            self._proved.add(stage.proves)
        if minimal and self._recorder.failing == stage.case.deltas:
            self._minimal.add(stage.case.key)
        self.observe(
            PassEnded(
                stage.step.name,
                self.best.files.size,
                self.tests - self._pass_tests,
                minimal,
                finished=is_finished,
            )
        )

    def _is_proved(self) -> bool:
        """Tell whether no single part of the present pass can go, if that can be told in time.

        Each part that would go is written out and looked up. Where the search has asked for fewer
        candidates than there are parts, only equal texts could make up for the others.
        """
        recorder, parts = self._recorder, len(self._recorder.failing)
        is_large = parts * self.best.files.size > MAX_PROOF_BYTES
        if is_large and len(recorder.trace.verdicts) < parts:
            return False
        return recorder.is_minimal(recorder.failing)

    def _forget_proofs(self) -> None:
        """Take nothing for proved of a case that is another."""
        self._minimal.clear()
        self._proved.clear()

    def _stop_at_target(self) -> None:
        target = self.options.target_size
        if target is not None and self.best.files.size <= target:
            raise Spent(Stop.TARGET_SIZE)


def _differing(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> int:
    return sum(after[path] != content for path, content in before.items())
