"""Tests that any other runner runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.deltas import Deltas
from wynot.core.errors import InvalidOption, NoSuchFile, NotAFile, NothingToReduce
from wynot.core.verdict import Verdict
from wynot.inquiries.tests.answer import worded
from wynot.inquiries.tests.collection import listed_by, listed_in, position, run
from wynot.inquiries.tests.selection import Listed, Selection
from wynot.inquiries.tests.suite_runs import MAX_COMMAND_BYTES, CommandRuns
from wynot.inquiries.tests.survey import survey
from wynot.oracle.provisioner import Inapplicable
from wynot.wire.run_request import Limits

LIMITS = Limits(timeout=300)
SCRIPT = 'for each; do case $each in set*) x=1;; target) test -z "$x" || %s;; esac; done; exit 0'


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = LoneSandbox()
    yield made
    made.close()


def runner(how: str, project: Path) -> CommandRuns:
    return CommandRuns.read(["sh", "-c", SCRIPT % how, "sh", "{tests}", "-v"], project)


@pytest.mark.parametrize("how", ["exit 1", "exit 99", "kill -SEGV $$"])
def test_another_runner_is_asked_by_its_exit_status(
    how: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    runs = runner(how, tmp_path)
    tests = [Listed(name) for name in ("one", "set it", "two", "target", "more")]
    found = survey(
        tests,
        position("target", tests, tmp_path),
        runs,
        runs.criterion,
        lambda subject, _words: run(runs.provision(subject, sandbox), sandbox, LIMITS),
    )
    assert not found.case.is_brittle
    for applied, verdict in (
        (Deltas.of([1]), Verdict.INTERESTING),
        (Deltas.of([0, 2]), Verdict.UNINTERESTING),
    ):
        given = runs.provision(found.case.chosen(applied), sandbox)
        assert given.folder == tmp_path
        assert found.criterion.judge(run(given, sandbox, LIMITS)) is verdict
    line = worded(found.case, None, "cause", Deltas.of([1])).lines[-1].text
    assert line.endswith("sh 'set it' target -v")


@pytest.mark.parametrize(
    "command", [["run"], ["run", "--tests={tests}"], ["run", "{tests}", "{tests}"], ["{tests}"]]
)
def test_a_command_has_one_place_for_tests(command: list[str], tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"write \{tests\} once"):
        CommandRuns.read(command, tmp_path)


def test_more_names_than_a_command_line_takes_are_unresolved(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    runs = CommandRuns.read(["run", "{tests}"], tmp_path)
    with pytest.raises(Inapplicable, match="do not fit"):
        runs.provision(Selection((Listed("x" * MAX_COMMAND_BYTES),)), sandbox)


def test_tests_are_listed_in_a_file_or_by_a_command(sandbox: Sandbox, tmp_path: Path) -> None:
    listed = tmp_path / "list"
    listed.write_bytes(b"  a b \r\n\nc\xff\n")
    names = (Listed("a b"), Listed("c\udcff"))
    assert listed_in(listed) == names
    assert listed_by("cat 'list'", tmp_path, sandbox, LIMITS) == names


def test_a_list_of_tests_that_cannot_be_had_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n \n")
    with pytest.raises(NothingToReduce, match="lists no tests"):
        listed_in(tmp_path / "empty")
    with pytest.raises(NoSuchFile, match="there is no file"):
        listed_in(tmp_path / "gone")
    with pytest.raises(NotAFile, match="is a folder"):
        listed_in(tmp_path)
    for command, says in (
        ("sh -c 'echo why >&2; exit 3'", r"exit status 3\):\nwhy"),
        ("'", "No closing quotation"),
        ("", "is empty"),
    ):
        with pytest.raises(InvalidOption, match=says):
            listed_by(command, tmp_path, sandbox, LIMITS)
    with pytest.raises(NothingToReduce, match="lists no tests"):
        listed_by("true", tmp_path, sandbox, LIMITS)
