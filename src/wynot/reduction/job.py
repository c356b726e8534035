"""The whole of ``wynot reduce``: from what the user named to what is left of it."""

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.ending import Ending
from wynot.core.errors import (
    ChangedUnderneath,
    Interrupted,
    InvalidOption,
    WynotError,
)
from wynot.core.events import Doing, Event, Noticed, ReductionEnded, ReductionStarted
from wynot.core.files import Files
from wynot.core.steering import Steering
from wynot.core.stop import Stop
from wynot.core.verdict import Verdict
from wynot.disk.chronicle import Chronicle
from wynot.disk.file_lock import FileLock
from wynot.disk.load import OURS, load, targets
from wynot.disk.output import Output, shown
from wynot.disk.side_finds import SideFinds
from wynot.engine.budget import Budget
from wynot.job.calibration import Calibration
from wynot.job.case_runner import CaseRunner
from wynot.job.evaluator import Evaluator
from wynot.job.warming import warm_up
from wynot.oracle.trial import TrialResult
from wynot.passes import remarks
from wynot.passes.trees import Trees
from wynot.plugins import plugins
from wynot.reduction.best import Best
from wynot.reduction.closing_remarks import closing_remarks
from wynot.reduction.final_facts import keep_final_facts
from wynot.reduction.finished_before import finished_before
from wynot.reduction.keeps import Keeps
from wynot.reduction.means import OWN_MEANS, Means
from wynot.reduction.original import sides_of
from wynot.reduction.original_vocabulary import vocabulary_of
from wynot.reduction.plan_options import kept_patterns, plan_options, validated
from wynot.reduction.reduce_oracle import given_of
from wynot.reduction.reliability import Reliability, TrustedTest
from wynot.reduction.resume import RunBeginning, begin, left_in, placed_before
from wynot.reduction.run import Reduction
from wynot.reduction.skips import SKIPS_FACT, Skips
from wynot.reduction.vendoring import with_packages
from wynot.reduction.warm_start import is_worth_warming
from wynot.reduction.was_and_now import Appearances, other_failure
from wynot.reduction.whole_plan import trees_of, whole_plan


class _Running(NamedTuple):
    """A reduction, and what it is done with."""

    evaluator: Evaluator[Files]
    best: Best
    reduction: Reduction


