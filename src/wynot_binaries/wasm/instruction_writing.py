"""Writes instructions of any lists, such that they fit together: missing values are zero.

So of a body anything can be left out, and the rest is still valid: where an operand was there is a
constant, and where an instruction was its operands are computed for nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

from wynot.formats.leb128 import write_leb128, write_signed_leb128
from wynot_binaries.stack_machine import last_places, passed_below, places_of, usable
from wynot_binaries.symbolic_lists import (
    FormList,
    float_bytes,
    head_of,
    lists_of,
    name_of,
    numbers_of,
    words_of,
)
from wynot_binaries.wasm.module_spaces import MUTABLE, FunctionType, agree_in_type, named_signature
from wynot_binaries.wasm.wasm_operations import (
    NAMED_BY_NAME,
    OPERATIONS_BY_NAME,
    REFERENCES,
    TYPE_BYTES,
    TYPE_LETTERS,
    VECTOR_BYTES,
    Operation,
)

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
        kept = usable(mine, filled)
        if (each.ends or each.is_first) and fills_first and kept[:1] != [0]:
            kept = []  # what is put before it is not there after it, or in its way
        passed = passed_below(mine) if is_first and not kept and not filled else 0
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


def wrapped(number: int, bits: int) -> int:
    """Return a number as a signed one of so many bits."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> bits - 1 else number


def _integer(form: FormList, bits: int) -> bytes:
    code = b"\x41" if bits == 32 else b"\x42"  # noqa: PLR2004 - i32
    return code + write_signed_leb128(wrapped(next(numbers_of(form), 0), bits))


def _float(form: FormList, letter: str) -> bytes:
    _, text, *_ = [*words_of(form), ""]
    return (b"\x43" if letter == "f" else b"\x44") + float_bytes(text, letter)


def _vector(form: FormList) -> bytes:
    words = [*numbers_of(form), 0, 0, 0, 0][:4]
    return b"\xfd\x0c" + b"".join((word % (1 << 32)).to_bytes(4, "little") for word in words)


CONSTANTS: Mapping[str, tuple[str, Callable[[FormList], bytes]]] = {
    "i32.const": ("i", lambda form: _integer(form, 32)),
    "i64.const": ("l", lambda form: _integer(form, 64)),
    "f32.const": ("f", lambda form: _float(form, "f")),
    "f64.const": ("d", lambda form: _float(form, "d")),
    "v128.const": ("v", _vector),
}
"""What is given, and how it is written."""


Known: TypeAlias = Mapping[tuple[str, str], str]
"""Of what a text mentions, by kind and name, the types that it has; the first of a kind also has no
name."""
FIRST_MEMORY = "0"
_OTHER_MEMORY = 0x40
_ATOMIC = b"\xfe"
_NULLS = {name: letter for letter, name in REFERENCES.items()}


@dataclass(slots=True)
class BlockTarget:
    """A block that is open, as branches see it."""

    name: str
    carried: str
    kind: str
    entering: str = ""
    """The values that are there when it begins, and that nobody has taken yet."""
    is_fresh: bool = True
    """Whether nothing was written in it yet."""


class Mentioned(NamedTuple):
    """Something that is there."""

    number: Mention
    type: str


def stated_types(form: FormList) -> FunctionType:
    """Return what a list says that is taken and given."""
    takes = gives = ""
    for inner in lists_of(form):
        head = head_of(inner)
        if head in {"param", "result"}:
            letters = "".join(TYPE_LETTERS.get(word, "") for word in words_of(inner))
            takes, gives = (takes + letters, gives) if head == "param" else (takes, gives + letters)
    return takes, gives


