"""The reduction of a group: of its most promising inputs, by the same job as ``wynot reduce``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from wynot.agents.agent_source import AgentSource, LentAgents
from wynot.batch.batch_outcome import (
    DUPLICATE,
    REDUCED,
    STOPPED,
    UNUSABLE,
    GroupOutcome,
    InputOutcome,
)
from wynot.batch.first_runs import FirstRun, InputRuns, failure_class
from wynot.batch.folder_inputs import ONE_NAME
from wynot.batch.grouping import FailingGroup
from wynot.batch.shared_runs import SharedRuns, sharing
from wynot.commands.batch_options import BatchOptions
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import TEST, AlwaysInteresting, Interrupted, NothingToReduce, WynotError
from wynot.core.events import Event, GroupEnded, GroupStarted, ReductionEnded
from wynot.core.files import Files
from wynot.core.standing import Steering, Stop
from wynot.disk.journal import Journal
from wynot.disk.load import read
from wynot.disk.write import is_file_beneath, write_beneath
from wynot.failures.failing_place import ByPlace
from wynot.failures.failure_class import FailureClass
from wynot.oracle.oracle import Oracle, RunTally
from wynot.oracle.served import ServedCommand
from wynot.oracle.trial import OneCommand
from wynot.reduction.job import Reduce, ReduceResources, oracle_of

MAX_UNUSABLE = 3
"""How many inputs of a group may turn out not to fail reliably before it is given up."""
EMPTY_FAILS = "an empty file fails in the same way"


@dataclass(slots=True)
class GroupReduction:
    """Reduces groups, one after the other; what an earlier run has finished is not done again."""

    options: BatchOptions
    home: Path
    """Where the work on each input is: a copy of it, and the journal of its reduction."""
    journal: Journal
    shared: SharedRuns
    runs: InputRuns
    workers: tuple[int, AgentSource | None]
    """How many tests run at a time, and where, if not on this machine."""
    observe: Callable[[Event], None]
    start: float
    tally: RunTally
    """Counts the starts of the test in all reductions."""
    steering: Steering
    """What a person asks for meanwhile, of all of them."""
    is_read: bool = True
    """Whether it matters what an input contains. If not, and an empty file fails as well, the
    command is probably at fault, and the empty file is no result."""
    spent: str = ""
    """The budget that is used up, if one is."""
    ended_by: WynotError | Interrupted | None = None
    """What has interrupted the reduction of a group; it is raised when the best is written."""
    _tests: int = 0
    _after: dict[int, tuple[FailureClass, bytes]] = field(default_factory=dict)
    """What the results of the groups fail with, and what they are, by the number of the group."""

    def open_outcome(self, number: int, group: FailingGroup) -> GroupOutcome:
        """Return what is known of a group before it is reduced."""
        shown = group.failure.seen
        return GroupOutcome(
            number,
            group.failure.key,
            shown.kind,
            group.failure.words,
            shown.frames,
            tuple(each.source.name for each in group.members),
        )

    def reduced(
        self, opened: GroupOutcome, group: FailingGroup, before: Sequence[GroupOutcome]
    ) -> GroupOutcome:
        """Reduce as many inputs of a group as is asked for; ``before`` are those that are done."""
        done: list[InputOutcome] = []
        unusable: list[InputOutcome] = []
        for member in group.distinct:
            is_over = self.spent or self.ended_by
            if len(done) == self.options.per_group or len(unusable) == MAX_UNUSABLE or is_over:
                break
            outcome = self._one(opened.number, member)
            (unusable if outcome.why else done).append(outcome)
        done.sort(key=lambda each: each.size)
        if not done:
            why = unusable[0].why if unusable else ""
            state = UNUSABLE if unusable else opened.state
            content, called = self._original(group.members[0])
            return opened._replace(
                state=state, why=why, content=content, file_name=called, inputs=()
            )
        best = next(each for each in group.members if each.digest == done[0].digest)
        content = read(self.home / self._place(best))
        found = opened._replace(
            state=STOPPED,
            inputs=tuple(done),
            content=content,
            file_name=best.source.called.replace("input", "reduced", 1),
            why=self._stopped_by(done[0].stopped),
        )
        if self.ended_by or self.spent == Stop.BY_HAND:  # who stops it waits for no more tests
            return found
        return self._looked_at(found, Files({best.source.called: content}), before)

    def _looked_at(
        self, found: GroupOutcome, files: Files, before: Sequence[GroupOutcome]
    ) -> GroupOutcome:
        """Run the result once more, to see whether it is a duplicate of an earlier group's."""
        ending = self.runs.ending(files)
        failure = failure_class(self.options, lambda: files, ending)
        same = self._duplicate(failure, found.content, before)
        self._after[found.number] = (failure, found.content)
        complete = all(each.is_complete for each in found.inputs)
        finished = "" if found.content else EMPTY_FAILS
        return found._replace(
            state=DUPLICATE if same else REDUCED if complete else STOPPED,
            same_as=same,
            output=(ending.stdout + ending.stderr).decode("utf-8", "replace"),
            why=finished if complete else found.why,
        )

    def end_event(self, group: GroupOutcome, where: str) -> GroupEnded:
        """Return the event that tells of it."""
        return GroupEnded(
            group.number,
            group.state,
            group.origin,
            group.before,
            len(group.content),
            group.tests,
            group.seconds,
            where,
            group.why or (f"group {group.same_as}" if group.same_as else ""),
        )

    def _duplicate(
        self, failure: FailureClass, content: bytes, before: Sequence[GroupOutcome]
    ) -> int:
        """Return the number of the group whose result is the same, or fails in the same way."""
        for each in before:
            if each.state in {REDUCED, STOPPED} and each.number in self._after:
                other, there = self._after[each.number]
                if there == content or other.holds(failure):
                    return each.number
        return 0

    def _place(self, member: FirstRun) -> str:
        """Return the path of the copy of an input in our own folder."""
        return f"{member.digest[:32]}/{member.source.called}"

    def _original(self, member: FirstRun) -> tuple[bytes, str]:
        """Return an input as it was given, and what it is called."""
        try:
            [(called, content)] = member.source.files().contents.items()
        except OSError:  # it has gone since
            return b"", ""
        return content, called.replace("input", "original", 1)

    def _one(self, number: int, member: FirstRun) -> InputOutcome:
        """Reduce an input, or return what an earlier run has made of it."""
        key = f"reduced {member.source.called} {member.digest}"
        known = InputOutcome.recalled(self.journal.check(key))
        if known is not None and (known.is_complete or known.why):
            return known._replace(name=member.source.name)
        place = self._place(member)
        if not is_file_beneath(self.home, place):
            try:
                content = member.source.files().contents[member.source.called]
                write_beneath(self.home, place, content)
            except OSError as error:
                return self._unusable(member, f"it cannot be read any more: {error.strerror}")
        self.observe(GroupStarted(number, member.source.name, member.source.size))
        options = self.options.of_one(str(self.home / place), **self._budget())
        try:
            ended = Reduce(options, self.observe, self._means).run()
        except (WynotError, Interrupted) as error:
            outcome = self._in_spite_of(error, member)
        else:
            outcome = self._outcome(member, ended)
        self.journal.keep_check(key, outcome.row)
        self._spend(outcome)
        return outcome

    def _in_spite_of(self, error: WynotError | Interrupted, member: FirstRun) -> InputOutcome:
        """Return the best so far of an input whose reduction has failed; raise if there is none."""
        if isinstance(error.result, ReductionEnded):  # the best so far is in place
            self.ended_by = error
            return self._outcome(member, error.result)
        if isinstance(error, AlwaysInteresting) and self.is_read:
            write_beneath(self.home, self._place(member), b"")
            return self._unusable(member, "")._replace(stopped=Stop.FINISHED, size=0)
        if isinstance(error, NothingToReduce):
            return self._unusable(member, "")._replace(stopped=Stop.FINISHED)
        if isinstance(error, Interrupted) or error.exit_code != TEST:
            raise error
        return self._unusable(member, str(error).splitlines()[0])

    @property
    def _means(self) -> ReduceResources:
        """What all reductions share: what is known of contents, and a cluster if there is one."""
        return ReduceResources(self._oracle, self._workers, self.steering)

    def _oracle(self, *args: Any) -> Oracle[Files]:
        """Return an oracle that looks for the failure of the group, at the same place."""
        oracle = oracle_of(*args)
        trial = oracle.trial
        if self.options.by_place and isinstance(trial, OneCommand | ServedCommand):
            trial = replace(trial, criterion=ByPlace(trial.criterion, ONE_NAME))
        return sharing(replace(oracle, trial=trial, tally=RunTally(self.tally)), self.shared)

    def _workers(
        self, _options: ReduceOptions, usual: int, _observe: Callable[[Event], None]
    ) -> tuple[int, AgentSource | None]:
        jobs, agents = self.workers
        return (jobs, LentAgents(agents)) if agents else (usual, None)

    def _outcome(self, member: FirstRun, ended: ReductionEnded) -> InputOutcome:
        stopped = Stop.FINISHED if ended.stopped == Stop.ALREADY_FINISHED else ended.stopped
        return InputOutcome(
            member.source.name,
            member.digest,
            stopped,
            ended.before,
            ended.size,
            ended.tests,
            round(ended.seconds, 3),
            ended.minimal,
        )

    def _unusable(self, member: FirstRun, why: str) -> InputOutcome:
        size = member.source.size
        return InputOutcome(
            member.source.name, member.digest, UNUSABLE, size, size, 0, 0.0, why=why
        )

    def _budget(self) -> dict[str, float | int | None]:
        """Return what one reduction may take: its own share, and no more than is left of all."""
        options = self.options
        times = [options.max_time_each]
        if options.max_time is not None:
            times.append(max(0.0, self.start + options.max_time - monotonic()))
        return {
            "max_time": min((each for each in times if each is not None), default=None),
            "max_tests": options.max_tests and max(0, options.max_tests - self._tests),
        }

    def _stopped_by(self, stopped: str) -> str:
        """Return the name of the budget that has stopped a reduction, or what else has."""
        is_own = stopped == Stop.MAX_TIME and self.spent != Stop.MAX_TIME
        return f"{Stop.MAX_TIME.value}-each" if is_own else stopped

    def _spend(self, outcome: InputOutcome) -> None:
        """Take note of what was used up."""
        self._tests += outcome.tests
        options = self.options
        if options.max_tests is not None and self._tests >= options.max_tests:
            self.spent = Stop.MAX_TESTS
        if options.max_time is not None and monotonic() >= self.start + options.max_time:
            self.spent = Stop.MAX_TIME
        if self.steering.is_stopped:
            self.spent = Stop.BY_HAND
