"""``wynot tests``: polluters, pairs of them, and tests that need others, on pytest for real."""

import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from e2e.programs import Ran, refused, shell, text, there, told, wynot
from wynot.machine import landlock

VICTIM = "test_29.py::test_7"
COUNTED = """
    import os
    import pytest

    def pytest_sessionstart(session):
        with open(os.environ["COUNTED"], "a") as log:
            log.write("run\\n")
"""
"""Notes each run of pytest, that which only collects too."""


@pytest.fixture(scope="module", autouse=True)
def _pytest_compiled_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let the runs find pytest compiled: they write no such files themselves."""
    folder = suite(tmp_path_factory.mktemp("first"), 1, 1, {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        patch.setenv("COUNTED", str(folder / "runs"))
        subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=folder, check=True)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file with a line for each run of pytest."""
    log = tmp_path / "runs"
    monkeypatch.setenv("COUNTED", str(log))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # it takes long, and adds nothing
    return log


def suite(folder: Path, files: int, tests: int, bodies: dict[str, str]) -> Path:
    """Write so many files with so many tests; what they do is in ``bodies``, most do nothing."""
    text(folder / "conftest.py", dedent(COUNTED))
    text(folder / "pytest.ini", "[pytest]\naddopts = -p no:cacheprovider\n")
    text(folder / "shared.py", "marks = set()\n")
    for file in range(files):
        lines = ["import shared", ""]
        for test in range(tests):
            body = bodies.get(f"test_{file:02}.py::test_{test}", "pass")
            lines += [f"def test_{test}():", f"    {body}", ""]
        text(folder / f"test_{file:02}.py", "\n".join(lines))
    return folder


def asked(folder: Path, *arguments: str) -> Ran:
    """Ask; nothing may be written into the project."""
    before = there(folder)
    command = () if "--" in arguments else ("--", sys.executable, "-m", "pytest")
    ran = told(folder, "tests", "--json", *arguments, *command)
    assert there(folder) == before
    return ran


def answered(ran: Ran) -> dict[str, Any]:
    assert ran.code == 0, ran
    [found] = [event for event in ran.events if event["event"] == "answered"]
    data: dict[str, Any] = found
    return data


@pytest.mark.slow
def test_one_polluter_among_300_tests(tmp_path: Path, runs: Path) -> None:
    bodies = {
        "test_11.py::test_3": "shared.marks.add('dirty')",
        VICTIM: "assert 'dirty' not in shared.marks",
    }
    folder = suite(tmp_path / "project", 30, 10, bodies)
    found = answered(asked(folder, VICTIM))
    assert found["data"]["tests"] == ["test_11.py::test_3"]
    assert (found["data"]["kind"], found["minimal"]) == ("polluted", "tests")
    assert "test_11.py::test_3 test_29.py::test_7" in found["data"]["line"]
    assert len(runs.read_text().split()) <= 12


@pytest.mark.slow
def test_two_polluters_that_only_do_harm_together(tmp_path: Path, runs: Path) -> None:
    bodies = {
        "test_00.py::test_4": "shared.marks.add('one')",
        "test_02.py::test_1": "shared.marks.add('other')",
        "test_03.py::test_7": "assert shared.marks != {'one', 'other'}",
    }
    folder = suite(tmp_path / "project", 4, 8, bodies)
    found = answered(asked(folder, "test_03.py::test_7"))
    assert found["data"]["tests"] == ["test_00.py::test_4", "test_02.py::test_1"]
    assert "after 2 earlier tests" in found["title"]
    assert len(runs.read_text().split()) <= 21


@pytest.mark.slow
def test_a_test_that_needs_another_one(tmp_path: Path, runs: Path) -> None:
    bodies = {
        "test_02.py::test_2": "shared.marks.add('ready')",
        "test_05.py::test_5": "assert 'ready' in shared.marks",
    }
    folder = suite(tmp_path / "project", 6, 6, bodies)
    found = answered(asked(folder, "test_05.py::test_5"))
    assert found["data"]["tests"] == ["test_02.py::test_2"]
    assert (found["data"]["kind"], found["minimal"]) == ("brittle", "tests")
    assert len(runs.read_text().split()) <= 13


@pytest.mark.slow
def test_only_the_failure_that_is_meant_counts(tmp_path: Path, runs: Path) -> None:
    bodies = {
        "test_00.py::test_1": "shared.marks.add('dirty')",
        "test_00.py::test_3": "shared.marks.add('other')",
        "test_01.py::test_2": "assert not shared.marks, max(shared.marks)",
    }
    folder = suite(tmp_path / "project", 2, 4, bodies)
    ran = asked(folder, "--stdout", "Error: other", "test_01.py::test_2")
    assert answered(ran)["data"]["tests"] == ["test_00.py::test_3"]
    [begun] = [event for event in ran.events if event["event"] == "inquired"]
    assert begun["options"] == {"stdout": "Error: other", "json": True}
    assert begun["keeps"] == 'the test fails, with "Error: other" on stdout'
    # After all others the message is another one.
    ran = asked(folder, "--stdout", "Error: dirty", "test_01.py::test_2")
    refused(ran, 1, "neither passes nor fails")
    assert runs.exists()


