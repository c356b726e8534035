"""``wynot check``: whether a test is any good."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from wynot.cli.exit_codes import DONE, TEST
from wynot.cli.reduce import named
from wynot.cli.usage_messages import worded
from wynot.commands.reduce_options import CheckOptions, ReduceOptions
from wynot.commands.shared_options import cores
from wynot.core.errors import InvalidOption, NotExecutable, NotInteresting, OnlyUnconfined
from wynot.core.events import Doing
from wynot.core.files import Files
from wynot.core.foreign_text import for_terminal
from wynot.core.verdict import Verdict
from wynot.disk.load import load, targets
from wynot.job.calibration import refuse_if_free_shows, require_same_freely
from wynot.job.clusters import workers_of
from wynot.job.evaluator import Evaluator
from wynot.oracle.appearance import looks
from wynot.oracle.provisioner import Invocation
from wynot.oracle.trial import TrialResult
from wynot.reduction.job import invocation_of, oracle_of
from wynot.reduction.original import DOING, advice, all_empty, require_run, vocabulary_of
from wynot.reduction.whole_plan import validated
from wynot.reporters.phase_line import phase_reporter
from wynot.reporters.reporter import ticking

SLOW_SECONDS = 5.0
"""Seconds; a test that takes longer makes a reduction of thousands of tests a matter of hours."""


class CheckFinding(NamedTuple):
    """One thing that a good test does, and whether this one does."""

    good: bool
    what: str
    advice: str = ""


def run(options_: CheckOptions) -> int:
    """Try the test, and say what is good about it and what is not."""
    if options_.runs < 2:  # noqa: PLR2004 - repeatable takes two
        raise InvalidOption(f"is {options_.runs}", option="runs", hint="give 2 or more")
    options = validated(ReduceOptions(**named(options_).taken(ReduceOptions)))
    found = targets(options.files)
    original = load(found)
    oracle = oracle_of(options, found, vocabulary_of(options, lambda: original))
    good = True
    with ticking(phase_reporter()) as reporter:
        jobs, agents = workers_of(options, cores(), reporter.handle)
        evaluator = Evaluator(jobs, oracle, reporter.handle, original.size, agents=agents)
        evaluator.preload(original)
        try:
            there = found[0].path.parent, invocation_of(found)
            shown = findings(evaluator, original, options_.runs, there)
            for finding in confined(evaluator, original, shown):
                reporter.handle(Doing(""))
                good = good and finding.good
                _say(f"{'ok   ' if finding.good else 'NOT  '}{finding.what}")
                if finding.advice:
                    _say(f"     {finding.advice}")
                sys.stdout.flush()
        finally:
            evaluator.close()
    sys.stdout.write("The test is good.\n" if good else "The test needs another look.\n")
    return DONE if good else TEST


def _say(text: str) -> None:
    for line in text.split("\n"):
        sys.stdout.write(f"{for_terminal(line)}\n")


def findings(
    evaluator: Evaluator[Files], original: Files, runs: int, there: tuple[Path, Invocation]
) -> Iterator[CheckFinding]:
    """Try the test on the original, on nothing, on half; yield what that shows.

    ``there`` is where the original really is, and what of that the test is given.
    """
    oracle = evaluator.oracle
    evaluator.tell(DOING["original"])
    [first] = evaluator.do(partial(oracle.once, original, capture=True))
    try:
        require_run(first)
        oracle = replace(oracle, trial=oracle.trial.calibrated(first))
        evaluator.use(oracle)
    except (NotExecutable, NotInteresting) as error:
        what = worded(error, ["check"]).splitlines()[0] + first.ending.tail
        yield CheckFinding(good=False, what=f"interesting: {what}", advice=error.hint)
        return
    evaluator.tell(f"running the test {runs} more times")
    results = evaluator.do(partial(oracle.once, original), runs)
    for each in results:  # what differs from run to run is no part of the failure
        trial = oracle.trial.relaxed(first, each)
        if trial.judged(each).verdict is Verdict.INTERESTING:
            oracle = replace(oracle, trial=trial)
    evaluator.use(oracle)
    results = [oracle.trial.judged(each) for each in results]
    shown = sum(each.verdict is Verdict.INTERESTING for each in results)
    criterion = f"interesting: {oracle.trial.words}"
    if not shown:
        yield _not_here(criterion, first, _in_place(evaluator, there))
        return
    yield CheckFinding(good=True, what=criterion, advice=_shows(first))
    guarded = [*_guarded(evaluator, original)]
    nothing = _on_nothing(evaluator, original)
    if not nothing.accepted:  # else it may fail just because it is in another folder
        yield CheckFinding(good=True, what="private: it works in a folder of its own")
    yield from _runs(results, shown)
    yield from guarded
    rejects = f"rejects an empty file: {nothing.how}"
    if not nothing.accepted:
        yield CheckFinding(good=True, what=rejects)
        return
    why = advice(oracle.trial, _in_place(evaluator, there))
    yield CheckFinding(
        good=False,
        what=f"{rejects}{nothing.tail}",
        advice=f"it would be reduced to nothing: {why}",
    )


def _runs(results: Sequence[TrialResult], shown: int) -> Iterator[CheckFinding]:
    """Yield what several runs have in common."""
    runs, seconds = len(results), median(each.ending.seconds for each in results)
    yield CheckFinding(
        good=shown == runs,
        what=f"repeatable: interesting in {shown} of {runs} runs",
        advice="" if shown == runs else "wynot copes, but needs several runs for each candidate",
    )
    yield CheckFinding(
        good=seconds < SLOW_SECONDS,
        what=f"quick: {seconds * 1000:,.0f} ms a run",
        advice="" if seconds < SLOW_SECONDS else "a reduction takes hundreds of runs and more",
    )


def _in_place(evaluator: Evaluator[Files], there: tuple[Path, Invocation]) -> TrialResult:
    """Run the test where the file is."""
    evaluator.tell("running the test where the file is")
    [results] = evaluator.do(partial(evaluator.oracle.in_folder, *there))
    return results


def _not_here(criterion: str, first: TrialResult, there: TrialResult) -> CheckFinding:
    """Say that the failure does not show in a private folder, and whether it does elsewhere."""
    if there.verdict is Verdict.INTERESTING:
        return CheckFinding(
            good=False,
            what="private: it is interesting in its own folder, but not with a copy in another",
            advice="name other files by their full path in the test, or give --with FILE",
        )
    return CheckFinding(
        good=False,
        what=f"{criterion}: no, it ended with {first.ending.description}{first.ending.tail}",
        advice="run it by hand; it must exit with 0 if the failure shows",
    )


def _guarded(evaluator: Evaluator[Files], original: Files) -> Iterator[CheckFinding]:
    """Try each guard on the original."""
    settled = evaluator.learn_guards(original)
    for guard, refusal in zip(settled.guards.each, settled.refusals, strict=True):
        if refusal is None:
            yield CheckFinding(good=True, what=f"passes: {guard.words}")
        else:
            yield CheckFinding(
                good=False,
                what=f"passes: {guard.words}: no, {refusal.ended}{refusal.ending.tail}",
                advice="the command must exit with 0 on every case, and so on this one too",
            )
    for message in settled.notices:
        yield CheckFinding(good=True, what=message)


class _Nothing(NamedTuple):
    """What came of the test on empty files."""

    accepted: bool
    how: str
    tail: str


def _on_nothing(evaluator: Evaluator[Files], original: Files) -> _Nothing:
    """Try the test on empty files; that a guard refuses them is as good."""
    empty = all_empty(original)
    evaluator.tell(DOING["empty"])
    [results] = evaluator.do(partial(evaluator.oracle.once, empty, capture=True))
    how, accepted = results.ending.description, results.verdict is Verdict.INTERESTING
    if accepted:
        [refusal] = evaluator.do(partial(evaluator.oracle.refusal, empty))
        how, accepted = (how, True) if refusal is None else (refusal.words, False)
    return _Nothing(accepted, how, results.ending.tail)


def _shows(results: TrialResult) -> str:
    """Return what the failure looks like, as it was printed."""
    criterion = looks(results)
    return criterion and f"it shows: {for_terminal(criterion)}"


def confined(
    evaluator: Evaluator[Files], original: Files, found: Iterator[CheckFinding]
) -> Iterator[CheckFinding]:
    """Yield what is found, and at last whether confining the test, if it is, changes that."""
    unsettled = evaluator.oracle.trial
    first = next(found)
    yield first
    yield from found
    if not evaluator.oracle.confinement.is_usual:
        return
    try:
        if not first.good:
            refuse_if_free_shows(evaluator, original, unsettled)
            return
        require_same_freely(evaluator, original)
    except OnlyUnconfined as error:
        what = f"confined: {str(error).splitlines()[0]}"
        yield CheckFinding(good=False, what=what, advice=error.hint)
    else:
        yield CheckFinding(
            good=True, what="confined: it works while it can write to its private folder only"
        )
