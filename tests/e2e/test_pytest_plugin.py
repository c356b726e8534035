"""The pytest plug-in, in a pytest of its own, on small suites."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from tiers import slow_after

NAME = "_wynot_pytest"
IS_INSTALLED = any(each.value == NAME for each in entry_points(group="pytest11"))
LOADED = ("-p", NAME)
ALONE = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
LONGEST = 500.0

NEEDLE = """
    def test_needle(wynot):
        events = wynot(list(range(40)), "events")
        assert 17 not in events
"""


class Ran(NamedTuple):
    """How pytest ended."""

    code: int
    out: str
    folder: Path

    @property
    def last(self) -> str:
        """The line with the counts."""
        return self.out.splitlines()[-1]

    def section(self, test: str) -> str:
        """Return what is said of a test, from its heading to the next."""
        heading = rf"^_+ {re.escape(test)} _+\n"
        found = re.search(rf"(?ms){heading}(.*?)(?=^_{{9,}} |^=)", self.out)
        assert found, self.out
        return found[1]

    @property
    def log(self) -> list[str]:
        """What the tests have written down."""
        return (self.folder / "log").read_text().split()


Suite = Callable[..., Ran]


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """Return what runs pytest on a file of tests; they may write to a file ``log``.

    Without other plug-ins, unless they are the point: to import these takes most of the time.
    """

    def run(
        tests: str,
        *options: str,
        conftest: str = "",
        said: str = "",
        ini: str = "",
        is_alone: bool = True,
    ) -> Ran:
        (tmp_path / "pytest.ini").write_text(f"[pytest]\n{ini}\n")
        (tmp_path / "conftest.py").write_text(
            dedent("def log(word):\n    open('log', 'a').write(f'{word} ')\n") + dedent(conftest)
        )
        (tmp_path / "test_it.py").write_text("from conftest import log\n" + dedent(tests))
        loaded = LOADED if is_alone or not IS_INSTALLED else ()
        done = subprocess.run(  # noqa: S603 - pytest is what is tested
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *loaded, *options],
            cwd=tmp_path,
            env={**os.environ, ALONE: "1"} if is_alone else None,
            input=said.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LONGEST,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), tmp_path)

    return run


@pytest.mark.slow
def test_a_failing_test_is_reported_with_its_minimal_input(suite: Suite) -> None:
    ran = suite(
        """
        def pay(events):
            balance = 0
            for event in events:
                balance += event["amount"] if event["op"] == "in" else -event["amount"]
                if balance < 0:
                    raise ValueError(balance)

        def test_pay(wynot):
            events = [{"op": "in", "amount": 1, "who": "a"} for _ in range(20)]
            pay(wynot([*events, {"op": "out", "amount": 99, "who": "b"}], name="events"))

        def test_fine(wynot):
            assert wynot([1, 2]) == [1, 2]
        """,
        "--wynot",
        "-Werror",
        is_alone=False,
    )
    assert ran.last.strip("=").split(" in ")[0] == " 1 failed, 1 passed"
    text = ran.section("test_pay")
    assert "- wynot: minimal input -" in text
    assert "events: 1 of 21 items, 2 of 63 parts inside of them" in text
    assert "  [{'op': 'out', 'amount': 99}]\n" in text
    assert re.search(r"each was tried \(1-minimal, \d+ runs\)", text)
    assert re.search(r"^events = \[\{[^{]*\}\]$", text, re.MULTILINE)  # the traceback's
    assert "ValueError: -99" in ran.out


def test_without_the_option_it_is_handed_through_and_a_line_says_what_could_be_done(
    suite: Suite,
) -> None:
    ran = suite(
        """
        GIVEN = [1, 2, 3]

        def test_given(wynot):
            log("run")
            assert wynot(GIVEN) is GIVEN and 0

        def test_not_given(wynot):
            assert 0
        """
    )
    assert ran.log == ["run"]
    assert "run pytest with --wynot" in ran.section("test_given")
    assert "--wynot" not in ran.section("test_not_given")
    assert "minimal" not in ran.out


@pytest.mark.slow
def test_it_can_be_switched_on_for_good(suite: Suite) -> None:
    assert "events: 1 of 40 items" in suite(NEEDLE, ini="wynot = true").out
    assert "minimal" not in suite(NEEDLE, "-o", "wynot=false", ini="wynot = true").out


def test_pytest_does_not_import_wynot_before_a_test_needs_it(suite: Suite) -> None:
    ran = suite(
        """
        import sys

        def test_it():
            assert not {name for name in sys.modules if name.split(".")[0] == "wynot"}
        """,
        "--wynot",
    )
    assert ran.code == 0, ran.out


KINDS = {
    "list": ("list(range(30))", "17 in x", "[17]", "1 of 30 items"),
    "tuple": ("tuple(range(30))", "17 in x", "(17,)", "1 of 30 items"),
    "range": ("range(30)", "17 in x", "[17]", "1 of 30 items"),
    "deque": ("deque(range(30), 99)", "17 in x and x.maxlen", "deque([17], maxlen=99)", "1 of 30"),
    "set": ("set(range(30))", "17 in x", "{17}", "1 of 30 items"),
    "dict": ("dict.fromkeys('abcdef', 1)", "'d' in x", "{'d': 1}", "1 of 6 keys"),
    "str": (r"'\n'.join(map(str, range(30)))", "'17' in x", "'17'", "1 of 30 lines, 2 of 79 char"),
    "bytes": (r"bytes(range(30))", "17 in x", r"b'\x11'", "1 of 2 lines, 1 of 30 bytes"),
    "nested": (
        "[{'a': [1, 2, 3], 'b': (4, 5)} for _ in range(9)]",
        "any(2 in each.get('a', ()) and 5 in each.get('b', ()) for each in x)",
        "[{'a': [2], 'b': (5,)}]",
        "1 of 9 items, 4 of 63 parts inside of them",
    ),
    "empty": ("[1, 2]", "True", "[]", "0 of 2 items"),
}


def test_inputs_of_many_types_come_back_smaller_in_the_same_type(suite: Suite) -> None:
    tests = "from collections import deque\n" + "".join(
        f"def test_{name}(wynot):\n    x = wynot({value}, 'x')\n    assert not ({condition})\n"
        for name, (value, condition, _, _) in KINDS.items()
    )
    ran = suite(tests, "--wynot", "--tb=short")
    for name, (_, _, left, size) in KINDS.items():
        text = ran.section(f"test_{name}")
        assert f"\n  {left}\n" in text
        assert f"x: {size}" in text
        assert ("1-minimal" in text) == (name != "empty"), text
    assert "with nothing left" in ran.section("test_empty")


def test_several_inputs_and_files_are_made_smaller_in_turn(suite: Suite) -> None:
    ran = suite(
        """
        from pathlib import Path

        def test_both(wynot, tmp_path):
            source = tmp_path / "in.txt"
            source.write_text("alpha beta\\ngamma x33y delta\\nepsilon\\n")
            path = wynot.file(source)
            assert path != source and path.name == "in.txt"
            first = wynot.given([1, 2, 3], name="first")
            second = wynot([4, 5, 6])
            path.write_text(path.read_text() + "!")  # it is a copy
            assert not ("33" in path.read_text() and len(first) == len(second) > 0)

        def test_binary(wynot):
            Path("b").write_bytes(bytes(range(100)))
            assert 33 not in wynot.file("b").read_bytes()
        """,
        "--wynot",
        "--basetemp=base",
    )
    text = ran.section("test_both")
    assert "in.txt: 1 of 3 lines, 2 of 36 characters\n  | 33\n" in text
    # Both must be of the same length, so neither can go alone.
    assert "first: 3 of 3 items" in text
    assert "input 3: 3 of 3 items" in text
    assert "b: 1 of 100 bytes\n  | !\n" in ran.section("test_binary")
    # The first and the last run of each, and none of the others.
    assert len(list((ran.folder / "base").iterdir())) <= 8


@pytest.mark.slow
def test_failures_are_told_apart(suite: Suite) -> None:
    tests = """
        def check(events):
            if 3 in events:
                raise ValueError(f"{len(events) // 4}\\nof {events}")

        def test_it(wynot):
            events = wynot([1, 2, 3, 4, 5, 6, 7], "events")
            if len(events) == 1:
                raise ValueError("elsewhere")
            check(events)
    """
    assert "events: 1 of 7 items" in suite(tests, "--wynot", "--wynot-same=type").out
    assert "events: 2 of 7 items" in suite(tests, "--wynot").out
    assert "events: 4 of 7 items" in suite(tests, "--wynot", "--wynot-same=message").out


@pytest.mark.slow
def test_a_run_that_is_skipped_or_broken_shows_nothing(suite: Suite) -> None:
    ran = suite(
        """
        import pytest

        @pytest.fixture
        def numbers(wynot):
            numbers = wynot(list(range(8)), "numbers")
            assert 1 in numbers, "setup"
            yield numbers
            assert 2 in numbers, "teardown"

        def test_it(numbers):
            if 3 not in numbers:
                pytest.skip()
            if 4 not in numbers:
                pytest.xfail()
            if 5 not in numbers:
                raise KeyError
            assert 6 not in numbers
        """,
        "--wynot",
    )
    assert "[1, 3, 4, 5, 6]" in ran.out
    assert " 1 failed, 1 error in" in ran.last  # what the last teardown says is not lost


def test_what_goes_wrong_around_the_test_is_not_lost(suite: Suite) -> None:
    ran = suite(
        """
        import pytest

        @pytest.fixture
        def broken(wynot):
            assert not wynot([1, 2])

        @pytest.fixture
        def numbers(wynot):
            numbers = wynot([1, 2, 3], "numbers")
            yield numbers
            assert len(numbers) < 3, "in the teardown of the first run"

        def test_setup(broken):
            pass

        def test_teardown(numbers):
            assert 2 not in numbers
        """,
        *("--wynot", "-p", "no:timeout"),
    )
    assert "numbers: 1 of 3 items\n  [2]" in ran.out
    assert "in the teardown of the first run" in ran.out
    assert " 1 failed, 2 errors in" in ran.last


def test_tests_that_are_to_fail_or_skip_are_left_alone(suite: Suite) -> None:
    ran = suite(
        """
        import pytest, unittest

        @pytest.mark.xfail
        def test_xfail(wynot):
            log("run")
            assert not wynot([1, 2])

        def test_skip(wynot):
            log("run")
            if wynot([1]):
                pytest.skip()

        @pytest.mark.xfail(strict=True)
        def test_xpass(wynot):
            log("run")
            wynot([1])

        class TestOld(unittest.TestCase):
            def test_it(self):
                log("run")
                self.assertEqual(1, 2)
        """,
        "--wynot",
    )
    assert ran.log == ["run"] * 4
    assert " 2 failed, 1 skipped, 1 xfailed in" in ran.last
    assert "minimal" not in ran.out


@pytest.mark.slow
def test_hypothesis_and_subtests_are_left_alone(suite: Suite) -> None:
    ran = suite(
        """
        from hypothesis import HealthCheck, given, settings, strategies as st

        @settings(database=None, suppress_health_check=list(HealthCheck))
        @given(st.lists(st.integers()))
        def test_it(wynot, numbers):
            assert not wynot(numbers)

        def test_sub(wynot, subtests):
            with subtests.test():
                assert not wynot([1, 2])
        """,
        "--wynot",
        is_alone=False,
    )
    assert "minimal" not in ran.out
    assert ran.code == 1


FIXTURES = """
    import pytest

    @pytest.fixture(scope="module")
    def above():
        log("above")
        yield
        log("below")

    @pytest.fixture
    def each(above):
        log("(")
        yield []
        log(")")

    class TestIt:
        def setup_method(self):
            assert not hasattr(self, "seen")
            self.seen = True

        @pytest.mark.parametrize("needle", [1, 2])
        def test_it(self, each, wynot, needle):
            assert not each
            each.append(1)
            assert needle not in wynot([0, 1, 2, 3])
