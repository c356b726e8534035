"""What a run must look like to be interesting."""

import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from wynot.commands.shared_options import FailureOptions
from wynot.core.ending import Ending, LimitHit
from wynot.core.errors import InvalidOption, NotInteresting
from wynot.core.verdict import Verdict
from wynot.failures.criteria import ByFirstRun
from wynot.failures.expectation import Expectation
from wynot.failures.learned_failure import parts
from wynot.failures.signature import SEEN_BYTES, Signature
from wynot.failures.wording import Vocabulary, common, fits
from wynot.settings import Same

TRACES = Path(__file__).parent / "traces"
INTERESTING, UNINTERESTING, UNRESOLVED = Verdict


def ended(
    status: int = 1, stderr: str = "", stdout: str = "", *, limit: LimitHit = "", name: str = ""
) -> Ending:
    text = (TRACES / f"{name}.txt").read_text() if name else stderr
    return Ending(status, 1.5, limit, stdout.encode(), text.encode())


NAMES = Vocabulary(lambda: [b"parent_exists ab"])
"""Of an input with the names that the messages have."""

# By hand

CRASH = ended(-11, "boom", "went on")


def expected(**asked: Any) -> Expectation:
    """Return what options say by hand."""
    found = Expectation.from_options(FailureOptions(**asked))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("asked", "ending", "verdict"),
    [
        ({"exit": 3}, ended(3), INTERESTING),
        ({"exit": 3}, ended(0), UNINTERESTING),
        ({"exit": 3}, ended(1), UNRESOLVED),
        ({"exit": 3}, ended(-11), UNRESOLVED),
        ({"exit": 0}, ended(0), INTERESTING),
        ({"exit": 0}, ended(1), UNRESOLVED),
        ({"exit": 139}, ended(139), INTERESTING),
        ({"exit": 139}, ended(-11), INTERESTING),
        ({"signal": "SEGV"}, CRASH, INTERESTING),
        ({"signal": "sigsegv"}, CRASH, INTERESTING),
        ({"signal": "11"}, CRASH, INTERESTING),
        ({"signal": "11"}, ended(139), INTERESTING),
        ({"signal": "KILL"}, ended(137), INTERESTING),
        ({"signal": "SEGV"}, ended(-6), UNRESOLVED),
        ({"signal": "SEGV"}, ended(0), UNINTERESTING),
        ({"stderr": "bo+m"}, CRASH, INTERESTING),
        ({"stderr": "^boom$"}, ended(0, "x\nboom\ny"), INTERESTING),
        ({"stderr": "bang"}, ended(0, "boom"), UNINTERESTING),
        ({"stderr": "bang"}, CRASH, UNRESOLVED),
        ({"stdout": "went"}, CRASH, INTERESTING),
        ({"stdout": "boom"}, CRASH, UNRESOLVED),
        ({"not_stdout": "went"}, CRASH, UNRESOLVED),
        ({"not_stdout": "boom"}, CRASH, INTERESTING),
        ({"not_stderr": "boom"}, ended(0, "boom"), UNINTERESTING),
        ({"not_stderr": "went"}, CRASH, INTERESTING),
        ({"signal": "11", "stderr": "boom", "not_stdout": "went"}, CRASH, UNRESOLVED),
        ({"signal": "11", "stderr": "boom", "not_stdout": "gone"}, CRASH, INTERESTING),
        ({"exit": 1, "stderr": "Error", "not_stderr": "syntax"}, ended(1, "Error"), INTERESTING),
        ({"stderr": "größer"}, ended(1, "zu größer"), INTERESTING),
        ({"stderr": ""}, ended(0), INTERESTING),
        # Limits
        ({"exit": 1}, ended(1, limit="timeout"), UNRESOLVED),
        ({"signal": "9"}, ended(-9, limit="timeout"), UNRESOLVED),
        ({"hangs": True}, ended(-9, limit="timeout"), INTERESTING),
        ({"hangs": True}, ended(0), UNINTERESTING),
        ({"hangs": True}, ended(1), UNINTERESTING),
        ({"hangs": True}, ended(-11), UNRESOLVED),
        ({"hangs": True}, ended(-9, limit="disk"), UNRESOLVED),
        ({"hangs": True, "stderr": "loop"}, ended(-9, "loop", limit="timeout"), INTERESTING),
        ({"hangs": True, "stderr": "loop"}, ended(-9, limit="timeout"), UNRESOLVED),
    ],
)
def test_what_is_asked_by_hand(asked: dict[str, Any], ending: Ending, verdict: Verdict) -> None:
    assert expected(**asked).judge(ending) is verdict


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"exit": 3}, "exit status 3"),
        ({"exit": 0, "stdout": "x"}, 'exit status 0 and "x" on stdout'),
        ({"signal": "abrt"}, "SIGABRT"),
        ({"hangs": True}, "hangs"),
        (
            {"stderr": "a\tb", "not_stderr": 'say "c"', "not_stdout": "d"},
            '"a\\tb" on stderr and "d" not on stdout and \'say "c"\' not on stderr',
        ),
    ],
)
def test_the_words_for_what_is_asked_by_hand(asked: dict[str, Any], words: str) -> None:
    assert expected(**asked).words == words


