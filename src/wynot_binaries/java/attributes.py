"""Attributes and annotations of classes and members as texts, and back."""

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import ClassVar

from wynot.formats.containers.container import Broken, check
from wynot_binaries.java.constant_pool import ClassBytes, ClassConstants, ConstantPool, JavaConstant
from wynot_binaries.java.item_texts import (
    SELF,
    ClassTable,
    OwnNames,
    class_of,
    class_text,
    constant_of,
    constant_text,
    quoted,
    texts_of,
    valid_text,
)
from wynot_binaries.java.java_types import (
    CLASS_FLAGS,
    METHOD_FLAGS,
    flag_words,
    flags_of,
    is_class_name,
    is_field_type,
    is_member_name,
    is_signature,
    method_type,
)
from wynot_binaries.symbolic_lists import (
    FormItem,
    FormList,
    float_bytes,
    float_text,
    head_of,
    lists_of,
    numbers_of,
    quoted_bytes,
    strings_of,
    words_of,
)

MAX_ANNOTATION_DEPTH = 30
_NUMBERS = {"B": "int", "C": "int", "I": "int", "S": "int", "Z": "int", "J": "long"}
_FLOATS = {"F": "float", "D": "double"}
INVISIBLE = "invisible"
TARGET_SIZES = {
    **dict.fromkeys((0x00, 0x01), 1),
    0x10: 2,
    **dict.fromkeys((0x11, 0x12), 2),
    **dict.fromkeys((0x13, 0x14, 0x15), 0),
    0x16: 1,
    0x17: 2,
}
"""Bytes that say of which type something is said, if that is not in code; by its kind."""


class AnnotationReading:
    """Reads annotations, and what belongs to them."""

    def __init__(self, source: ClassBytes, constants: ClassConstants) -> None:
        self._source, self._constants = source, constants

    def several(self, *, is_visible: bool) -> list[str]:
        """Read annotations, each a text."""
        flag = "" if is_visible else f" {INVISIBLE}"
        count = self._source.short()
        return [f"(annotation{flag}{self._annotation(0)})" for _ in range(count)]

    def of_parameters(self, *, is_visible: bool) -> str:
        """Read the annotations of each parameter."""
        flag = "" if is_visible else f" {INVISIBLE}"
        count = self._source.byte()
        each = [" ".join(("(of", *self.several(is_visible=True))) + ")" for _ in range(count)]
        return " ".join((f"(parameters{flag}", *each)) + ")"

    def of_types(self, *, is_visible: bool) -> list[str]:
        """Read annotations of types, outside of code."""
        flag = "" if is_visible else f" {INVISIBLE}"
        return [
            f"(ontype{flag} {quoted_bytes(self._target())}{self._annotation(0)})"
            for _ in range(self._source.short())
        ]

    def _target(self) -> bytes:
        kind = self._source.byte()
        size = TARGET_SIZES.get(kind)
        if size is None:
            raise Broken("it has annotations of an unknown kind")
        saved = bytes((kind,)) + self._source.take(size)
        length = self._source.byte()
        return saved + bytes((length,)) + self._source.take(2 * length)

    def _annotation(self, depth: int) -> str:
        check(depth < MAX_ANNOTATION_DEPTH, "annotations are too deep")
        kind = quoted(self._constants.text(self._source.short()))
        pairs = []
        for _ in range(self._source.short()):
            name = quoted(self._constants.text(self._source.short()))
            pairs.append(f" (= {name} {self.value(depth + 1)})")
        return f" {kind}{''.join(pairs)}"

    def value(self, depth: int = 0) -> str:
        """Read a value."""
        check(depth < MAX_ANNOTATION_DEPTH, "annotations are too deep")
        source, constants = self._source, self._constants
        tag = chr(source.byte())
        if tag == "@":
            return f"(annotation{self._annotation(depth)})"
        if tag == "[":
            values = [self.value(depth + 1) for _ in range(source.short())]
            return " ".join(("(array", *values)) + ")"
        if tag == "e":
            texts = [quoted(constants.text(source.short())) for _ in range(2)]
            return f"(enum {' '.join(texts)})"
        if tag in "sc":
            head = "text" if tag == "s" else "class"
            return f"({head} {quoted(constants.text(source.short()))})"
        constant = constants.constant(source.short())
        if isinstance(constant.value, int) and constant.kind == _NUMBERS.get(tag):
            return f"({tag} {constant.value})"
        if isinstance(constant.value, bytes) and constant.kind == _FLOATS.get(tag):
            return f"({tag} {float_text(constant.value, tag.lower())})"
        raise Broken("it has annotations of an unknown kind")


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


NOTHING = "-"
"""Stands for a class or name that is not said."""


