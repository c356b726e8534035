"""Writes attributes of classes and members, each kind once, in the order in which they are met."""

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import ClassVar

from wynot.formats.containers.classfiles.access_flags import CLASS_FLAGS, METHOD_FLAGS, flags_of
from wynot.formats.containers.classfiles.annotation_texts import INVISIBLE
from wynot.formats.containers.classfiles.annotation_writing import AnnotationWriting
from wynot.formats.containers.classfiles.attribute_reading import NAMED_OTHERWISE, NOTHING
from wynot.formats.containers.classfiles.constant_pool import ConstantPool
from wynot.formats.containers.classfiles.item_forms import (
    ClassTable,
    class_of,
    constant_of,
    texts_of,
    valid_text,
)
from wynot.formats.containers.classfiles.item_texts import SELF
from wynot.formats.containers.classfiles.java_types import (
    is_class_name,
    is_field_type,
    is_member_name,
    method_type,
)
from wynot.formats.containers.classfiles.signatures import is_signature
from wynot.formats.containers.symbolic.symbolic_lists import (
    FormItem,
    FormList,
    head_of,
    lists_of,
    strings_of,
    words_of,
)

_MOST_ENTRIES = (1 << 16) - 1
_PLAIN_CONSTANTS = frozenset({"int", "long", "float", "double", "string"})
_SPACES = {
    "source": "c",
    "value": "f",
    "throws": "m",
    "nest-host": "c",
    "nest-member": "c",
    "permits": "c",
    "inner": "c",
    "enclosing": "c",
    "component": "c",
    "record": "c",
    "parameter": "m",
    "default": "m",
    "parameters": "m",
}
"""Of what something can be said, if it is not of anything: a class, a field, a method."""