@pytest.mark.parametrize(
    ("asked", "message", "hint"),
    [
        ({"exit": 256}, "exit is 256", "0 to 255"),
        ({"exit": -11}, "exit is -11", "0 to 255"),
        ({"signal": "SEGF"}, "signal is 'SEGF'", "kill -l"),
        ({"signal": "77"}, "signal is '77'", "SEGV"),
        ({"signal": "0"}, "signal is '0'", "SEGV"),
        ({"signal": ""}, "signal is ''", "SEGV"),
        ({"stdout": "f("}, "stdout is 'f\\('", "backslash"),
        ({"stderr": "*x"}, "stderr is '\\*x'", "backslash"),
        ({"not_stdout": "[a"}, "not_stdout is '\\[a'", "backslash"),
        ({"not_stderr": "a{3}{4}"}, "not_stderr", "backslash"),
        ({"stderr": "[[:alpha:]]"}, "stderr is '\\[\\[:alpha:\\]\\]'", "backslash"),
        ({"hangs": True, "exit": 1}, "no exit status", "hangs"),
        ({"hangs": True, "signal": "1"}, "no exit status", "hangs"),
        ({"exit": 1, "signal": "11"}, "not both", "exit or"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(InvalidOption, match=message) as caught:
        expected(**asked)
    assert hint in caught.value.hint


def test_nothing_is_said() -> None:
    assert Expectation.from_options(FailureOptions(command=["true"], timeout=3.0)) is None


def test_a_pattern_is_looked_for_at_both_ends_of_a_long_output() -> None:
    asked = expected(stderr="needle")
    long = "x" * (SEEN_BYTES + 1)
    assert asked.judge(ended(0, f"needle{long}{long}")) is INTERESTING
    assert asked.judge(ended(0, f"{long}{long}needle")) is INTERESTING
    assert asked.judge(ended(0, f"{long}needle{long}")) is UNINTERESTING


# Learned


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (ended(-11), "SIGSEGV"),
        (ended(139, "Segmentation fault"), "SIGSEGV"),
        (ended(-6, "fatal: no root"), 'SIGABRT "fatal: no root"'),
        (ended(-6), "SIGABRT"),
        (ended(3), "exit status 3 and no output"),
        (ended(1, name="dot"), 'exit status 1 and "Error: trouble in init_rank"'),
        (
            ended(1, name="asan"),
            "AddressSanitizer heap-buffer-overflow in parse_number ← parse_line ← main",
        ),
        (ended(66, name="tsan"), "ThreadSanitizer data race in bump"),
        (ended(-6, name="assert"), "Assertion 'd < 3 && \"too deep\"'"),
        (ended(-6, name="clang-assert"), "Assertion 'D && \"no declaration\"'"),
        (
            ended(1, name="python-assert"),
            "AssertionError in _form_paragraphs ← _run_block_gamut ← convert",
        ),
        (ended(1, name="python-recursion"), 'RecursionError "stack overflow" in visit'),
        (
            ended(1, name="duckdb"),
            "INTERNAL Error \"Failed to bind column reference '…' [N] (bindings: [N])\"",
        ),
        (
            ended(101, name="rustc"),
            (
                "internal compiler error \"universal_regions.rs:N: cannot convert 'ReEarlyBound(N, "
                "'_)' to a region vid\" in mir_borrowck and no other error"
            ),
        ),
        (
            ended(101, name="rustc-until-1.72"),
            (
                'internal compiler error "no entry found for key" in CoverageGraph::from_mir ← '
                "InstrumentCoverage::run_pass ← pass_manager::run_passes and no other error"
            ),
        ),
        (
            ended(0, name="ubsan-frames"),
            "UndefinedBehaviorSanitizer signed integer overflow in grow ← main",
        ),
        (ended(-6, name="malloc"), "free(): invalid pointer"),
    ],
)
def test_what_the_first_run_shows_is_kept_and_said_in_one_line(ending: Ending, words: str) -> None:
    learned = Expectation.learned(ending, vocabulary=NAMES)
    assert learned.words == words
    assert learned.judge(ending) is INTERESTING


@pytest.mark.parametrize("name", sorted(path.stem for path in TRACES.glob("*.txt")))
@pytest.mark.parametrize("same", get_args(Same))
def test_a_run_is_always_like_itself(name: str, same: Same) -> None:
    for status in (1, -6, 139):
        ending = ended(status, name=name)
        try:
            learned = Expectation.learned(ending, same)
        except NotInteresting:
            assert same in {"signal", "trace"}
            continue
        assert learned.judge(ending) is INTERESTING
        assert learned.judge(ended(0)) is UNINTERESTING
        assert learned.judge(ended(0, name="ubsan")) in {UNRESOLVED, INTERESTING}
        assert learned.judge(ended(77, "error: something else")) is UNRESOLVED
        assert learned.judge(ending._replace(limit="timeout")) is UNRESOLVED
        assert learned.words
        assert "\n" not in learned.words


@pytest.mark.parametrize(
    ("first", "later", "verdict"),
    [
        (ended(-11), ended(-11, "error: said before"), INTERESTING),
        (ended(-11), ended(-6), UNRESOLVED),
        (ended(-11), ended(1, "syntax error"), UNRESOLVED),
        (ended(-11), ended(0), UNINTERESTING),
        (ended(1, "Error: a"), ended(2, "Error: a"), UNRESOLVED),
        (ended(1, "Error: a"), ended(1, "Error: b"), UNRESOLVED),
        (
            ended(1, "x.c:9:1: error: 'ab' undeclared"),
            ended(1, "x.c:1:1: error: 'a' undeclared"),
            INTERESTING,
        ),
        (ended(1), ended(1, "Error: now it says something"), UNRESOLVED),
        (ended(1, name="asan"), ended(1, name="asan-memcpy"), UNRESOLVED),
        (ended(-6, name="assert"), ended(-6), UNRESOLVED),
    ],
)
def test_only_the_same_failure_is_interesting(
    first: Ending, later: Ending, verdict: Verdict
) -> None:
    assert Expectation.learned(first, vocabulary=NAMES).judge(later) is verdict


def test_levels_ask_for_less_or_more() -> None:
    first, elsewhere = ended(1, name="asan"), ended(1, name="asan-memcpy")
    other_text = ended(1, name="python")
    text = (TRACES / "asan.txt").read_text()
    elsewhere_read = ended(1, text.replace("parse_number", "parse_name"))
    assert Expectation.learned(first, "exit").judge(other_text) is INTERESTING
    assert Expectation.learned(first, "message").judge(elsewhere_read) is INTERESTING
    assert Expectation.learned(first, "message").judge(elsewhere) is UNRESOLVED
    assert Expectation.learned(first, "trace").judge(elsewhere_read) is UNRESOLVED
    assert Expectation.learned(ended(-11), "signal").judge(ended(139, name="asan")) is INTERESTING
    assert Expectation.learned(first, "exit").words == "exit status 1"
    assert Expectation.learned(ended(139, name="asan"), "signal").words == "SIGSEGV"


def test_the_message_of_an_exception_has_to_stay_too() -> None:
    raised = Signature(1, "ValueError", "no '…'", ("load", "main"))
    assert parts("auto", raised) == ("status", "kind", "message", "frames")


def test_what_a_sanitizer_reports_is_told_by_functions_if_there_are_several() -> None:
    report = Signature(1, "AddressSanitizer: heap-buffer-overflow", "READ of size N", ("load",))
    assert parts("auto", report) == ("status", "kind", "message", "frames")
    assert parts("auto", report._replace(frames=("load", "main"))) == ("status", "kind", "frames")


@pytest.mark.parametrize(
    ("ending", "same", "message", "hint"),
    [
        (ended(0), "auto", "shows no failure: exit status 0", "stderr"),
        (ended(0, "all is well"), "exit", "known in its output\n  | all is well", "stderr"),
        (ended(0, name="ubsan"), "exit", "its exit status is 0", "auto"),
        (ended(1, "no"), "signal", "no signal ended it: exit status 1", "auto"),
        (ended(3), "message", "it said nothing: exit status 3", "auto"),
        (ended(-11), "trace", "no functions in its output: killed by SIGSEGV", "auto"),
        (ended(-9, limit="timeout"), "auto", "stopped after 1.5 s", "hangs"),
        (ended(-9, limit="disk"), "auto", "it filled its folder", "hangs"),
    ],
)
def test_where_there_is_nothing_to_learn(
    ending: Ending, same: Same, message: str, hint: str
) -> None:
    with pytest.raises(NotInteresting, match=re.escape(message)) as caught:
        Expectation.learned(ending, same)
    assert hint in caught.value.hint


def test_a_level_that_does_not_exist() -> None:
    with pytest.raises(InvalidOption, match="same is 'tracee'") as caught:
        Expectation.learned(ended(1), "tracee")  # type: ignore[arg-type]
    assert "'trace'" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "ordinary"),
    [
        ("rustc", "error[E0425]: cannot find `x`\n --> pages.rs:3:4\n"),
        ("rustc", "error: expected `;`\n   --> pages.rs:3:4\n"),
        ("gcc-ice", "prog.c:3:4: error: 'x' undeclared\n"),
        ("tsc", "prog.ts(3,4): error TS2304: Cannot find name 'x'.\n"),
    ],
)
def test_a_compiler_that_broke_on_a_right_program_has_to_do_so_again(
    name: str, ordinary: str
) -> None:
    text = (TRACES / f"{name}.txt").read_text()
    right, wrong = ended(1, text), ended(1, ordinary + text)
    assert Expectation.learned(right).judge(wrong) is UNRESOLVED
    assert Expectation.learned(wrong).judge(wrong) is INTERESTING
    assert Expectation.learned(wrong).judge(right) is INTERESTING
    assert Expectation.learned(right, "message").judge(wrong) is INTERESTING


