"""Writes annotations; what makes no sense in one is left out."""

import struct
from collections.abc import Sequence

from wynot.formats.containers.classfiles.annotation_texts import MAX_ANNOTATION_DEPTH, TARGET_SIZES
from wynot.formats.containers.classfiles.class_bytes import JavaConstant
from wynot.formats.containers.classfiles.constant_pool import ConstantPool
from wynot.formats.containers.classfiles.item_forms import texts_of
from wynot.formats.containers.classfiles.java_types import is_field_type, is_member_name
from wynot.formats.containers.symbolic.float_texts import float_bytes
from wynot.formats.containers.symbolic.symbolic_lists import (
    FormList,
    head_of,
    lists_of,
    numbers_of,
    strings_of,
    words_of,
)

_MAX_COUNT = (1 << 16) - 1
_LIMITS = {"B": 8, "C": 17, "I": 32, "S": 16, "Z": 2, "J": 64}
"""Bits of numbers, with that of the sign."""


class AnnotationWriting:
    """Writes annotations."""

    def __init__(self, pool: ConstantPool) -> None:
        self._pool = pool

    def several(self, forms: Sequence[FormList]) -> bytes:
        """Return annotations, with their number; nothing, if there is none."""
        found = [each for each in (self._annotation(form, 0) for form in forms) if each]
        return _counted(found) if found else b""

    def of_parameters(self, form: FormList) -> bytes:
        """Return the annotations of each parameter."""
        each = [inner for inner in lists_of(form) if head_of(inner) == "of"][:255]
        lists = [self.several([*lists_of(inner)]) or b"\0\0" for inner in each]
        return bytes((len(lists),)) + b"".join(lists)

    def of_types(self, forms: Sequence[FormList]) -> bytes:
        """Return annotations of types, with their number; nothing, if there is none."""
        found = []
        for form in forms:
            target, *rest = [*strings_of(form), b""]
            if _is_target(target):
                annotation = self._annotation(["annotation", *rest[:1], *lists_of(form)], 0)
                found += [target + annotation] if annotation else []
        return _counted(found) if found else b""

    def _annotation(self, form: FormList, depth: int) -> bytes:
        kind = next(texts_of(form), "")
        if (
            head_of(form) != "annotation"
            or not is_field_type(kind)
            or depth >= MAX_ANNOTATION_DEPTH
        ):
            return b""
        number = self._pool.text(kind)
        pairs = []
        for inner in lists_of(form):
            name = next(texts_of(inner), "")
            values = [*lists_of(inner)]
            if head_of(inner) == "=" and is_member_name(name) and values:
                written = self.value(values[0], depth + 1)
                if written:
                    pairs.append(struct.pack(">H", self._pool.text(name)) + written)
        return struct.pack(">H", number) + _counted(pairs)

    def value(  # noqa: PLR0911 - one for each kind
        self, form: FormList, depth: int = 0
    ) -> bytes:
        """Return a value; nothing, if it makes no sense."""
        head = head_of(form)
        if depth >= MAX_ANNOTATION_DEPTH:
            return b""
        if head == "annotation":
            inner = self._annotation(form, depth)
            return b"@" + inner if inner else b""
        if head == "array":
            values = (self.value(each, depth + 1) for each in lists_of(form))
            return b"[" + _counted([each for each in values if each])
        texts = [*texts_of(form), "", ""]
        if head == "enum" and is_field_type(texts[0]) and is_member_name(texts[1]):
            return struct.pack(">cHH", b"e", *map(self._pool.text, texts[:2]))
        if head == "text":
            return struct.pack(">cH", b"s", self._pool.text(texts[0]))
        if head == "class" and (texts[0] == "V" or is_field_type(texts[0])):
            return struct.pack(">cH", b"c", self._pool.text(texts[0]))
        return self._number(head, form)

    def _number(self, tag: str, form: FormList) -> bytes:
        if tag in _LIMITS:
            bits = _LIMITS[tag]
            number = next(numbers_of(form), 0) % (1 << bits)
            number -= number >> bits - 1 << bits
            constant = JavaConstant("long" if tag == "J" else "int", number)
        elif tag in {"F", "D"}:
            words = [*words_of(form), "0"]
            constant = JavaConstant(
                "float" if tag == "F" else "double", float_bytes(words[1], tag.lower())
            )
        else:
            return b""
        return struct.pack(">cH", tag.encode(), self._pool.constant(constant))


def _counted(pieces: Sequence[bytes]) -> bytes:
    return struct.pack(">H", len(pieces[:_MAX_COUNT])) + b"".join(pieces[:_MAX_COUNT])


def _is_target(content: bytes) -> bool:
    """Tell whether some bytes say of which type something is said."""
    size = TARGET_SIZES.get(content[0]) if content else None
    path = content[1 + size :] if size is not None else b""
    return bool(path) and len(path) == 1 + 2 * path[0] and all(kind < 4 for kind in path[1::2])  # noqa: PLR2004