class Reduce:
    """One run of ``wynot reduce``: what it holds, from the lock to the workers."""

    def __init__(
        self, options: ReduceOptions, observe: Callable[[Event], None], means: Means = OWN_MEANS
    ) -> None:
        validated(options)
        self._options = options
        self._began = monotonic()
        self._chronicle = Chronicle(observe, self._began)
        self._observe = self._chronicle.handle
        observe(Doing("reading what is to be reduced"))
        self._targets = targets(options.files)
        vocabulary = vocabulary_of(options, lambda: self._files)
        self._appearances = Appearances(vocabulary)
        self._means = means
        self._steering = means.steering or Steering()
        self._oracle = means.oracle(options, self._targets, vocabulary, self._found)
        self._files = load(self._targets)
        self._output = Output(self._targets, Path(options.out) if options.out else None)
        self._finds = SideFinds(self._ours("finds"))
        if options.test and self._output.covers(Path(options.test)):
            raise InvalidOption(
                f"the result would be written over the test {options.test!r}",
                hint="give another -o OUT",
            )

    def run(self) -> ReductionEnded:
        """Reduce; whatever ends it, the best case so far is put in place first."""
        with ExitStack() as closing:
            closing.callback(FileLock(self._ours("lock")).release)
            self._observe(Doing("looking for an earlier run to go on with"))
            path, own = self._ours("journal"), self._oracle.watch.identity
            if self._options.vendor and self._files.digest not in left_in(path, self._files):
                self._observe(Doing("looking for the packages"))
                self._files = with_packages(self._files, self._targets, self._options)
            beginning = begin(path, self._options, own, self._files, self._output, self._observe)
            closing.callback(beginning.journal.close)
            closing.callback(self._chronicle.close)
            if beginning.is_finished:
                self._output.backups = [*beginning.earlier.backups]
                ended = finished_before(beginning, self._output, monotonic() - self._began)
                self._observe(ended)
                return ended
            self._files = beginning.original
            usual, size = self._options.searching.jobs, self._files.size
            jobs, agents = self._means.workers(self._options, usual, self._observe)
            evaluator = Evaluator(jobs, self._oracle, self._observe, size, agents=agents)
            closing.callback(evaluator.close)
            evaluator.send_ahead(self._files)
            evaluator.begin(beginning.journal, 0)
            return self._reduce(self._prepared(evaluator, beginning, path))

    def _ours(self, ending: str) -> Path:
        """Return where something of our own is kept."""
        return self._output.home / OURS / f"{self._output.name}.{ending}"

    def _prepared(
        self, evaluator: Evaluator[Files], beginning: RunBeginning, path: Path
    ) -> _Running:
        """Check the test, and set everything up for the reduction."""
        original, options = beginning.original, self._options
        keeps = Keeps(kept_patterns(options), original, options.vendor)
        sides = sides_of(original, partial(self._in_place, evaluator))
        note = self._appearances.note
        calibration = Calibration(evaluator, sides, self._observe, beginning.journal, note)
        try:
            notices, seconds = self._tried(evaluator, calibration, beginning)
        except WynotError:
            if beginning.is_draft:  # if the test is no good, nothing stays that was begun for it
                beginning.journal.discard()
            raise
        self._observe(Doing("finding out what the files are written in"))
        trees = trees_of(options, original)
        plan = whole_plan(options, plan_options(options), keeps, trees)
        plan.runs.preparations.test_seconds = seconds or inf
        journal = beginning.journal.move(path)
        self._chronicle.begin(journal)
        journal.note("backups", json.dumps([str(each) for each in self._output.backups]))
        self._announce(evaluator, beginning, seconds, notices)
        self._remark(trees, original)
        best = Best(original, journal, self._output, self._observe, monotonic, self._began)
        best.places = placed_before(journal, is_empty=self._output.is_empty)
        self._steering.shows(lambda: best.files.contents)
        searching = options.searching
        doubting = Reliability(evaluator, best, calibration, self._observe)
        runner = CaseRunner(evaluator, keeps.lacks, ahead=True)
        reduction = Reduction(
            options=options,
            runner=runner,
            is_final=runner.is_final,
            hear=runner.hear,
            refuser=evaluator.refuser,
            best=best,
            plan=plan,
            reliability=doubting if searching.check else TrustedTest(),
            budget=Budget.of(searching.max_tests, searching.max_time, self._began),
            observe=self._observe,
            steering=self._steering,
            skips=Skips(
                self._steering, journal.fact(SKIPS_FACT), partial(journal.note, SKIPS_FACT)
            ),
        )
        return _Running(evaluator, best, reduction)

    def _announce(
        self,
        evaluator: Evaluator[Files],
        beginning: RunBeginning,
        seconds: float,
        notices: Sequence[str],
    ) -> None:
        """Tell that it begins: the test is good."""
        self._observe(
            ReductionStarted(
                *(tuple(self._options.files), beginning.original.size, evaluator.width),
                *(evaluator.oracle.trial.words, seconds, beginning.known),
                passes=evaluator.oracle.guards.words,
                writable=evaluator.oracle.limits.writable,
                options=self._options.given,
            )
        )
        for message in notices:
            self._observe(Noticed("guard", message))

    def _tried(
        self,
        evaluator: Evaluator[Files],
        calibration: Calibration[Files],
        beginning: RunBeginning,
    ) -> tuple[Sequence[str], float]:
        """Return what to tell of the guards, and how long a run takes."""
        is_checked = self._options.searching.check
        if is_checked:
            calibration.choose_machines()
        notices, seconds = calibration.require_guards(), 0.0
        if is_checked:
            found = calibration.first_runs(is_known=beginning.known > 0)
            self._appearances.begin(found.first, found.again)
            seconds = found.seconds
        if is_worth_warming(self._options, beginning.original, seconds):
            warm_up(evaluator, calibration, seconds, beginning.journal)
        self._output.begin(beginning.earlier)
        return notices, seconds

    def _remark(self, trees: Trees, original: Files) -> None:
        """Say what is missing for the languages that the files are written in."""
        for why in trees.missing:
            self._observe(Noticed("grammar", f"{why}; it is treated as lines and brackets"))
        for why in plugins().broken:
            self._observe(Noticed("plug-in", why))
        if self._options.atoms != "bytes":
            for remark in remarks.before(original):
                self._observe(remark)

    def _reduce(self, running: _Running) -> ReductionEnded:
        """Run it, and see to its end."""
        reduction = running.reduction
        try:
            stopped = reduction.run()
        except (WynotError, Interrupted) as error:
            error.result = self._end(running, error.slug)
            raise
        except KeyboardInterrupt as interrupt:  # between two passes
            ended = self._end(running, Interrupted.slug)
            raise Interrupted("interrupted", result=ended) from interrupt
        except Exception:
            self._end(running, "an error in wynot itself")  # the best case is none the worse
            raise
        if stopped == Stop.FINISHED:
            for remark in closing_remarks(reduction, self._files):
                self._observe(remark)
        return self._end(running, stopped)

    def _end(self, running: _Running, stopped: str) -> ReductionEnded:
        """Put the best case in place, write down that it ended, and tell."""
        evaluator, best, reduction = running
        where = self._output.where
        changed = None
        try:
            best.write(is_final=stopped == Stop.FINISHED)
        except ChangedUnderneath as error:
            where = shown(self._output.write_beside(best.files))
            changed, stopped = error, error.slug
        likeness = self._appearances.likeness(best.files)
        if likeness.differs:
            self._observe(Noticed("differs", other_failure(self._options)))
        if stopped == Stop.FINISHED:
            keep_final_facts(best.journal, reduction.proved, likeness, reduction.asked)
        figures, toll = evaluator.figures(), evaluator.toll
        ended = ReductionEnded(
            stopped,
            best.journal.original().size,
            best.files.size,
            reduction.tests,
            reduction.extra,
            monotonic() - self._began,
            reduction.proved,
            where,
            self._output.original,
            shown(best.journal.path),
            test_seconds=toll.seconds,
            timed_out=toll.timed_out,
            timed_out_seconds=toll.timed_out_seconds,
            refused=evaluator.oracle.guards.counted(reduction.refused),
            line_ends=reduction.line_ends,
            skipped=tuple(each.name for each in reduction.skips.done),
            **likeness._asdict(),
            **figures._asdict(),
        )
        self._observe(ended)
        if changed is not None:
            changed.result = ended
            raise changed
        return ended

    def _in_place(self, evaluator: Evaluator[Files]) -> TrialResult:
        """Run the test where the files really are, to see whether that makes a difference."""
        folder = self._targets[0].path.parent
        there = partial(evaluator.oracle.in_folder, folder, given_of(self._targets))
        first, second = evaluator.do(there, 2)
        return first if first.verdict is not Verdict.INTERESTING else second

    def _found(self, files: Files, ending: Ending) -> None:
        where = self._finds.keep(files, ending.status)
        if where is not None:
            words = f"a side find ({ending.words}) is kept in {shown(where)}"
            self._observe(Noticed("find", words))
