"""Where what is left of an input stood in it."""

import pytest

from wynot.core.files import Files
from wynot.inquiries.inputs.nearest import InputPiece, Surviving


def after(*steps: bytes) -> Surviving:
    """Return what is known after a reduction of one file in these steps."""
    told: list[int] = []
    found = Surviving(Files({"a": steps[0]}))
    found.take = told.append
    for number, content in enumerate(steps[1:]):
        found.accept(Files({"a": content}), b"", "nodes", "", number)
    assert told == [*range(len(steps) - 1)]
    return found


def survived(*steps: bytes) -> bytes:
    """Return the bytes of the input that are left of it."""
    return bytes(steps[0][place] for place in after(*steps).left.places["a"])


def test_at_first_all_but_white_space_is_left() -> None:
    assert survived(b"one two\n") == b"onetwo"


def test_of_parts_that_read_the_same_it_is_known_which_is_left() -> None:
    whole = b"x: 1\nb: *a\nc: 2\nd: *a\n"
    found = after(whole, b"c: 2\nd: *a\n", b"d: *a\n", b"*a\n")
    assert found.left.places["a"] == [whole.rindex(b"*"), whole.rindex(b"*") + 1]
    found = after(whole, b"x: 1\nb: *a\n", b"b: *a\n", b"*a")
    assert found.left.places["a"] == [whole.index(b"*"), whole.index(b"*") + 1]


def test_what_was_replaced_stands_for_what_it_replaces() -> None:
    whole = b"f(12345, g(x))\n"
    assert survived(whole, b"f(0, g(x))\n", b"f(0)\n") == b"f(1)"
    assert set(survived(whole, b"f(longer_name(), g(x))\n")) <= set(whole)


def test_what_stands_for_nothing_stands_for_a_neighbour() -> None:
    assert survived(b"ab", b"ab cd") == b"ab"
    assert after(b"", b"x").left.places == {"a": [0]}


def test_a_part_of_the_input_is_found_again_in_what_is_left() -> None:
    whole = b"one [two three four] five"
    found = after(whole, b"one [two four] five", b"one [two four]")
    start, stop = whole.index(b"["), whole.index(b"]") + 1
    [piece] = found.left.within(InputPiece(stop - start, "a", start, stop))
    assert found.files.contents["a"][piece.start : piece.stop] == b"[two four]"
    assert (
        found.left.within(InputPiece(5, "a", whole.index(b"three"), whole.index(b"three") + 5))
        == []
    )
    assert found.left.within(InputPiece(9, "gone", 0, 9)) == []


def test_files_that_are_gone_are_nowhere() -> None:
    found = Surviving(Files({"d/a": b"x y", "d/b": b"z"}))
    found.accept(Files({"d/a": b"x y"}), b"", "files", "", 1)
    found.accept(Files({"d/a": b"y"}), b"", "tokens", "", 2)
    assert found.left.places == {"d/a": [2]}
    assert found.left.within(InputPiece.whole_file("d/a", b"x y")) == [
        InputPiece.whole_file("d/a", b"y")
    ]
    assert found.left.within(InputPiece.whole_file("d/b", b"z")) == []


@pytest.mark.parametrize("content", [b"\xff\0\xfe" * 50, b"x" * 200_000, "äöü\u2028".encode()])
def test_any_bytes_will_do(content: bytes) -> None:
    found = after(content, content[: len(content) // 2], content[:1])
    assert found.left.places["a"] == [0]
