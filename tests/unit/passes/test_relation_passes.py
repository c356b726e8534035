"""Counted texts, reduced whole: the real plan, with functions as tests."""

from collections.abc import Callable

import pytest

from reduce_inline import reduce_inline
from wynot.core.files import Files

COUNTED = b"40\n" + b" ".join(b"%d" % (each * 37 % 101) for each in range(40)) + b"\n"


def reduced(text: bytes, fails: Callable[[bytes], object], width: int = 1) -> tuple[bytes, int]:
    def test(files: Files) -> object:
        try:
            return fails(files.contents["x.txt"])
        except ValueError:  # it is not well-formed
            return False

    found = reduce_inline(Files({"x.txt": text}), test, width=width)
    return found.content, found.tests


def has_all(text: bytes) -> bool:
    count, *words = text.split()
    return int(count) == len(words) and {b"74", b"9"} <= {*words}


@pytest.mark.parametrize("width", [1, 3])
def test_a_count_goes_down_with_what_it_counts(width: int) -> None:
    assert reduced(COUNTED, has_all, width)[0] == b"2\n74 9\n"


def test_a_count_that_nobody_checks_goes() -> None:
    assert reduced(COUNTED, lambda text: b"74" in text.split())[0] == b"74\n"


def test_a_number_that_matters_and_counts_nothing_stays_as_it_is() -> None:
    left, tests = reduced(COUNTED, lambda text: text.split()[:1] == [b"40"])
    assert left == b"40\n"
    assert tests < 20


def test_numbers_that_count_nothing_cost_a_test() -> None:
    needed = {b"74", b"9"}
    other = COUNTED.replace(b"40\n", b"41\n", 1)
    asked = [reduced(text, lambda text: needed <= {*text.split()})[1] for text in (COUNTED, other)]
    assert asked[0] <= asked[1] + 3


def test_a_number_of_columns_goes_down_with_the_columns() -> None:
    rows = [b" ".join(b"%d" % (row * 20 + column) for column in range(9)) for row in range(8)]
    text = b"8 9\n" + b"\n".join(rows) + b"\n"

    def fails(text: bytes) -> bool:
        (height, width), *lines = [[*map(int, line.split())] for line in text.splitlines()]
        is_matrix = height == len(lines) and all(len(line) == width for line in lines)
        return is_matrix and {44, 105} <= {each for line in lines for each in line}

    assert reduced(text, fails)[0] == b"2 1\n44\n105\n"


def test_a_file_with_relations_may_become_a_container() -> None:
    marker = b"\1\0\1\2\3\0\1\2\3\4\5\6\7\x08\t\n\x0b\x0c\xfd\x0b\2\0 \0\xfd\x19\3\x1aA\1"
    content = b"\0asm\0\0\1\6\1`\0" + marker
    found = reduce_inline(Files({"a": content}), lambda files: marker in files.contents["a"])
    assert marker in found.content
