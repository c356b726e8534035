"""Tests that fail after others, with pytest for real."""

import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

import pytest

from domain import drive
from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.ending import Ending
from wynot.core.errors import (
    InvalidOption,
    NoSuchFile,
    NotExecutable,
    NothingToReduce,
    NotInteresting,
    NotPassing,
)
from wynot.core.verdict import Verdict
from wynot.inquiries.tests.answer import worded
from wynot.inquiries.tests.circumstance import EarlierTests
from wynot.inquiries.tests.collection import collect, position, run
from wynot.inquiries.tests.selection import ByOutcome, Listed, Selection, seen
from wynot.inquiries.tests.suite_runs import PytestRuns, usual_command
from wynot.inquiries.tests.survey import Surveyed, survey
from wynot.search.lists.chase import chase
from wynot.wire.run_request import Limits

LIMITS = Limits(timeout=300)
PYTEST = (sys.executable, "-m", "pytest")
STATE = {"state.py": "values = set()\n", "conftest.py": ""}


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # a matter of time only
    made = LoneSandbox()
    yield made
    made.close()


def suite(folder: Path, files: dict[str, str]) -> PytestRuns:
    for name, text in {**STATE, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return PytestRuns(PYTEST, folder)


def surveyed(runs: PytestRuns, target: str, sandbox: Sandbox) -> Surveyed:
    tests, whole = collect(runs, target, sandbox, LIMITS)
    at = position(target, tests, runs.project)
    endings = [] if whole is None else [whole]

    def ran(subject: Selection, _words: str) -> Ending:
        return endings.pop() if endings else run(runs.provision(subject, sandbox), sandbox, LIMITS)

    return survey(tests, at, runs, runs.criterion, ran)


def verdict(found: Surveyed, applied: Deltas, sandbox: Sandbox) -> Verdict:
    given = found.case.runs.provision(found.case.chosen(applied), sandbox)
    return found.criterion.judge(run(given, sandbox, LIMITS))


POLLUTED = {
    "test_a.py": "import state\n"
    "def test_fine(): pass\n"
    "def test_pollutes(): state.values.add(1)\n"
    "def test_fails_itself(): assert not 'fine'\n",
    "test_b.py": "import state\n"
    "def test_before(): pass\n"
    "def test_target(): assert not state.values\n"
    "def test_after(): state.values.add(2)\n",
}


def test_a_polluted_test_is_known_as_such(sandbox: Sandbox, tmp_path: Path) -> None:
    found = surveyed(suite(tmp_path, POLLUTED), "test_b.py::test_target", sandbox)
    assert not found.case.is_brittle
    assert [test.name for test in found.case.earlier] == [
        "test_a.py::test_fine",
        "test_a.py::test_pollutes",
        "test_a.py::test_fails_itself",
        "test_b.py::test_before",
    ]
    assert found.criterion == ByOutcome("failed")
    assert verdict(found, Deltas.of([1]), sandbox) is Verdict.INTERESTING
    assert verdict(found, Deltas.of([0, 2, 3]), sandbox) is Verdict.UNINTERESTING
    assert not list(tmp_path.rglob("*cache*")), "nothing is written into the project"


def test_the_answer_names_the_polluter_and_a_command(sandbox: Sandbox, tmp_path: Path) -> None:
    found = surveyed(suite(tmp_path, POLLUTED), "test_target", sandbox)
    answer = worded(found.case, None, "cause", Deltas.of([1]))
    assert answer.title == "test_b.py::test_target fails after 1 earlier test"
    names, line = [shown.text for shown in answer.lines]
    assert names == "test_a.py::test_pollutes"
    assert line == (
        f"fails: {quote(sys.executable)} -m pytest test_a.py::test_pollutes test_b.py::test_target"
    )


@pytest.mark.slow
def test_a_brittle_test_is_known_as_such(sandbox: Sandbox, tmp_path: Path) -> None:
    runs = suite(
        tmp_path,
        {
            "test_a.py": "import state\n"
            "def test_one(): pass\n"
            "def test_sets_up(): state.values.add(1)\n"
            "def test_two(): pass\n"
            "def test_target(): assert state.values\n"
        },
    )
    found = surveyed(runs, "test_a.py::test_target", sandbox)
    assert found.case.is_brittle
    assert len(found.case.chosen(NONE).tests) == 4
    assert len(found.case.chosen(found.case.deltas).tests) == 1
    assert verdict(found, Deltas.of([1]), sandbox) is Verdict.INTERESTING
    assert verdict(found, Deltas.of([0, 2]), sandbox) is Verdict.UNINTERESTING
    cure = worded(found.case, None, "cause", Deltas.of([1]))
    assert cure.title == "test_a.py::test_target needs 1 earlier test to pass"
    assert cure.lines[-1].text.startswith("passes: ")
    assert cure.lines[-1].text.endswith("test_a.py::test_sets_up test_a.py::test_target")


@pytest.mark.slow
def test_a_pair_of_polluters_is_found_by_halves(sandbox: Sandbox, tmp_path: Path) -> None:
    many = "import state, pytest\n@pytest.mark.parametrize('n', range(40))\n"
    runs = suite(
        tmp_path,
        {
            "test_a.py": many + "def test_many(n):\n    if n in (7, 31): state.values.add(n)\n",
            "test_b.py": "import state\ndef test_target(): assert len(state.values) < 2\n",
        },
    )
    found = surveyed(runs, "test_b.py::test_target", sandbox)
    asked = list(drive(chase(found.case.deltas), lambda kept: verdict(found, kept, sandbox)))
    kept = [each.kept for each, said in asked if said is Verdict.INTERESTING][-1]
    assert [found.case.earlier[each].name for each in kept] == [
        "test_a.py::test_many[7]",
        "test_a.py::test_many[31]",
    ]
    assert len(asked) <= 17


@pytest.mark.slow
def test_the_import_of_a_file_goes_with_its_tests(sandbox: Sandbox, tmp_path: Path) -> None:
    runs = suite(
        tmp_path,
        {
            "test_a.py": "def test_one(): pass\n",
            "test_b.py": "import state\nstate.values.add(1)\ndef test_two(): pass\n",
            "test_c.py": "import state\ndef test_target(): assert not state.values\n",
        },
    )
    found = surveyed(runs, "test_target", sandbox)
    assert verdict(found, Deltas.of([0]), sandbox) is Verdict.UNINTERESTING
    assert verdict(found, Deltas.of([1]), sandbox) is Verdict.INTERESTING


@pytest.mark.slow
def test_the_import_of_a_later_file_counts(sandbox: Sandbox, tmp_path: Path) -> None:
    runs = suite(
        tmp_path,
        {
            "test_a.py": "def test_one(): pass\n",
            "test_b.py": "import state\ndef test_target(): assert not state.values\n"
            "def test_after(): pass\n",
            "test_c.py": "import state\nstate.values.add(1)\ndef test_two(): pass\n",
            "test_d.py": "def test_three(): pass\n",
        },
    )
    found = surveyed(runs, "test_target", sandbox)
    assert [each.name for each in found.case.later] == ["test_c.py", "test_d.py"]
    assert verdict(found, Deltas.of([0, 2]), sandbox) is Verdict.UNINTERESTING
    assert verdict(found, Deltas.of([1]), sandbox) is Verdict.INTERESTING
    answer = worded(found.case, None, "cause", Deltas.of([1]))
    assert answer.title == "test_b.py::test_target fails after the import of 1 later file"
    assert answer.lines[-1].text.endswith("-m pytest test_b.py::test_target test_c.py")


def test_all_up_to_the_test_is_run_along_with_the_collection(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    runs = suite(tmp_path, POLLUTED)
    for target, outcome in (
        ("test_b.py::test_target", "failed"),
        ("test_after", "passed"),
        ("test_pollutes", "passed"),
    ):
        tests, whole = collect(runs, target, sandbox, LIMITS)
        assert len(tests) == 6
        assert whole is not None
        assert seen(whole).outcome == outcome
    for target in ("test", "", "./test_b.py::test_target"):
        assert collect(runs, target, sandbox, LIMITS).whole is None


def test_an_interpreter_that_dies_before_the_test_is_not_blamed_on_collecting(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    text = "import os\ndef test_dies(): os.abort()\ndef test_target(): pass\n"
    with pytest.raises(NotInteresting, match="neither passes nor fails: not run: killed by SIG"):
        surveyed(suite(tmp_path, {"test_a.py": text}), "test_target", sandbox)


def test_a_crash_of_the_interpreter_is_a_failure_of_its_own(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    runs = suite(
        tmp_path,
        {
            "test_a.py": "import os, state\n"
            "def test_dies(): os.abort() if state.values else None\n"
            "def test_pollutes(): state.values.add(1)\n"
            "def test_target(): os.abort() if state.values else None\n"
        },
    )
    found = surveyed(runs, "test_target", sandbox)
    assert found.criterion == ByOutcome("crashed")
    assert found.criterion.words == "the interpreter dies in the test"
    order = tuple(found.case.earlier[each] for each in (1, 0))
    given = runs.provision(Selection((*order, found.case.target)), sandbox)
    ending = run(given, sandbox, LIMITS)
    assert seen(ending).outcome == "not run", "an earlier test has died"
    assert found.criterion.judge(ending) is Verdict.UNRESOLVED


@pytest.mark.slow
def test_an_error_in_a_fixture_is_another_failure(sandbox: Sandbox, tmp_path: Path) -> None:
    runs = suite(
        tmp_path,
        {
            "test_a.py": "import pytest, state\n"
            "@pytest.fixture\n"
            "def broken(): assert 'error' not in state.values\n"
            "def test_one(): state.values.add('error')\n"
            "def test_two(): state.values.add('failure')\n"
            "def test_three(): state.values.add('skip')\n"
            "def test_target(broken):\n"
            "    if 'skip' in state.values: pytest.skip('no')\n"
            "    assert 'failure' not in state.values\n"
        },
    )
    found = surveyed(runs, "test_target", sandbox)
    assert found.criterion == ByOutcome("error")
    assert verdict(found, Deltas.of([0]), sandbox) is Verdict.INTERESTING
    assert verdict(found, Deltas.of([1]), sandbox) is Verdict.UNRESOLVED
    assert verdict(found, Deltas.of([2]), sandbox) is Verdict.UNRESOLVED


@pytest.mark.slow
def test_names_may_be_anything(sandbox: Sandbox, tmp_path: Path) -> None:
    runs = suite(
        tmp_path,
        {
            "sub dir/test_ä b.py": "import pytest, state\n"
            "@pytest.mark.parametrize('x', ['a::b', '[c] d', 'é', '-x', \"quo'te\", 'a/b', ''])\n"
            "def test_it(x): state.values.add(x) if x == '[c] d' else None\n"
            "class TestIn:\n"
            "    def test_target(self): assert not state.values\n"
        },
    )
    found = surveyed(runs, "sub dir/test_ä b.py::TestIn::test_target", sandbox)
    assert len(found.case.earlier) == 7
    assert verdict(found, Deltas.of([1]), sandbox) is Verdict.INTERESTING
    assert verdict(found, Deltas.of([0, 2, 3, 4, 5, 6]), sandbox) is Verdict.UNINTERESTING


@pytest.mark.slow
def test_options_of_the_project_do_not_get_in_the_way(tmp_path: Path) -> None:
    options = "-x --ff --sw -n2 --cov=. --cov-report=html --junitxml=out.xml --strict-config -s"
    ini = f"[pytest]\naddopts = {options}\n"
    own = LoneSandbox()
    try:
        files = {"pytest.ini": ini, "test_0.py": "def test_0(): assert 0\n", **POLLUTED}
        found = surveyed(suite(tmp_path, files), "test_target", own)
        assert verdict(found, Deltas.of([0, 2]), own) is Verdict.INTERESTING
    finally:
        own.close()
    assert {path.name for path in tmp_path.iterdir()} == {*files, *STATE}


def test_the_cache_may_be_switched_off(sandbox: Sandbox, tmp_path: Path) -> None:
    ini = "[pytest]\naddopts = -p no:cacheprovider --strict-config\n"
    found = surveyed(suite(tmp_path, {"pytest.ini": ini, **POLLUTED}), "test_target", sandbox)
    assert found.criterion == ByOutcome("failed")


def test_the_command_may_choose_tests_and_pytest_may_have_its_root_elsewhere(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    suite(tmp_path, {"pytest.ini": "[pytest]\npythonpath = .\n"})
    project = tmp_path / "deep"
    for name, text in POLLUTED.items():
        (project / "unit" / name).parent.mkdir(parents=True, exist_ok=True)
        (project / "unit" / name).write_text(text)
    runs = PytestRuns((*PYTEST, "unit", "-k", "not fails_itself"), project)
    found = surveyed(runs, "unit/test_b.py::test_target", sandbox)
    assert found.case.target.name == "deep/unit/test_b.py::test_target"
    assert len(found.case.earlier) == 3
    line = worded(found.case, None, "cause", Deltas.of([1])).lines[-1].text
    assert line.endswith(
        "pytest -k 'not fails_itself' unit/test_a.py::test_pollutes unit/test_b.py::test_target"
    )


@pytest.mark.parametrize(
    ("text", "target", "error", "says"),
    [
        ("def test_a(): pass\n", "test_a", NothingToReduce, "is the first test"),
        ("def test_a(): pass\ndef test_b(): pass\n", "test_b", NotInteresting, "passes, after the"),
        ("def test_a(): pass\ndef test_b(): assert 0\n", "test_b", NotPassing, "fails alone as"),
        (
            "import pytest\ndef test_a(): pass\ndef test_b(): pytest.skip('x')\n",
            "test_b",
            NotInteresting,
            "neither passes nor fails: skipped after the 1 tests",
        ),
        ("def test_a(): pass\n", "test_x.py::test_aa", InvalidOption, "did you mean"),
        ("def test_a(): pass\n", "", InvalidOption, "there is no test ''"),
        (
            "class TestA:\n def test_a(self): pass\nclass TestB:\n def test_a(self): pass\n",
            "test_a",
            InvalidOption,
            "the name of 2 tests",
        ),
        ("", "test_a", NothingToReduce, "finds no tests"),
        ("import nowhere\n", "test_a", InvalidOption, "No module named 'nowhere'"),
    ],
)
def test_what_cannot_be_asked_about_tests_is_refused(
    text: str, target: str, error: type[Exception], says: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    with pytest.raises(error, match="hint: ") as caught:
        surveyed(suite(tmp_path, {"test_x.py": text}), target, sandbox)
    assert says in str(caught.value)
    assert "wynot-outcome" not in str(caught.value)


def test_what_does_not_run_pytest_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    no_pytest = (sys.executable, "-S", "-m", "pytest")
    with pytest.raises(NoSuchFile, match="no pytest for this Python"):
        collect(PytestRuns(no_pytest, tmp_path), "x", sandbox, LIMITS)
    with pytest.raises(InvalidOption, match="does not run pytest"):
        collect(PytestRuns(("true",), tmp_path), "x", sandbox, LIMITS)
    with pytest.raises(NotExecutable, match=r"'\./gone' cannot be started"):
        collect(PytestRuns(("./gone",), tmp_path), "x", sandbox, LIMITS)
    with pytest.raises(InvalidOption, match="unrecognized arguments: --nonsense"):
        collect(PytestRuns((*PYTEST, "--nonsense"), tmp_path), "x", sandbox, LIMITS)


def test_a_test_that_is_gone_is_unresolved(sandbox: Sandbox, tmp_path: Path) -> None:
    found = surveyed(suite(tmp_path, POLLUTED), "test_target", sandbox)
    (tmp_path / "test_a.py").write_text("def test_fine(): pass\n")
    assert verdict(found, found.case.deltas, sandbox) is Verdict.UNRESOLVED


def told(outcome: str, why: str = "") -> bytes:
    return b'out\nwynot-outcome: {"outcome": "%s", "why": "%s"}\n' % (
        outcome.encode(),
        why.encode(),
    )


@pytest.mark.parametrize(
    ("ending", "outcome", "said"),
    [
        (Ending(0, 1.0, "", told("passed")), "passed", Verdict.UNINTERESTING),
        (Ending(1, 1.0, "", told("failed", "x")), "failed: x", Verdict.INTERESTING),
        (Ending(0, 1.0, "", told("failed") + told("passed")), "passed", Verdict.UNINTERESTING),
        (Ending(-11, 1.0, "", told("passed")), "passed", Verdict.UNINTERESTING),
        (Ending(-11, 1.0, "", told("started")), "crashed: killed by SIGSEGV", Verdict.INTERESTING),
        (Ending(-9, 1.0, "timeout", told("started")), None, Verdict.UNRESOLVED),
        (Ending(0, 1.0, "", told("skipped")), "skipped", Verdict.UNRESOLVED),
        (Ending(0, 1.0, "", b""), "not run: exit status 0", Verdict.UNRESOLVED),
        (Ending(0, 1.0, "", b"wynot-outcome: {"), None, Verdict.UNRESOLVED),
        (Ending(0, 1.0, "", b"wynot-outcome: 3\n"), None, Verdict.UNRESOLVED),
    ],
)
def test_an_outcome_is_read(ending: Ending, outcome: str | None, said: Verdict) -> None:
    assert outcome in {None, seen(ending).words}
    assert ByOutcome().judge(ending) is said


def test_the_digest_tells_orders_apart() -> None:
    one, other = Listed("a"), Listed("b")
    selections = [(one,), (one, other), (other, one), (Listed("ab"),), (Listed("a\udcff"),)]
    assert len({Selection(each).digest for each in selections}) == len(selections)


def test_there_is_one_level_of_tests() -> None:
    case = EarlierTests((Listed("a"), Listed("b")), Listed("c"), PytestRuns(PYTEST, Path("/")))
    [level] = case.levels
    assert (level.name, level.units) == ("tests", [Deltas.of([0]), Deltas.of([1])])
    assert (case.size(case.deltas), case.objection(Candidate.whole(NONE))) == (2, "")


def test_the_python_of_the_project_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    assert usual_command(tmp_path)[0] in {"python", "python3"}
    python.parent.mkdir(parents=True)
    python.touch()
    assert usual_command(tmp_path) == (str(python), "-m", "pytest")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoSuchFile, match="there is no python"):
        usual_command(tmp_path / "other")


def test_a_seed_is_not_given_along_with_an_order(tmp_path: Path) -> None:
    runs = PytestRuns(("pytest", "--randomly-seed=3", "-v"), tmp_path)
    test = Listed("a.py::b", f"{tmp_path}/a.py")
    assert runs.line(Selection((test,))) == "pytest -v -p no:randomly a.py::b"
    runs = PytestRuns(("pytest", "--random-order", "--random-order-seed=5"), tmp_path)
    assert runs.line(Selection((test,))) == "pytest a.py::b"
