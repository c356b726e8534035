"""Numbers as people read them."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unit.reporters.story import HOSTILE
from wynot.core.foreign_text import for_terminal
from wynot.core.options.quantities import counted, listed, singular
from wynot.document.sentences import brief, duration, instant, percent, proof, rate, subject
from wynot.document.text_width import cells, cut, wrap


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (-1, "0.0 s"),
        (0, "0.0 s"),
        (0.44, "0.4 s"),
        (9.94, "9.9 s"),
        (9.96, "9.9 s"),
        (10, "10 s"),
        (41, "41 s"),
        (59.99, "59 s"),
        (60, "1 min 00 s"),
        (125, "2 min 05 s"),
        (3_599.9, "59 min 59 s"),
        (3_720, "1 h 02 min"),
        (86_400 * 3 + 3_600 * 4, "3 d 4 h"),
        (inf, "?"),
        (nan, "?"),
    ],
)
def test_durations(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0004, "0.4 ms"),
        (0.0099, "9.9 ms"),
        (0.038, "38 ms"),
        (0.9994, "999 ms"),
        (0.9996, "999 ms"),
        (1, "1.0 s"),
        (2.1, "2.1 s"),
        (nan, "?"),
    ],
)
def test_instants(seconds: float, shown: str) -> None:
    assert instant(seconds) == shown


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 kB"),
        (9_949, "9.9 kB"),
        (9_960, "10 kB"),
        (32_689, "33 kB"),
        (999_600, "1.0 MB"),
        (7 * 10**15, "7000 TB"),
    ],
)
def test_sizes_in_short(size: int, shown: str) -> None:
    assert brief(size) == shown


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [
        (0, 10, "0 %"),
        (1, 1_000_000, "<0.1 %"),
        (248, 1_000, "24.8 %"),
        (999_999, 1_000_000, ">99.9 %"),
        (10, 10, "100 %"),
        (20, 10, "200.0 %"),
        (1, 0, "? %"),
    ],
)
def test_only_nothing_and_all_are_round(part: int, whole: int, shown: str) -> None:
    assert percent(part, whole) == shown


@pytest.mark.parametrize(
    ("per_second", "shown"),
    [(0, "0/min"), (0.2, "12/min"), (4.31, "4.3/s"), (9.96, "10/s"), (2_000, "2,000/s")],
)
def test_rates(per_second: float, shown: str) -> None:
    assert rate(per_second) == shown


def test_one_is_not_many() -> None:
    assert counted(1, "byte") == "1 byte"
    assert counted(32_689, "byte") == "32,689 bytes"


def test_a_final_newline_that_was_put_back_is_not_claimed_to_be_needed() -> None:
    nodes = ("nodes", "tokens")
    assert proof(nodes) == proof(nodes, line_ends=1)
    assert proof(nodes) == "No single node or token can be left out: each was tried (1-minimal)."
    assert proof((*nodes, "characters"), line_ends=2, end="!") == (
        "No single node, token or character except the final newline can be left out: "
        "each was tried!"
    )
    assert proof(["entries"], question="cure") == (
        "No single entry of this can be spared: each was tried (1-minimal)."
    )


def test_kinds_in_the_singular() -> None:
    plurals = ("lines", "entries", "classes", "branches", "boxes", "syntax")
    assert [singular(kind) for kind in plurals] == [
        "line",
        "entry",
        "class",
        "branch",
        "box",
        "syntax",
    ]


def test_lists() -> None:
    assert listed(()) == ""
    assert listed(("a",)) == "a"
    assert listed(("a", "b", "c"), "or") == "a, b or c"


def test_many_names_are_counted() -> None:
    assert subject(("a",)) == "a"
    assert subject(("a", "b", "c")) == "a, b and c"
    assert subject(("a", "b", "c", "d")) == "a, b and 2 more"
    assert subject(("long" * 9, "b"), 10) == "longlongl…"


def test_what_is_hostile_is_written_out() -> None:
    assert for_terminal(HOSTILE) == (
        r"[bold red]x[/]\x1b[2J\x1b]0;t\x07\r\n\u202e宽宽:smile:\xff[/not-open]"
    )
    assert for_terminal("plain → 宽") == "plain → 宽"


@given(st.text(st.characters()), st.integers(1, 30))
def test_a_cut_fits_and_is_printable(text: str, room: int) -> None:
    shown = cut(for_terminal(text), room)
    assert shown.isprintable()
    assert cells(shown) <= room


def test_wide_characters_take_two_columns_and_marks_none() -> None:
    assert cells("宽a") == 3
    assert cells("e\u0301") == 1
    assert cut("宽宽宽", 4) == "宽…"
    assert cut("ab", 0) == ""


def test_a_paragraph_is_wrapped_but_a_path_is_not() -> None:
    path = "/a" * 60
    assert wrap(f"{'word ' * 17}{path}", first="- ", indent="  ") == [
        "- " + " ".join(["word"] * 15),
        "  word word",
        f"  {path}",
    ]
    assert wrap("") == [""]


def test_a_number_and_its_unit_stay_together() -> None:
    assert wrap("x" * 77 + " 10 s.") == ["x" * 77, "10 s."]
    assert wrap("x" * 76 + " 99 % of it") == ["x" * 76, "99 % of it"]


@given(st.lists(st.text("ab宽1 ", min_size=1, max_size=12), max_size=40))
def test_wrapped_lines_are_not_too_wide_and_nothing_is_lost(words: list[str]) -> None:
    lines = wrap(" ".join(words))
    assert all(cells(line) <= 80 for line in lines)
    assert " ".join(lines).split() == " ".join(words).split()
