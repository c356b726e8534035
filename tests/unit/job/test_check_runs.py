"""Runs of the test that are no part of a search."""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.failures.criteria import ByExitStatus
from wynot.job.check_runs import BATCH_RUNS, CheckRuns
from wynot.job.evaluator import Evaluator
from wynot.oracle.command import Command
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.oracle.oracle import Oracle
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.trial import OneCommand
from wynot.wire.run_request import Limits

MET = 'echo x >> "$0/met"; until [ "$(wc -l < "$0/met")" -ge 3 ]; do sleep 0.01; done; test -e f'
"""Ends when three of its kind have begun: one after the other, none ever would."""


def evaluator_of(jobs: int, *script: str) -> Evaluator[Files]:
    oracle = Oracle(
        OneCommand(Command(("/bin/sh", "-c", *script), appends=False), ByExitStatus()),
        FilesInFolder(Invocation()),
        Limits(),
        LearnedTimeout(),
    )
    return Evaluator(jobs, oracle, lambda _event: None, 0)


@pytest.fixture
def runs() -> Iterator[CheckRuns[Files]]:
    """The test is interesting if there is a file."""
    evaluator = evaluator_of(1, "test -e f")
    yield CheckRuns(evaluator, {"a": "", "b": ""})
    evaluator.close()


def test_checks_run_side_by_side(tmp_path: Path) -> None:
    evaluator = evaluator_of(3, MET, str(tmp_path))
    runs = CheckRuns(evaluator, {"a": "", "b": ""})
    fails, passes = Files({"f": b""}), Files({})
    found = runs.each([("a 1", fails), ("b", passes), ("a 2", fails)])
    expected = [Verdict.INTERESTING, Verdict.UNINTERESTING, Verdict.INTERESTING]
    assert [said.verdict for said in found] == expected
    assert runs.tests == 3
    evaluator.close()


def test_what_single_runs_have_shown_is_counted_for_each_case(runs: CheckRuns[Files]) -> None:
    fails, passes = Files({"f": b""}), Files({})
    runs.once("a", fails)
    runs.once("b", passes)
    runs.some("b", passes)
    assert runs.counts(fails) == (1, 0)
    assert runs.counts(passes) == (0, 1 + BATCH_RUNS)
    assert runs.counts(Files({"f": b""})) == (0, 0)


def test_a_case_is_not_kept_because_it_was_run(runs: CheckRuns[Files]) -> None:
    content = bytes(1 << 16)
    before = sys.getrefcount(content)
    runs.once("a", Files({"f": content}))
    runs.once("b", Files({}))  # the folder knows what was put there last
    gc.collect()
    assert sys.getrefcount(content) == before
