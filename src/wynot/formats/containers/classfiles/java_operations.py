"""The instructions of the Java virtual machine: their codes, what they take and what they give.

Letters are the kinds of values: ``I``, ``J``, ``F``, ``D`` as in descriptors, ``A`` for a
reference, ``U`` for an object that is not initialised yet.
"""

from collections.abc import Mapping

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
