"""Two texts beside each other."""

from collections.abc import Callable

import pytest

from counting import is_linear
from wynot.document import side_by_side as view
from wynot.document.blocks import StyledText
from wynot.document.side_by_side import LEAST_COLUMNS, MAX_ROWS, side_by_side
from wynot.document.text_width import cells
from wynot.reporters.outlet import STYLES

LINES = b"".join(b"line %d\n" % number for number in range(30))


def shown(passing: bytes, failing: bytes, width: int = 80, *, coloured: bool = False) -> list[str]:
    lines = side_by_side(passing, failing, "bug.c", width, coloured=coloured)
    return ["".join(span.text for span in line) for line in lines]


def test_only_what_differs_is_shown_and_two_lines_around_it() -> None:
    failing = LINES.replace(b"line 10\n", b"lime 10;\n").replace(b"line 20\n", b"line 20\nnew\n")
    assert shown(LINES, failing, 44) == [
        "bug.c",
        "passing              | failing",
        "…",
        " 9 line 8            |  9 line 8",
        "10 line 9            | 10 line 9",
        "11 line 10           | 11 lime 10;",
        "     ^                      ^    ^",
        "12 line 11           | 12 line 11",
        "13 line 12           | 13 line 12",
        "…",
        "20 line 19           | 20 line 19",
        "21 line 20           | 21 line 20",
        "                     | 22 new",
        "                          ^^^",
        "22 line 21           | 23 line 21",
        "23 line 22           | 24 line 22",
    ]


def test_colours_take_the_place_of_marks() -> None:
    lines = side_by_side(b"a b\n", b"a c\n", "bug.c")
    assert len(lines) == 3
    assert StyledText("green", "b") in lines[2]
    assert StyledText("yellow", "c") in lines[2]
    assert {span.style for line in lines for span in line} <= {"", *STYLES}


def test_a_long_line_is_cut_around_each_difference() -> None:
    passing = b"x" * 300 + b"A" + b"y" * 300 + b"B" + b"z" * 300
    failing = passing.replace(b"A", b"a").replace(b"B", b"")
    _, _, first, marks, second, more = shown(passing, failing)
    assert first.startswith("1 …x")
    assert first.index("A") == marks.index("^")
    assert first.index("a") == marks.rindex("^")
    assert second.startswith("  …y")
    assert second.index("B") == more.index("^")


def test_differences_that_are_near_share_a_row() -> None:
    passing = b"x" * 300 + b"A--B" + b"y" * 300
    assert len(shown(passing, passing.replace(b"A", b"a").replace(b"B", b"b"))) == 4


def test_control_characters_are_seen_and_do_no_harm() -> None:
    lines = shown(b"a\x1b[31m\tb\n", b"a\x1b[31m\tc\r\n")
    assert lines[2:] == [
        "1 a\\x1b[31m    b                       | 1 a\\x1b[31m    c\\r",
        "               ^                                        ^^^",
    ]
    for line in side_by_side(b"", bytes(range(1, 256)), "\x1b[2J\n"):
        assert all(span.text.isprintable() for span in line)


def test_blanks_and_line_ends_that_differ_can_be_seen() -> None:
    assert "·" in shown(b"a\n", b"a \n")[2]
    assert shown(b"a\n", b"a")[2].startswith("1 a\\n")
    assert shown(b"a\n", b"a\n\n")[3].endswith("2 \\n")
    assert shown(b"ab", b"ac\n")[2].endswith("1 ac\\n")
    assert "\\n" not in "".join(shown(b"", b"a\n"))


def test_what_is_no_text_is_hexadecimal() -> None:
    passing = bytes(range(24))
    assert shown(passing, passing[:9] + b"\xff\xfe" + passing[10:])[2:] == [
        " 0 00 01 02 03 04 05 06 07             |  0 00 01 02 03 04 05 06 07 ",
        " 8 08                                  |  8 08 ",
        " 9 09                                  |  9 ff fe ",
        "   ^^^                                      ^^^^^^",
        " a 0a 0b 0c 0d 0e 0f 10 11             |  b 0a 0b 0c 0d 0e 0f 10 11 ",
        "12 12 13 14 15 16 17                   | 13 12 13 14 15 16 17 ",
    ]


@pytest.mark.parametrize("width", [0, 40, 61, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    passing = ("日本語のテキスト\t" * 30 + "e\u0301\x07" * 30).encode()
    failing = passing[:200] + "ß長い".encode() + passing[230:]
    for line in shown(passing + b"\0" * 9, failing, width) + shown(passing, failing, width):
        assert cells(line) <= max(width, LEAST_COLUMNS)


def test_equal_texts_have_nothing_to_show() -> None:
    assert shown(b"a\n", b"a\n")[-1] == "no difference"
    assert shown(b"", b"")[-1] == "no difference"
    assert shown(b"\0", b"\0")[-1] == "no difference"


def test_of_very_many_differences_the_first_are_shown() -> None:
    lines = shown(b"", b"x\n" * 1_000)
    assert lines[-1] == "… 800 more rows"
    assert sum("x" in line for line in lines) == MAX_ROWS


def many_lines(size: int) -> None:
    lines = [b"%d\n" % (number % 7) for number in range(size)]
    shown(b"".join(lines), b"".join(b"%d\n" % (number % 11) for number in range(size)))


def one_line(size: int) -> None:
    shown(b"ab" * 10 * size, b"ba" * 10 * size)


def long_lines(size: int) -> None:
    shown((b"ab" * 200 + b"\n") * (size // 500), (b"bba" * 130 + b"\n") * (size // 500))


@pytest.mark.slow
@pytest.mark.parametrize("show", [many_lines, one_line, long_lines])
def test_large_texts_take_time_in_proportion(
    monkeypatch: pytest.MonkeyPatch, show: Callable[[int], None]
) -> None:
    monkeypatch.setattr(view, "MAX_EFFORT", 50_000)  # so that it is spent on short ones
    assert is_linear(show, 5_000)