class InstructionWriting:
    """Writes instructions; ``_targets`` has the blocks that are open."""

    def __init__(self, known: Known, variables: Mapping[str, tuple[int, str]], gives: str) -> None:
        self._known, self._variables, self._gives = known, variables, gives
        self._targets: list[BlockTarget] = []

    def mentioned(self, space: str, name: str) -> Mentioned | None:
        """Return something by its name, if it is there."""
        described = self._known.get((space, name))
        return None if described is None else Mentioned(Mention(space, name), described)

    def instruction(self, form: FormList, given: Sequence[GivenValues]) -> list[GivenValues]:
        """Write an instruction with its operands; what cannot be leaves these."""
        head = head_of(form)
        written: list[GivenValues] | None = None
        operation, constant = OPERATIONS_BY_NAME.get(head), CONSTANTS.get(head)
        if constant is not None:
            written = self._put(given, "", constant[0], constant[1](form))
        elif operation is not None:
            written = self._operation(operation, form, given)
        elif head in NAMED_BY_NAME:
            written = self._named(head, form, given)
        elif head in self._ODD:
            written = self._ODD[head](self, form, given)
        return list(given) if written is None else written

    def _put(
        self, given: Sequence[GivenValues], takes: str, gives: str, *code: Code, ends: bool = False
    ) -> list[GivenValues]:
        self._targets[-1].is_fresh = False
        operands, over = fitted(given, takes)
        ends = ends or any(each.ends for each in given)
        is_first = any(each.is_first for each in given)
        return [GivenValues([*operands, *code], over + gives, ends, is_first)]

    def _operation(
        self, operation: Operation, form: FormList, given: Sequence[GivenValues]
    ) -> list[GivenValues] | None:
        _, code, takes, gives, immediate, size = operation
        more: list[Code] = []
        if immediate.startswith("mem"):
            place = self._place(form, size, is_atomic=code.startswith(_ATOMIC))
            if place is None:
                return None
            more += place
        lanes = [number % 256 for number in numbers_of(form)]
        if immediate == "shuffle":
            more.append(bytes(lane % 32 for lane in [*lanes, *range(VECTOR_BYTES)][:VECTOR_BYTES]))
        elif immediate.endswith("lane"):
            count = size if immediate == "lane" else VECTOR_BYTES // size
            more.append(bytes((lanes[0] % count if lanes else 0,)))
        return self._put(given, takes, gives, code, *more)

    def _place(self, form: FormList, size: int, *, is_atomic: bool) -> list[Code] | None:
        """Return where in memory something is, if there is any."""
        memory = self.mentioned("m", name_of(form))
        if memory is None:
            return None
        stated = dict(word.split("=", 1) for word in words_of(form) if "=" in word)
        (offset,) = [*numbers_of([stated.get("offset", "")]), 0][:1]
        (aligned,) = [*numbers_of([stated.get("align", "")]), size][:1]
        if is_atomic or not 0 < aligned <= size:
            aligned = size
        power, where = aligned.bit_length() - 1, write_leb128(offset % (1 << 32))
        if memory.type == FIRST_MEMORY:
            return [write_leb128(power) + where]
        return [write_leb128(power | _OTHER_MEMORY), memory.number, where]

    def _named(
        self, head: str, form: FormList, given: Sequence[GivenValues]
    ) -> list[GivenValues] | None:
        """Write what names something of the module, or a variable."""
        _, code, spaces = NAMED_BY_NAME[head]
        names = [word for word in words_of(form) if word.startswith("$")]
        if spaces == "0":
            variable = self._variables.get(names[0] if names else "")
            if variable is None:
                return None
            number, letter = variable
            takes, gives = named_signature(head, [letter])
            return self._put(given, takes, gives, code, write_leb128(number))
        names += [""] * (len(spaces) - len(names))
        found = [self.mentioned(*each) for each in zip(spaces, names, strict=False)]
        things = [each for each in found if each is not None]
        types = [each.type for each in things]
        if len(things) < len(spaces) or not agree_in_type(head, types):
            return None
        if head == "ref.func":
            return self._put(given, "", "r", code, Mention(REFERENCED, names[0]))
        takes, gives = named_signature(head, [each.removesuffix(MUTABLE) for each in types])
        return self._put(given, takes, gives, code, *(each.number for each in things))

    def _take(self, _form: FormList, given: Sequence[GivenValues]) -> list[GivenValues] | None:
        """Take the values that a block begins with, all at once."""
        target = self._targets[-1]
        if not target.is_fresh or not target.entering:
            return None
        target.is_fresh, types, target.entering = False, target.entering, ""
        return [*given, GivenValues([], types, is_first=True)]

    def _drop(self, _form: FormList, given: Sequence[GivenValues]) -> list[GivenValues] | None:
        """Drop the last value; what is below it is given on."""
        types = on_stack(given)
        return self._put(given, types, types[:-1], DROP) if types else None

    def _select(self, form: FormList, given: Sequence[GivenValues]) -> list[GivenValues]:
        stated, types = stated_types(form)[1], on_stack(given)
        letter = stated[:1] or types[-3:-2] or types[:1] or "i"
        if stated or letter in REFERENCES:
            code = b"\x1c\1" + bytes((TYPE_BYTES[letter],))
        else:
            code = b"\x1b"
        return self._put(given, 2 * letter + "i", letter, code)

    def _null(self, form: FormList, given: Sequence[GivenValues]) -> list[GivenValues]:
        letter = next((_NULLS[word] for word in words_of(form) if word in _NULLS), "r")
        return self._put(given, "", letter, b"\xd0" + bytes((TYPE_BYTES[letter],)))

    def _is_null(self, _form: FormList, given: Sequence[GivenValues]) -> list[GivenValues]:
        types = on_stack(given)
        letter = next((each for each in types if each in REFERENCES), "r")
        return self._put(given, letter, "i", b"\xd1")

    def _unreachable(self, _form: FormList, given: Sequence[GivenValues]) -> list[GivenValues]:
        return self._put(given, "", "", b"\0", ends=True)

    def _return(self, _form: FormList, given: Sequence[GivenValues]) -> list[GivenValues]:
        return self._put(given, self._gives, "", b"\x0f", ends=True)

    def _fence(self, _form: FormList, given: Sequence[GivenValues]) -> list[GivenValues]:
        return self._put(given, "", "", b"\xfe\3\0")

    def _throw(self, form: FormList, given: Sequence[GivenValues]) -> list[GivenValues] | None:
        tag = self.mentioned("e", name_of(form))
        if tag is None:
            return None
        return self._put(given, tag.type.partition(":")[0], "", b"\x08", tag.number, ends=True)

    def _throw_ref(self, _form: FormList, given: Sequence[GivenValues]) -> list[GivenValues]:
        return self._put(given, "e", "", b"\x0a", ends=True)

    def _rethrow(self, form: FormList, given: Sequence[GivenValues]) -> list[GivenValues] | None:
        depth = self._depth(name_of(form))
        if depth is None or self._targets[-1 - depth].kind != "catch":
            return None
        return self._put(given, "", "", b"\x09", write_leb128(depth), ends=True)

    def _call(self, form: FormList, given: Sequence[GivenValues]) -> list[GivenValues] | None:
        function = self.mentioned("f", name_of(form))
        if function is None:
            return None
        takes, _, gives = function.type.partition(":")
        if head_of(form) == "call":
            return self._put(given, takes, gives, b"\x10", function.number)
        if gives != self._gives:
            return None
        return self._put(given, takes, "", b"\x12", function.number, ends=True)

    def _indirect(self, form: FormList, given: Sequence[GivenValues]) -> list[GivenValues] | None:
        table, (takes, gives) = self.mentioned("t", name_of(form)), stated_types(form)
        if table is None or table.type != "r":
            return None
        code: list[Code] = [CalledType(takes, gives), table.number]
        if head_of(form) == "call_indirect":
            return self._put(given, takes + "i", gives, b"\x11", *code)
        if gives != self._gives:
            return None
        return self._put(given, takes + "i", "", b"\x13", *code, ends=True)

    def _depth(self, name: str) -> int | None:
        """Return how many blocks are between here and one."""
        targets = enumerate(reversed(self._targets))
        return next((depth for depth, each in targets if name and each.name == name), None)

    def _branch(self, form: FormList, given: Sequence[GivenValues]) -> list[GivenValues] | None:
        depth = self._depth(name_of(form))
        if depth is None:
            return None
        carried = self._targets[-1 - depth].carried
        if head_of(form) == "br":
            return self._put(given, carried, "", b"\x0c", write_leb128(depth), ends=True)
        return self._put(given, carried + "i", carried, b"\x0d", write_leb128(depth))

    def _branches(self, form: FormList, given: Sequence[GivenValues]) -> list[GivenValues] | None:
        found = [self._depth(word) for word in words_of(form)]
        depths = [depth for depth in found if depth is not None]
        if not depths:
            return None
        carried = self._targets[-1 - depths[-1]].carried
        depths = [depth for depth in depths if self._targets[-1 - depth].carried == carried]
        code = b"\x0e" + b"".join(map(write_leb128, (len(depths) - 1, *depths)))
        return self._put(given, carried + "i", "", code, ends=True)

    _ODD: ClassVar[
        dict[
            str,
            Callable[
                ["InstructionWriting", FormList, Sequence[GivenValues]], list[GivenValues] | None
            ],
        ]
    ] = {
        "take": _take,
        "drop": _drop,
        "select": _select,
        "ref.null": _null,
        "ref.is_null": _is_null,
        "unreachable": _unreachable,
        "return": _return,
        "atomic.fence": _fence,
        "throw": _throw,
        "throw_ref": _throw_ref,
        "rethrow": _rethrow,
        **dict.fromkeys(("call", "return_call"), _call),
        **dict.fromkeys(("call_indirect", "return_call_indirect"), _indirect),
        **dict.fromkeys(("br", "br_if"), _branch),
        "br_table": _branches,
    }