"""


@pytest.mark.parametrize("after", slow_after(1, ["", "    def test_after(above): pass\n"]))
def test_each_run_has_fresh_fixtures_and_those_above_stay(suite: Suite, after: str) -> None:
    ran = suite(FIXTURES + after, "--wynot")
    assert ran.out.count("1 of 4 items") == 2
    log = " ".join(ran.log)
    runs = log.removeprefix("above ").removesuffix(" below")
    assert re.fullmatch(r"(\( \) ?)+", runs)
    assert runs.count("(") > 8


def test_reports_know_only_one_run(suite: Suite) -> None:
    ran = suite(
        """
        import logging, sys, warnings

        def test_it(wynot, record_property):
            events = wynot(list(range(40)))
            record_property("size", len(events))
            warnings.warn("careful")
            logging.getLogger().warning("logged %d", len(events))
            print("printed", len(events))
            print("erred", len(events), file=sys.stderr)
            assert 17 not in events
        """,
        "--wynot",
        *("--junitxml=junit.xml", "-o", "junit_family=xunit1", "--durations=0"),
    )
    assert " 1 failed, 1 warning in" in ran.last
    for word in ("logged", "printed", "erred"):
        assert re.findall(rf"{word} (\d+)", ran.section("test_it").split("Captured", 1)[1]) == ["1"]
    (case,) = ET.parse(ran.folder / "junit.xml").iter("testcase")  # noqa: S314 - our own
    assert [each.attrib for each in case.iter("property")] == [{"name": "size", "value": "1"}]
    (failure,) = case.iter("failure")
    assert "1-minimal" in (failure.text or "")


def test_what_is_not_captured_is_not_repeated(suite: Suite) -> None:
    ran = suite(
        """
        import logging

        def test_it(wynot):
            events = wynot(list(range(40)))
            print("printed", len(events))
            logging.getLogger().warning("logged %d", len(events))
            assert 17 not in events
        """,
        *("--wynot", "-s", "--log-cli-level=INFO"),
    )
    for word in ("printed", "logged"):
        assert set(re.findall(rf"{word} (\d+)", ran.out)) <= {"40", "1"}
    assert "1 of 40 items" in ran.out


@pytest.mark.parametrize("options", slow_after(1, [["--show-capture=no"], ["--tb=native"], ["-q"]]))
def test_it_is_shown_however_little_else_is(suite: Suite, options: list[str]) -> None:
    ran = suite(NEEDLE, "--wynot", *options)
    assert (ran.code, "events: 1 of 40 items" in ran.out) == (1, True)


def test_it_stops_at_the_first_failure_if_told_so(suite: Suite) -> None:
    ran = suite(NEEDLE + "\n    def test_more(): pass\n", "--wynot", "-x")
    assert "events: 1 of 40 items" in ran.out
    assert " 1 failed in" in ran.last


def test_the_debugger_looks_at_the_minimal_input(suite: Suite) -> None:
    ran = suite(NEEDLE, "--wynot", "--pdb", said="p ('seen', events)\nc\n")
    assert "('seen', [17])" in ran.out
    assert ran.out.count("entering PDB") == 1


@pytest.mark.slow
def test_workers_do_it_too(suite: Suite) -> None:
    ran = suite(FIXTURES, "--wynot", "-n2", is_alone=False)
    assert ran.out.count("1 of 4 items") == 2
    assert " 2 failed in" in ran.last


@pytest.mark.parametrize(
    ("option", "words"),
    slow_after(
        1,
        [
            (
                "--wynot-max-tests=3",
                "Stopped after 3 runs: no more runs are allowed (--wynot-max-tests)",
            ),
            ("--wynot-max-time=0", "Stopped after 0 runs: its time is up (--wynot-max-time)"),
        ],
    ),
)
def test_a_budget_ends_it_with_the_best_so_far(suite: Suite, option: str, words: str) -> None:
    ran = suite(NEEDLE, "--wynot", option)
    assert words in ran.out
    assert "1-minimal" not in ran.out
    assert " 1 failed in" in ran.last


@pytest.mark.parametrize(
    ("option", "word"),
    [
        ("--wynot-max-tests=0", "must be 1 or more"),
        ("--wynot-max-time=-1", "must be 0 or more"),
        ("--wynot-max-time=nan", "must be 0 or more"),
        ("--wynot-same=line", "invalid choice"),
    ],
)
def test_a_wrong_option_is_refused(suite: Suite, option: str, word: str) -> None:
    ran = suite(NEEDLE, option)
    assert (ran.code, word in ran.out) == (4, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "stop", slow_after(1, ["raise KeyboardInterrupt", "pytest.exit('enough')"])
)
def test_an_interrupt_ends_the_session_with_the_best_so_far(suite: Suite, stop: str) -> None:
    ran = suite(
        f"""
        import pytest

        def test_it(wynot):
            events = wynot(list(range(64)), "events")
            if 0 < len(events) < 20:
                {stop}
            assert 17 not in events

        def test_more():
            pass
        """,
        "--wynot",
    )
    assert ran.code == 2
    assert re.search(r"events: (2\d|3\d) of 64 items", ran.out)
    assert re.search(r"Interrupted after \d+ runs: the best so far", ran.out)
    assert " 1 failed in" in ran.last
    assert "Interrupted:" not in ran.out


@pytest.mark.slow
def test_a_test_may_do_to_its_input_what_it_likes(suite: Suite) -> None:
    ran = suite(
        """
        SHARED = [{"n": number} for number in range(20)]

        def test_it(wynot):
            events = wynot(SHARED, "events", depth=1)
            bad = any(event["n"] == 17 for event in events)
            while events:
                events.pop().clear()
            assert not bad
        """,
        "--wynot",
    )
    assert "events: 1 of 20 items\n  [{'n': 17}]" in ran.out


def test_what_cannot_be_copied_is_handed_on_as_it_is_and_that_is_said(suite: Suite) -> None:
    ran = suite(
        """
        import threading

        def test_it(wynot):
            events = wynot([threading.Lock(), 1, 2, 17], "events")
            bad = 17 in events
            events.clear()
            assert not bad
        """,
        "--wynot",
    )
    assert "events: 1 of 4 items\n  [17]\n(it cannot be copied (TypeError" in ran.out


def test_a_failure_that_does_not_show_again_is_left_as_it_was(suite: Suite) -> None:
    ran = suite(
        """
        from pathlib import Path

        def test_it(wynot):
            events = wynot([1, 2, 3])
            if not Path("seen").exists():
                Path("seen").touch()
                assert events == "never"
        """,
        "--wynot",
    )
    assert "run again on a copy of the same input, the test did not fail" in ran.out
    assert "assert [1, 2, 3] == 'never'" in ran.out
    assert " 1 failed in" in ran.last


def test_one_that_does_not_show_at_the_end_is_told_of(suite: Suite) -> None:
    ran = suite(
        """
        from pathlib import Path

        def test_it(wynot):
            events = wynot(list(range(9)), "events")
            if events == [7] and Path("seen").exists():
                return
            if events == [7]:
                Path("seen").touch()
            assert 7 not in events
        """,
        "--wynot",
    )
    assert "the failure did not show: it is not reliable" in ran.out
    assert "assert 7 not in [0, 1, 2" in ran.out
    assert " 1 failed in" in ran.last


def test_a_failure_without_a_traceback_has_its_minimal_input_too(suite: Suite) -> None:
    ran = suite(
        """
        import pytest

        def test_it(wynot):
            if 7 in wynot(list(range(9)), "events"):
                pytest.fail("seven", pytrace=False)
        """,
        *("--wynot", "--show-capture=no"),
    )
    assert "seven\n" in ran.out
    assert "events: 1 of 9 items\n  [7]" in ran.out


def test_minimal_inputs_can_be_saved(suite: Suite) -> None:
    ran = suite(
        """
        import pytest

        @pytest.mark.parametrize("where", ["../x", "a/b"])
        def test_it(wynot, where):
            assert not (2 in wynot([1, 2, 3], "../a") and "b" in wynot("abc", "text"))
        """,
        *("--wynot", "--wynot-save", "found/here"),
    )
    found = sorted((ran.folder / "found/here").iterdir())
    assert [path.suffix for path in found].count(".json") == 2
    assert {path.read_text() for path in found} == {"[\n 2\n]\n", "b"}
    assert all(f"saved: {path}" in ran.out for path in found)
    assert {path.parent for path in found} == {ran.folder / "found/here"}


@pytest.mark.parametrize("options", [[], ["--wynot"]])
def test_what_cannot_be_made_smaller_is_refused(suite: Suite, options: list[str]) -> None:
    ran = suite(
        """
        def test_number(wynot):
            wynot(5, "n")

        def test_iterator(wynot):
            wynot(iter([]))

        def test_no_file(wynot):
            wynot.file("gone")

        def test_folder(wynot):
            wynot.file(".")

        def test_depth(wynot):
            wynot([], depth=0)
        """,
        *options,
    )
    words = "n is of type int", "of type list_iterator", "no file 'gone'", "'.' is not a file"
    for word in (*words, "depth is 0"):
        assert word in ran.out
    assert "minimal" not in ran.out


@pytest.mark.slow
def test_each_run_has_the_time_that_a_test_may_take(suite: Suite) -> None:
    pytest.importorskip("pytest_timeout")
    ran = suite(
        NEEDLE,
        "--wynot",
        "--timeout=1000",
        conftest="""
        import pytest

        @pytest.hookimpl(tryfirst=True)
        def pytest_timeout_set_timer(item, settings):
            log(f"set-{settings.timeout:.0f}")
            return True
        """,
        is_alone=False,
    )
    (runs,) = re.findall(r"(\d+) runs\)", ran.out)
    assert ran.log == ["set-1000"] * (int(runs) + 2)  # and the first and the last


def test_fixtures_that_look_at_the_report_see_that_of_their_run(suite: Suite) -> None:
    ran = suite(
        NEEDLE,
        "--wynot",
        conftest="""
        import pytest

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(item, call):
            outcome = yield
            setattr(item, f"rep_{call.when}", outcome.get_result())

        @pytest.fixture(autouse=True)
        def looks(request):
            yield
            log(request.node.rep_call.outcome)
        """,
    )
    assert set(ran.log) == {"passed", "failed"}
    assert (ran.log[0], ran.log[-1]) == ("failed", "failed")


def test_json_is_written_as_it_would_be_read(suite: Suite) -> None:
    ran = suite(
        """
        def test_it(wynot):
            events = wynot([{"é": (1, 2)}, {"b": None}], "events")
            assert not any(2 in each.get("é", ()) for each in events)
        """,
        *("--wynot", "--wynot-save=."),
    )
    (found,) = ran.folder.glob("*.json")
    assert json.loads(found.read_text()) == [{"é": [2]}]
