"""The instructions of WebAssembly: what each takes from the stack and gives back.

A row has its first code, the immediate of all of them if they have one, and then the instructions
by ascending code: a name, what it takes, what it gives; ``-`` is a code without any.

A type of a value is one letter, so that the types of several values are a string.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from wynot.formats.leb128 import write_leb128


def _all(names: str, of: str, how: str) -> str:
    """Return instructions of one shape that take and give the same."""
    return " ".join("-:" if name == "-" else f"{of}.{name}:{how}" for name in names.split())


_LANES_COMPARED = "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"
_FLOAT_LANES_COMPARED = "eq ne lt gt le ge"
_SHIFTS = "shl shr_s shr_u"
_SATURATING_LANES = "add add_sat_s add_sat_u sub sub_sat_s sub_sat_u"
_EXTREMES = "min_s min_u max_s max_u"
_FLOAT_LANES = "add sub mul div min max pmin pmax"


def _wider(kind: str, of: str) -> str:
    return " ".join(f"{kind}_{end}" for end in (f"low_{of}_s", f"high_{of}_s", f"low_{of}_u"))


def _widening(kind: str, of: str) -> str:
    return f"{_wider(kind, of)} {kind}_high_{of}_u"


VECTOR_ROWS = f"""
    00 mem v128.load:i:v16 v128.load8x8_s:i:v8 v128.load8x8_u:i:v8 v128.load16x4_s:i:v8
    04 mem v128.load16x4_u:i:v8 v128.load32x2_s:i:v8 v128.load32x2_u:i:v8 v128.load8_splat:i:v1
    08 mem v128.load16_splat:i:v2 v128.load32_splat:i:v4 v128.load64_splat:i:v8 v128.store:iv:16
    0d shuffle i8x16.shuffle:vv:v
    0e i8x16.swizzle:vv:v i8x16.splat:i:v i16x8.splat:i:v i32x4.splat:i:v i64x2.splat:l:v
    13 f32x4.splat:f:v f64x2.splat:d:v
    15 lane i8x16.extract_lane_s:v:i16 i8x16.extract_lane_u:v:i16 i8x16.replace_lane:vi:v16
    18 lane i16x8.extract_lane_s:v:i8 i16x8.extract_lane_u:v:i8 i16x8.replace_lane:vi:v8
    1b lane i32x4.extract_lane:v:i4 i32x4.replace_lane:vi:v4
    1d lane i64x2.extract_lane:v:l2 i64x2.replace_lane:vl:v2
    1f lane f32x4.extract_lane:v:f4 f32x4.replace_lane:vf:v4
    21 lane f64x2.extract_lane:v:d2 f64x2.replace_lane:vd:v2
    23 {_all(_LANES_COMPARED, "i8x16", "vv:v")} {_all(_LANES_COMPARED, "i16x8", "vv:v")}
    37 {_all(_LANES_COMPARED, "i32x4", "vv:v")}
    41 {_all(_FLOAT_LANES_COMPARED, "f32x4", "vv:v")} {_all(_FLOAT_LANES_COMPARED, "f64x2", "vv:v")}
    4d v128.not:v:v {_all("and andnot or xor", "v128", "vv:v")}
    52 v128.bitselect:vvv:v v128.any_true:v:i
    54 mem+lane v128.load8_lane:iv:v1 v128.load16_lane:iv:v2 v128.load32_lane:iv:v4
    57 mem+lane v128.load64_lane:iv:v8 v128.store8_lane:iv:1 v128.store16_lane:iv:2
    5a mem+lane v128.store32_lane:iv:4 v128.store64_lane:iv:8
    5c mem v128.load32_zero:i:v4 v128.load64_zero:i:v8
    5e f32x4.demote_f64x2_zero:v:v f64x2.promote_low_f32x4:v:v
    60 {_all("abs neg popcnt", "i8x16", "v:v")} {_all("all_true bitmask", "i8x16", "v:i")}
    65 {_all("narrow_i16x8_s narrow_i16x8_u", "i8x16", "vv:v")}
    67 {_all("ceil floor trunc nearest", "f32x4", "v:v")} {_all(_SHIFTS, "i8x16", "vi:v")}
    6e {_all(_SATURATING_LANES, "i8x16", "vv:v")} {_all("ceil floor", "f64x2", "v:v")}
    76 {_all(_EXTREMES, "i8x16", "vv:v")} f64x2.trunc:v:v i8x16.avgr_u:vv:v
    7c {_all("extadd_pairwise_i8x16_s extadd_pairwise_i8x16_u", "i16x8", "v:v")}
    7e {_all("extadd_pairwise_i16x8_s extadd_pairwise_i16x8_u", "i32x4", "v:v")}
    80 {_all("abs neg", "i16x8", "v:v")} i16x8.q15mulr_sat_s:vv:v
    83 {_all("all_true bitmask", "i16x8", "v:i")}
    85 {_all("narrow_i32x4_s narrow_i32x4_u", "i16x8", "vv:v")}
    87 {_all(_widening("extend", "i8x16"), "i16x8", "v:v")} {_all(_SHIFTS, "i16x8", "vi:v")}
    8e {_all(_SATURATING_LANES, "i16x8", "vv:v")} f64x2.nearest:v:v i16x8.mul:vv:v
    96 {_all(_EXTREMES, "i16x8", "vv:v")} -: i16x8.avgr_u:vv:v
    9c {_all(_widening("extmul", "i8x16"), "i16x8", "vv:v")}
    a0 {_all("abs neg -", "i32x4", "v:v")} {_all("all_true bitmask", "i32x4", "v:i")}
    a7 {_all(_widening("extend", "i16x8"), "i32x4", "v:v")} {_all(_SHIFTS, "i32x4", "vi:v")}
    ae {_all(f"add - - sub - - - mul {_EXTREMES} dot_i16x8_s", "i32x4", "vv:v")}
    bc {_all(_widening("extmul", "i16x8"), "i32x4", "vv:v")}
    c0 {_all("abs neg -", "i64x2", "v:v")} {_all("all_true bitmask", "i64x2", "v:i")}
    c7 {_all(_widening("extend", "i32x4"), "i64x2", "v:v")} {_all(_SHIFTS, "i64x2", "vi:v")}
    ce {_all("add - - sub - - - mul eq ne lt_s gt_s le_s ge_s", "i64x2", "vv:v")}
    dc {_all(_widening("extmul", "i32x4"), "i64x2", "vv:v")}
    e0 {_all("abs neg - sqrt", "f32x4", "v:v")} {_all(_FLOAT_LANES, "f32x4", "vv:v")}
    ec {_all("abs neg - sqrt", "f64x2", "v:v")} {_all(_FLOAT_LANES, "f64x2", "vv:v")}
    f8 {_all("trunc_sat_f32x4_s trunc_sat_f32x4_u", "i32x4", "v:v")}
    fa {_all("convert_i32x4_s convert_i32x4_u", "f32x4", "v:v")}
    fc {_all("trunc_sat_f64x2_s_zero trunc_sat_f64x2_u_zero", "i32x4", "v:v")}
    fe {_all("convert_low_i32x4_s convert_low_i32x4_u", "f64x2", "v:v")}
    100 i8x16.relaxed_swizzle:vv:v
    101 {_all("relaxed_trunc_f32x4_s relaxed_trunc_f32x4_u", "i32x4", "v:v")}
    103 {_all("relaxed_trunc_f64x2_s_zero relaxed_trunc_f64x2_u_zero", "i32x4", "v:v")}
    105 {_all("relaxed_madd relaxed_nmadd", "f32x4", "vvv:v")}
    107 {_all("relaxed_madd relaxed_nmadd", "f64x2", "vvv:v")}
    109 i8x16.relaxed_laneselect:vvv:v i16x8.relaxed_laneselect:vvv:v
    10b i32x4.relaxed_laneselect:vvv:v i64x2.relaxed_laneselect:vvv:v
    10d {_all("relaxed_min relaxed_max", "f32x4", "vv:v")}
    10f {_all("relaxed_min relaxed_max", "f64x2", "vv:v")}
    111 {_all("relaxed_q15mulr_s relaxed_dot_i8x16_i7x16_s", "i16x8", "vv:v")}
    113 i32x4.relaxed_dot_i8x16_i7x16_add_s:vvv:v
