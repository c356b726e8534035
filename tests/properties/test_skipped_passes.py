"""A pass that is skipped by hand: a part of the course, at any width, and when it is gone again."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from reduce_inline import Reduced, Steered, reduce_inline
from wynot.core.files import Files

TEXT = b"\n".join(
    b"def f%d(a, b):\n    x = a + %d\n    return [x, b, %d]" % (n, n, n) for n in range(3, 5)
)
FILES = Files({"in.py": TEXT + b"\nprint('boom', 1)\n"})
FEW = settings(max_examples=settings().max_examples // 5)
AT = st.lists(st.integers(0, 60), max_size=6).map(lambda each: tuple(sorted(set(each))))


def fails(files: Files) -> bool:
    content = files.contents["in.py"]
    return b"boom" in content and b"f3" in content and b"return" in content


def reduced(steered: Steered, width: int = 1, seed: int = 0) -> Reduced:
    return reduce_inline(FILES, fails, width=width, seed=seed, steered=steered)


def test_without_a_request_nothing_is_different() -> None:
    assert reduced(Steered()) == reduce_inline(FILES, fails)


def test_a_skipped_pass_ends_there_and_proves_nothing() -> None:
    plain = reduced(Steered())
    steered = Steered((1,))
    skipped = reduced(steered)
    [[after, name]] = json.loads(steered.wrote)
    assert (after, name) == (1, plain.passes[0][0])
    assert skipped.asked != plain.asked
    assert fails(skipped.files)
    everything = reduced(Steered(tuple(range(2_000))))
    assert everything.proved == ()
    assert fails(everything.files)


@FEW
@given(AT, st.sampled_from([1, 3]), st.integers(0, 99))
def test_what_is_written_down_is_gone_through_again(
    at: tuple[int, ...], width: int, seed: int
) -> None:
    first = Steered(at)
    course = reduced(first)
    again = Steered(recorded=first.wrote)
    assert reduced(again, width, seed) == course


@FEW
@given(AT, st.integers(0, 60))
def test_one_more_request_voids_what_came_after_it(at: tuple[int, ...], more: int) -> None:
    first = Steered(at)
    reduced(first)
    later = Steered((more,), recorded=first.wrote)
    course = reduced(later)
    if later.wrote:
        assert reduced(Steered(recorded=later.wrote)) == course


def test_what_makes_no_sense_is_no_skip() -> None:
    plain = reduced(Steered())
    for fact in ("[", "{}", "[[1]]", '[["1", "nodes"]]', '[[3, "no such pass"]]', "[" * 100_000):
        assert reduced(Steered(recorded=fact)) == plain
