"""Which of many failures are one."""

import pytest

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.criteria import ByFirstRun
from wynot.failures.failing_place import NOWHERE, ByPlace, FailingPlace, failing_place
from wynot.failures.failure_class import FailureClass, shown_failure
from wynot.failures.wording import Vocabulary


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
    place = failing_place(ending, "input") if by_place else NOWHERE
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


def at_top(said: str, line: int, file: str = "/x/run.py") -> Ending:
    """Return the end of a script that failed outside of all functions."""
    frame = f'  File "{file}", line {line}, in <module>\n    code\n'
    outer = '  File "/x/main.py", line 1, in <module>\n    import run\n'
    text = f"Traceback (most recent call last):\n{outer}{frame}{said}\n"
    return Ending(1, 0.1, stderr=text.encode())


def test_failures_at_the_top_level_of_a_script_are_told_by_the_line() -> None:
    assert failing_place(at_top(OUT, 7), "input") == FailingPlace("run.py:7")
    assert not shown(at_top(OUT, 7)).holds(shown(at_top(OUT, 9)))
    one, two = at_top("KeyError: 'red'", 7), at_top("KeyError: 'blue'", 7)
    assert shown(one).holds(shown(two))
    for own in ("/tmp/input.py", "<string>"):  # noqa: S108 - nothing is written there
        assert failing_place(at_top(OUT, 7, own), "input") == NOWHERE


@pytest.mark.parametrize(
    ("said", "place"),
    [
        (
            "/x/a.js:3\n\nReferenceError: f\n    at Object.<anonymous> (/x/a.js:3:1)\n",
            "a.js:3",
        ),
        (
            "file:///x/a.mjs:4\n\nReferenceError: f\n    at file:///x/a.mjs:4:1\n",
            "a.mjs:4",
        ),
        ("a.rb:5:in '<main>': no f (NameError)\n", "a.rb:5"),
    ],
)
def test_so_are_those_of_other_languages(said: str, place: str) -> None:
    assert failing_place(Ending(1, 0.1, stderr=said.encode()), "input") == FailingPlace(place)


def asan(function: str, line: int, memory: str = "", kind: str = "heap-buffer-overflow") -> Ending:
    said = [
        f"==1==ERROR: AddressSanitizer: {kind} on address 0x1",
        "    #0 0x9 in __interceptor_memcpy ../../sanitizer_common_interceptors.inc:827",
        f"    #1 0x1 in {function} /x/lib.c:{line}",
        "    #2 0x2 in main /x/main.c:3",
        "",
        memory,
        "SUMMARY: AddressSanitizer: whatever /x/lib.c:1 in f",
    ]
    return Ending(1, 0.1, stderr="\n".join([*said, ""]).encode())


def allocated(line: int) -> str:
    calls = f"    #0 0x1 in malloc (/x/p+0x1)\n    #1 0x2 in parse /x/lib.c:{line}\n"
    return f"0x1 is located 0 bytes after 8-byte region\nallocated by thread T0 here:\n{calls}"


def test_one_kind_of_error_in_two_lines_is_two_only_if_it_is_about_other_memory() -> None:
    one = shown(asan("parse", 30, allocated(5)))
    assert not one.holds(shown(asan("parse", 40, allocated(9))))
    assert one.holds(shown(asan("parse", 40, allocated(5))))  # a wrong length, felt in two lines
    assert one.holds(shown(asan("parse", 30, allocated(9))))
    buffers = ("  [32, 42) 'a' (line 5) <== Memory access", "  [9, 42) 'b' <== Memory access")
    on_stack = [shown(asan("f", at, here)) for at, here in enumerate(buffers)]
    assert not on_stack[0].holds(on_stack[1])
    for_all = [shown(asan("f", at, f"0 bytes after global variable '{at}'")) for at in range(2)]
    assert not for_all[0].holds(for_all[1])


def test_a_reduction_stays_with_its_memory_or_line() -> None:
    learned = ByPlace(ByFirstRun("auto"), "input").after(asan("parse", 30, allocated(5)))
    assert learned.judge(asan("parse", 30, allocated(9))) is Verdict.INTERESTING
    assert learned.judge(asan("parse", 40, allocated(5))) is Verdict.INTERESTING
    assert learned.judge(asan("parse", 40, allocated(9))) is Verdict.UNRESOLVED


def test_errors_about_no_memory_are_told_by_the_line() -> None:
    assert not shown(asan("f", 3, kind="SEGV")).holds(shown(asan("f", 4, kind="SEGV")))
    text = "/x/a.c:{}:3: runtime error: signed integer overflow: 1 + 2 cannot be represented\n"
    one, two = (Ending(1, 0.1, stderr=text.format(line).encode()) for line in (7, 8))
    assert failing_place(one, "input") == FailingPlace("a.c:7")
    assert not shown(one).holds(shown(two))


def test_without_line_numbers_it_is_how_far_into_the_program() -> None:
    calls = b"    #0 0x5f in parse (/x/prog+0x342c)\n    #1 0x5f in main (/x/prog+0x9)\n"
    report = b"==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n" + calls
    bare = Ending(1, 0.1, stderr=report)
    assert failing_place(bare, "input") == FailingPlace("prog+0x342c")


def test_without_a_word_about_memory_sanitizers_tell_by_functions() -> None:
    assert failing_place(asan("parse", 3), "input") == NOWHERE
    assert shown(asan("parse", 3)).holds(shown(asan("parse", 9)))
    assert not shown(asan("parse", 3)).holds(shown(asan("print", 3)))


def test_lines_of_the_input_and_of_overflows_do_not_count() -> None:
    own = Ending(1, 0.1, stderr=raised(OUT, "f:3").stderr.replace(b"/x/lib.py", b"/tmp/input.py"))
    assert failing_place(own, "input") == NOWHERE
    deep = raised("RecursionError: maximum recursion depth exceeded", "f:3", "g:4", "f:3", "g:4")
    assert failing_place(deep, "input") == NOWHERE
    assert failing_place(raised(OUT, "f:3"), "input") == FailingPlace("lib.py:3")


def test_other_languages_name_their_lines_too() -> None:
    calls = b"    at parse (/x/a.js:10:5)\n    at run (/x/b.js:3:1)\n"
    node = b"/x/a.js:1\n\nTypeError: x is not a function\n" + calls
    assert failing_place(Ending(1, 0.1, stderr=node), "input") == FailingPlace("a.js:10")


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
