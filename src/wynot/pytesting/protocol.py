"""What pytest does with a test that asks for the fixture, if ``--wynot`` is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest

from wynot.pytesting import shrink_report
from wynot.pytesting.fixture import DESK, Desk
from wynot.pytesting.rerun import STOPS, Phase, Reruns, in_silence, is_failure, verdict_of
from wynot.pytesting.same_failure import SameFailure, failure_of
from wynot.pytesting.saving import save
from wynot.pytesting.shrink import Shrinking


@dataclass(frozen=True, slots=True)
class PytestOptions:
    """What the user wants."""

    same: SameFailure
    max_time: float
    max_tests: int
    save: Path | None


def run(item: pytest.Item, nextitem: pytest.Item | None, options: PytestOptions) -> None:
    """Run a test; if it fails, on smaller and smaller inputs, and report the smallest."""
    desk = item.stash[DESK] = Desk(keeps=True)
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    runs = Reruns(item, desk)
    try:
        _run(runs, nextitem, options)
    finally:
        runs.forget()
        del item.stash[DESK]
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


def _run(runs: Reruns, nextitem: pytest.Item | None, options: PytestOptions) -> None:
    setup = runs.phase("setup")
    runs.log(setup)
    if setup.report.passed:
        call = runs.phase("call")
        if _is_worth_it(runs.desk, call):
            _shrink(runs, call, nextitem, options)
            return
        runs.log(call)
    _end(runs, nextitem)


def _is_worth_it(desk: Desk, call: Phase) -> bool:
    """Tell whether a test failed, and on something that can be made smaller."""
    return is_failure(call) and any(each.parts(each.value) for each in desk.inputs)


def _end(runs: Reruns, nextitem: pytest.Item | None, before: Phase | None = None) -> None:
    """Tear down; what went wrong when the first run was torn down is not lost."""
    session = runs.item.session
    if session.shouldfail or session.shouldstop:
        nextitem = None
    ended = runs.phase("teardown", nextitem=nextitem)
    if before is not None and before.report.failed and ended.report.passed:
        ended = before
    runs.log(ended)


def _shrink(
    runs: Reruns, first: Phase, nextitem: pytest.Item | None, options: PytestOptions
) -> None:
    assert first.call.excinfo is not None  # noqa: S101 - it has failed
    failure = failure_of(first.call.excinfo.value, options.same)
    config = runs.item.config

    def fails(values: Sequence[object]) -> bool | None:
        with in_silence(config):
            phases = runs.again(list(values))
            verdict = verdict_of(phases, failure, options.same)
            ended = runs.undo()
            runs.remove_folders()
        return None if verdict is False and ended.report.failed else verdict

    shrinking = Shrinking(
        list(runs.desk.inputs), fails, options.max_tests, monotonic() + options.max_time, monotonic
    )
    try:
        undone = runs.undo()
        shrinking.run()
        with in_silence(config):
            last = runs.again(shrinking.best)
    except STOPS:
        shrink_report.add(first.report, shrink_report.interrupted(shrinking))
        runs.log(first)
        raise
    if not shrinking.is_reliable:
        shown = first
        shrink_report.add(first.report, shrink_report.unreliable(shrinking))
    else:
        shown = last[-1] if verdict_of(last, failure, options.same) else first
        saved = save(shrinking, options.save, runs.item.nodeid) if options.save else ()
        shrink_report.add(
            shown.report, shrink_report.minimal(shrinking, saved, is_shown=shown is not first)
        )
    runs.log(shown)
    _end(runs, nextitem, undone)
