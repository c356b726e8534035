"""What every format promises, of any bytes."""

from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting import is_linear
from wynot.formats.cuts import Format, blocks, characters, lines, octets, paragraphs, tokens
from wynot.formats.parsers.records import records

TILING: list[Format] = [lines, paragraphs, tokens, characters, octets]
NESTED: list[Format] = [*(partial(blocks, level=level) for level in range(4)), records]

PROGRAM = b"""\
int f(int a) {
    if (a) {
        return 1;
    } else {
        return 2;
    }

}

int main() { return f(0); }
"""
SAMPLES = [
    b"",
    b"\n",
    b"\n\n\n",
    b"a",
    b"a\nb",
    b"a\r\nb\r\n\r\nc",
    b"\xff\xfe\x00\x01",
    "größer 日本語 🎉\n".encode(),
    "größer".encode("latin-1"),
    b"\t a\n  b\n c\nd\n",
    b"}\n}\n{\n",
    b"x" * 5000,
    PROGRAM,
]
texts = st.one_of(
    st.sampled_from(SAMPLES),
    st.binary(max_size=200),
    st.text(alphabet="ab {}()\n\t;_0é", max_size=200).map(str.encode),
)


@pytest.mark.parametrize("cut", [*TILING, *NESTED])
@given(content=texts)
def test_parts_are_in_order_inside_the_text_and_not_empty(cut: Format, content: bytes) -> None:
    spans = list(cut(content).spans)
    assert all(0 <= start < stop <= len(content) for start, stop in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))


@pytest.mark.parametrize("cut", TILING)
@given(content=texts)
def test_flat_formats_leave_nothing_out(cut: Format, content: bytes) -> None:
    parts = cut(content)
    assert parts.tiles
    assert b"".join(content[start:stop] for start, stop in parts.spans) == content


@pytest.mark.parametrize("cut", [*TILING, *NESTED])
@given(content=texts)
def test_parts_tile_exactly_if_they_say_so(cut: Format, content: bytes) -> None:
    parts = cut(content)
    spans = list(parts.spans)
    assert parts.tiles == all(left[1] == right[0] for left, right in pairwise(spans))


@given(content=texts)
def test_each_level_is_inside_the_one_above(content: bytes) -> None:
    for level in range(3):
        outer = list(blocks(content, level).spans)
        for start, stop in blocks(content, level + 1).spans:
            assert any(low < start and stop <= high for low, high in outer)


@pytest.mark.parametrize("cut", [*TILING, *NESTED])
@pytest.mark.parametrize(
    "unit", [b"\n", b" ", b"a", b"(", b"\xc3", b"\xff", b" \n", b"\t}\n", b"a "]
)
def test_hostile_texts_take_time_in_proportion(cut: Format, unit: bytes) -> None:
    assert is_linear(lambda size: cut(unit * size), 5_000)
