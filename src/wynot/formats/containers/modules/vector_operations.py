"""The instructions on vectors and on memory that threads share, as rows of a table.

A row has its first code, the immediate of all of them if they have one, and then the instructions
by ascending code: a name, what it takes, what it gives; ``-`` is a code without any.
"""


def _all(names: str, of: str, how: str) -> str:
    """Return instructions of one shape that take and give the same."""
    return " ".join("-:" if name == "-" else f"{of}.{name}:{how}" for name in names.split())


_COMPARED = "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"
_FLOATS_COMPARED = "eq ne lt gt le ge"
_SHIFTS = "shl shr_s shr_u"
_SATURATING = "add add_sat_s add_sat_u sub sub_sat_s sub_sat_u"
_EXTREMES = "min_s min_u max_s max_u"
_FLOATS = "add sub mul div min max pmin pmax"


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
    23 {_all(_COMPARED, "i8x16", "vv:v")} {_all(_COMPARED, "i16x8", "vv:v")}
    37 {_all(_COMPARED, "i32x4", "vv:v")}
    41 {_all(_FLOATS_COMPARED, "f32x4", "vv:v")} {_all(_FLOATS_COMPARED, "f64x2", "vv:v")}
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
    6e {_all(_SATURATING, "i8x16", "vv:v")} {_all("ceil floor", "f64x2", "v:v")}
    76 {_all(_EXTREMES, "i8x16", "vv:v")} f64x2.trunc:v:v i8x16.avgr_u:vv:v
    7c {_all("extadd_pairwise_i8x16_s extadd_pairwise_i8x16_u", "i16x8", "v:v")}
    7e {_all("extadd_pairwise_i16x8_s extadd_pairwise_i16x8_u", "i32x4", "v:v")}
    80 {_all("abs neg", "i16x8", "v:v")} i16x8.q15mulr_sat_s:vv:v
    83 {_all("all_true bitmask", "i16x8", "v:i")}
    85 {_all("narrow_i32x4_s narrow_i32x4_u", "i16x8", "vv:v")}
    87 {_all(_widening("extend", "i8x16"), "i16x8", "v:v")} {_all(_SHIFTS, "i16x8", "vi:v")}
    8e {_all(_SATURATING, "i16x8", "vv:v")} f64x2.nearest:v:v i16x8.mul:vv:v
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
    e0 {_all("abs neg - sqrt", "f32x4", "v:v")} {_all(_FLOATS, "f32x4", "vv:v")}
    ec {_all("abs neg - sqrt", "f64x2", "v:v")} {_all(_FLOATS, "f64x2", "vv:v")}
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
