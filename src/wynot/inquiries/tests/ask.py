"""``wynot tests``: which earlier tests make a test fail, or are needed for it to pass."""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from wynot.agents.workers import LoneSandbox
from wynot.commands.inquiry_options import EarlierTestsOptions
from wynot.core.errors import InvalidOption, NoSuchFile, NothingToReduce, NotInteresting
from wynot.core.events import Doing, Event, InquiryEnded
from wynot.core.verdict import Verdict
from wynot.disk.load import of_folder
from wynot.failures.expectation import Expectation
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.logs import log_of
from wynot.inquiries.questions import CAUSE, CURE, halved
from wynot.inquiries.sides import Names, Tried
from wynot.inquiries.tests.answer import worded
from wynot.inquiries.tests.collection import Collected, collect, listed_by, listed_in, position
from wynot.inquiries.tests.failing_order import OrderSearch, SurveyedTests
from wynot.inquiries.tests.selection import FailsAsExpected, Selection, TestRuns
from wynot.inquiries.tests.suite_runs import HOLE, CommandRuns, PytestRuns, usual_command
from wynot.inquiries.tests.survey import SideRuns
from wynot.job.calibration import VaryingSides
from wynot.job.evaluator import LIMIT_HINT
from wynot.oracle.command import Command
from wynot.oracle.confining import confinement
from wynot.oracle.guards import on_circumstances
from wynot.oracle.learned_timeout import FIRST_RUN_SECONDS
from wynot.oracle.oracle import NOT_RUN, RunPurpose, RunTally
from wynot.oracle.trial import OneCommand, TrialResult
from wynot.wire.run_request import Limits

RUNS_BEFORE_SEARCH = 2
"""Runs before the search: after all earlier tests, and alone."""


def inquire(options: EarlierTestsOptions, observe: Callable[[Event], None]) -> InquiryEnded:
    """Find the polluters, or those that set up what the test needs."""
    options.validate()
    project = Path(options.project).absolute()
    if not project.is_dir():
        raise NoSuchFile(
            f"there is no folder {options.project!r}", path=options.project, hint="check --project"
        )
    writable = confinement(options).writable
    tally = RunTally()
    limits = Limits(
        timeout=options.timeout or FIRST_RUN_SECONDS,
        memory=options.memory,
        writable=writable,
        note_start=tally.notes[RunPurpose.CHECK],
    )
    with closing(log_of(options, "tests")) as log:
        with closing(LoneSandbox()) as sandbox:
            runs = _runs(options, project)
            expectation = Expectation.from_options(options)
            criterion = (
                FailsAsExpected(runs.criterion, expectation) if expectation else runs.criterion
            )
            sides = SideRuns(runs, criterion, sandbox, limits, log, options.replay)
            tests = _surveyed_tests(options, sides, project, observe)
        return _search(tests, options, project, observe, sides, tally)


def _surveyed_tests(
    options: EarlierTestsOptions,
    sides: SideRuns,
    project: Path,
    observe: Callable[[Event], None],
) -> SurveyedTests:
    """Find out which test is asked about, and in which order it fails."""
    if options.shuffle and not options.failing:
        return OrderSearch(options, sides, observe).any()
    longest = sides.limits.timeout
    what = "finding out which tests there are, and running them up to that one"
    observe(Doing(what, LIMIT_HINT, longest))
    tests, sides.whole = _listed(options, sides, project)
    at = position(options.failing, tests, project)
    after = "" if sides.whole else ", and after all others"
    observe(Doing(f"running the test alone{after}", LIMIT_HINT, longest))
    try:
        return SurveyedTests(sides.survey(tests, at), tests, RUNS_BEFORE_SEARCH)
    except (NotInteresting, NothingToReduce):
        if not options.shuffle:
            raise
    return OrderSearch(options, sides, observe).before(tests, at)


def _runs(options: EarlierTestsOptions, project: Path) -> TestRuns:
    """Return how tests are run."""
    command = options.command
    if options.listed and options.list_command:
        raise InvalidOption(
            "both --list and --list-command are given", hint="choose one of the two"
        )
    if options.listed or options.list_command:
        return CommandRuns.read(command, project)
    if any(HOLE in word for word in command):
        raise InvalidOption(
            f"the command has {HOLE}, but which tests there are is not known",
            hint="list them in the failing order, one a line: --list FILE, or --list-command CMD",
        )
    return PytestRuns(tuple(command) or usual_command(project), project)


def _listed(options: EarlierTestsOptions, sides: SideRuns, project: Path) -> Collected:
    """Return which tests there are."""
    runs, sandbox, limits = sides.runs, sides.sandbox, sides.limits
    if isinstance(runs, PytestRuns):
        # What a log says of the run of all tests need not be run: then they are only collected.
        return collect(runs, "" if options.replay else options.failing, sandbox, limits)
    if options.listed:
        return Collected(listed_in(Path(options.listed)))
    return Collected(listed_by(options.list_command, project, sandbox, limits))


def _search(
    tests: SurveyedTests,
    options: EarlierTestsOptions,
    project: Path,
    observe: Callable[[Event], None],
    sides: SideRuns,
    tally: RunTally,
) -> InquiryEnded:
    surveyed = tests.surveyed
    case = surveyed.case
    names = Names(
        f"{case.target.name!r}",
        f"{case.target.name!r}",
        "run the tests by hand in that order",
    )
    inquiry: Inquiry[Selection]
    with Inquiry(
        "tests",
        [[test.name for test in tests.tests], case.target.name, of_folder(project, options.logs)],
        options,
        OneCommand(Command((), appends=False), surveyed.criterion),
        sides.runs,
        names,
        observe,
        guards=on_circumstances(options.passes, options.timeout),
        log=sides.log,
        tally=tally,
    ) as inquiry:
        inquiry.require_guards(case)
        passes = TrialResult(Verdict.UNINTERESTING, NOT_RUN)
        tried = Tried(names, surveyed.seconds, passes, tests.runs)
        inquiry.learn_time(surveyed.seconds)
        count = len(case.earlier)
        kind = "fails alone" if case.is_brittle else "passes alone, and fails after others"
        inquiry.begin(case, f"{case.target.name} {kind}; {count:,} run before it", tried)
        if inquiry.varying.expected:  # a run of either side is what has told that they differ
            inquiry.varying.begin(VaryingSides(failing=(1, 0), passing=(0, 1)))
        question = halved(CURE if case.is_brittle else CAUSE, case.deltas)
        return inquiry.answer([question], case, partial(worded, case, tests.order))
