"""Numbers as they are written: what is written is read again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.relations.relation import (
    BIG,
    DECIMAL,
    LITTLE,
    PADDED_DECIMAL,
    VARINT,
    Encoding,
)

BEFORE = {
    DECIMAL: b"12",
    PADDED_DECIMAL: b"12        ",
    LITTLE: bytes(4),
    BIG: bytes(4),
    VARINT: b"\1",
}


@given(st.sampled_from([*BEFORE]), st.integers(0, (1 << 32) - 1))
def test_number_is_read_as_it_was_written(encoding: Encoding, number: int) -> None:
    text = encoding.write(number, BEFORE[encoding])
    assert text is not None
    assert encoding.read(text) == number


@pytest.mark.parametrize(
    ("encoding", "number", "before", "after"),
    [
        (DECIMAL, 7, b"12", b"7"),
        (DECIMAL, 7, b"012", b"007"),
        (PADDED_DECIMAL, 7, b"12  ", b"7   "),
        (PADDED_DECIMAL, 12345, b"12  ", None),
        (BIG, 7, b"\1\2", b"\0\7"),
        (BIG, 1 << 16, b"\1\2", None),
        (VARINT, 300, b"\7", b"\xac\2"),
    ],
)
def test_width_is_kept_where_it_matters(
    encoding: Encoding, number: int, before: bytes, after: bytes | None
) -> None:
    assert encoding.write(number, before) == after
