"""What a program complains of, as gcc, rustc, tsc, Go, Python and Node say it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.diagnostics import Diagnostic, diagnostics_as_text, diagnostics_of_text
from wynot.core.ending import Ending
from wynot.failures.diagnostic_reading import MAX_DIAGNOSTICS, MAX_NAMES, read_diagnostics

GCC = """\
a.cc: In instantiation of <<class std::variant<int, int&>>>:
a.cc:9:25:   required from here
a.cc:4:28: error: <<is_ref>> is not a member of <<std>>; did you mean <<is_reference>>?
    4 |       static_assert(!(std::is_ref<T> || ...));
a.cc:2:1: note: declared here
a.cc:7:3: warning: unused variable <<x>> [-Wunused]
""".replace("<<", "\u2018").replace(">>", "\u2019")
RUST = """\
error[E0425]: cannot find value `pear` in this scope
 --> src/main.rs:2:5
"""
PYTHON = """\
Traceback (most recent call last):
  File "run.py", line 9, in <module>
    main()
  File "run.py", line 3, in main
    return pear
NameError: name 'pear' is not defined
"""
NODE = """\
/work/run.js:3
  pear();
ReferenceError: pear is not defined
    at main (/work/run.js:3:3)
    at Object.<anonymous> (/work/run.js:9:1)
"""


def read(text: str, *, to_stdout: bool = False) -> tuple[Diagnostic, ...]:
    streams = (text.encode(), b"") if to_stdout else (b"", text.encode())
    return read_diagnostics(Ending(1, 0.1, "", *streams))


@pytest.mark.parametrize("to_stdout", [True, False])
def test_gcc_says_where_it_comes_from_and_what_is_missing(*, to_stdout: bool) -> None:
    assert read(GCC, to_stdout=to_stdout) == (
        Diagnostic("a.cc", 9, 25, (), "aside"),
        Diagnostic("a.cc", 4, 28, ("is_ref", "std"), "error", "is_ref"),
        Diagnostic("a.cc", 2, 1, (), "aside"),
        Diagnostic("a.cc", 7, 3, ("x",), "warning", "x"),
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (RUST, [Diagnostic("src/main.rs", 2, 5, ("pear",), "error", "pear")]),
        (
            PYTHON,
            [
                Diagnostic("run.py", 9, 0, (), "aside"),
                Diagnostic("run.py", 3, 0, ("pear",), "error", "pear"),
            ],
        ),
        (
            NODE,
            [
                Diagnostic("/work/run.js", 3, 3, ("pear",), "error", "pear"),
                Diagnostic("/work/run.js", 9, 1, (), "aside"),
            ],
        ),
        (
            "src/a.ts(3,5): error TS2304: Cannot find name 'pear'.",
            [Diagnostic("src/a.ts", 3, 5, ("pear",), "error", "pear")],
        ),
        ("./a.go:3:5: undefined: pear", [Diagnostic("./a.go", 3, 5, ("pear",), "error", "pear")]),
        ("A.java:3: error: cannot find symbol", [Diagnostic("A.java", 3)]),
        ("a.c:3:5: internal compiler error: Aborted", [Diagnostic("a.c", 3, 5)]),
        ("all is well: 3 of 3: fine", []),
        ("a.c:0:5: error: nowhere", []),
    ],
)
def test_places_of_others(text: str, found: list[Diagnostic]) -> None:
    assert list(read(text)) == found


def test_of_a_long_output_only_so_much_is_read() -> None:
    names = " ".join(f"`n{number}`" for number in range(100))
    said = read("".join(f"a.c:{line}:1: error: {names}\n" for line in range(1, 5000)))
    assert 0 < len(said) <= MAX_DIAGNOSTICS
    assert all(len(each.names) == MAX_NAMES for each in said)


def test_warnings_do_not_hide_an_error() -> None:
    said = read("a.c:1:1: warning: hm\n" * 1000 + "a.c:2:1: error: no\n")
    assert said[-1] == Diagnostic("a.c", 2, 1)


@given(st.binary(), st.binary())
def test_any_output_can_be_read(stdout: bytes, stderr: bytes) -> None:
    said = read_diagnostics(Ending(1, 0.1, "", stdout, stderr))
    assert diagnostics_of_text(diagnostics_as_text(said)) == said


@given(st.lists(st.sampled_from([*GCC.split("\n"), *PYTHON.split("\n"), *NODE.split("\n"), *RUST])))
def test_any_mixture_of_lines_can_be_read(lines: list[str]) -> None:
    assert all(each.line > 0 for each in read("\n".join(lines)))


@given(st.text() | st.lists(st.lists(st.integers() | st.text() | st.booleans())).map(str))
def test_rows_that_are_no_diagnostics_are_refused(text: str) -> None:
    found = diagnostics_of_text(text)
    assert found is None or diagnostics_of_text(diagnostics_as_text(found)) == found
