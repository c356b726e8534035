"""The instructions of the Java virtual machine, and code as a list of them with labels between."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from wynot_binaries.java.constant_pool import DynamicMention, JavaConstant
from wynot_binaries.java.java_types import (
    NULL,
    array_of,
    element_type,
    kind_of_field,
    method_type,
    type_of_field,
)

_TABLE = """
nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1
fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w
iload lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3
fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3
iaload laload faload daload aaload baload caload saload
istore lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3
lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 fstore_1 fstore_2 fstore_3
dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3
iastore lastore fastore dastore aastore bastore castore sastore
pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap
iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem
ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc
i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg
ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple
if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch
ireturn lreturn freturn dreturn areturn return getstatic putstatic getfield putfield
invokevirtual invokespecial invokestatic invokeinterface invokedynamic new newarray anewarray
arraylength athrow checkcast instanceof monitorenter monitorexit wide multianewarray
ifnull ifnonnull goto_w jsr_w
"""
_NAMES = _TABLE.split()
JAVA_NAMES = tuple(_NAMES)
JAVA_CODES: Mapping[str, int] = {name: code for code, name in enumerate(_NAMES)}
_KINDS = {"i": "I", "l": "J", "f": "F", "d": "D", "a": "A"}
VARIABLE_KINDS: Mapping[str, str] = {
    letter + what: kind for letter, kind in _KINDS.items() for what in ("load", "store")
}
"""The instructions that read and write variables, and of which kind."""
RETURNED_KINDS: Mapping[str, str] = {
    **{f"{letter}return": kind for letter, kind in _KINDS.items()},
    "return": "",
}
BRANCHES: Mapping[str, str] = {
    **dict.fromkeys(("ifeq", "ifne", "iflt", "ifge", "ifgt", "ifle"), "I"),
    **dict.fromkeys((name for name in _NAMES if name.startswith("if_icmp")), "II"),
    **dict.fromkeys(("if_acmpeq", "if_acmpne"), "AA"),
    **dict.fromkeys(("ifnull", "ifnonnull"), "A"),
}
"""The conditional ones, and what they take."""
FIELD_NAMES = ("getstatic", "putstatic", "getfield", "putfield")
INVOKE_NAMES = ("invokevirtual", "invokespecial", "invokestatic", "invokeinterface")
CLASS_NAMES = ("new", "anewarray", "checkcast", "instanceof")
ARRAY_KINDS: Mapping[str, tuple[int, str]] = {
    "boolean": (4, "Z"),
    "char": (5, "C"),
    "float": (6, "F"),
    "double": (7, "D"),
    "byte": (8, "B"),
    "short": (9, "S"),
    "int": (10, "I"),
    "long": (11, "J"),
}
"""Words for the arrays of numbers, their codes and their descriptors."""


def _arithmetic() -> dict[str, tuple[str, str]]:
    found = {}
    for letter, kind in (("i", "I"), ("l", "J"), ("f", "F"), ("d", "D")):
        for word in ("add", "sub", "mul", "div", "rem"):
            found[letter + word] = (kind * 2, kind)
        found[f"{letter}neg"] = (kind, kind)
    for letter, kind in (("i", "I"), ("l", "J")):
        for word in ("and", "or", "xor"):
            found[letter + word] = (kind * 2, kind)
        for word in ("shl", "shr", "ushr"):
            found[letter + word] = (f"{kind}I", kind)
    return found


def _conversions() -> dict[str, tuple[str, str]]:
    known = {**_KINDS, "b": "I", "c": "I", "s": "I"}
    names = (name for name in _NAMES if name[1:2] == "2")
    return {name: (known[name[0]], known[name[2]]) for name in names}


def _arrays() -> dict[str, tuple[str, str]]:
    found = {}
    for letter, kind in {**_KINDS, "b": "I", "c": "I", "s": "I"}.items():
        found[f"{letter}aload"] = ("AI", kind)
        found[f"{letter}astore"] = (f"AI{kind}", "")
    return found


PLAIN_EFFECTS: Mapping[str, tuple[str, str]] = {
    "nop": ("", ""),
    "aconst_null": ("", "A"),
    **_arithmetic(),
    **_conversions(),
    **_arrays(),
    "lcmp": ("JJ", "I"),
    **dict.fromkeys(("fcmpl", "fcmpg"), ("FF", "I")),
    **dict.fromkeys(("dcmpl", "dcmpg"), ("DD", "I")),
    "arraylength": ("A", "I"),
    "monitorenter": ("A", ""),
    "monitorexit": ("A", ""),
}
"""What instructions without anything but their code take and give."""
STACK_SHAPES: Mapping[str, tuple[int, int]] = {
    "dup": (1, 0),
    "dup_x1": (1, 1),
    "dup_x2": (1, 2),
    "dup2": (2, 0),
    "dup2_x1": (2, 1),
    "dup2_x2": (2, 2),
}
"""How many places are doubled, and below how many others the copies are put."""
WIDE_KINDS = "JD"
"""Values that take two places."""


def width_of(kinds: str) -> int:
    """Return how many places some values take."""
    return sum(1 + (kind in WIDE_KINDS) for kind in kinds)


def shape_in_values(name: str, kinds: str) -> tuple[int, int] | None:
    """Return how many values an instruction doubles, and below how many; given those on the stack.

    None if it would cut through a value.
    """
    places, found = list(STACK_SHAPES[name]), []
    left = kinds
    for wanted in places:
        count = 0
        while wanted > 0 and left:
            wanted -= width_of(left[-1])  # noqa: PLW2901 - what is still to be found
            left = left[:-1]
            count += 1
        if wanted:
            return None
        found.append(count)
    return found[0], found[1]


def named_shape(doubled: str, below: str) -> str | None:
    """Return the instruction that doubles values of these kinds, and puts them below others."""
    shape = width_of(doubled), width_of(below)
    return next((name for name, each in STACK_SHAPES.items() if each == shape), None)


CodeItem: TypeAlias = tuple[Any, ...]
"""``("label", name)``, ``("ldc", constant)``, ``("iload", 3)``, ``("goto", label)``,
``("switch", label, ((number, label), …))``, ``("invokestatic", member)`` …"""
LABEL = "label"
DEFAULT_VERSION = 49
"""The last version of class files whose code is verified without being told of types."""


class CodeHandler(NamedTuple):
    """Where exceptions are caught; all are labels."""

    start: str
    stop: str
    handler: str
    caught: str
    """The name of a class; empty if it is any."""


class CodeFrame(NamedTuple):
    """The types of variables, and of what is on the stack; of two places they are one."""

    variables: tuple[str, ...]
    stack: tuple[str, ...]


class CodeVariable(NamedTuple):
    """What a variable is called in the source, from one label to another."""

    number: int
    name: str
    type: str
    """Its descriptor; or its signature, if that is what it is about."""
    start: str
    stop: str
    is_generic: bool


@dataclass(frozen=True, slots=True)
class JavaCode:
    """The code of a method, and what is said of it."""

    max_stack: int
    max_variables: int
    items: Sequence[CodeItem]
    handlers: Sequence[CodeHandler] = ()
    frames: Mapping[str, CodeFrame] = field(default_factory=dict)
    """By label, in order."""
    lines: Sequence[tuple[str, int]] = ()
    """Labels, and the lines of the source that begin there."""
    variables: Sequence[CodeVariable] = ()


def labels_of(item: CodeItem) -> Iterator[str]:
    """Return where an instruction may lead to."""
    if item[0] == "switch":
        yield item[1]
        yield from (label for _, label in item[2])
    elif item[0] in JUMPS:
        yield item[1]


JUMPS = frozenset(
    {
        *("goto", "goto_w", "jsr", "jsr_w", "ifnull", "ifnonnull", "if_acmpeq", "if_acmpne"),
        *(f"if{each}" for each in ("eq", "ne", "lt", "ge", "gt", "le")),
        *(f"if_icmp{each}" for each in ("eq", "ne", "lt", "ge", "gt", "le")),
    }
)


def places_in(items: Sequence[CodeItem]) -> tuple[dict[str, int], int]:
    """Return how many instructions are before each label, and how many there are."""
    places, count = dict[str, int](), 0
    for item in items:
        if item[0] == LABEL:
            places.setdefault(item[1], count)
        else:
            count += 1
    return places, count


def without_idle_cases(items: Sequence[CodeItem]) -> list[CodeItem]:
    """Return instructions of which no switch says of a case what it says of all others."""
    places, _ = places_in(items)
    found = []
    for item in items:
        if item[0] != "switch":
            found.append(item)
            continue
        _, otherwise, cases = item
        kept = tuple(case for case in cases if places[case[1]] != places[otherwise])
        found.append(("switch", otherwise, kept))
    return found


def placed(items: Sequence[CodeItem]) -> list[CodeItem]:
    """Return instructions that say by number where they lead to: to compare them."""
    places, _ = places_in(items)
    return [_placed(item, places) for item in items if item[0] != LABEL]


def _placed(item: CodeItem, places: Mapping[str, int]) -> CodeItem:
    if item[0] == "switch":
        cases = tuple((number, places[label]) for number, label in item[2])
        return ("switch", places[item[1]], cases)
    return (item[0], places[item[1]]) if item[0] in JUMPS else item


def first_version(item: CodeItem) -> int:
    """Return the first version that knows an instruction."""
    if item[0] == "ldc" and item[1].kind in {"methodtype", "handle", "dynamic"}:
        return 55 if item[1].kind == "dynamic" else 51
    if item[0] in {"invokestatic", "invokespecial"} and item[1].of_interface:
        return 52
    return 51 if item[0] == "invokedynamic" else DEFAULT_VERSION


_CONSTANT_TYPES = {
    "int": "I",
    "long": "J",
    "float": "F",
    "double": "D",
    "string": "Ljava/lang/String",
    "type": "Ljava/lang/Class",
    "methodtype": "Ljava/lang/invoke/MethodType",
    "handle": "Ljava/lang/invoke/MethodHandle",
}


def constant_type(constant: JavaConstant) -> str:
    """Return the type of a constant."""
    if isinstance(constant.value, DynamicMention):
        return type_of_field(constant.value.descriptor)
    return _CONSTANT_TYPES[constant.kind]


def taken_kinds(item: CodeItem) -> str:  # noqa: PLR0911 - one for each kind
    """Return the kinds of what an instruction takes that is no jump and moves nothing."""
    name = item[0]
    if name in PLAIN_EFFECTS:
        return PLAIN_EFFECTS[name][0]
    if name in VARIABLE_KINDS:
        return VARIABLE_KINDS[name] if name.endswith("store") else ""
    if name in {"putstatic", "putfield", "getfield"}:
        value = kind_of_field(item[1].descriptor) if name.startswith("put") else ""
        return ("A" if name.endswith("field") else "") + value
    if name.startswith("invoke"):
        called = method_type(item[1].descriptor)
        kinds = called.kinds if called else ""
        if name in {"invokestatic", "invokedynamic"}:
            return kinds
        return ("U" if item[1].name == "<init>" else "A") + kinds
    if name == "multianewarray":
        return "I" * int(item[2])
    return {"newarray": "I", "anewarray": "I", "checkcast": "A", "instanceof": "A"}.get(name, "")


def given_types(  # noqa: PLR0911 - one for each kind
    item: CodeItem, taken: list[str]
) -> list[str]:
    """Return the types of what an instruction gives, if it takes values of these types."""
    name = item[0]
    if name == "ldc":
        return [constant_type(item[1])]
    if name == "aaload":
        return [element_type(taken[0])]
    if name == "aconst_null":
        return [NULL]
    if name in PLAIN_EFFECTS:
        return list(PLAIN_EFFECTS[name][1])
    if name in {"getstatic", "getfield"}:
        return [type_of_field(item[1].descriptor)]
    if name.startswith("invoke"):
        called = method_type(item[1].descriptor)
        return [] if called is None or called.gives == "V" else [type_of_field(called.gives)]
    if name in {"checkcast", "multianewarray"}:
        return [f"L{item[1]}"]
    if name == "newarray":
        return [f"L[{ARRAY_KINDS[item[1]][1]}"]
    if name == "anewarray":
        return [array_of(item[1])]
    return ["I"] if name == "instanceof" else []
