"""``wynot tests``: which earlier tests make a test fail, or are needed for it to pass."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from wynot.commands.inquiry_options import EarlierTestsOptions
from wynot.core.ending import Ending
from wynot.core.errors import InvalidOption, NoSuchFile
from wynot.core.events import Doing, Event, InquiryEnded
from wynot.core.verdict import Verdict
from wynot.disk.fingerprint import of_folder
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.logs import transcript_of
from wynot.inquiries.questions import CAUSE, CURE, halved
from wynot.inquiries.sides import Names, Tried
from wynot.inquiries.tests.answer import worded
from wynot.inquiries.tests.collection import Collected, collect, listed_by, listed_in, position, run
from wynot.inquiries.tests.command_runs import HOLE, CommandRuns
from wynot.inquiries.tests.outcome import FailsAsSaid
from wynot.inquiries.tests.pytest_runs import PytestRuns, usual_command
from wynot.inquiries.tests.selection import Listed, Selection, TestRuns
from wynot.inquiries.tests.survey import Surveyed, survey
from wynot.job.evaluator import LIMIT_HINT
from wynot.job.transcript import Transcript
from wynot.oracle.command import Command
from wynot.oracle.confining import confinement
from wynot.oracle.criteria import Criterion
from wynot.oracle.expectation import Expectation
from wynot.oracle.guards import on_circumstances
from wynot.oracle.learned_timeout import FIRST_RUN_SECONDS
from wynot.oracle.oracle import NOT_RUN
from wynot.oracle.trial import OneCommand, TrialResult
from wynot.runners.child import Limits
from wynot.runners.sandbox import Sandbox

RUNS_BEFORE_SEARCH = 2
"""Runs before the search: after all earlier tests, and alone."""


@dataclass(slots=True)
class SideRuns:
    """Runs some tests before there is an inquiry, unless that was done, and writes it down."""

    runs: TestRuns
    criterion: Criterion
    sandbox: Sandbox
    limits: Limits
    transcript: Transcript
    replay: str
    whole: Ending | None
    """How the first of the runs ended, if it was made along with the collection."""

    def ran(self, subject: Selection, words: str) -> Ending:
        """Return how a run of these tests ended."""
        self.transcript.call(subject, subject.digest, words)
        self.transcript.require(subject, self.replay)
        ending, self.whole = self.whole, None
        known = self.transcript.recall_runs(subject, 1)
        if known:
            ending = known[0].ending
        elif ending is None:
            ending = run(self.runs.provision(subject, self.sandbox), self.sandbox, self.limits)
        verdict = self.criterion.after(ending).judge(ending)
        self.transcript.note_run(subject, TrialResult(verdict, ending))
        return ending


def inquire(options: EarlierTestsOptions, observe: Callable[[Event], None]) -> InquiryEnded:
    """Find the polluters, or those that set up what the test needs."""
    options.validate()
    project = Path(options.project).absolute()
    if not project.is_dir():
        raise NoSuchFile(
            f"there is no folder {options.project!r}", path=options.project, hint="check --project"
        )
    writable = confinement(options).writable
    limits = Limits(
        timeout=options.timeout or FIRST_RUN_SECONDS, memory=options.memory, writable=writable
    )
    with closing(transcript_of(options, "tests")) as transcript:
        with closing(Sandbox.alone()) as sandbox:
            what = "finding out which tests there are, and running them up to that one"
            observe(Doing(what, LIMIT_HINT, limits.timeout))
            runs, (tests, whole) = _listed(options, project, sandbox, limits)
            at = position(options.failing, tests, project)
            after = "" if whole else ", and after all others"
            observe(Doing(f"running the test alone{after}", LIMIT_HINT, limits.timeout))
            said = Expectation.said(options)
            criterion = FailsAsSaid(runs.criterion, said) if said else runs.criterion
            sides = SideRuns(runs, criterion, sandbox, limits, transcript, options.replay, whole)
            surveyed = survey(tests, at, runs, criterion, sides.ran)
        return _search(surveyed, runs, options, tests, project, observe, transcript)


def _listed(
    options: EarlierTestsOptions, project: Path, sandbox: Sandbox, limits: Limits
) -> tuple[TestRuns, Collected]:
    """Return how tests are run, and which there are."""
    command = options.command
    if options.listed and options.list_command:
        raise InvalidOption(
            "both --list and --list-command are given", hint="choose one of the two"
        )
    if options.listed:
        return CommandRuns.read(command, project), Collected(listed_in(Path(options.listed)))
    if options.list_command:
        listed = listed_by(options.list_command, project, sandbox, limits)
        return CommandRuns.read(command, project), Collected(listed)
    if any(HOLE in word for word in command):
        raise InvalidOption(
            f"the command has {HOLE}, but which tests there are is not known",
            hint="list them in the failing order, one a line: --list FILE, or --list-command CMD",
        )
    runs = PytestRuns(tuple(command) or usual_command(project), project)
    # What a log says of the run of all tests need not be run: then they are only collected.
    return runs, collect(runs, "" if options.replay else options.failing, sandbox, limits)


def _search(
    surveyed: Surveyed,
    runs: TestRuns,
    options: EarlierTestsOptions,
    tests: Sequence[Listed],
    project: Path,
    observe: Callable[[Event], None],
    transcript: Transcript,
) -> InquiryEnded:
    case = surveyed.case
    names = Names(
        f"{case.target.name!r}",
        f"{case.target.name!r}",
        "run the tests by hand in that order",
    )
    inquiry: Inquiry[Selection]
    with Inquiry(
        "tests",
        [[test.name for test in tests], case.target.name, of_folder(project)],
        options,
        OneCommand(Command((), appends=False), surveyed.criterion),
        runs,
        names,
        observe,
        guards=on_circumstances(options.passes, options.timeout),
        transcript=transcript,
    ) as inquiry:
        inquiry.require_guards(case)
        passes = TrialResult(Verdict.UNINTERESTING, NOT_RUN)
        tried = Tried(names, surveyed.seconds, passes, RUNS_BEFORE_SEARCH)
        inquiry.narrowing.evaluator.oracle.time_limit.learn(surveyed.seconds)
        count = len(case.earlier)
        kind = "fails alone" if case.is_brittle else "passes alone, and fails after others"
        inquiry.begin(case, f"{case.target.name} {kind}; {count:,} run before it", tried)
        question = halved(CURE if case.is_brittle else CAUSE, case.deltas)
        return inquiry.answer([question], case, partial(worded, case))