# Both


def test_what_is_learned_and_what_is_said_by_hand_go_together() -> None:
    both = replace(Expectation.learned(ended(1, "Error: a")), not_stdout=re.compile(b"half"))
    assert both.judge(ended(1, "Error: a")) is INTERESTING
    assert both.judge(ended(1, "Error: a", "half")) is UNRESOLVED
    assert both.judge(ended(0, "", "half")) is UNINTERESTING
    assert both.words == 'exit status 1 and "Error: a" and "half" not on stdout'


def test_the_output_is_needed_only_if_it_is_looked_at() -> None:
    assert Expectation.learned(ended(1)).captures
    assert expected(stderr="x").captures
    assert not expected(exit=1).captures
    assert not expected(hangs=True).captures


def test_an_expectation_can_be_sent_to_another_process() -> None:
    for each in (expected(stderr="x", exit=1), Expectation.learned(ended(1, "Error"))):
        assert pickle.loads(pickle.dumps(each)) == each  # noqa: S301 - our own bytes


# Two runs


def relaxed(first: Ending, again: Ending, same: Same = "auto") -> Expectation:
    return Expectation.learned(first, same, NAMES).relaxed(first, again)


ORDER = "session {}: error: cannot bill customer {} of the shop"


@pytest.mark.parametrize(
    ("first", "again", "words"),
    [
        (
            ended(3, ORDER.format("abc", "xyz")),
            ended(3, ORDER.format("defg", "uv")),
            'exit status 3 and "session …: error: cannot bill customer … of the shop"',
        ),
        (
            ended(3, "error: no session 'qwe' for parent_exists"),
            ended(3, "error: no session 'rty' for parent_exists"),
            "exit status 3 and \"error: no session '…' for parent_exists\"",
        ),
        (
            ended(3, "error: alpha has failed\nerror: no host beta"),
            ended(3, "error: no host beta\nerror: alpha has failed"),
            'exit status 3 and "error: alpha has failed"',
        ),
        (
            ended(3, stdout="not ok 1 - bills customer abcdef"),
            ended(3, stdout="not ok 1 - bills customer uvwxyz"),
            "bills customer … fails",
        ),
    ],
)
def test_what_differs_between_two_runs_does_not_count(
    first: Ending, again: Ending, words: str
) -> None:
    learned = relaxed(first, again)
    assert learned.judge(first) is learned.judge(again) is INTERESTING
    assert learned.words == words


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (ended(3, "error: out of memory"), ended(3, "error: no such host")),
        (ended(3, "error: out of memory"), ended(4, "error: out of memory")),
        (ended(3, ORDER.format("abc", "xyz")), ended(0)),
        (ended(1, name="python"), ended(1, name="python-assert")),
        (ended(3, ORDER.format("abc", "xyz")), ended(3, ORDER, limit="timeout")),
    ],
)
def test_two_failures_have_nothing_in_common(first: Ending, again: Ending) -> None:
    assert relaxed(first, again).judge(again) is not INTERESTING
    assert relaxed(first, again).words == Expectation.learned(first).words