"""


def _updates(first: int, name: str, values: int = 1) -> str:
    """Return what changes a place in memory at once, in all its sizes."""
    return f"{first:x} mem " + " ".join(
        f"{of}.atomic.rmw{bits}.{name}{'_u' * bool(bits)}:i{letter * values}:{letter}{size}"
        for of, bits, letter, size in (
            *(("i32", "", "i", 4), ("i64", "", "l", 8)),
            *(("i32", "8", "i", 1), ("i32", "16", "i", 2)),
            *(("i64", "8", "l", 1), ("i64", "16", "l", 2), ("i64", "32", "l", 4)),
        )
    )


ATOMIC_ROWS = "\n".join(
    (
        "00 mem memory.atomic.notify:ii:i4 memory.atomic.wait32:iil:i4 memory.atomic.wait64:ill:i8",
        "10 mem i32.atomic.load:i:i4 i64.atomic.load:i:l8 i32.atomic.load8_u:i:i1",
        "13 mem i32.atomic.load16_u:i:i2 i64.atomic.load8_u:i:l1 i64.atomic.load16_u:i:l2",
        "16 mem i64.atomic.load32_u:i:l4 i32.atomic.store:ii:4 i64.atomic.store:il:8",
        "19 mem i32.atomic.store8:ii:1 i32.atomic.store16:ii:2 i64.atomic.store8:il:1",
        "1c mem i64.atomic.store16:il:2 i64.atomic.store32:il:4",
        *(
            _updates(0x1E + 7 * number, name)
            for number, name in enumerate(("add", "sub", "and", "or", "xor", "xchg"))
        ),
        _updates(0x48, "cmpxchg", 2),
    )
)


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


def _rows(text: str, prefix: bytes = b"") -> Iterator[Operation]:
    """Read rows: the first code, the immediate if there is one, then what is on the codes."""
    for line in text.split("\n"):
        first, *words = line.split() or [""]
        immediate = words.pop(0) if words and ":" not in words[0] else ""
        for code, word in zip(count(int(first or "0", 16)), words, strict=False):
            name, takes, *gives = word.split(":")
            result = "".join(gives).rstrip("0123456789")
            size = "".join(gives)[len(result) :]
            number = write_leb128(code) if prefix else bytes((code,))
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
