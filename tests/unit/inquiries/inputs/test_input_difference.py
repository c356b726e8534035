"""The deltas between two inputs, at each granularity."""

import pytest

from counting import is_linear
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.inquiries.circumstances import Circumstances
from wynot.inquiries.inputs.circumstance import Granularity, InputDifference, digest_of


def of(passing: bytes, failing: bytes, granularity: Granularity) -> InputDifference:
    return InputDifference(Files({"a.c": passing}), Files({"a.c": failing}), granularity)


def units(difference: InputDifference) -> list[list[list[int]]]:
    return [[list(unit) for unit in level.units] for level in difference.levels]


def with_only(difference: InputDifference, *deltas: int) -> Files:
    return difference.render(Candidate.whole(Deltas.of(deltas)))


def content(difference: InputDifference, *deltas: int) -> bytes:
    return with_only(difference, *deltas).contents["a.c"]


def test_it_is_a_circumstance() -> None:
    case: Circumstances[Files] = of(b"a\n", b"b\n", "lines")
    assert case.size(case.deltas) == 2
    assert case.objection(Candidate.whole(case.deltas)) == ""


def test_a_hunk_takes_out_and_puts_in_together() -> None:
    difference = of(b"a\nb\nc\nd\n", b"a\nB\nc\nd\ne\nf\n", "hunks")
    assert units(difference) == [[[0, 1], [2, 3]]]
    assert content(difference, 0, 1) == b"a\nB\nc\nd\n"
    assert difference.levels[0].name == "hunks"


def test_what_takes_the_place_of_something_is_one_with_it() -> None:
    difference = of(b"a\nb\nc\n", b"a\nB\nc\n", "lines")
    assert units(difference) == [[[0, 1]]]
    difference = of(b"a\nb\nc\nd\n", b"a\nB\nC\nD\nd\n", "lines")
    assert units(difference) == [[[0], [1], [2], [3], [4]]]
    assert content(difference, 0) == b"a\nc\nd\n"
    assert content(difference, 2) == b"a\nb\nc\nB\nd\n"
    difference = of(b"f(a + 1)\n", b"f(b - 2)\n", "tokens")
    assert len(difference.levels[-1].units) == 1


PRICES = b"insert pen 120\ninsert ink 750\n"
RAISED = b"insert pen 130\ninsert ink 790\n"


def test_lines_that_each_became_one_much_like_it_are_replaced_one_by_one() -> None:
    difference = of(PRICES, RAISED, "lines")
    assert units(difference) == [[[0, 1], [2, 3]]]
    assert content(difference, 2, 3) == b"insert pen 120\ninsert ink 790\n"
    assert units(of(PRICES, RAISED, "hunks")) == [[[0, 1, 2, 3]]]
    difference = of(PRICES, b"delete all\nbegin anew\n", "lines")
    assert units(difference) == [[[0], [1], [2], [3]]]


def test_tokens_differ_inside_of_lines_that_do() -> None:
    difference = of(b"x;\nint a = 1;\n", b"x;\nint b = 1 + 2;\n", "tokens")
    assert len(difference.deltas) == 6
    assert content(difference, 0, 1) == b"x;\nint b = 1;\n"


def test_characters_differ_inside_of_tokens_that_do() -> None:
    difference = of("wörter\n".encode(), "wärter!\n".encode(), "characters")
    assert len(difference.deltas) == 3
    assert content(difference, 2) == "wörter!\n".encode()


def test_nodes_go_from_coarse_to_fine() -> None:
    failing = b"int f() { return 1; }\nint g() { return 2; }\n"
    difference = of(b"", failing, "nodes")
    coarse = difference.levels[0]
    assert content(difference, *coarse.units[1]) == b"int g() { return 2; }\n"
    assert [len(level.units) for level in difference.levels] == sorted(
        {len(level.units) for level in difference.levels}
    )
    assert {level.name for level in difference.levels} == {"nodes"}


def test_what_is_taken_out_is_grouped_by_the_tree_of_the_passing_side() -> None:
    passing = b"int f() { return 1; }\nint g() { return 2; }\n"
    for failing in (b"", b"int h;\n"):
        difference = of(passing + failing, failing, "nodes")
        first = difference.levels[0].units[0]
        assert content(difference, *first) == b"int g() { return 2; }\n" + failing


def test_what_is_replaced_stays_with_what_it_is_replaced_by() -> None:
    difference = of(b"a = 1;\nb = 2;\n", b"a = 3;\nb = 4;\n", "nodes")
    assert units(difference) == [[[0, 1], [2, 3]]]


def test_white_space_goes_with_what_stands_before_it() -> None:
    difference = of(b"f();\n", b"f();\ng();\n\n\nh();\n", "nodes")
    first = difference.levels[0].units[0]
    assert content(difference, *first) == b"f();\ng();\n\n\n"


def test_nodes_of_what_has_no_tree_are_its_changes() -> None:
    difference = of(b"\0a b c d e", b"\0A b c D e", "nodes")
    assert units(difference) == [[[0, 1], [2, 3]]]


def test_files_come_and_go_whole() -> None:
    passing = Files({"a": b"1", "b": b"2", "same": b""}, {"b": 0o755})
    failing = Files({"a": b"3", "c": b"4", "same": b""}, {"c": 0o700})
    difference = InputDifference(passing, failing, "files")
    assert len(difference.deltas) == 3
    assert with_only(difference, 1) == Files({"a": b"1", "same": b""})
    assert with_only(difference, 2) == Files(
        {"a": b"1", "b": b"2", "c": b"4", "same": b""}, {"b": 0o755, "c": 0o700}
    )


