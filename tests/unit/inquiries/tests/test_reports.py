"""What the plug-in reports is read back from where tests can write, too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.errors import InvalidOption, Unreadable
from wynot.inquiries.tests.collection import collect
from wynot.inquiries.tests.suite_runs import PytestRuns, new_report, read_report
from wynot.wire.run_request import Limits

LIMITS = Limits(timeout=300, is_test=True)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = LoneSandbox()
    yield made
    made.close()


def collected(sandbox: Sandbox, project: Path, report: str) -> None:
    """Have a program report what tests there are: it is no pytest, and writes what it likes."""
    write = f"{report} > {sandbox.scratch}/tests/collected.json"
    collect(PytestRuns(("sh", "-c", write), project), None, sandbox, LIMITS)


@pytest.mark.parametrize(
    "report",
    ["echo 1", "echo '[[[1, 2]], true]'", "echo [", "yes [ | head -c 200000", "echo '[[[[]]], 1]'"],
)
def test_a_list_of_tests_that_is_none_is_refused(
    sandbox: Sandbox, tmp_path: Path, report: str
) -> None:
    with pytest.raises(Unreadable, match="the list of tests that pytest collected is not one"):
        collected(sandbox, tmp_path, report)


def test_a_list_of_tests_is_not_read_through_a_link(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "list").write_text('[[["a", "b"]], true]')
    link = f"rm -rf {sandbox.scratch}/tests; ln -s {tmp_path} {sandbox.scratch}/tests; true"
    with pytest.raises(InvalidOption, match="does not run pytest"):
        collect(PytestRuns(("sh", "-c", link), tmp_path), None, sandbox, LIMITS)


def test_a_link_in_the_place_of_the_reports_is_removed(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "outcomes").write_text("precious")
    (sandbox.scratch / "tests").symlink_to(tmp_path)
    assert read_report(sandbox, "outcomes", 100) is None
    path = new_report(sandbox, "outcomes")
    assert (tmp_path / "outcomes").read_text() == "precious"
    path.write_text("mine")
    assert read_report(sandbox, "outcomes", 100) == b"mine"
