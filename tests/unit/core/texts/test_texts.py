"""What goes out of a text, as holes between what stays; and runs of deltas."""

import pytest

from wynot.core.deltas import NONE, Deltas
from wynot.core.texts.parts import CutText
from wynot.core.texts.patched_text import spliced


class Bare(CutText):
    """A text of ten parts, with nothing between them."""

    def __init__(self) -> None:
        super().__init__("f", b"abcdefghij", range(10), range(1, 11), 10)

    def between(self, left: int, right: int) -> bytes:
        return b"[%d:%d]" % (left, right)


@pytest.mark.parametrize(
    ("before", "gone", "left"),
    [
        ([12, 15], [11, 13, 17], b"[-1:0]a[0:4]e[4:6]g[6:8]ij[9:10]"),  # as it is explained
        ([12, 15], [10, 11, 13, 17], b"[-1:4]e[4:6]g[6:8]ij[9:10]"),
        ([10, 12, 15], [11, 13, 17], b"[-1:4]e[4:6]g[6:8]ij[9:10]"),
        ([12, 15], [18, 19], b"[-1:0]ab[1:3]de[4:6]gh[7:10]"),
        ([12, 19], [17, 18], b"[-1:0]ab[1:3]defg[6:10]"),
        ([], [*range(10, 20)], b"[-1:10]"),
        ([12], [3, 9, 20, 25], b"[-1:0]ab[1:3]defghij[9:10]"),  # of other texts
    ],
)
def test_what_goes_is_holes_between_what_stays(
    before: list[int], gone: list[int], left: bytes
) -> None:
    text = Bare()
    base = Deltas.of({*range(30)} - {*before})
    kept = Deltas.of({*base} - {*gone})
    written = text.write(base)
    splices = text.splices(Deltas.of(gone), base, written)
    assert spliced(written.content, splices) == left == text.write(kept).content


def test_runs_that_overlap_are_one() -> None:
    runs = [(5, 9), (0, 2), (8, 12), (2, 3), (20, 20), (6, 7)]
    assert Deltas.covering(runs) == Deltas((0, 3, 5, 12))
    assert Deltas.covering([]) == NONE
