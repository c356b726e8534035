"""The job of wynot explain: from a journal to an explanation."""

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, cast

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE
from wynot.core.errors import (
    BrokenJournal,
    ChangedTest,
    ChangedUnderneath,
    Interrupted,
    Unreliable,
    WynotError,
)
from wynot.core.events import (
    Answered,
    Doing,
    Event,
    InquiryEnded,
    InquiryStarted,
    Narrowed,
    Noticed,
)
from wynot.core.explanation import Explanation
from wynot.core.files import Files
from wynot.core.options.quantities import counted
from wynot.core.round import FirstRound, Pick, Round, Search, Stage
from wynot.core.standing import Stop
from wynot.core.verdict import Verdict
from wynot.disk.file_lock import FileLock
from wynot.disk.journal import Journal
from wynot.disk.load import OURS, targets
from wynot.disk.output import Output, shown
from wynot.disk.results import write_text
from wynot.disk.rows import EXPLAIN_EPOCH
from wynot.document.explanation_blocks import lines_of, title_of
from wynot.engine.budget import Budget, Spent
from wynot.engine.memo import ByContent
from wynot.engine.recorder import Commit
from wynot.engine.scheduler import Scheduler
from wynot.explaining.case_parts import UNRELIABLE_HINT, CaseReliability
from wynot.explaining.explain_search import Explained, explain, rest_of, survivors
from wynot.explaining.findings import (
    Findings,
    LeftOut,
    causes_of,
    free_parts_of,
    joint_of,
    nearest_of,
    needed_of,
    pattern_of,
)
from wynot.job.answers import final_verdicts, verdicts_of_last_epoch
from wynot.job.calibration import Calibration
from wynot.job.case_runner import CaseRunner
from wynot.job.check_runs import CheckRuns
from wynot.job.clusters import workers_of
from wynot.job.evaluator import Evaluator
from wynot.job.warm_tests import WarmDiffers
from wynot.job.warming import FACT, OFF, cool_down, warm_up
from wynot.oracle.appearance import looks
from wynot.oracle.oracle import Oracle
from wynot.oracle.trial import TrialResult
from wynot.reduction.job import (
    SPECULATIVE_DIGITS,
    invocation_of,
    is_worth_warming,
    oracle_of,
    speculative_digests,
)
from wynot.reduction.original import sides_of, vocabulary_of
from wynot.reduction.resume import Spelling, fingerprint
from wynot.reduction.whole_plan import trees_of, validated
from wynot.search.combinators import Ended, driven
from wynot.search.script import scripted

MAX_SEEN = 16
"""How many are run, at most; others stay without words."""
CHECK = "instead"
"""How the names of such runs begin in the journal."""


def seen_instead(
    runs: CheckRuns[Files], left_out: Sequence[LeftOut], case: Files, most: int
) -> dict[bytes, str]:
    """Run those of which it is not known what else they show, and say what that is, by digest."""
    unclear = [each for each in left_out if each.verdict is Verdict.UNRESOLVED]
    by_digest = {files.digest: files for files in (each.files(case) for each in unclear)}
    chosen = [*by_digest.items()][: min(MAX_SEEN, most)]
    ran = runs.each([(f"{CHECK} {digest.hex()}", files) for digest, files in chosen])
    found = {}
    for (digest, _), result in zip(chosen, ran, strict=True):
        if result.verdict is Verdict.INTERESTING:
            raise Unreliable(
                "the test is not reliable: asked again about the case without one of its parts, it "
                "says something else",
                hint=UNRELIABLE_HINT,
            )
        found[digest] = looks(result) or result.words
    return found


CHECKED_VARIANTS = 8
"""One in so many answers is asked for again in the usual way. That is more than in a reduction: it
has a result that is tried in the end, while what answers on variants add up to is believed."""


def explain_epoch(journal: Journal) -> int:
    """Return the epoch of verdicts on variants: those of before a difference are another's."""
    return EXPLAIN_EPOCH + _has_differed(journal)


