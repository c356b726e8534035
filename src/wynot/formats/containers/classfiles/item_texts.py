"""Instructions and constants as they are written in a text."""

from collections.abc import Mapping
from typing import NamedTuple

from wynot.formats.containers.classfiles.class_bytes import (
    Bootstrap,
    DynamicMention,
    JavaConstant,
    MemberMention,
    MethodHandle,
)
from wynot.formats.containers.classfiles.code_items import JUMPS, CodeItem
from wynot.formats.containers.classfiles.java_operations import VARIABLE_KINDS
from wynot.formats.containers.symbolic.float_texts import float_text
from wynot.formats.containers.symbolic.symbolic_lists import quoted_bytes

SELF = "self"
OF_INTERFACE = "interface"
_WORDS = {"aconst_null": "null"}


class OwnNames(NamedTuple):
    """What a class is called, and what its own members are called in the texts."""

    name: str
    fields: Mapping[tuple[str, str], str]
    methods: Mapping[tuple[str, str], str]


def quoted(text: str) -> str:
    """Return a text as a string."""
    return quoted_bytes(text.encode("latin-1"))


def class_text(name: str, own: OwnNames) -> str:
    """Return how a class is mentioned."""
    return SELF if name == own.name else quoted(name)


def member_text(member: MemberMention, own: OwnNames, *, is_field: bool) -> str:
    """Return how a field or method is mentioned."""
    if member.owner == own.name:
        known = (own.fields if is_field else own.methods).get((member.name, member.descriptor))
        if known is not None:
            return known
    words = [class_text(member.owner, own), quoted(member.name), quoted(member.descriptor)]
    return " ".join([*words, OF_INTERFACE] if member.of_interface else words)


def handle_text(handle: MethodHandle, own: OwnNames) -> str:
    """Return a field or method as a value."""
    is_field = handle.kind.startswith(("get", "put"))
    return f"(handle {handle.kind} {member_text(handle.member, own, is_field=is_field)})"


def constant_text(constant: JavaConstant, own: OwnNames) -> str:
    """Return something that can be put on the stack."""
    kind, value = constant
    if isinstance(value, MethodHandle):
        return handle_text(value, own)
    if isinstance(value, DynamicMention):
        return f"(dynamic {_dynamic_text(value, own)})"
    if isinstance(value, bytes):
        return f"({kind} {float_text(value, kind[0])})" if any(value) else f"({kind})"
    if isinstance(value, int):
        return f"({kind} {value})" if value else f"({kind})"
    return f"({kind} {class_text(value, own) if kind == 'type' else quoted(value)})"


def _dynamic_text(mention: DynamicMention, own: OwnNames) -> str:
    bootstrap = bootstrap_text(mention.bootstrap, own)
    return f"{quoted(mention.name)} {quoted(mention.descriptor)} {bootstrap}"


def bootstrap_text(bootstrap: Bootstrap, own: OwnNames) -> str:
    """Return what makes a call site."""
    arguments = (constant_text(each, own) for each in bootstrap.arguments)
    return f"(by {' '.join((handle_text(bootstrap.handle, own), *arguments))})"


def item_head(item: CodeItem, own: OwnNames) -> str:
    """Return an instruction as a list that is still open."""
    name = item[0]
    if name == "ldc":
        return constant_text(item[1], own)[:-1]
    if name == "switch":
        cases = "".join(f" (case {number} {label})" for number, label in item[2])
        return f"(switch {item[1]}{cases}"
    words = [f"({_WORDS.get(name, name)}"]
    if name in VARIABLE_KINDS or name in {"iinc", "ret"}:
        words += (f"${item[1]}", *map(str, item[2:]))
    elif name in JUMPS or name == "newarray":
        words.append(item[1])
    elif name == "invokedynamic":
        words.append(_dynamic_text(item[1], own))
    elif len(item) > 1 and isinstance(item[1], MemberMention):
        words.append(member_text(item[1], own, is_field=name.startswith(("get", "put"))))
    elif len(item) > 1:
        words += (class_text(item[1], own), *map(str, item[2:]))
    return " ".join(words)
