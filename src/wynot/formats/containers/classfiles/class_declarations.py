"""What the texts of a class declare; of methods all but their code, which is read when needed."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.formats.containers.classfiles.access_flags import METHOD_FLAGS, flags_of
from wynot.formats.containers.classfiles.item_forms import OwnMember, texts_of
from wynot.formats.containers.classfiles.java_types import (
    MAX_PARAMETER_PLACES,
    MethodType,
    is_field_type,
    is_member_name,
    is_utf8,
)
from wynot.formats.containers.classfiles.method_heads import NamedParameters
from wynot.formats.containers.symbolic.symbolic_lists import (
    FormItem,
    FormList,
    head_of,
    lists_of,
    name_of,
    names_in,
    symbolic_lists,
)

FLAT_HEAD = "flat"
CODE_HEADS = frozenset({"code", FLAT_HEAD})
_SPECIAL = frozenset({"<init>", "<clinit>"})


class DeclaredField(NamedTuple):
    """A field that a text declares."""

    mentioned_as: str
    own: OwnMember
    form: FormList


class DeclaredMethod(NamedTuple):
    """A method that a text declares."""

    mentioned_as: str
    own: OwnMember
    flags: int
    kind: MethodType
    parameters: NamedParameters
    form: Sequence[FormItem]
    """All that is said of it but its code."""
    number: int
    """Which list of its text it is."""


class ClassText(NamedTuple):
    """A text, and what it declares."""

    text: str
    names: frozenset[str]
    """All that it mentions."""
    fields: tuple[DeclaredField, ...]
    methods: tuple[DeclaredMethod, ...]
    others: tuple[FormList, ...]


def class_declarations(content: bytes) -> ClassText:
    """Read a text."""
    text = content.decode("latin-1")
    fields: list[DeclaredField] = []
    methods: list[DeclaredMethod] = []
    others: list[FormList] = []
    for number, form in enumerate(symbolic_lists(text)):
        if not isinstance(form, list):
            continue
        head = head_of(form)
        if head == "field":
            fields += _field(form)
        elif head == "method":
            methods += _method(form, number)
        else:
            others.append(form)
    return ClassText(text, names_in(text), tuple(fields), tuple(methods), tuple(others))


def _field(form: FormList) -> Iterator[DeclaredField]:
    name, descriptor = [*texts_of(form), "", ""][:2]
    is_named = is_member_name(name) and name not in _SPECIAL
    if is_named and is_field_type(descriptor) and is_utf8(descriptor):
        yield DeclaredField(name_of(form), OwnMember(name, descriptor), form)


def _method(form: FormList, number: int) -> Iterator[DeclaredMethod]:
    name = next(texts_of(form), "")
    if not is_member_name(name):
        return
    flags = flags_of(form, METHOD_FLAGS)
    if name == "<clinit>":
        flags |= METHOD_FLAGS["static"]
    this: str | None = None
    left, gives = MAX_PARAMETER_PLACES, "V"
    if not flags & METHOD_FLAGS["static"]:
        this, left = "", left - 1
    names, takes = [], []
    for inner in lists_of(form):
        head, descriptor = head_of(inner), next(texts_of(inner), "")
        if head == "this" and this == "":
            this = name_of(inner)
        if not is_field_type(descriptor) or not is_utf8(descriptor):
            continue
        width = 1 + (descriptor in {"J", "D"})
        if head == "param" and width <= left:
            names.append(name_of(inner))
            takes.append(descriptor)
            left -= width
        elif head == "result" and name not in _SPECIAL:
            gives = descriptor
    kind = MethodType(tuple(takes), gives)
    rest = [item for item in form if head_of(item) not in CODE_HEADS]
    own = OwnMember(name, kind.descriptor)
    yield DeclaredMethod(
        name_of(form), own, flags, kind, NamedParameters(this, names), rest, number
    )