def warm_up_for_variants(
    evaluator: Evaluator[Files],
    calibration: Calibration[Files],
    seconds: float,
    journal: Journal,
    case: Files,
) -> None:
    """Ask by copies, unless they were found to differ, or do on the case itself."""
    if not _has_differed(journal):
        warm_up(evaluator, calibration, seconds, journal, case)
    if evaluator.warm is not None:
        evaluator.warm = replace(evaluator.warm, checked_share=CHECKED_VARIANTS)


def _has_differed(journal: Journal) -> bool:
    return journal.fact(FACT).startswith(OFF)


QUESTION = "explanation"


class ExplainLedger:
    """Keeps what was committed, and tells how far it has come."""

    def __init__(self, most: int, observe: Callable[[Event], None]) -> None:
        self.tests = 0
        self.verdicts: dict[bytes, Verdict] = {}
        self._most = most
        self._observe = observe

    def enter(self, stage: Stage) -> None:
        """Begin with the next question."""

    def commit(self, commit: Commit) -> None:
        """Take a verdict."""
        self.verdicts[cast("bytes", commit.digest)] = commit.judged.verdict
        self._observe(commit.judged)
        if not commit.judged.from_memo:
            self.tests += 1
            left = self._most - self.tests
            self._observe(Narrowed(QUESTION, "tests", left, self.tests))


def found_so_far(subject: Explained, most: int, verdicts: Mapping[bytes, Verdict]) -> Findings:
    """Return what follows from some verdicts: the search is gone through up to what is not known.

    It does the same each time, so that this is what was found when it was ended.
    """
    findings = Findings()

    def recall(round_: Round) -> Search[Pick | Ended[None] | None]:
        yield from ()
        assert isinstance(round_, FirstRound)  # noqa: S101 - variants are asked about in order
        assert round_.stage is not None  # noqa: S101 - each variant is of a case
        for position, candidate in enumerate(round_.candidates):
            verdict = verdicts.get(cast("bytes", round_.stage.case.digest(candidate)))
            if verdict is None:
                return Ended(None)
            if verdict in round_.wanted:
                return Pick(position, verdict, candidate)
        return None

    search = scripted(partial(explain, subject, most, findings))
    deque(driven(search, recall), maxlen=0)
    return findings


DOING = {CHECK: "finding out what is seen without a part"}


class ExplainRequest(NamedTuple):
    """How far to go."""

    tests: int
    """How many runs of the test it may take."""
    find_all: bool = False
    """Whether other causes are looked for."""
    max_time: float | None = None


class ExplainEnd(NamedTuple):
    """What came of it."""

    explanation: Explanation
    ended: InquiryEnded