@pytest.mark.parametrize("granularity", ["hunks", "lines", "tokens", "characters", "nodes"])
def test_a_missing_file_is_not_an_empty_one(granularity: Granularity) -> None:
    appears = InputDifference(Files({}), Files({"a.c": b"x;\n"}), granularity)
    goes = InputDifference(Files({"a.c": b"x;\n"}), Files({}), granularity)
    empty = Files({"a.c": b""})
    assert with_only(appears, 0) == empty
    assert with_only(goes, *list(goes.deltas)[:-1]) == empty
    for difference in (appears, goes):
        digests = {difference.digest(Candidate.whole(each)) for each in (NONE, difference.deltas)}
        assert len(digests | {digest_of(empty)}) == 3


def test_content_brings_its_file_along() -> None:
    difference = InputDifference(Files({}), Files({"a.c": b"x;\ny;\n"}, {"a.c": 0o755}), "lines")
    assert with_only(difference, 2) == Files({"a.c": b"y;\n"}, {"a.c": 0o755})


def test_that_a_file_is_there_is_no_unit_of_its_own_but_among_single_ones() -> None:
    appears = InputDifference(Files({}), Files({"a.c": b"x;\ny;\n"}), "hunks")
    assert units(appears) == [[[0, 1, 2]]]
    goes = InputDifference(Files({"a.c": b"x;\ny;\n"}), Files({}), "nodes")
    assert units(goes)[0][-1][-1] == len(goes.deltas) - 1
    assert len(units(goes)[0]) == 2


@pytest.mark.parametrize("granularity", ["hunks", "nodes"])
def test_an_empty_file_that_appears_is_a_unit(granularity: Granularity) -> None:
    assert units(InputDifference(Files({}), Files({"a": b""}), granularity)) == [[[0]]]
    assert units(InputDifference(Files({"a": b""}), Files({}), granularity)) == [[[0]]]


@pytest.mark.parametrize("granularity", ["hunks", "lines", "nodes"])
def test_a_mode_is_a_unit_of_its_own(granularity: Granularity) -> None:
    passing, failing = Files({"a": b"x\n"}), Files({"a": b"x\ny\n"}, {"a": 0o755})
    difference = InputDifference(passing, failing, granularity)
    assert with_only(difference, 0) == Files({"a": b"x\n"}, {"a": 0o755})
    assert units(difference)[-1][0] == [0]
    assert difference.digest(Candidate.whole(NONE)) != difference.digest(
        Candidate.whole(Deltas((0, 1)))
    )


@pytest.mark.parametrize("granularity", ["files", "lines", "nodes"])
def test_a_link_comes_and_goes_whole(granularity: Granularity) -> None:
    passing = Files({"a": b"x"}, links={"l": "a", "gone": "a", "m": "a"})
    failing = Files({"a": b"x", "l": b"was\na link\n"}, links={"m": "b", "new": "a"})
    difference = InputDifference(passing, failing, granularity)
    assert len(difference.deltas) == 4
    assert with_only(difference, 0, 2) == Files({"a": b"x"}, links={"l": "a", "m": "b"})
    assert with_only(difference, 1).contents["l"] == b"was\na link\n"


def test_a_path_is_not_a_file_and_a_folder() -> None:
    difference = InputDifference(Files({"a": b"x"}), Files({"a/b": b"y"}), "files")
    both = Candidate.whole(Deltas((1, 2)))
    assert difference.objection(both) == "'a' would be a file and a folder"
    for each in (NONE, Deltas((0, 1)), difference.deltas):
        assert difference.objection(Candidate.whole(each)) == ""


@pytest.mark.parametrize("granularity", ["files", "hunks", "nodes", "characters"])
def test_equal_sides_have_no_deltas(granularity: Granularity) -> None:
    difference = of(b"same\n", b"same\n", granularity)
    assert not difference.deltas
    assert units(difference) == [[]]
    assert content(difference) == b"same\n"


def test_units_can_be_sliced_and_counted_from_the_end() -> None:
    (level,) = of(b"", b"a\nb\nc\n", "lines").levels
    assert level.units[-1] == Deltas((2, 3))
    assert list(level.units[1:]) == [Deltas((1, 2)), Deltas((2, 3))]
    with pytest.raises(IndexError):
        level.units[3]


def test_only_the_last_candidates_are_kept() -> None:
    large = b"x" * (9 << 20)
    difference = of(b"", large + b"\ny\n", "lines")
    for each in (NONE, difference.deltas, Deltas((1, 2)), difference.deltas):
        candidate = Candidate(difference.deltas, Edit.keep(each), "")
        assert difference.digest(candidate) == digest_of(difference.render(candidate))
    assert content(difference, 1) == b"y\n"


SIZES = [1_000, pytest.param(12_500, marks=pytest.mark.slow)]
"""Lines; eight times as many may take about eight times as long."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("granularity", ["hunks", "lines", "nodes", "tokens", "characters"])
def test_many_lines_take_time_in_proportion(granularity: Granularity, size: int) -> None:
    def compare(count: int) -> None:
        lines = [b"  x%d = f(y%d);\n" % (number, number % 97) for number in range(count)]
        other = list(lines)
        for at in range(50, count, 1_000):
            other[at : at + 2] = [b"  changed(%d);\n" % at]
        difference = of(b"".join(lines), b"".join(other), granularity)
        assert content(difference, *difference.deltas) == b"".join(other)

    assert is_linear(compare, size)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_many_lines_that_all_differ_are_cut_no_finer_than_can_be_afforded(size: int) -> None:
    def compare(count: int) -> None:
        passing = b"".join(b"x%d = f();\n" % number for number in range(count))
        failing = passing.replace(b"x", b"  y")
        difference = of(passing, failing, "tokens")
        assert content(difference) == passing
        assert content(difference, *difference.deltas) == failing

    assert is_linear(compare, size)
