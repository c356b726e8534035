"""Where two sequences differ, also if they are long."""

from random import Random

import pytest

from counting import steps
from wynot.core.texts.difference import Change, Effort, changes
from wynot.inquiries.inputs.edits import Edits, InputSource


def numbered(count: int) -> list[bytes]:
    return [b"line %d\n" % number for number in range(count)]


def test_equal_sequences_have_no_changes() -> None:
    assert changes(numbered(5), numbered(5), Effort()) == []
    assert changes([], [], Effort()) == []


def test_what_is_only_put_in_is_one_change() -> None:
    # Front to back, the first "}" of the failing side would be taken for that of the passing one.
    passing, failing = [b"f {", b"}", b"end"], [b"f {", b"}", b"g {", b"}", b"end"]
    assert changes(passing, failing, Effort()) == [Change(2, 2, 2, 4)]


def test_changes_far_apart_are_found_between_anchors() -> None:
    passing = numbered(5_000)
    failing = [*passing[:100], b"new\n", *passing[100:2_000], b"other\n", *passing[2_001:]]
    assert changes(passing, failing, Effort()) == [
        Change(100, 100, 100, 101),
        Change(2_000, 2_001, 2_001, 2_002),
    ]


def test_no_line_is_unique_but_windows_of_them_are() -> None:
    chance = Random(1)
    kinds = [b"%d\n" % chance.randrange(23) for _ in range(2_000)]
    failing = [*kinds[:700], b"odd\n", *kinds[701:1_500], *kinds[1_510:]]
    found = changes(kinds, failing, Effort(0))
    assert Change(700, 701, 700, 701) in found
    assert sum(stop - start for start, stop, _, _ in found) < 40


def test_what_moved_stays_on_one_side() -> None:
    passing = numbered(400)
    failing = [*passing[300:], *passing[:300]]
    found = changes(passing, failing, Effort())
    assert found == [Change(0, 0, 0, 100), Change(300, 400, 400, 400)]


@pytest.mark.parametrize("size", [3_000, pytest.param(60_000, marks=pytest.mark.slow)])
def test_few_kinds_of_lines_in_no_order_take_few_steps(size: int) -> None:
    passing = [b"%d\n" % (number**3 % 10_007 % 97) for number in range(size)]
    failing = [b"%d\n" % (number**2 % 10_009 % 97) for number in range(size)]
    assert steps(lambda: changes(passing, failing, Effort())) < 40 * size


def test_vastly_many_lines_are_compared_one_by_one() -> None:
    passing = b"".join(b"alpha %d beta gamma\n" % number for number in range(9_000))
    failing = passing.replace(b"beta", b"delta")
    sources = InputSource("notes", passing), InputSource("notes", failing)
    edits = Edits(*sources, "tokens", 0)
    assert len(edits.regions) > 1_000
    assert passing[slice(*edits.span(0))] == b"beta "
    assert edits.written((0, edits.after)) == failing
