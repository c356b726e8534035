"""Numbers of seven bits in each byte."""

from hypothesis import given
from hypothesis import strategies as st

from wynot.formats.leb128 import (
    read_leb128,
    sign_extended,
    write_leb128,
    write_signed_leb128,
)


@given(st.integers(0, (1 << 64) - 1), st.integers(0, 12), st.binary(max_size=3))
def test_a_number_ends_with_its_last_byte(number: int, width: int, rest: bytes) -> None:
    text = write_leb128(number, width)
    assert len(text) >= width
    assert read_leb128(text + rest, 0, len(text + rest)) == (number, len(text))
    assert read_leb128(text + rest, 0, len(text) - 1) is None


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_a_signed_number_keeps_its_sign(number: int) -> None:
    text = write_signed_leb128(number)
    found = read_leb128(text, 0, len(text))
    assert found is not None
    assert sign_extended(found[0], len(text)) == number