class AttributeWriting:
    """Writes attributes, with the constants that they need."""

    def __init__(self, pool: ConstantPool, table: ClassTable) -> None:
        self._pool, self._table = pool, table

    def written(self, forms: Sequence[FormItem], space: str) -> list[bytes]:
        """Return the attributes that are said of something: of what tells ``space``."""
        kinds: dict[str, list[FormList]] = {}
        for form in lists_of(forms):
            head = head_of(form)
            if head in self._WRITERS and _SPACES.get(head, space) == space:
                kinds.setdefault(_kind(head, form), []).append(form)
        found = []
        for kind, several in kinds.items():
            name, content = self._WRITERS[kind.split()[0]](self, several[:_MOST_ENTRIES])
            if content is not None and name:
                if kind.endswith(INVISIBLE):
                    name = name.replace("Visible", "Invisible")
                number = self._pool.text(name)
                found.append(struct.pack(">HI", number, len(content)) + content)
        return found

    def _mark(self, _forms: list[FormList], name: str) -> tuple[str, bytes]:
        return name, b""

    def _text(self, forms: list[FormList], name: str) -> tuple[str, bytes | None]:
        text = next(texts_of(forms[0]), None)
        if text is None or (name == "Signature" and not is_signature(text)):
            return name, None
        return name, struct.pack(">H", self._pool.text(text))

    def _constant(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        found = [constant_of(inner, self._table) for inner in lists_of(forms[0])]
        constant = next((each for each in found if each and each.kind in _PLAIN_CONSTANTS), None)
        number = None if constant is None else struct.pack(">H", self._pool.constant(constant))
        return "ConstantValue", number

    def _host(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        name = class_of(forms[0], self._table)
        return "NestHost", None if name is None else struct.pack(">H", self._pool.class_name(name))

    def _classes(self, forms: list[FormList], name: str) -> tuple[str, bytes | None]:
        found = [class_of(form, self._table) for form in forms]
        numbers = [self._pool.class_name(each) for each in dict.fromkeys(found) if each]
        return name, _counted_numbers(numbers) if numbers else None

    def _inner(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        rows: dict[str, bytes] = {}
        for form in forms:
            inner, outer, name = [*self._said(form), "", "", ""][:3]
            if not is_class_name(inner) or inner in rows:
                continue
            numbers = (
                self._pool.class_name(inner),
                self._pool.class_name(outer) if is_class_name(outer) else 0,
                self._pool.text(name) if is_member_name(name) else 0,
                flags_of(form, CLASS_FLAGS),
            )
            rows[inner] = struct.pack(">4H", *numbers)
        return "InnerClasses", struct.pack(">H", len(rows)) + b"".join(
            rows.values()
        ) if rows else None

    def _said(self, form: FormList) -> Iterator[str]:
        """Return the classes and names that a list says, with empty ones for what is nothing."""
        for item in form[1:]:
            if isinstance(item, bytes):
                yield valid_text(item)
            elif item in (SELF, NOTHING):
                yield self._table.name if item == SELF else ""

    def _enclosing(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        owner, name, descriptor = [*self._said(forms[0]), "", "", ""][:3]
        if not is_class_name(owner):
            return "EnclosingMethod", None
        number, method = self._pool.class_name(owner), 0
        if is_member_name(name) and method_type(descriptor):
            method = self._pool.named(name, descriptor)
        return "EnclosingMethod", struct.pack(">HH", number, method)

    def _components(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        rows = []
        for form in forms:
            name, descriptor = [*texts_of(form), "", ""][:2]
            is_component = head_of(form) == "component" and is_member_name(name)
            if is_component and is_field_type(descriptor):
                numbers = self._pool.text(name), self._pool.text(descriptor)
                inner = self.written(form, "f")
                rows.append(struct.pack(">HHH", *numbers, len(inner)) + b"".join(inner))
        if not rows and all(head_of(form) != "record" for form in forms):
            return "Record", None
        return "Record", struct.pack(">H", len(rows)) + b"".join(rows)

    def _parameter_names(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        rows = []
        for form in forms[:255]:
            name = next(texts_of(form), "")
            number = self._pool.text(name) if is_member_name(name) else 0
            rows.append(struct.pack(">HH", number, flags_of(form, METHOD_FLAGS)))
        return "MethodParameters", bytes((len(rows),)) + b"".join(rows)

    def _annotations(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        return "RuntimeVisibleAnnotations", AnnotationWriting(self._pool).several(forms) or None

    def _on_parameters(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        content = AnnotationWriting(self._pool).of_parameters(forms[0])
        return "RuntimeVisibleParameterAnnotations", content

    def _on_types(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        content = AnnotationWriting(self._pool).of_types(forms)
        return "RuntimeVisibleTypeAnnotations", content or None

    def _default(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        values = [*lists_of(forms[0])]
        content = AnnotationWriting(self._pool).value(values[0]) if values else b""
        return "AnnotationDefault", content or None

    def _opaque(self, forms: list[FormList]) -> tuple[str, bytes | None]:
        raw, content, *_ = [*strings_of(forms[0]), b"", b""]
        name = valid_text(raw)
        return "" if name in NAMED_OTHERWISE else name, content

    _WRITERS: ClassVar[
        dict[str, Callable[["AttributeWriting", list[FormList]], tuple[str, bytes | None]]]
    ] = {
        "deprecated": partial(_mark, name="Deprecated"),
        "generated": partial(_mark, name="Synthetic"),
        "signature": partial(_text, name="Signature"),
        "source": partial(_text, name="SourceFile"),
        "value": _constant,
        "throws": partial(_classes, name="Exceptions"),
        "nest-host": _host,
        "nest-member": partial(_classes, name="NestMembers"),
        "permits": partial(_classes, name="PermittedSubclasses"),
        "inner": _inner,
        "enclosing": _enclosing,
        "component": _components,
        "record": _components,
        "parameter": _parameter_names,
        "default": _default,
        "annotation": _annotations,
        "parameters": _on_parameters,
        "ontype": _on_types,
        "attribute": _opaque,
    }


def _kind(head: str, form: FormList) -> str:
    """Return what is written together."""
    if head == "record":  # one without components, or with those that follow
        return "component"
    if head == "attribute":  # each by itself
        name = next(iter(strings_of(form)), b"")
        return f"{head} {name.hex()}"
    return f"{head} {INVISIBLE}" if INVISIBLE in words_of(form) else head


def _counted_numbers(numbers: list[int]) -> bytes:
    return struct.pack(f">{1 + len(numbers)}H", len(numbers), *numbers)