@pytest.mark.slow
def test_what_cannot_be_asked_of_a_suite(tmp_path: Path, runs: Path) -> None:
    bodies = {"test_01.py::test_1": "assert False", "test_00.py::test_0": "assert False"}
    folder = suite(tmp_path / "project", 2, 3, bodies)
    for name, code, words in (
        ("test_01.py::test_2", 1, "passes, after the 5 tests before it and alone"),
        ("test_01.py::test_1", 1, "fails alone as well"),
        ("test_00.py::test_0", 2, "is the first test"),
        ("test_01.py::nope", 2, "'test_01.py::nope'"),
        ("nope.py::test_1", 2, "'nope.py::test_1'"),
    ):
        refused(asked(folder, name), code, words)
    assert runs.exists()


@pytest.mark.slow
def test_projects_that_cannot_be_asked(tmp_path: Path, runs: Path) -> None:
    folder = suite(tmp_path / "project", 1, 2, {})
    usual = ("--", sys.executable, "-m", "pytest")
    for arguments, code, words in (
        (("--project", "nowhere", "x", *usual), 2, ["no folder 'nowhere'"]),
        (("x", "--", "nosuchprogram"), 2, ["nosuchprogram"]),
        (("x", "--", sys.executable, "-c", "raise SystemExit(3)"), 2, ["status 3"]),
        (("x", "--", "echo", "{tests}"), 2, ["{tests}"]),
        (("--list", "nope", "x", "--", "echo", "{tests}"), 2, ["'nope'"]),
        (("--list", "shared.py", "x", "--", "echo"), 2, ["{tests}"]),
        (("--list", "shared.py", "x", "--", "echo", "{tests}"), 2, ["'x'"]),
        ((), 2, ["FAILING_TEST"]),
    ):
        ran = wynot(folder, "tests", *arguments)
        refused(ran, code, *words)
    text(folder / "test_00.py", "import nothing_like_that\n")
    ran = asked(folder, "test_00.py::test_0")
    assert (ran.code, "nothing_like_that" in ran.err, bool(ran.hint)) == (2, True, True)
    assert runs.exists()


