"""What instructions take from the stack, and what they give."""

from wynot.formats.containers.classfiles.class_bytes import DynamicMention, JavaConstant
from wynot.formats.containers.classfiles.code_items import CodeItem
from wynot.formats.containers.classfiles.java_operations import (
    ARRAY_KINDS,
    PLAIN_EFFECTS,
    VARIABLE_KINDS,
)
from wynot.formats.containers.classfiles.java_types import (
    NULL,
    array_of,
    element_type,
    kind_of_field,
    method_type,
    type_of_field,
)

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
