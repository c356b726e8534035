"""Instructions and constants as lists of a text, and back; what makes no sense is none."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wynot_binaries.java.constant_pool import (
    HANDLE_KINDS,
    MAX_DYNAMIC_DEPTH,
    Bootstrap,
    DynamicMention,
    JavaConstant,
    MemberMention,
    MethodHandle,
)
from wynot_binaries.java.java_operations import (
    ARRAY_KINDS,
    CLASS_NAMES,
    FIELD_NAMES,
    INVOKE_NAMES,
    JUMPS,
    PLAIN_EFFECTS,
    VARIABLE_KINDS,
    CodeItem,
)
from wynot_binaries.java.java_types import (
    MODIFIED_UTF8,
    is_class_name,
    is_field_type,
    is_member_name,
    is_utf8,
    method_type,
)
from wynot_binaries.symbolic_lists import (
    FormItem,
    FormList,
    float_bytes,
    float_text,
    head_of,
    lists_of,
    name_of,
    numbers_of,
    quoted_bytes,
    strings_of,
    words_of,
)

SELF = "self"
OF_INTERFACE = "interface"
_ITEM_NAMES = {"aconst_null": "null"}


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
    words = [f"({_ITEM_NAMES.get(name, name)}"]
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


_MAX_NUMBER = (1 << 16) - 1
CONSTANT_HEADS = frozenset(
    {"int", "long", "float", "double", "string", "type", "methodtype", "handle", "dynamic"}
)
NOTE_HEADS = frozenset({"by", "case"})
"""Lists in an instruction that are no operands."""


class OwnMember(NamedTuple):
    """A field or method that a text declares."""

    name: str
    descriptor: str


class ClassTable(NamedTuple):
    """What is known of a class that is written."""

    name: str
    base: str
    is_interface: bool
    fields: Mapping[str, OwnMember]
    methods: Mapping[str, OwnMember]


def texts_of(items: Sequence[FormItem]) -> Iterator[str]:
    """Return the strings among some items as texts that can be in a class."""
    return map(valid_text, strings_of(items))


def valid_text(content: bytes) -> str:
    """Return bytes as a text, without what cannot be in one."""
    text = content[:_MAX_NUMBER].decode("latin-1")
    if is_utf8(text):
        return text
    kept, at = list[str](), 0
    while at < len(text):
        found = MODIFIED_UTF8.match(text, at)
        kept.append(found[0] if found else "")
        at = (found.end() if found else at) + 1
    return "".join(kept)


def class_of(items: Sequence[FormItem], table: ClassTable) -> str | None:
    """Return the class that is mentioned."""
    name = next(texts_of(items), None)
    if name is None:
        return table.name if SELF in words_of(items) else None
    return name if is_class_name(name) else None


def member_of(
    items: Sequence[FormItem], table: ClassTable, *, is_field: bool
) -> MemberMention | None:
    """Return the field or method that is mentioned; None if it is not there."""
    known = name_of(items)
    if known:
        own = (table.fields if is_field else table.methods).get(known)
        if own is None:
            return None
        of_interface = table.is_interface and not is_field
        return MemberMention(table.name, own.name, own.descriptor, of_interface)
    texts, words = list(texts_of(items)), list(words_of(items))
    if SELF in words:
        texts.insert(0, table.name)
    if len(texts) < 3:  # noqa: PLR2004 - the class, the name, the descriptor
        return None
    owner, name, descriptor = texts[:3]
    fits = is_field_type(descriptor) if is_field else method_type(descriptor) is not None
    if not (fits and is_class_name(owner) and is_member_name(name)):
        return None
    return MemberMention(owner, name, descriptor, OF_INTERFACE in words and not is_field)


def handle_of(form: FormList, table: ClassTable) -> MethodHandle | None:
    """Return a field or method as a value."""
    kind = next((word for word in words_of(form) if word in HANDLE_KINDS), None)
    if kind is None:
        return None
    member = member_of(form, table, is_field=kind.startswith(("get", "put")))
    return None if member is None else MethodHandle(kind, member)


def constant_of(form: FormList, table: ClassTable, depth: int = 0) -> JavaConstant | None:
    """Return something that can be put on the stack."""
    kind = head_of(form)
    if kind in {"int", "long"}:
        bits = 32 if kind == "int" else 64
        number = next(numbers_of(form), 0) % (1 << bits)
        return JavaConstant(kind, number - (number >> bits - 1 << bits))
    if kind in {"float", "double"}:
        words = [*words_of(form), "0"]
        return JavaConstant(kind, float_bytes(words[1], kind[0]))
    if kind == "string":
        return JavaConstant(kind, next(texts_of(form), ""))
    value: str | MethodHandle | DynamicMention | None = None
    if kind == "type":
        value = class_of(form, table)
    elif kind == "methodtype":
        descriptor = next(texts_of(form), "")
        value = descriptor if method_type(descriptor) else None
    elif kind == "handle":
        value = handle_of(form, table)
    elif kind == "dynamic" and depth < MAX_DYNAMIC_DEPTH:
        found = dynamic_of(form, table, depth)
        value = found if found and is_field_type(found.descriptor) else None
    return None if value is None else JavaConstant(kind, value)


def dynamic_of(form: FormList, table: ClassTable, depth: int = 0) -> DynamicMention | None:
    """Return a call site, or a constant that is made when it is needed."""
    name, descriptor, *_ = [*texts_of(form), "", ""]
    by = next((inner for inner in lists_of(form) if head_of(inner) == "by"), None)
    if by is None or not is_member_name(name):
        return None
    parts = [*lists_of(by)]
    handle = handle_of(parts[0], table) if parts and head_of(parts[0]) == "handle" else None
    constants = [constant_of(each, table, depth + 1) for each in parts[1:]]
    known = tuple(each for each in constants if each is not None)
    if handle is None or len(known) < len(constants):
        return None
    return DynamicMention(name, descriptor, Bootstrap(handle, known))


def item_of(form: FormList, table: ClassTable) -> CodeItem | None:
    """Return an instruction that leads nowhere else; None if it makes no sense."""
    name = head_of(form)
    if name in CONSTANT_HEADS:
        constant = constant_of(form, table)
        return None if constant is None else ("ldc", constant)
    if name == "null":
        return ("aconst_null",)
    if name in VARIABLE_KINDS or name in {"ret", "iinc"}:
        variable = name_of(form)
        if not variable:
            return None
        step = (next(numbers_of(form), 0) + (1 << 15)) % (1 << 16) - (1 << 15)
        return (name, variable, step) if name == "iinc" else (name, variable)
    if name in PLAIN_EFFECTS:
        return (name,)
    return _mentioning(name, form, table)


def _mentioning(  # noqa: PLR0911 - one for each kind
    name: str, form: FormList, table: ClassTable
) -> CodeItem | None:
    if name in FIELD_NAMES or name in INVOKE_NAMES:
        member = member_of(form, table, is_field=name in FIELD_NAMES)
        return None if member is None else (name, member)
    if name == "invokedynamic":
        site = dynamic_of(form, table)
        return (name, site) if site and method_type(site.descriptor) else None
    if name == "newarray":
        word = next((word for word in words_of(form) if word in ARRAY_KINDS), None)
        return None if word is None else (name, word)
    if name in CLASS_NAMES or name == "multianewarray":
        mentioned = class_of(form, table)
        if mentioned is None or (name == "new" and mentioned.startswith("[")):
            return None
        if name != "multianewarray":
            return (name, mentioned)
        most = len(mentioned) - len(mentioned.lstrip("["))
        count = min(next(numbers_of(form), 1), most)
        return (name, mentioned, count) if count > 0 else None
    return None
