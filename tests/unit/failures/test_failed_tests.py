"""Which tests have failed, read from what real runners print."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.criteria import ByBisect
from wynot.failures.expectation import Expectation
from wynot.failures.failed_tests import FailedTest, failed_tests, in_words, is_one_of
from wynot.failures.signature import readable
from wynot.oracle.runs_candidate import runs_pytest

LONG = "test_" + "with_a_long_name_" * 6

PYTEST = f"""
import pytest

class TestX:
    def test_plain(self):
        assert 1 == 2

@pytest.mark.parametrize("text", ["x - y: z", "a/::c[1]"])
def test_values(text):
    raise ValueError("bad " + text)

@pytest.fixture
def broken():
    raise KeyError("k")

def test_setup(broken):
    pass

def test_chain():
    try:
        {{}}["a"]
    except KeyError as error:
        raise RuntimeError("a - b") from error

class Own(Exception):
    pass

def test_own():
    raise Own

def test_raises():
    with pytest.raises(ValueError):
        pass

@pytest.mark.xfail(strict=True)
def test_expected():
    pass

def test_good():
    print("FAILED test_a.py::test_good - OSError: no")

def {LONG}():
    raise OSError("no such thing")
"""

FAILED = {
    "test_a.py::TestX::test_plain": "AssertionError",
    "test_a.py::test_values[x - y: z]": "ValueError",
    "test_a.py::test_values[a/::c[1]]": "ValueError",
    "test_a.py::test_chain": "RuntimeError",
    "test_a.py::test_own": "test_a.Own",
    "test_a.py::test_raises": "Failed",
    "test_a.py::test_expected": "an unexpected pass",
    f"test_a.py::{LONG}": "OSError",
    "test_a.py::test_setup": "KeyError",
}

UNITTEST = '''
import unittest

class Some(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(1, 2)

    def test_error(self):
        """What it is about."""
        try:
            {}["a"]
        except KeyError as error:
            raise ValueError("two\\nlines: x") from error

    def test_parts(self):
        for number in range(2):
            with self.subTest(number=number):
                self.assertLess(number, 0)

class Other(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise OSError("no")

    def test_never(self):
        pass
'''


@cache
def ran(folder: Path, *command: str) -> Ending:
    done = subprocess.run(  # noqa: S603 - our own Python
        [sys.executable, "-m", *command],
        cwd=folder,
        capture_output=True,
        check=False,
        env={**os.environ, "COLUMNS": "80", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    return Ending(done.returncode, 0.1, "", done.stdout, done.stderr)


def pytested(folder: Path, *options: str) -> Ending:
    return ran(folder, "pytest", "-q", "-p", "no:cacheprovider", *options)


def kinds(ending: Ending) -> dict[str, str]:
    report = readable(ending.stdout + ending.stderr)
    return {each.name: each.kind for each in failed_tests(report)}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name, text in (
        ("test_a.py", PYTEST),
        ("missing/test_b.py", "import nothing_there\n"),
        ("wrong/test_c.py", "def test_c(:\n"),
        ("suite.py", UNITTEST),
        ("unloaded.py", "import nothing_there\n"),
        ("empty/notes.txt", "no tests\n"),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    "options", [(), ("--tb=short", "--color=yes", "-v"), ("--tb=line", "-ra")], ids=str
)
def test_what_pytest_says(project: Path, options: tuple[str, ...]) -> None:
    found = kinds(pytested(project, "test_a.py", *options))
    if "--tb=line" in options:  # there it does not say of which test
        assert found.pop(f"test_a.py::{LONG}") == ""
        assert {**found, f"test_a.py::{LONG}": "OSError"} == FAILED
    else:
        assert found == FAILED


def test_without_a_summary_the_tracebacks_tell(project: Path) -> None:
    found = kinds(pytested(project, "test_a.py", "-rN"))
    assert found["TestX.test_plain"] == "AssertionError"
    assert found["test_chain"] == "RuntimeError"
    assert "test_good" not in found


def test_what_cannot_be_collected(project: Path) -> None:
    ending = pytested(project, "missing", "wrong")
    assert ending.status == 2
    assert kinds(ending) == {
        "missing/test_b.py": "ModuleNotFoundError",
        "wrong/test_c.py": "SyntaxError",
    }


def test_what_unittest_says(project: Path) -> None:
    assert kinds(ran(project, "unittest", "suite", "unloaded")) == {
        "suite.Other.setUpClass": "OSError",
        "suite.Some.test_equal": "AssertionError",
        "suite.Some.test_error": "ValueError",
        "suite.Some.test_parts": "AssertionError",
        "unloaded": "ModuleNotFoundError",
    }


def test_what_is_no_report() -> None:
    assert failed_tests("FAILED test_a.py::test_a - OSError\n") == ()
    assert failed_tests("FAIL: test_a (a.B)\nRan away\n") == ()
    assert failed_tests("") == ()


def failed(name: str, kind: str = "OSError") -> FailedTest:
    return FailedTest(name, kind, "")


def test_one_of_them_is_enough_if_its_error_is_of_the_same_kind() -> None:
    learned = [failed("a"), failed("b", "KeyError"), failed("c", "")]
    assert is_one_of(learned, [failed("x"), failed("b", "KeyError")])
    assert not is_one_of(learned, [failed("b", "OSError"), failed("x")])
    assert not is_one_of(learned, [])
    assert is_one_of(learned, [failed("c", "OSError")]), "what is not known cannot differ"
    assert is_one_of(learned, [failed("a", "")])


def test_in_words() -> None:
    assert in_words([failed("t.py::a")]) == "t.py::a fails with OSError"
    assert in_words([failed("t.py::a", "")]) == "t.py::a fails"
    several = [failed("t.py::a"), failed("t.py::a", "KeyError"), failed("b"), failed("c")]
    assert in_words(several).endswith("OSError, or one of 2 other tests as it did")


def test_a_path_that_goes_up_is_shown_without_that() -> None:
    report = "= short test summary info =\nFAILED ../../tmp/t.py::test_a - OSError: no\n"
    assert failed_tests(report) == (FailedTest("tmp/t.py::test_a", "OSError", "no"),)


@pytest.mark.slow
@pytest.mark.parametrize("learns", ["any", "first"])
def test_the_same_failure_is_the_same_test_with_the_same_kind_of_error(
    project: Path, learns: str
) -> None:
    """In a search of changes any test that fails on the bad side counts, else the first of them."""
    first = pytested(project, "test_a.py::test_chain", "test_a.py::test_own")
    is_any = learns == "any"
    criterion = ByBisect().after(first) if is_any else Expectation.learned(first)
    words = "test_a.py::test_chain fails with RuntimeError"
    assert criterion.words.startswith(words)
    assert ("or one of 1 other test as it did" in criterion.words) is is_any
    for tests, verdict in (
        (("test_a.py::test_chain",), Verdict.INTERESTING),
        (
            ("test_a.py::test_own", "test_a.py::test_raises"),
            Verdict.INTERESTING if is_any else Verdict.UNRESOLVED,
        ),
        (("test_a.py::test_raises",), Verdict.UNRESOLVED),
        (("test_a.py::test_good",), Verdict.UNINTERESTING),
        (("missing",), Verdict.UNRESOLVED),
        (("test_a.py::nothing",), Verdict.UNRESOLVED),
        (("empty",), Verdict.UNRESOLVED),
    ):
        assert criterion.judge(pytested(project, *tests)) is verdict, tests
    other = pytested(project, "test_a.py::test_chain")
    said = other.stdout.replace(b"RuntimeError", b"TypeError")
    assert criterion.judge(other._replace(stdout=said)) is Verdict.UNRESOLVED


@pytest.mark.parametrize("status", [2, 3, 4, 5])
def test_pytest_without_results_says_nothing_unless_the_bad_side_ends_so(status: int) -> None:
    quiet = ByBisect(is_pytest=True)
    assert quiet.judge(Ending(status, 0.1)) is Verdict.UNRESOLVED
    assert quiet.after(Ending(1, 0.1)).judge(Ending(status, 0.1)) is Verdict.UNRESOLVED
    assert quiet.after(Ending(1, 0.1)).judge(Ending(1, 0.1)) is Verdict.INTERESTING
    learned = quiet.after(Ending(status, 0.1))
    assert learned.judge(Ending(status, 0.1)) is Verdict.INTERESTING
    assert f"exits with {status}" in learned.words
    assert ByBisect().after(Ending(1, 0.1)).judge(Ending(status, 0.1)) is Verdict.INTERESTING


@pytest.mark.parametrize(
    ("line", "is_pytest"),
    [
        ("pytest -q", True),
        ("/usr/bin/py.test", True),
        ("python -m pytest tests", True),
        ("python3.12 -X dev -m pytest", True),
        ("uv run pytest -x", True),
        ("poetry run python -m pytest", True),
        ("env A=b timeout 9 pytest", True),
        ("coverage run -m pytest", True),
        ("python -m unittest", False),
        ("grep pytest setup.cfg", False),
        ("sh -c pytest", False),
        ("make", False),
        ("env", False),
    ],
)
def test_what_is_run(line: str, is_pytest: bool) -> None:
    assert runs_pytest(line.split()) is is_pytest


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (
            (
                "[ERROR] Tests run: 2, Failures: 1 <<< FAILURE! - in ShopTest\n"
                "[ERROR] total(ShopTest)  Time elapsed: 0.003 s  <<< FAILURE!\n"
                "java.lang.AssertionError: expected:<4> but was:<3>\n"
            ),
            ("total(ShopTest)", "java.lang.AssertionError"),
        ),
        (
            (
                "[ERROR] ShopTest.total -- Time elapsed: 0.02 s <<< ERROR!\n"
                "java.lang.NullPointerException\n\tat ShopTest.total(ShopTest.java:7)\n"
            ),
            ("ShopTest.total", "java.lang.NullPointerException"),
        ),
        (
            "ShopTest > total FAILED\n    java.lang.AssertionError at ShopTest.java:7\n",
            ("ShopTest > total", "java.lang.AssertionError"),
        ),
        (
            (
                "ShopTest > total() FAILED\n"
                "    org.opentest4j.AssertionFailedError: expected: <4> but was: <3>\n"
            ),
            ("ShopTest > total()", "org.opentest4j.AssertionFailedError"),
        ),
        (
            "  Failed Shop.Tests.Total [12 ms]\n  Error Message:\n   Assert.Equal() Failure\n",
            ("Shop.Tests.Total", "failed check"),
        ),
        (
            (
                "  Failed Shop.Tests.Total [< 1 ms]\n  Error Message:\n"
                "   System.NullReferenceException : Object reference not set\n"
            ),
            ("Shop.Tests.Total", "System.NullReferenceException"),
        ),
        ("1..2\nnot ok 1 - later # TODO\nnot ok 2 - total\n", ("total", "failed check")),
    ],
)
def test_reports_in_their_documented_format(report: str, expected: tuple[str, str]) -> None:
    """Of runners that were not at hand: Maven, Gradle and dotnet."""
    assert failed_tests(report)[0][:2] == expected
