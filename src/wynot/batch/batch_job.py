"""The whole of ``wynot batch``: from a folder of inputs to one small case for each cause.

The groups are reduced one after the other, each with all workers. So what one reduction has learned
is there for the next, and a budget or Ctrl-C stops one of them and leaves the others complete. The
engine keeps all workers busy with one reduction anyway.
"""

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

from wynot.batch.batch_outcome import OPEN, STOPPED, UNUSABLE, BatchOutcome, GroupOutcome
from wynot.batch.batch_results import BATCH_HOME, BatchResults
from wynot.batch.first_runs import FirstRun, InputRuns, scanning
from wynot.batch.folder_inputs import folder_inputs
from wynot.batch.group_reduction import GroupReduction
from wynot.batch.grouping import Sorted, require_failing, sorted_inputs
from wynot.batch.shared_runs import SharedRuns
from wynot.commands.batch_options import BatchOptions
from wynot.commands.shared_options import HANG_SECONDS
from wynot.core.errors import Interrupted, InvalidOption, WynotError
from wynot.core.events import (
    BatchEnded,
    BatchGroup,
    BatchSorted,
    BatchStarted,
    Doing,
    Event,
    Noticed,
)
from wynot.core.files import Files
from wynot.core.foreign_text import for_shell_line
from wynot.core.options.quantities import counted
from wynot.core.standing import Steering, Stop
from wynot.disk.database import move_aside
from wynot.disk.file_lock import FileLock
from wynot.disk.journal import Journal
from wynot.disk.load import OURS, Target, contents_of, targets
from wynot.disk.output import shown
from wynot.engine.budget import Budget
from wynot.failures.wording import NO_INPUT
from wynot.job.clusters import workers_of
from wynot.job.evaluator import Evaluator
from wynot.reduction.job import oracle_of
from wynot.reduction.resume import UNSEALED, EarlierRun, Spelling, fingerprint
from wynot.reduction.whole_plan import validated

JOURNAL_NAME = "batch.journal"
MAX_NOTICES = 5
"""How many files that are not taken are named; there may be thousands."""