class AttributeReading:
    """Reads the attributes of something."""

    def __init__(self, constants: ClassConstants, own: OwnNames) -> None:
        self._constants, self._own = constants, own

    def texts(self, source: ClassBytes, but: str = "") -> Iterator[tuple[str, bytes, list[str]]]:
        """Yield for each attribute its name, its content, and the lists that it is in a text.

        One with the name ``but`` may not be there.
        """
        for _ in range(source.short()):
            name = self._constants.text(source.short())
            check(name != but, "it has an attribute in itself")
            content = source.take(source.number())
            yield name, content, self._read(name, content)

    def _read(self, name: str, content: bytes) -> list[str]:
        if name in _MODULES:
            raise Broken("it describes a module")
        reader = self._READERS.get(name)
        if reader is None and name in NAMED_OTHERWISE:
            return []
        if reader is None:
            return [f"(attribute {quoted(name)} {quoted_bytes(content)})"]
        source = ClassBytes(content)
        found = list(reader(self, source))
        source.finish()
        return found

    def _class(self, number: int) -> str:
        return class_text(self._constants.class_name(number), self._own)

    def _mark(self, _source: ClassBytes, word: str) -> Iterator[str]:
        yield f"({word})"

    def _text(self, source: ClassBytes, word: str) -> Iterator[str]:
        yield f"({word} {quoted(self._constants.text(source.short()))})"

    def _constant(self, source: ClassBytes) -> Iterator[str]:
        yield f"(value {constant_text(self._constants.constant(source.short()), self._own)})"

    def _host(self, source: ClassBytes) -> Iterator[str]:
        yield f"(nest-host {self._class(source.short())})"

    def _classes(self, source: ClassBytes, word: str) -> Iterator[str]:
        for _ in range(source.short()):
            yield f"({word} {self._class(source.short())})"

    def _inner(self, source: ClassBytes) -> Iterator[str]:
        for _ in range(source.short()):
            inner, outer, name, flags = (source.short() for _ in range(4))
            words = (
                self._class(inner),
                self._class(outer) if outer else NOTHING,
                quoted(self._constants.text(name)) if name else NOTHING,
            )
            yield f"(inner {' '.join(words)}{flag_words(flags, CLASS_FLAGS)})"

    def _enclosing(self, source: ClassBytes) -> Iterator[str]:
        owner, method = self._class(source.short()), source.short()
        texts = [f" {quoted(each)}" for each in self._constants.named(method)] if method else []
        yield f"(enclosing {owner}{''.join(texts)})"

    def _components(self, source: ClassBytes) -> Iterator[str]:
        count = source.short()
        if not count:
            yield "(record)"
        for _ in range(count):
            texts = [quoted(self._constants.text(source.short())) for _ in range(2)]
            inner = [text for _, _, each in self.texts(source, "Record") for text in each]
            yield f"(component {' '.join([*texts, *inner])})"

    def _parameter_names(self, source: ClassBytes) -> Iterator[str]:
        for _ in range(source.byte()):
            name = self._constants.optional_text(source.short())
            said = f" {quoted(name)}" if name else ""
            yield f"(parameter{said}{flag_words(source.short(), METHOD_FLAGS)})"

    def _annotations(self, source: ClassBytes, *, is_visible: bool) -> Iterator[str]:
        yield from AnnotationReading(source, self._constants).several(is_visible=is_visible)

    def _on_parameters(self, source: ClassBytes, *, is_visible: bool) -> Iterator[str]:
        yield AnnotationReading(source, self._constants).of_parameters(is_visible=is_visible)

    def _on_types(self, source: ClassBytes, *, is_visible: bool) -> Iterator[str]:
        yield from AnnotationReading(source, self._constants).of_types(is_visible=is_visible)

    def _default(self, source: ClassBytes) -> Iterator[str]:
        yield f"(default {AnnotationReading(source, self._constants).value()})"

    _READERS: ClassVar[dict[str, Callable[["AttributeReading", ClassBytes], Iterator[str]]]] = {
        "Deprecated": partial(_mark, word="deprecated"),
        "Synthetic": partial(_mark, word="generated"),
        "Signature": partial(_text, word="signature"),
        "SourceFile": partial(_text, word="source"),
        "ConstantValue": _constant,
        "Exceptions": partial(_classes, word="throws"),
        "NestHost": _host,
        "NestMembers": partial(_classes, word="nest-member"),
        "PermittedSubclasses": partial(_classes, word="permits"),
        "InnerClasses": _inner,
        "EnclosingMethod": _enclosing,
        "Record": _components,
        "MethodParameters": _parameter_names,
        "AnnotationDefault": _default,
        "RuntimeVisibleAnnotations": partial(_annotations, is_visible=True),
        "RuntimeInvisibleAnnotations": partial(_annotations, is_visible=False),
        "RuntimeVisibleParameterAnnotations": partial(_on_parameters, is_visible=True),
        "RuntimeInvisibleParameterAnnotations": partial(_on_parameters, is_visible=False),
        "RuntimeVisibleTypeAnnotations": partial(_on_types, is_visible=True),
        "RuntimeInvisibleTypeAnnotations": partial(_on_types, is_visible=False),
    }


_MODULES = frozenset({"Module", "ModulePackages", "ModuleMainClass"})
NAMED_OTHERWISE = frozenset(
    {
        *("Code", "BootstrapMethods", "StackMapTable", "StackMap", "LineNumberTable"),
        *("LocalVariableTable", "LocalVariableTypeTable", "CharacterRangeTable"),
        *("ModuleTarget", "ModuleHashes", "ModuleResolution", "CompilationID", "SourceID"),
        *_MODULES,
        *AttributeReading._READERS,  # noqa: SLF001 - those that are read here
    }
)
"""Attributes that are never only bytes, since others look into them."""


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