class Explain:
    """One explanation: what it is of, and what it is asked with."""

    def __init__(
        self,
        options: ReduceOptions,
        journal: Journal,
        request: ExplainRequest,
        observe: Callable[[Event], None],
    ) -> None:
        """Take what the reduction was asked to do, and its journal, which is open."""
        self._options = validated(options)
        self._journal = journal
        self._request = request
        self._observe = observe
        self._start = monotonic()
        self._targets = targets(options.files)
        self._output = Output(self._targets, Path(options.out) if options.out else None)
        self._original = journal.original()
        last = journal.last_step()
        self._case = journal.restore(last.number) if last else self._original
        vocabulary = vocabulary_of(options, lambda: self._original)
        self._oracle: Oracle[Files] = oracle_of(options, self._targets, vocabulary)

    def run(self) -> ExplainEnd:
        """Explain the case; whatever ends it, what is known by then is told and kept."""
        home = self._output.home / OURS
        with ExitStack() as closing:
            closing.callback(FileLock(home / f"{self._output.name}.lock").release)
            self._refuse_changed()
            jobs, agents = workers_of(self._options, self._options.searching.jobs, self._observe)
            evaluator = Evaluator(jobs, self._oracle, self._observe, self._case.size, agents=agents)
            closing.callback(evaluator.close)
            evaluator.preload(self._original)
            evaluator.begin(self._journal, explain_epoch(self._journal))
            return self._explained(evaluator)

    def _refuse_changed(self) -> None:
        """Raise if the case or the test is not what it was when the reduction ended."""
        there = self._output.there()
        if there is None or there.digest != self._case.digest:
            raise ChangedUnderneath(
                f"{self._output.where!r} is not what the reduction has left there",
                hint="reduce it again, or put the result back: wynot history FILE",
            )
        spelling = Spelling(self._output.home)
        own = self._oracle.watch.identity
        if self._journal.fact("fingerprint") != fingerprint(self._options, own, spelling):
            raise ChangedTest(
                "the test, or how it is run, is not what it was for the reduction, so that its "
                "verdicts say nothing any more",
                hint="reduce again with the test as it is now",
            )

    def _explained(self, evaluator: Evaluator[Files]) -> ExplainEnd:
        seconds = self._calibrated(evaluator)
        reliability = CaseReliability(evaluator, self._journal, self._case, seconds)
        reliability.require_reliable_test()
        reliability.require("before")
        subject = self._subject()
        self._observe(self._started(evaluator, seconds, len(subject.known)))
        most = max(0, self._request.tests - 2 * reliability.times - MAX_SEEN)
        try:
            searched = self._searched(evaluator, subject, most)
        except WarmDiffers as differs:
            self._observe(Noticed(FACT, differs.message))
            cool_down(evaluator, self._journal, differs)
            evaluator.begin(self._journal, explain_epoch(self._journal))
            searched = self._searched(evaluator, subject, most)
        runs, seen = CheckRuns(evaluator, DOING, self._journal), dict[bytes, str]()
        if searched.stopped == Stop.FINISHED:
            seen = seen_instead(runs, searched.findings.left_out, self._case, MAX_SEEN)
            reliability.require("after")
        explanation = self._concluded(evaluator, searched, seen, reliability)
        self._journal.note(QUESTION, explanation.fact)
        ended = self._answered(evaluator, explanation, searched)
        if searched.ending is not None:
            searched.ending.result = ended
            raise searched.ending
        return ExplainEnd(explanation, ended)

    def _calibrated(self, evaluator: Evaluator[Files]) -> float:
        """Have the test look for what the reduction looked for; return how long a run takes."""
        sides = sides_of(self._original, partial(self._in_place, evaluator))
        calibration = Calibration(evaluator, sides, self._observe, self._journal)
        for message in calibration.require_guards():
            self._observe(Noticed("guard", message))
        if not self._options.searching.check:
            return 0.0
        seconds = calibration.first_runs(is_known=True).seconds
        if is_worth_warming(self._options, self._original, seconds):
            warm_up_for_variants(evaluator, calibration, seconds, self._journal, self._case)
        return seconds

    def _in_place(self, evaluator: Evaluator[Files]) -> TrialResult:
        """Run the test where the files are."""
        folder = self._targets[0].path.parent
        [result] = evaluator.do(
            partial(evaluator.oracle.in_folder, folder, invocation_of(self._targets))
        )
        return result

    def _subject(self) -> Explained:
        self._observe(Doing("looking at the parts of the case"))
        known = final_verdicts(verdicts_of_last_epoch(self._journal))
        ahead = speculative_digests(self._journal)
        return Explained(
            self._case,
            self._original,
            trees_of(self._options, self._original).languages,
            # What follows must not depend on how many tests ran at a time.
            {
                digest: row.verdict
                for digest, row in known.items()
                if digest.hex()[:SPECULATIVE_DIGITS] not in ahead
            },
            rest_of(self._original, survivors(self._journal)),
            find_all=self._request.find_all,
        )

    def _started(self, evaluator: Evaluator[Files], seconds: float, known: int) -> InquiryStarted:
        return InquiryStarted(
            f"explaining {self._output.where}, {counted(self._case.size, 'byte')}",
            evaluator.width,
            evaluator.oracle.trial.words,
            seconds,
            known,
            passes=evaluator.oracle.guards.words,
            writable=evaluator.oracle.limits.writable,
            options=self._options.given,
        )

    def _searched(
        self, evaluator: Evaluator[Files], subject: Explained, most: int
    ) -> "SearchedCase":
        """Run the search; if it is ended before its time, return what it had found by then."""
        ledger = ExplainLedger(most, self._observe)
        memo = ByContent()
        for digest, verdict in subject.known.items():
            memo.learn(Candidate.whole(NONE), digest, Answer(verdict))
        scheduler = Scheduler(
            partial(scripted, partial(explain, subject, most, None)),
            runner=CaseRunner(evaluator, lambda _case, _candidate: False),
            ledger=ledger,
            memo=memo,
            budget=Budget.of(None, self._request.max_time, self._start),
            observe=self._observe,
        )
        stopped, ending = str(Stop.FINISHED), None
        try:
            return SearchedCase(scheduler.run(), stopped, None, scheduler.extra)
        except Spent as spent:
            stopped = spent.by
        except KeyboardInterrupt as interrupt:
            stopped, ending = Interrupted.slug, Interrupted("interrupted", result=None)
            ending.__cause__ = interrupt
        verdicts = {**subject.known, **ledger.verdicts}
        return SearchedCase(found_so_far(subject, most, verdicts), stopped, ending, scheduler.extra)

    def _concluded(
        self,
        evaluator: Evaluator[Files],
        searched: "SearchedCase",
        seen: dict[bytes, str],
        reliability: CaseReliability,
    ) -> Explanation:
        findings, case = searched.findings, self._case
        free = free_parts_of(findings, case)
        return Explanation(
            name=self._output.where,
            keeps=evaluator.oracle.trial.words,
            pattern=pattern_of(free, case),
            free=free,
            needed=needed_of(findings.left_out, seen, case),
            together=joint_of(findings),
            nearest=nearest_of(findings.nearest),
            causes=causes_of(findings),
            shown=reliability.shown,
            runs=reliability.runs,
            tests=findings.tests + reliability.runs + len(seen),
            recalled=findings.recalled,
            seconds=round(monotonic() - self._start, 3),
            left=findings.left,
            stopped=searched.stopped,
        )

    def _answered(
        self, evaluator: Evaluator[Files], explanation: Explanation, searched: "SearchedCase"
    ) -> InquiryEnded:
        title, lines = title_of(explanation), lines_of(explanation)
        self._observe(Answered(QUESTION, title, lines, "", explanation.data))
        costs = evaluator.costs
        ended = InquiryEnded(
            searched.stopped,
            explanation.tests,
            searched.extra,
            explanation.seconds,
            tuple(self._written(searched.findings)),
            test_seconds=costs.seconds,
            timed_out=costs.timed_out,
            timed_out_seconds=costs.timed_out_seconds,
            **evaluator.figures(explanation.tests - searched.findings.tests)._asdict(),
        )
        self._observe(ended)
        return ended

    def _written(self, findings: Findings) -> Iterator[tuple[str, str]]:
        """Write the nearest variant that passes beside the case."""
        [target, *more] = self._targets
        if findings.nearest is None or more or target.is_folder:
            return
        where = self._output.paths[0]
        name = f"{where.stem}.passing{where.suffix}"
        [content] = findings.nearest.passing.contents.values()
        yield "passing", shown(write_text(where.parent, name, content))