class BatchRun:
    """One run of ``wynot batch``."""

    def __init__(
        self,
        options: BatchOptions,
        observe: Callable[[Event], None],
        steering: Steering | None = None,
    ) -> None:
        validated(options)
        self._steering = steering or Steering()
        self._options = options
        self._observe = observe
        self._start = monotonic()
        observe(Doing("reading the folder"))
        self._out = _out(options)
        self._found = folder_inputs(options.folder, self._out, hangs=options.hangs)
        self._results = BatchResults(self._out)
        self._fixed = contents_of(targets(options.fixed)) if options.fixed else Files({})

    def run(self) -> BatchEnded:
        """Reduce all groups; whatever ends it, what was found so far is written."""
        options, found = self._options, self._found
        with ExitStack() as closing:
            closing.callback(FileLock(self._out / OURS / "batch.lock").release)
            sample = options.of_one(
                str(found.inputs[0].path), timeout=options.timeout or HANG_SECONDS
            )
            target = Target(found.inputs[0].path, found.inputs[0].called, is_folder=False)
            oracle = scanning(oracle_of(sample, [target], NO_INPUT), self._fixed)
            home = self._home(oracle.watch.identity)
            journal = self._journal(home)
            closing.callback(journal.close)
            workers = workers_of(options, options.searching.jobs, self._observe)
            jobs, agents = workers
            room = max(each.size for each in found.inputs)
            evaluator = Evaluator(jobs, oracle, self._observe, room, agents=agents)
            closing.callback(evaluator.close)
            evaluator.preload()
            budget = Budget.of(None, options.max_time, self._start)
            runs = InputRuns(evaluator, journal, options, self._observe, budget)
            self._observe(BatchStarted(options.folder, len(found.inputs), jobs, options.given))
            sorted_ = self._sorted(self._seen(runs), runs)
            shared = SharedRuns(journal)
            reduction = GroupReduction(
                options,
                home,
                journal,
                shared,
                runs,
                workers,
                self._observe,
                self._start,
                oracle.tally,
                steering=self._steering,
                is_read=options.is_learned and sorted_.is_read,
            )
            return self._reduced(sorted_, reduction, shared)

    def _home(self, own: list[str]) -> Path:
        """Return where this command keeps things: another one has a place of its own."""
        one = self._options.of_one(self._options.folder)
        return self._out / BATCH_HOME / fingerprint(one, own, Spelling(self._out))[:16]

    def _journal(self, home: Path) -> Journal:
        if self._options.fresh:
            shutil.rmtree(home, ignore_errors=True)
        path = home / JOURNAL_NAME
        journal = Journal.open(path)
        if journal is not None and journal.is_own:
            return journal
        if journal is not None:
            journal.close()
        # The copies of inputs in it, and their journals, are not ours either.
        if home.is_dir() and any(home.iterdir()) and (aside := move_aside(home)):
            kept = f"what it has left is now in {shown(aside)}"
            self._observe(Noticed("fresh", f"starting over: {EarlierRun.FOREIGN.value}; {kept}"))
        home.mkdir(parents=True, exist_ok=True)
        journal = Journal.create(path, Files({}), {"command": "batch", "fingerprint": home.name})
        if not journal.is_own:
            self._observe(Noticed("unsealed-journal", UNSEALED))
        return journal

    def _seen(self, runs: InputRuns) -> list[FirstRun]:
        try:
            return runs.first_runs(self._found.inputs)
        except KeyboardInterrupt as interrupt:
            kept = "what was run so far is known to the same command, which continues from there"
            self._observe(Noticed("interrupted", f"interrupted in the first runs; {kept}"))
            raise Interrupted("interrupted", result=None) from interrupt

    def _sorted(self, seen: list[FirstRun], runs: InputRuns) -> Sorted:
        """Return the groups, and tell of them; raise if there are none."""
        sorted_ = sorted_inputs(self._options, seen)
        skipped = self._found.skipped
        for name, why in skipped[:MAX_NOTICES]:
            self._observe(Noticed("skipped", f"{name!r} is not taken: {why}"))
        if len(skipped) > MAX_NOTICES:
            more = counted(len(skipped) - MAX_NOTICES, "more file")
            self._observe(Noticed("skipped", f"{more} not taken; results.json has all of them"))
        require_failing(sorted_)
        self._observe(
            BatchSorted(
                tuple(
                    BatchGroup(
                        number,
                        group.failure.words,
                        len(group.members),
                        group.members[0].source.size,
                    )
                    for number, group in enumerate(sorted_.groups, start=1)
                ),
                len(sorted_.passing),
                len(sorted_.rejected),
                len(sorted_.hanging),
                len(sorted_.missing),
                runs.known,
            )
        )
        return sorted_

    def _reduced(self, found: Sorted, reduction: GroupReduction, shared: SharedRuns) -> BatchEnded:
        """Reduce one group after the other, and write what comes of each at once."""
        groups = [
            reduction.open_outcome(number, group) for number, group in enumerate(found.groups, 1)
        ]
        stopped: str = Stop.FINISHED

        def ended(stopped: str) -> BatchEnded:
            whole = self._outcome(found, groups, shared, stopped)._replace(
                **reduction.tally.figures()._asdict()
            )
            self._results.write(whole)
            ended = _ended(whole, self._results.where)
            self._observe(ended)
            return ended

        try:
            for at, group in enumerate(found.groups):
                groups[at] = done = reduction.reduced(groups[at], group, groups[:at])
                self._results.put(done)
                self._observe(reduction.end_event(done, self._results.where))
                if reduction.ended_by:
                    raise reduction.ended_by
                if reduction.spent:
                    stopped = reduction.spent
                    break
        except (WynotError, Interrupted) as error:
            error.result = ended(error.slug)
            raise
        except KeyboardInterrupt as interrupt:  # between two reductions
            raise Interrupted("interrupted", result=ended(Interrupted.slug)) from interrupt
        return ended(stopped)

    def _outcome(
        self, found: Sorted, groups: list[GroupOutcome], shared: SharedRuns, stopped: str
    ) -> BatchOutcome:
        options = self._options
        argv = options.command or (options.test or options.shell or options.serve,)
        gone = tuple((each.source.name, each.why) for each in found.missing)
        return BatchOutcome(
            options.folder,
            for_shell_line(argv),
            tuple(groups),
            tuple(each.source.name for each in found.passing),
            tuple(each.source.name for each in found.rejected),
            tuple(each.source.name for each in found.hanging),
            self._found.skipped + gone,
            len(self._found.inputs),
            sum(group.tests for group in groups),
            shared.recalled,
            monotonic() - self._start,
            stopped,
        )


def _out(options: BatchOptions) -> Path:
    """Return the folder for the results; raise if that would be written over the inputs."""
    folder = Path(options.folder).resolve()
    out = Path(options.out).resolve() if options.out else folder.with_name(f"{folder.name}.reduced")
    if out == folder or folder.is_relative_to(out):
        raise InvalidOption(
            f"is {options.out!r}, where the inputs are", option="out", hint="give another folder"
        )
    return out


def _ended(whole: BatchOutcome, where: str) -> BatchEnded:
    states = [group.state for group in whole.groups]
    return BatchEnded(
        whole.stopped,
        whole.inputs,
        sum(len(group.members) for group in whole.groups),
        len(whole.causes),
        states.count(STOPPED) + states.count(OPEN),
        states.count(UNUSABLE),
        whole.tests,
        whole.shared,
        whole.seconds,
        where,
        whole.runs,
        whole.checks,
        whole.repeated,
    )
