from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from wynot.core.texts.difference import Effort, text_changes
from wynot.core.texts.patches import common_ends
from wynot.report.origins import NO_STEP, Origins, Run

TEXTS = st.lists(st.sampled_from(["a", "b", "if", " ", "\n", "}", "x\n", "y = 1\n"]), max_size=30)


def walked(*contents: bytes) -> list[Run]:
    origins = Origins(contents[0])
    for step, (before, after) in enumerate(pairwise(contents), 1):
        origins.go(after, step, *common_ends(before, after))
    return origins.runs()


@given(st.lists(TEXTS.map(lambda words: "".join(words).encode()), min_size=1, max_size=6))
def test_every_byte_of_the_original_is_told_of_once(contents: list[bytes]) -> None:
    runs = walked(*contents)
    assert [run.start for run in runs] == [0, *(run.end for run in runs[:-1])][: len(runs)]
    assert (runs[-1].end if runs else 0) == len(contents[0])
    assert all(0 <= run.step < len(contents) for run in runs)
    left = b"".join(contents[0][run.start : run.end] for run in runs if run.step == NO_STEP)
    rest = iter(contents[-1])
    assert all(byte in rest for byte in left)  # in this order


@given(TEXTS, TEXTS)
def test_text_between_changes_is_the_same_before_and_after(
    one: list[str], other: list[str]
) -> None:
    before, after = "".join(one).encode(), "".join(other).encode()
    at = there = 0
    for start, stop, begin, end in text_changes(before, after, Effort()):
        assert start >= at
        assert before[at:start] == after[there:begin]
        assert before[start:stop] != after[begin:end]
        at, there = stop, end
    assert before[at:] == after[there:]


def test_the_line_that_went_is_told_and_not_its_neighbours() -> None:
    runs = walked(
        b"import doctest\nimport unittest\nimport sys\n", b"import unittest\nimport sys\n"
    )
    assert runs == [Run(0, 15, 1), Run(15, 42, NO_STEP)]


def test_each_step_has_its_parts() -> None:
    runs = walked(b"f(a, b)\ng()\n", b"f(a, b)\n", b"f(b)\n", b"f()")
    assert runs == [
        Run(0, 2, NO_STEP),
        *(Run(2, 5, 2), Run(5, 6, 3), Run(6, 7, NO_STEP), Run(7, 8, 3)),
        Run(8, 12, 1),
    ]


def test_a_large_file_takes_as_long_as_it_is_long() -> None:
    lines = [b"line %d of many\n" % number for number in range(20_000)]
    runs = walked(b"".join(lines), b"".join(lines[::2]), b"".join(lines[::4]), lines[8])
    assert sum(run.step == NO_STEP for run in runs) == 1
    assert {run.step for run in runs} == {0, 1, 2, 3}


def test_a_file_that_goes_went_with_that_step() -> None:
    origins = Origins(b"abc")
    origins.gone(7)
    assert origins.runs() == [Run(0, 3, 7)]
