"""WebAssembly as compilers write it."""

import pytest

from unit.formats.containers.samples import wasm_in, wasm_of
from wynot.formats.containers.container import Packed
from wynot.formats.containers.wasms import WASM

MODULE = b"\0asm\1\0\0\0"
COMPONENT = b"\0asm\x0d\0\1\0"


def names(content: bytes) -> list[str]:
    packed = WASM.unpack(content)
    assert packed is not None
    return [member.name for member in packed.members]


def test_sections_have_names() -> None:
    sections = [("1", b"t"), ("3", b"f"), ("10", b"c"), ("77", b""), ("custom name", b"n")]
    assert names(wasm_of(sections)) == ["type", "function", "code", "section 77", "custom name"]
    assert names(COMPONENT + b"\1\0\0\1\0") == ["section 1", "custom "]
    assert names(MODULE) == []


def test_sizes_are_as_wide_as_they_were() -> None:
    content = MODULE + b"\1\x82\x80\x80\x80\0ab" + b"\0\x84\0\x82\0nm"
    packed = WASM.unpack(content)
    assert packed is not None
    assert WASM.pack(packed) == content
    kind, custom = packed.members
    assert (kind.content, custom.name, custom.content) == (b"ab", "custom nm", b"")
    changed = Packed((kind.holding(b"x" * 200), custom.holding(b"y")), packed.head)
    written = WASM.pack(changed)
    assert written.startswith(MODULE + b"\1\xc8\x81\x80\x80\0")
    assert wasm_in(written) == [("1", b"x" * 200), ("custom nm", b"y")]


def test_a_size_that_needs_more_bytes_gets_them() -> None:
    packed = WASM.unpack(wasm_of([("1", b"x")]))
    assert packed is not None
    (member,) = packed.members
    written = WASM.pack(Packed((member.holding(bytes(70_000)),), packed.head))
    assert wasm_in(written) == [("1", bytes(70_000))]


@pytest.mark.parametrize(
    "broken",
    [
        b"\0asm",
        MODULE + b"\1",
        MODULE + b"\1\2x",
        MODULE + b"\1\x80",
        MODULE + b"\1\x80\x80\x80\x80\x80\0",
        MODULE + b"\1\x80\x80\x80\x80\x7f",
        MODULE + b"\0\1\2ab",
        MODULE + b"\0\0",
    ],
)
def test_what_is_left_alone(broken: bytes) -> None:
    assert WASM.unpack(broken) is None
