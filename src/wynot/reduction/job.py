"""The whole of wynot reduce: from what the user named to what is put in its place."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from wynot.agents.agent_source import AgentSource
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.ending import Ending
from wynot.core.errors import (
    BrokenJournal,
    ChangedUnderneath,
    Interrupted,
    InvalidOption,
    WynotError,
)
from wynot.core.events import Doing, Event, Noticed, ReductionEnded, ReductionStarted
from wynot.core.files import Files
from wynot.core.standing import Steering, Stop
from wynot.core.verdict import Verdict
from wynot.disk.file_lock import FileLock
from wynot.disk.journal import Journal
from wynot.disk.load import OURS, Target, contents_of, load, targets
from wynot.disk.output import Output, shown
from wynot.disk.results import SideFinds
from wynot.disk.run_timeline import Timeline
from wynot.engine.budget import Budget
from wynot.failures.wording import Vocabulary
from wynot.job.calibration import Calibration
from wynot.job.case_runner import CaseRunner
from wynot.job.clusters import workers_of
from wynot.job.evaluator import Evaluator
from wynot.job.warming import LEAST_BYTES, warm_up
from wynot.oracle.appearance import Likeness, likeness
from wynot.oracle.no_ub import guards_of
from wynot.oracle.oracle import Oracle, ignore_find
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.trial import TrialResult
from wynot.oracle.trials import trial_of
from wynot.passes import notices
from wynot.passes.merging.one_file import left_imports
from wynot.passes.trees.parsed_files import Trees
from wynot.plugins import plugins
from wynot.reduction.best import Best, Reliability, TrustedTest
from wynot.reduction.original import sides_of, vocabulary_of
from wynot.reduction.resume import RunBeginning, begin, finished_before, left_in, placed_before
from wynot.reduction.run import SKIPS_FACT, Reduction, Skips
from wynot.reduction.vendoring import with_packages
from wynot.reduction.whole_plan import (
    Keeps,
    kept_patterns,
    plan_options,
    trees_of,
    validated,
    whole_plan,
)


def closing_remarks(reduction: Reduction, original: Files) -> Iterator[Noticed]:
    """Yield the remarks on what is left of the original."""
    files, plan = reduction.best.files, reduction.plan
    if reduction.options.fast:
        yield Noticed(
            "fast", "the proof that no single part can go was left out, as --fast asks for"
        )
    if "bytes" not in reduction.proved:
        yield from notices.after(files)
    yield from left_imports(files, original, plan.trees, merges=plan.options.merges)


SPECULATIVE = "ahead"
"""The fact that names the verdicts which turned out not to be needed."""
SPECULATIVE_DIGITS = 16
"""How many digits such a verdict is known by."""


def keep_final_facts(
    journal: Journal, proved: Sequence[str], likeness: Likeness, judged: Collection[bytes]
) -> None:
    """Write down what is proved, and which verdicts only depend on how many tests ran at a time."""
    with suppress(BrokenJournal):  # the next run will say so; this one has its result
        journal.note("minimal", json.dumps(proved))
        journal.note("likeness", json.dumps(likeness.texts))
        tested = journal.tested().difference(judged)
        speculative = sorted(digest.hex()[:SPECULATIVE_DIGITS] for digest in tested)
        journal.note(SPECULATIVE, " ".join(speculative))
        journal.note("state", Stop.FINISHED)


def speculative_digests(journal: Journal) -> frozenset[str]:
    """Return the beginnings of the digests whose verdicts turned out not to be needed."""
    return frozenset(journal.fact(SPECULATIVE).split())


def invocation_of(found: Sequence[Target]) -> Invocation:
    """Return what a test is given of these files."""
    names = tuple(target.name for target in found)
    stdin = names[0] if len(found) == 1 and not found[0].is_folder else None
    return Invocation(names, stdin)


def oracle_of(
    options: ReduceOptions,
    found: Sequence[Target],
    vocabulary: Vocabulary,
    find: Callable[[Files, Ending], None] = ignore_find,
) -> Oracle[Files]:
    """Return the oracle that the options describe; the vocabulary is that of the original."""
    fixed = contents_of(targets(options.fixed)) if options.fixed else Files({})
    oracle = Oracle.of(
        options,
        trial_of(options, options.files, vocabulary),
        FilesInFolder(invocation_of(found), fixed),
        guards_of(options, options.files),
        candidates=options.files,
        apart=[*options.files, *([options.out] if options.out else [])],
    )
    return replace(oracle, also=frozenset(options.also_interesting), find=find)


class ReduceResources(NamedTuple):
    """The oracle and the workers of a reduction: how to make them from its options."""

    oracle: Callable[..., Oracle[Files]] = oracle_of
    workers: Callable[..., tuple[int, AgentSource | None]] = workers_of
    steering: Steering | None = None
    """The door for what a person asks meanwhile; None: nobody does."""


OWN_RESOURCES = ReduceResources()


@dataclass(slots=True)
class ObservedFailures:
    """Remembers the run that showed the failure first, and the last one of the best case."""

    vocabulary: Vocabulary
    _first: TrialResult | None = None
    _again: TrialResult | None = None
    _last: tuple[bytes, TrialResult] | None = None

    def begin(self, first: TrialResult, again: TrialResult) -> None:
        """Take the second of two runs of the original if it shows the failure, else the first.

        What is learned, is learned from the first: only the second is judged.
        """
        self._first = again if again.verdict is Verdict.INTERESTING else first
        self._again = first

    def note(self, files: Files, result: TrialResult) -> None:
        """Take note of a run of the best case, if it shows the failure."""
        if result.verdict is Verdict.INTERESTING:
            self._last = (files.digest, result)

    def likeness(self, files: Files) -> Likeness:
        """Hold these files against the original, if there was a run of them."""
        if self._first is None or self._last is None or self._last[0] != files.digest:
            return Likeness()
        return likeness(self._first, self._last[1], self.vocabulary, self._again)


def other_failure(options: ReduceOptions) -> str:
    """Return the notice on a result that does not look like the original."""
    cure = "--same exact or --text STRING asks for the first one"
    if not options.command and not options.serve:
        cure = "let the test look for the message of the first one"
    return f"the result may show a different failure from the original; {cure}"


def is_worth_warming(options: ReduceOptions, original: Files, seconds: float) -> bool:
    """Tell whether to find out if they can: a first run has taken so long, 0 if there was none."""
    if options.cold:
        return False
    # What is loaded ahead is said in a file that is here, and no other machine has.
    is_long = seconds > 0 and original.size >= LEAST_BYTES and not options.cluster
    return is_long or bool(options.serve)


class _Running(NamedTuple):
    """A reduction, and what it is done with."""

    evaluator: Evaluator[Files]
    best: Best
    reduction: Reduction


class Reduce:
    """One run of ``wynot reduce``: what it holds, from the lock to the workers."""

    def __init__(
        self,
        options: ReduceOptions,
        observe: Callable[[Event], None],
        resources: ReduceResources = OWN_RESOURCES,
    ) -> None:
        validated(options)
        self._options = options
        self._began = monotonic()
        self._timeline = Timeline(observe)
        self._observe = self._timeline.handle
        observe(Doing("reading what is to be reduced"))
        self._targets = targets(options.files)
        vocabulary = vocabulary_of(options, lambda: self._files)
        self._failures = ObservedFailures(vocabulary)
        self._resources = resources
        self._steering = resources.steering or Steering()
        self._oracle = resources.oracle(options, self._targets, vocabulary, self._found)
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
            closing.callback(self._timeline.close)
            if beginning.is_finished:
                self._output.backups = [*beginning.earlier.backups]
                ended = finished_before(beginning, self._output, monotonic() - self._began)
                self._observe(ended)
                return ended
            self._files = beginning.original
            usual, size = self._options.searching.jobs, self._files.size
            jobs, agents = self._resources.workers(self._options, usual, self._observe)
            evaluator = Evaluator(jobs, self._oracle, self._observe, size, agents=agents)
            closing.callback(evaluator.close)
            evaluator.preload(self._files)
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
        note = self._failures.note
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
        self._timeline.begin(journal)
        journal.note("backups", json.dumps([str(each) for each in self._output.backups]))
        self._announce(evaluator, beginning, seconds, notices)
        self._remark(trees, original)
        best = Best(original, journal, self._output, self._observe, monotonic, self._began)
        best.places = placed_before(journal, is_empty=self._output.is_empty)
        self._steering.shows(lambda: best.files.contents)
        searching = options.searching
        doubting = Reliability(evaluator, best, calibration, self._observe)
        reduction = Reduction(
            options=options,
            runner=CaseRunner(evaluator, keeps.lacks, queues_short_tests=True),
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
            self._failures.begin(found.first, found.again)
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
            for remark in notices.before(original):
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
        likeness = self._failures.likeness(best.files)
        if likeness.differs:
            self._observe(Noticed("differs", other_failure(self._options)))
        if stopped == Stop.FINISHED:
            keep_final_facts(best.journal, reduction.proved, likeness, reduction.judged)
        figures, costs = evaluator.figures(), evaluator.costs
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
            test_seconds=costs.seconds,
            timed_out=costs.timed_out,
            timed_out_seconds=costs.timed_out_seconds,
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
        there = partial(evaluator.oracle.in_folder, folder, invocation_of(self._targets))
        first, second = evaluator.do(there, 2)
        return first if first.verdict is not Verdict.INTERESTING else second

    def _found(self, files: Files, ending: Ending) -> None:
        where = self._finds.keep(files, ending.status)
        if where is not None:
            words = f"a side find ({ending.description}) is kept in {shown(where)}"
            self._observe(Noticed("find", words))