def test_another_failure_is_none_of_two_runs() -> None:
    learned = relaxed(ended(3, ORDER.format("abc", "xyz")), ended(3, ORDER.format("defg", "uv")))
    assert learned.judge(ended(3, ORDER.format("hij", "klm"))) is INTERESTING
    assert learned.judge(ended(3, ORDER.format("hij", "klm").replace("bill", "find"))) is UNRESOLVED
    lines = relaxed(ended(3, "error: a has failed\nerror: no b"), ended(3, "error: no b"))
    assert lines.judge(ended(3, "error: c was lost\nerror: no b")) is INTERESTING
    assert lines.judge(ended(3, "error: a has failed")) is UNRESOLVED


def test_what_was_asked_by_hand_stays_when_two_runs_differ() -> None:
    asked = expected(stderr="bo+m")
    assert asked.relaxed(ended(1, "boom"), ended(1, "bang")) == asked


@pytest.mark.parametrize(
    ("one", "other", "template"),
    [
        ("a b c", "a b c", "a b c"),
        ("read x1 of it", "read y of it", "read \ue001 of it"),
        ("x read it all", "read it all y", "\ue001read it all\ue001"),
        ("a red fox is here", "a blue fox is not here", "a \ue001 fox is\ue001 here"),
        ("one two", "one three", None),
        ("", "error", None),
        ("1 2 3", "1 2 4", None),
    ],
)
def test_what_two_texts_have_in_common(one: str, other: str, template: str | None) -> None:
    assert common(one, other) == template
    if template is not None:
        assert fits(template, one)
        assert fits(template, other)


