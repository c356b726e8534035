"""The instructions of WebAssembly: what each takes from the stack and gives back.

A type of a value is one letter, so that the types of several values are a string.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from wynot.formats.containers.modules.vector_operations import ATOMIC_ROWS, VECTOR_ROWS

VALUE_TYPES = {
    "i": ("i32", 0x7F),
    "l": ("i64", 0x7E),
    "f": ("f32", 0x7D),
    "d": ("f64", 0x7C),
    "v": ("v128", 0x7B),
    "r": ("funcref", 0x70),
    "x": ("externref", 0x6F),
    "e": ("exnref", 0x69),
}
VECTOR_BYTES = 16
REFERENCES = {"r": "func", "x": "extern", "e": "exn"}
TYPE_LETTERS = {name: letter for letter, (name, _) in VALUE_TYPES.items()}
TYPE_BYTES = {letter: byte for letter, (_, byte) in VALUE_TYPES.items()}
LETTERS_OF_BYTES = {byte: letter for letter, byte in TYPE_BYTES.items()}

_ROWS = """
    28 mem i32.load:i:i4 i64.load:i:l8 f32.load:i:f4 f64.load:i:d8
    2c mem i32.load8_s:i:i1 i32.load8_u:i:i1 i32.load16_s:i:i2 i32.load16_u:i:i2
    30 mem i64.load8_s:i:l1 i64.load8_u:i:l1 i64.load16_s:i:l2 i64.load16_u:i:l2
    34 mem i64.load32_s:i:l4 i64.load32_u:i:l4
    36 mem i32.store:ii:4 i64.store:il:8 f32.store:if:4 f64.store:id:8
    3a mem i32.store8:ii:1 i32.store16:ii:2 i64.store8:il:1 i64.store16:il:2 i64.store32:il:4
"""
_INTEGER = (
    "add",
    "sub",
    "mul",
    "div_s",
    "div_u",
    "rem_s",
    "rem_u",
    "and",
    "or",
    "xor",
    "shl",
    "shr_s",
    "shr_u",
    "rotl",
    "rotr",
)
_COMPARED = ("eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u")
_FLOATING = ("abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt")
_FLOATS = ("add", "sub", "mul", "div", "min", "max", "copysign")
_FLOATS_COMPARED = ("eq", "ne", "lt", "gt", "le", "ge")
_CONVERSIONS = """
    a7 i32.wrap_i64:l:i i32.trunc_f32_s:f:i i32.trunc_f32_u:f:i i32.trunc_f64_s:d:i
    ab i32.trunc_f64_u:d:i i64.extend_i32_s:i:l i64.extend_i32_u:i:l i64.trunc_f32_s:f:l
    af i64.trunc_f32_u:f:l i64.trunc_f64_s:d:l i64.trunc_f64_u:d:l
    b2 f32.convert_i32_s:i:f f32.convert_i32_u:i:f f32.convert_i64_s:l:f f32.convert_i64_u:l:f
    b6 f32.demote_f64:d:f f64.convert_i32_s:i:d f64.convert_i32_u:i:d f64.convert_i64_s:l:d
    ba f64.convert_i64_u:l:d f64.promote_f32:f:d i32.reinterpret_f32:f:i i64.reinterpret_f64:d:l
    be f32.reinterpret_i32:i:f f64.reinterpret_i64:l:d i32.extend8_s:i:i i32.extend16_s:i:i
    c2 i64.extend8_s:l:l i64.extend16_s:l:l i64.extend32_s:l:l
"""
_SATURATING = """
    00 i32.trunc_sat_f32_s:f:i i32.trunc_sat_f32_u:f:i i32.trunc_sat_f64_s:d:i
    03 i32.trunc_sat_f64_u:d:i i64.trunc_sat_f32_s:f:l i64.trunc_sat_f32_u:f:l
    06 i64.trunc_sat_f64_s:d:l i64.trunc_sat_f64_u:d:l
