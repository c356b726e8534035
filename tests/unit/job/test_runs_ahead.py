"""Runs of the test that were begun before it is known whether they are needed."""

import os
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from wynot.core.ending import Ending
from wynot.core.events import Event, GivenUp
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.job.check_runs import CheckRuns
from wynot.job.evaluator import Evaluator
from wynot.job.runs_ahead import RunsAhead
from wynot.oracle.command import Command
from wynot.oracle.criteria import ByExitStatus, ByFirstRun
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.oracle.oracle import Oracle
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.trial import OneCommand, TrialResult, TwoCommands
from wynot.runners.child import Limits
from wynot.runners.task import Task

MET = 'echo x >> "$0/met"; until [ "$(wc -l < "$0/met")" -ge 3 ]; do sleep 0.01; done; test -e f'
"""Ends when three of its kind have begun: one after the other, none ever would."""
FAILS, PASSES = Files({"f": b""}), Files({})


HANGS = 'test -e f || exit 1; echo > "$0/pipe"; sleep 1000'


def evaluator_of(
    script: str, folder: Path, jobs: int, events: list[Event] | None = None
) -> Evaluator[Files]:
    oracle = Oracle(
        OneCommand(Command(("/bin/sh", "-c", script, str(folder)), appends=False), ByExitStatus()),
        FilesInFolder(Invocation()),
        Limits(),
        LearnedTimeout(300),
    )
    return Evaluator(jobs, oracle, ([] if events is None else events).append, 0)


@pytest.fixture
def evaluator(tmp_path: Path) -> Iterator[Evaluator[Files]]:
    made = evaluator_of(MET, tmp_path, jobs=3)
    yield made
    made.close()


def test_checks_are_run_at_once(evaluator: Evaluator[Files]) -> None:
    runs = CheckRuns(evaluator, {"original": "", "again": "", "empty": ""})
    runs.begin(["original", "again"], FAILS)
    runs.begin(["empty"], PASSES)
    assert runs.tests == 0
    assert runs.once("original", FAILS).verdict is Verdict.INTERESTING
    assert runs.once("again", FAILS).verdict is Verdict.INTERESTING
    assert runs.once("empty", Files({})).verdict is Verdict.UNINTERESTING
    assert runs.tests == 3


def test_one_worker_begins_nothing_ahead(tmp_path: Path) -> None:
    evaluator = evaluator_of('echo x >> "$0/run"', tmp_path, jobs=1)
    evaluator.begin_runs(FAILS, 5)
    evaluator.run(FAILS)
    evaluator.close()
    assert (tmp_path / "run").read_text() == "x\n"


def test_what_hangs_is_given_up() -> None:
    ahead, task = RunsAhead[Files](), Task[TrialResult]()
    ahead.add(FAILS, task)
    assert ahead.take(FAILS, seconds=0.01) is None
    assert task.cancelled()
    assert ahead.take(FAILS, seconds=0.01) is None  # there is none any more


def test_what_goes_wrong_is_said_when_it_is_needed() -> None:
    ahead, task = RunsAhead[Files](), Task[TrialResult]()
    task.set_exception(ValueError("it cannot be started"))
    ahead.add(FAILS, task, is_free=True)
    assert ahead.take(FAILS, seconds=1) is None
    with pytest.raises(ValueError, match="cannot be started"):
        ahead.take(FAILS, seconds=1, is_free=True)


def test_a_run_is_judged_by_what_is_looked_for_now() -> None:
    command = Command.script("x")
    first = TrialResult(Verdict.UNRESOLVED, Ending(1, 0.1, "", b"", b"error: no such name\n"))
    trial = OneCommand(command, ByFirstRun("exit")).calibrated(first)
    assert trial.judged(first).verdict is Verdict.INTERESTING
    assert trial.judged(first._replace(ending=Ending(0, 0.1))).verdict is Verdict.UNINTERESTING
    assert trial.judged(first._replace(why="not run")).verdict is Verdict.UNRESOLVED


def test_two_commands_are_compared_as_they_were_when_they_ran() -> None:
    trial = TwoCommands(Command.script("x"), Command.script("y"))
    said = TrialResult(Verdict.UNRESOLVED, Ending(0, 0.1, "", b"1"), Ending(0, 0.1, "", b"2"))
    assert trial.judged(said).verdict is Verdict.INTERESTING
    assert trial.calibrated(said).judged(said).verdict is Verdict.INTERESTING
    other = said._replace(ending=Ending(3, 0.1, "", b"1"))
    assert trial.calibrated(said).judged(other).verdict is Verdict.UNRESOLVED
    assert trial.judged(said._replace(other=None)).verdict is Verdict.UNRESOLVED


def test_so_many_are_begun_and_no_more(tmp_path: Path) -> None:
    evaluator = evaluator_of('echo x >> "$0/run"', tmp_path, jobs=2)
    evaluator.begin_runs(FAILS, 2)
    evaluator.begin_runs(FAILS, 3)
    evaluator.run(FAILS, 3)
    evaluator.close()
    assert (tmp_path / "run").read_text() == "x\n" * 3


def test_runs_that_are_not_needed_are_given_up() -> None:
    ahead, given_up, other = RunsAhead[Files](), Task[TrialResult](), Task[TrialResult]()
    ahead.add(FAILS, given_up)
    ahead.add(PASSES, other)
    ahead.drop(Files({"f": b""}))
    assert given_up.cancelled()
    assert not other.cancelled()
    assert (ahead.count(FAILS), ahead.count(PASSES)) == (0, 1)


def test_the_first_questions_are_tested_before_what_they_say_can_be_judged(
    evaluator: Evaluator[Files], tmp_path: Path
) -> None:
    asked = [(FAILS, b"1"), (PASSES, b"2"), (PASSES, b"3")]
    evaluator.begin_runs(FAILS)
    evaluator.begin_questions(lambda idle: asked[:idle])
    assert evaluator.ask(FAILS, b"1").result() is Verdict.INTERESTING
    assert evaluator.runs_ahead.left == 2
    assert evaluator.ask(PASSES, b"2").result() is Verdict.UNINTERESTING
    assert evaluator.run(FAILS)[0].verdict is Verdict.INTERESTING
    assert len((tmp_path / "met").read_text().split()) == 3
    assert evaluator.runs_ahead.left == 0


def test_question_that_waits_for_prefetched_run_can_be_killed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    events: list[Event] = []
    evaluator = evaluator_of(HANGS, tmp_path, jobs=2, events=events)
    evaluator.begin_questions(lambda _: [(FAILS, b"1")])
    (tmp_path / "pipe").read_text()
    prefetched = evaluator.runs_ahead.questions[b"1"]
    question = evaluator.ask(FAILS, b"1")
    while not question.running():
        os.sched_yield()
    assert question.cancel()
    with pytest.raises(CancelledError):
        question.result(timeout=60)
    with pytest.raises(CancelledError):
        prefetched.result(timeout=60)
    assert [type(event) for event in events] == [GivenUp]
    evaluator.close()