@pytest.mark.parametrize(
    ("template", "text", "fitting"),
    [
        ("a\ue001a", "a", False),
        ("a\ue001a", "aa", True),
        ("a\ue001b\ue001c", "a b b c", True),
        ("a\ue001b\ue001c", "a c", False),
        ("\ue001", "", True),
        ("a", "a ", False),
    ],
)
def test_a_text_fits_a_template(template: str, text: str, *, fitting: bool) -> None:
    assert fits(template, text) is fitting


# No test was run


@pytest.mark.parametrize("status", [4, 5])
@pytest.mark.parametrize(
    ("command", "ending"),
    [
        (True, ended(stdout="2 deselected in 0.01s")),
        (False, ended(stdout="== no tests ran in 0.02s ==")),
    ],
)
def test_a_pytest_that_ran_no_test_shows_no_failure(
    status: int, ending: Ending, *, command: bool
) -> None:
    criterion = ByFirstRun("auto", is_pytest=command)
    with pytest.raises(NotInteresting, match=f"exit status {status}") as caught:
        criterion.after(ending._replace(status=status))
    assert "given to pytest" in caught.value.hint
    assert criterion.after(ending._replace(status=1)).judge(ending) is INTERESTING
    other = ended(status, "error: of another program")
    assert ByFirstRun("auto").after(other).judge(other) is INTERESTING