@pytest.mark.skipif(not landlock.version(), reason="this system has no Landlock")
@pytest.mark.usefixtures("runs")
def test_a_confined_project_that_writes_is_told_to_be_writable(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    text(folder / "conftest.py", "open('log', 'w').close()\n")
    text(folder / "test_it.py", "def test_first(): pass\ndef test_last(): pass\n")
    given = ("--confine", "test_it.py::test_last", "--", sys.executable, "-m", "pytest")
    refused(wynot(folder, "tests", *given), 2, "PermissionError", "give --writable .")
    assert not (folder / "log").exists()


RUNNER = """
is_dirty=
for t; do
    [ "$t" = "test 30" ] && is_dirty=1
done
echo run >>"$COUNTED"
[ "$t" != "test -90" ] || [ ! "$is_dirty" ]
"""


def test_any_runner_by_its_command(tmp_path: Path, runs: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    names = [f"test {number}" for number in range(90)] + ["test -90", "test 91"]
    text(folder / "order", "\n".join(names) + "\n")
    shell(
        folder, RUNNER.replace(" state", ' "$TMPDIR/state"').replace(">state", '>"$TMPDIR/state"')
    )
    found = answered(asked(folder, "--list", "order", "test -90", "--", "./test.sh", "{tests}"))
    assert found["data"]["tests"] == ["test 30"]
    assert len(runs.read_text().split()) <= 13
    ran = told(folder, "tests", "--list", "order", "test -90", "--", "./test.sh", "{tests}")
    assert "'test 30' 'test -90'" in ran.out
    refused(
        told(folder, "tests", "--list", "order", "test 91", "--", "./test.sh", "{tests}"),
        1, "'test 91' passes",
    )  # fmt: skip


def test_a_budget_leaves_an_answer_that_is_true(tmp_path: Path, runs: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    text(folder / "order", "\n".join(map(str, range(40))) + "\n")
    shell(folder, 'a=" $* "; case $a in *" 5 "*) case $a in *" 20 "*) exit 1;; esac;; esac')
    arguments = ("-j", "1", "--list", "order", "39", "--", "./test.sh", "{tests}")
    ran = asked(folder, "--max-tests", "3", *arguments)
    assert ran.code == 3
    [first] = [event for event in ran.events if event["event"] == "answered"]
    found = answered(asked(folder, *arguments))
    assert found["data"]["tests"] == ["5", "20"]
    assert {"5", "20"} < {*first["data"]["tests"]}
    assert not runs.exists()


@pytest.mark.slow
def test_an_order_that_fails_is_looked_for(tmp_path: Path, runs: Path) -> None:
    bodies = {
        "test_00.py::test_1": "assert 'dirty' not in shared.marks",
        "test_01.py::test_2": "shared.marks.add('dirty')",
        "test_02.py::test_0": "assert False",
    }
    folder = suite(tmp_path / "project", 3, 3, bodies)
    ran = asked(folder, "--shuffle")
    data = answered(ran)["data"]
    assert (data["test"], data["tests"]) == ("test_00.py::test_1", ["test_01.py::test_2"])
    assert (data["order"]["name"], data["order"]["others"]) == ("the reversed order", [])
    [notice] = [event for event in ran.events if event["event"] == "noticed"]
    assert notice["slug"] == "order"
    assert "test_00.py::test_1" in notice["message"]
    assert len(runs.read_text().split()) == ran.events[-1]["tests"]


@pytest.mark.slow
def test_a_test_that_fails_before_others_needs_them(tmp_path: Path, runs: Path) -> None:
    bodies = {
        "test_00.py::test_1": "shared.marks.add('ready')",
        "test_01.py::test_1": "assert 'ready' in shared.marks",
    }
    folder = suite(tmp_path / "project", 2, 2, bodies)
    data = answered(asked(folder, "--shuffle"))["data"]
    assert (data["test"], data["kind"]) == ("test_01.py::test_1", "brittle")
    assert data["tests"] == ["test_00.py::test_1"]
    assert runs.exists()


CLEANED = {
    "test_00.py::test_0": "shared.marks.add('dirty')",
    "test_00.py::test_1": "shared.marks.discard('dirty')",
    "test_00.py::test_2": "assert 'dirty' not in shared.marks",
    "test_00.py::test_3": "shared.marks.discard('dirty')",
}
"""Fails neither in its own order nor in the reversed one: someone cleans up."""


@pytest.mark.slow
def test_a_seed_repeats_what_it_has_found_at_any_width(tmp_path: Path, runs: Path) -> None:
    folder = suite(tmp_path / "project", 1, 4, CLEANED)
    first = answered(asked(folder, "--shuffle"))["data"]
    assert first["test"] == "test_00.py::test_2"
    seed = first["order"]["seed"]
    assert seed is not None
    assert f"--seed {seed}" in first["order"]["again"]
    for jobs in ("1", "3"):
        again = answered(asked(folder, "--shuffle", "--seed", str(seed), "-j", jobs))["data"]
        assert {**again, "order": None} == {**first, "order": None}
        assert again["order"]["name"] == first["order"]["name"]
    assert runs.exists()


def test_a_named_test_is_put_after_all_others(tmp_path: Path, runs: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    text(folder / "order", "\n".join(map(str, range(20))) + "\n")
    shell(folder, 'case " $* " in *" 15 "*"3 ") exit 1;; esac')
    arguments = ("--list", "order", "3", "--", "./test.sh", "{tests}")
    refused(asked(folder, *arguments), 1, "'3' passes")
    data = answered(asked(folder, "--shuffle", *arguments))["data"]
    assert (data["test"], data["tests"]) == ("3", ["15"])
    assert data["order"]["name"] == "the order with all others first"
    assert not runs.exists()


def test_orders_that_cannot_be_found(tmp_path: Path, runs: Path) -> None:
    folder = suite(tmp_path / "project", 2, 2, {})
    ran = asked(folder, "--shuffle", "--tries", "2")
    refused(ran, 1, "none of 4 tests that pass fails in 2 other orders", "--seed 2")
    text(folder / "names", "a\nb\n")
    for arguments, words in (
        (("--seed", "3", "x"), "--shuffle"),
        (("--shuffle", "--seed", "-1"), "-1"),
        (("--shuffle", "--tries", "0"), "0"),
        (("--shuffle", "--list", "names", "--", "echo", "{tests}"), "which test fails"),
    ):
        refused(asked(folder, *arguments), 2, words)
    assert runs.exists()


@pytest.mark.slow
def test_an_interpreter_that_dies_in_another_order(tmp_path: Path, runs: Path) -> None:
    bodies = {
        "test_00.py::test_1": "'dirty' in shared.marks and __import__('os').abort()",
        "test_01.py::test_1": "shared.marks.add('dirty')",
    }
    folder = suite(tmp_path / "project", 2, 2, bodies)
    data = answered(asked(folder, "--shuffle"))["data"]
    assert (data["test"], data["tests"]) == ("test_00.py::test_1", ["test_01.py::test_1"])
    text(folder / "test_02.py", "import os\ndef test_dies(): os.abort()\n")
    refused(asked(folder, "--shuffle"), 1, "do not come to their end", "SIGABRT")
    assert runs.exists()


def test_a_test_that_fails_by_chance_is_not_blamed_on_an_order(tmp_path: Path, runs: Path) -> None:
    second = "assert len(open(__import__('os').environ['COUNTED']).readlines()) != 2"
    folder = suite(tmp_path / "project", 1, 3, {"test_00.py::test_1": second})
    ran = asked(folder, "--shuffle", "--tries", "2")
    refused(ran, 1, "none of 3 tests that pass fails in 2 other orders")
    slugs = [event["slug"] for event in ran.events if event["event"] == "noticed"]
    assert slugs == ["order", "flaky"]
    assert runs.exists()