class SearchedCase(NamedTuple):
    """What the search has found, and what has ended it."""

    findings: Findings
    stopped: str
    ending: Interrupted | None
    extra: int


UNKNOWN_HINT = "reduce again with this version: wynot reduce --fresh …"


def recalled_options(journal: Journal) -> ReduceOptions:
    """Return what the reduction was asked to do; raise if that cannot be made out."""
    names = {each.name for each in fields(ReduceOptions)}
    try:
        recorded = json.loads(journal.fact("options") or "null")
        known: dict[str, Any] = {
            # A sequence that is not given is an empty tuple, which no list is equal to.
            name: tuple(value) if isinstance(value, list) else value
            for name, value in recorded.items()
            if name in names
        }
        return ReduceOptions(**known).validate()
    except (ValueError, TypeError, AttributeError, RecursionError, WynotError) as error:
        raise BrokenJournal(
            f"the journal {str(journal.path)!r} does not say what was run: {error}",
            hint=UNKNOWN_HINT,
        ) from error


def recalled_folder(journal: Journal) -> Path:
    """Return the folder that the reduction was started in; where the case is, if it is gone.

    Paths in the options are relative to it.
    """
    beside = journal.path.parent.parent
    folder = beside / (journal.fact("folder") or ".")
    return folder if folder.is_dir() else beside