"""


class Operation(NamedTuple):
    """An instruction whose effect on the stack is always the same."""

    name: str
    code: bytes
    takes: str
    gives: str
    immediate: str = ""
    """What follows the code: ``mem``, a place in memory; ``lane``, one of a vector; both; or
    ``shuffle``, sixteen lanes."""
    size: int = 0
    """How many bytes of memory it is about, or how many lanes there are."""


def leb128(number: int) -> bytes:
    """Write an unsigned number in as few bytes as it takes."""
    written = bytearray()
    while number > 0x7F:  # noqa: PLR2004 - what one byte holds
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def signed_leb128(number: int) -> bytes:
    """Write a signed number in as few bytes as it takes."""
    written = bytearray()
    while not -0x40 <= number < 0x40:  # noqa: PLR2004 - what one byte holds
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number & 0x7F)
    return bytes(written)


def _rows(text: str, prefix: bytes = b"") -> Iterator[Operation]:
    """Read rows: the first code, the immediate if there is one, then what is on the codes."""
    for line in text.split("\n"):
        first, *words = line.split() or [""]
        immediate = words.pop(0) if words and ":" not in words[0] else ""
        for code, word in zip(count(int(first or "0", 16)), words, strict=False):
            name, takes, *gives = word.split(":")
            result = "".join(gives).rstrip("0123456789")
            size = "".join(gives)[len(result) :]
            number = leb128(code) if prefix else bytes((code,))
            if name != "-":
                yield Operation(name, prefix + number, takes, result, immediate, int(size or "0"))


def _numeric() -> Iterator[Operation]:
    for first, letter, name in ((0x45, "i", "i32"), (0x50, "l", "i64")):
        for code, each in enumerate(["eqz", *_COMPARED], first):
            takes = letter if each == "eqz" else 2 * letter
            yield Operation(f"{name}.{each}", bytes((code,)), takes, "i")
    for first, letter, name in ((0x5B, "f", "f32"), (0x61, "d", "f64")):
        for code, each in enumerate(_FLOATS_COMPARED, first):
            yield Operation(f"{name}.{each}", bytes((code,)), 2 * letter, "i")
    for first, letter, name in ((0x67, "i", "i32"), (0x79, "l", "i64")):
        for code, each in enumerate(["clz", "ctz", "popcnt", *_INTEGER], first):
            takes = letter if code < first + 3 else 2 * letter
            yield Operation(f"{name}.{each}", bytes((code,)), takes, letter)
    for first, letter, name in ((0x8B, "f", "f32"), (0x99, "d", "f64")):
        for code, each in enumerate([*_FLOATING, *_FLOATS], first):
            takes = letter if each in _FLOATING else 2 * letter
            yield Operation(f"{name}.{each}", bytes((code,)), takes, letter)


OPERATIONS = (
    Operation("nop", b"\1", "", ""),
    *_rows(_ROWS),
    *_numeric(),
    *_rows(_CONVERSIONS),
    *_rows(_SATURATING, b"\xfc"),
    *_rows(VECTOR_ROWS, b"\xfd"),
    *_rows(ATOMIC_ROWS, b"\xfe"),
)
BY_CODE = {operation.code: operation for operation in OPERATIONS}
OPERATIONS_BY_NAME = {operation.name: operation for operation in OPERATIONS}


class NamedOperation(NamedTuple):
    """An instruction that names parts of its module."""

    name: str
    code: bytes
    spaces: str
    """What it names, a letter each: see ``module_spaces``; a variable is ``0``."""


NAMED_OPERATIONS = (
    NamedOperation("local.get", b"\x20", "0"),
    NamedOperation("local.set", b"\x21", "0"),
    NamedOperation("local.tee", b"\x22", "0"),
    NamedOperation("global.get", b"\x23", "g"),
    NamedOperation("global.set", b"\x24", "g"),
    NamedOperation("table.get", b"\x25", "t"),
    NamedOperation("table.set", b"\x26", "t"),
    NamedOperation("memory.size", b"\x3f", "m"),
    NamedOperation("memory.grow", b"\x40", "m"),
    NamedOperation("ref.func", b"\xd2", "f"),
    NamedOperation("memory.init", b"\xfc\x08", "dm"),
    NamedOperation("data.drop", b"\xfc\x09", "d"),
    NamedOperation("memory.copy", b"\xfc\x0a", "mm"),
    NamedOperation("memory.fill", b"\xfc\x0b", "m"),
    NamedOperation("table.init", b"\xfc\x0c", "st"),
    NamedOperation("elem.drop", b"\xfc\x0d", "s"),
    NamedOperation("table.copy", b"\xfc\x0e", "tt"),
    NamedOperation("table.grow", b"\xfc\x0f", "t"),
    NamedOperation("table.size", b"\xfc\x10", "t"),
    NamedOperation("table.fill", b"\xfc\x11", "t"),
)
NAMED_BY_CODE = {operation.code: operation for operation in NAMED_OPERATIONS}
NAMED_BY_NAME = {operation.name: operation for operation in NAMED_OPERATIONS}
