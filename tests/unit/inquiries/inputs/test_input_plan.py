"""Which granularities are worth trying."""

from collections.abc import Iterator

import pytest

from wynot.core.files import Files
from wynot.inquiries.inputs.circumstance import Granularity
from wynot.inquiries.inputs.stages import Finest, stages


def granularities(
    passing: Files, failing: Files, atoms: Finest = "auto", after: Granularity | None = None
) -> Iterator[Granularity]:
    return (each.granularity for each in stages(passing, failing, atoms, after))


C = b"int f() {\n  return 1;\n}\nint g() {\n  return 2;\n}\n"


def planned(passing: bytes, failing: bytes, atoms: Finest = "auto", path: str = "a.c") -> list[str]:
    return list(granularities(Files({path: passing}), Files({path: failing}), atoms))


def test_files_come_first_if_several_differ() -> None:
    passing, failing = Files({"a": b"1\n2\n"}), Files({"a": b"3\n4\n5\n", "b": b""})
    assert next(granularities(passing, failing)) == "files"
    assert list(granularities(passing, passing)) == []


def test_nodes_are_the_units_of_what_has_grown() -> None:
    assert planned(b"", C)[0] == "nodes"
    assert planned(C, b"")[0] == "nodes"
    assert planned(b"", C, "lines") == ["lines"]


def test_one_line_that_changed_goes_straight_to_finer_ones() -> None:
    passing, failing = C, C.replace(b"f()", b"f(a, b)")
    assert planned(passing, failing) == ["nodes"]
    assert planned(passing, failing, "lines") == []


def test_hunks_of_several_lines_are_parted_by_lines() -> None:
    failing = C.replace(b"  return 1;\n", b"  x();\n  y();\n").replace(b"  return 2;", b"  z();")
    assert planned(C, failing)[:3] == ["hunks", "lines", "nodes"]


def test_a_hunk_of_lines_that_each_became_another_is_parted_by_lines() -> None:
    failing = C.replace(b"1", b"3").replace(b"2", b"4")
    assert planned(b"return 1;\nreturn 2;\n", b"return 3;\nreturn 4;\n", "lines") == ["lines"]
    assert planned(C, failing, "lines") == ["hunks"]


def test_one_token_that_became_another_cannot_be_parted() -> None:
    assert planned(C, C.replace(b"1", b"2")) == []
    assert planned(C, C.replace(b"1", b"2"), "chars") == []


def test_characters_of_a_known_language_are_tried_if_asked_for_or_if_a_token_is_long() -> None:
    failing = C.replace(b"f()", b"fgh()")
    assert planned(C, failing) == []
    assert planned(C, failing, "chars") == ["characters"]
    assert planned(C, failing, "tokens") == []
    long = C.replace(b"f()", b'f("' + b"long " * 10 + b'")')
    assert planned(C, long)[-1] == "characters"


def test_characters_of_no_language_are_tried() -> None:
    assert planned(b"hello\n", b"hullas\n", path="notes.txt") == ["characters"]


def test_what_is_no_text_is_bytes() -> None:
    passing, failing = b"\0one\ntwo\nthree\n", b"\0four\ntwo\nfive\n"
    assert planned(passing, failing) == ["characters"]
    assert planned(passing, failing, "lines") == ["hunks"]


@pytest.mark.parametrize("path", ["a.c", "a.txt"])
def test_a_plan_goes_on_after_a_granularity(path: str) -> None:
    passing, failing = Files({path: b""}), Files({path: C})
    found = list(granularities(passing, failing, "chars"))
    for place, each in enumerate(found):
        assert list(granularities(passing, failing, "chars", each)) == found[place + 1 :]


def test_a_stage_is_the_difference_itself() -> None:
    passing, failing = Files({"a.c": b""}), Files({"a.c": C})
    stage = next(stages(passing, failing))
    assert (stage.granularity, stage.passing, stage.failing) == ("nodes", passing, failing)
