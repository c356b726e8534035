"""What makes any instructions fit together: values that are missing are zero, others are dropped.

So of a body anything can be left out, and the rest is still valid: where an operand was there is a
constant, and where an instruction was its operands are computed for nothing.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from wynot.formats.containers.modules.wasm_operations import TYPE_BYTES
from wynot.formats.containers.symbolic.value_places import NO_PLACE, last_places, places_of

REFERENCED = "F"
"""The kind of a function that is not called, but mentioned as a value."""


class Mention(NamedTuple):
    """A number that is not known yet: that of something by its name."""

    space: str
    name: str


class BlockType(NamedTuple):
    """What a block takes and gives."""

    takes: str
    gives: str


class CalledType(NamedTuple):
    """What a function takes and gives that is called by its number in a table."""

    takes: str
    gives: str


CodePiece: TypeAlias = bytes | Mention | BlockType | CalledType
Code: TypeAlias = "CodePiece | list[Code]"
DROP = b"\x1a"
_STAND_INS = {
    "i": b"\x41\0",
    "l": b"\x42\0",
    "f": b"\x43" + bytes(4),
    "d": b"\x44" + bytes(8),
    "v": b"\xfd\x0c" + bytes(16),
    **{letter: bytes((0xD0, TYPE_BYTES[letter])) for letter in "rxe"},
}


class GivenValues(NamedTuple):
    """An instruction with all its operands, and the values that it gives."""

    code: Code
    types: str
    ends: bool = False
    """Whether nothing goes on from it."""
    is_first: bool = False
    """Whether it uses what is there when its block begins: nothing can be put before it."""


class Fitted(NamedTuple):
    """The code of some instructions that together give what was wanted."""

    code: list[Code]
    over: str
    """Values below these that were not wanted, and cannot be dropped there."""


def stand_ins(types: str) -> bytes:
    """Return what gives values that are as plain as can be."""
    return b"".join(map(_STAND_INS.__getitem__, types))


def dropped(given: Sequence[GivenValues]) -> list[Code]:
    """Return the code of instructions whose values nobody wants."""
    code: list[Code] = []
    for each in given:
        code.append(each.code)
        if each.types:
            code.append(DROP * len(each.types))
    return code


def on_stack(given: Sequence[GivenValues]) -> str:
    """Return the values that are there after some instructions."""
    return "".join([each.types for each in given[_last_end(given) :]])


def fitted(given: Sequence[GivenValues], wanted: str) -> Fitted:
    """Let some instructions give exactly what is wanted."""
    last = _last_end(given)
    if not last and "".join([each.types for each in given]) == wanted:
        return Fitted([each.code for each in given], "")
    found = _fitted(given[last:], wanted, fills_first=True)
    return Fitted([*dropped(given[:last]), *found.code], found.over)


def ended(given: Sequence[GivenValues], wanted: str) -> list[Code]:
    """Let the instructions of a block give what is wanted at its end; not if it is not reached."""
    last = _last_end(given)
    before, after = given[:last], given[last:]
    goes_on = not any(each.ends for each in after[:1])
    code, over = _fitted(after, wanted, fills_first=goes_on, at_end=True)
    if over:  # there is nobody to give them on to
        code = [*dropped(after), stand_ins(wanted)]
    return [*dropped(before), *code]


def _last_end(given: Sequence[GivenValues]) -> int:
    """Return the last instruction from which nothing goes on, or the first of all.

    What comes before it gives nothing to what comes after.
    """
    return max((number for number, each in enumerate(given) if each.ends), default=0)


def _fitted(
    given: Sequence[GivenValues], wanted: str, *, fills_first: bool, at_end: bool = False
) -> Fitted:
    types = "".join([each.types for each in given])
    places = last_places(types, wanted) if at_end else places_of(types, wanted)
    code: list[Code] = []
    at, filled, over = 0, 0, ""
    is_first = True
    for each in given:
        mine, at = places[at : at + len(each.types)], at + len(each.types)
        kept = _usable(mine, filled)
        if (each.ends or each.is_first) and fills_first and kept[:1] != [0]:
            kept = []  # what is put before it is not there after it, or in its way
        passed = _passed(mine) if is_first and not kept and not filled else 0
        if passed:
            over, kept = each.types[:passed], mine[passed:]
        if kept:
            if filled or fills_first:
                code.append(stand_ins(wanted[filled : kept[0]]))
            filled, fills_first = kept[-1] + 1, True
        code.append(each.code)
        code.append(DROP * (len(mine) - passed - len(kept)))
        is_first = is_first and not mine
    if filled or fills_first:
        code.append(stand_ins(wanted[filled:]))
    return Fitted(code, over)


def _usable(places: Sequence[int], filled: int) -> list[int]:
    """Return the places that the first values of an instruction are for, without a gap."""
    kept: list[int] = []
    for place in places:
        if place < filled or (kept and place != kept[-1] + 1):
            break
        kept.append(place)
    # What is above those is dropped; a value that is wanted cannot be above one that is not.
    return kept if all(place == NO_PLACE for place in places[len(kept) :]) else []


def _passed(places: Sequence[int]) -> int:
    """Return how many values are below those that are wanted, if these are all that is above."""
    count = sum(place == NO_PLACE for place in places)
    wanted = list(places[count:])
    is_together = all(after == before + 1 for before, after in pairwise(wanted))
    is_all = all(place == NO_PLACE for place in places[:count])
    return count if count and is_all and wanted and wanted[0] == 0 and is_together else 0
