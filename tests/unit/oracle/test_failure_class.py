"""Which of many failures are one."""

import pytest

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.oracle.criteria import ByFirstRun
from wynot.oracle.failing_place import ByPlace, failing_place
from wynot.oracle.failure_class import FailureClass, shown_failure
from wynot.oracle.vocabulary import Vocabulary


def raised(said: str, *calls: str, status: int = 1) -> Ending:
    """Return the end of a Python program; calls are ``function:line``, the innermost last."""
    frames = "".join(
        f'  File "/x/lib.py", line {line}, in {name}\n    code\n'
        for name, _, line in (call.partition(":") for call in calls)
    )
    return Ending(
        status, 0.1, stderr=f"Traceback (most recent call last):\n{frames}{said}\n".encode()
    )


def shown(ending: Ending, words: str = "", *, by_place: bool = True) -> FailureClass:
    vocabulary = Vocabulary(lambda: [words.encode()])
    place = failing_place(ending, "input") if by_place else ""
    return FailureClass.of("auto", shown_failure(ending, by_script=False), vocabulary, place)


OUT = "IndexError: list index out of range"


def test_another_line_of_the_same_function_is_another_failure() -> None:
    one, two = raised(OUT, "main:1", "loads:301"), raised(OUT, "main:1", "loads:312")
    assert not shown(one).holds(shown(two))
    assert shown(one, by_place=False).holds(shown(two, by_place=False))


def test_the_same_line_is_the_same_failure_by_whatever_calls() -> None:
    one = raised(OUT, "loads:9", "line:8", "value:7")
    two = raised(OUT, "array:9", "value:8", "array:5", "value:7")
    assert shown(one).holds(shown(two))
    assert not shown(one, by_place=False).holds(shown(two, by_place=False))


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("KeyError: 'red'", "KeyError: 'blue'", True),
        ("ValueError: bad number '7.x'", "ValueError: bad number '8:02'", True),
        ("ValueError: bad number '7\"x'", 'ValueError: bad number "8\'02"', True),
        ("ValueError: bad number '7'", "ValueError: bad string '7'", False),
        ("ValueError: what is red", "ValueError: what is blue", True),
        ("ValueError: what is red", "ValueError: what is green", False),  # not in the input
        ("ValueError: no", "TypeError: no", False),
    ],
)
def test_messages_may_differ_in_words_of_the_input(one: str, two: str, same: bool) -> None:
    first = shown(raised(one, "f:1", "g:2"), "a red thing")
    second = shown(raised(two, "f:1", "g:2"), "a blue thing")
    assert first.holds(second) is same
    assert second.holds(first) is same


def test_without_a_line_quotes_of_the_program_count() -> None:
    one = raised("TypeError: 'int' is not a 'list'", "f:1", "g:2")
    two = raised("TypeError: 'str' is not a 'dict'", "f:1", "g:2")
    assert not shown(one, by_place=False).holds(shown(two, by_place=False))


def asan(function: str, line: int) -> Ending:
    said = [
        "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1",
        f"    #0 0x1 in {function} /x/lib.c:{line}",
        "    #1 0x2 in main /x/main.c:3",
    ]
    return Ending(1, 0.1, stderr="\n".join([*said, ""]).encode())


def test_sanitizers_tell_by_functions_and_not_by_lines() -> None:
    assert not failing_place(asan("parse", 3), "input")
    assert shown(asan("parse", 3)).holds(shown(asan("parse", 9)))
    assert not shown(asan("parse", 3)).holds(shown(asan("print", 3)))


def test_lines_of_the_input_and_of_overflows_do_not_count() -> None:
    own = Ending(1, 0.1, stderr=raised(OUT, "f:3").stderr.replace(b"/x/lib.py", b"/tmp/input.py"))
    assert not failing_place(own, "input")
    deep = raised("RecursionError: maximum recursion depth exceeded", "f:3", "g:4", "f:3", "g:4")
    assert not failing_place(deep, "input")
    assert failing_place(raised(OUT, "f:3"), "input") == "lib.py:3"


def test_other_languages_name_their_lines_too() -> None:
    calls = b"    at parse (/x/a.js:10:5)\n    at run (/x/b.js:3:1)\n"
    node = b"/x/a.js:1\n\nTypeError: x is not a function\n" + calls
    assert failing_place(Ending(1, 0.1, stderr=node), "input") == "a.js:10"


def test_a_script_is_told_by_known_reports_only() -> None:
    printed = Ending(0, 0.1, stdout=b"checking some file\n")
    assert shown_failure(printed, by_script=True) == shown_failure(Ending(0, 0.1), by_script=True)
    report = Ending(0, 0.1, stdout=raised(OUT, "f:1").stderr)
    assert shown_failure(report, by_script=True).kind == "IndexError"


def test_a_reduction_stays_in_its_line() -> None:
    learned = ByPlace(ByFirstRun("auto"), "input").after(raised(OUT, "loads:301"))
    assert learned.judge(raised(OUT, "loads:301")) is Verdict.INTERESTING
    assert learned.judge(raised(OUT, "loads:312")) is Verdict.UNRESOLVED
    assert learned.judge(Ending(0, 0.1)) is Verdict.UNINTERESTING
    assert learned.words.endswith("(lib.py:301)")
