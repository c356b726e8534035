"""Runs of the test that are no part of a search."""

import gc
import sys
from collections.abc import Iterator

import pytest

from wynot.core.files import Files
from wynot.job.check_runs import BATCH_RUNS, CheckRuns
from wynot.job.evaluator import Evaluator
from wynot.oracle.command import Command
from wynot.oracle.criteria import ByExitStatus
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.oracle.oracle import Oracle
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.trial import OneCommand
from wynot.runners.child import Limits


@pytest.fixture
def runs() -> Iterator[CheckRuns[Files]]:
    """The test is interesting if there is a file."""
    oracle = Oracle(
        OneCommand(Command.script("/bin/sh", "-c", "test -e f"), ByExitStatus()),
        FilesInFolder(Invocation()),
        Limits(),
        LearnedTimeout(),
    )
    evaluator: Evaluator[Files] = Evaluator(1, oracle, lambda _event: None, 0)
    yield CheckRuns(evaluator, {"a": "", "b": ""})
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
