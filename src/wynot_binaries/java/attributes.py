"""Attributes and annotations of classes and members as texts, and back."""

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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

    def of(self, head: str, *, is_visible: bool) -> list[str]:
        """Read annotations, those of each parameter or those of types: each list begins so."""
        flag, source = "" if is_visible else f" {INVISIBLE}", self._source
        if head == "parameters":
            each = [" ".join(("(of", *self._several(""))) + ")" for _ in range(source.byte())]
            return [" ".join((f"({head}{flag}", *each)) + ")"]
        if head == "annotation":
            return self._several(flag)
        return [
            f"({head}{flag} {quoted_bytes(self._target())}{self._annotation(0)})"
            for _ in range(source.short())
        ]

    def _several(self, flag: str) -> list[str]:
        return [f"(annotation{flag}{self._annotation(0)})" for _ in range(self._source.short())]

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

    def of(self, head: str, forms: Sequence[FormList]) -> bytes | None:
        """Return the annotations in lists that begin so; None if there are none."""
        if head == "parameters":
            parameters = [each for each in lists_of(forms[0]) if head_of(each) == "of"][:255]
            lists = [self._several([*lists_of(each)]) or b"\0\0" for each in parameters]
            return bytes((len(lists),)) + b"".join(lists)
        return (self._several(forms) if head == "annotation" else self._of_types(forms)) or None

    def _several(self, forms: Sequence[FormList]) -> bytes:
        """Return annotations, with their number; nothing, if there is none."""
        found = [each for each in (self._annotation(form, 0) for form in forms) if each]
        return counted_pieces(found) if found else b""

    def _of_types(self, forms: Sequence[FormList]) -> bytes:
        """Return annotations of types, with their number; nothing, if there is none."""
        found = []
        for form in forms:
            target, *rest = [*strings_of(form), b""]
            if _is_target(target):
                annotation = self._annotation(["annotation", *rest[:1], *lists_of(form)], 0)
                found += [target + annotation] if annotation else []
        return counted_pieces(found) if found else b""

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
        return struct.pack(">H", number) + counted_pieces(pairs)

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
            return b"[" + counted_pieces([each for each in values if each])
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


def counted_pieces(pieces: Sequence[bytes]) -> bytes:
    """Return pieces with their number before them, as many as there may be."""
    return struct.pack(">H", len(pieces[:_MAX_COUNT])) + b"".join(pieces[:_MAX_COUNT])


def _is_target(content: bytes) -> bool:
    """Tell whether some bytes say of which type something is said."""
    size = TARGET_SIZES.get(content[0]) if content else None
    path = content[1 + size :] if size is not None else b""
    return bool(path) and len(path) == 1 + 2 * path[0] and all(kind < 4 for kind in path[1::2])  # noqa: PLR2004


NOTHING = "-"
"""Stands for a class or name that is not given."""


class AttributeForm(NamedTuple):
    """How an attribute is said in lists of a text."""

    name: str
    head: str
    space: str
    """What it can be of: a class, a field, a method; empty: of any of them."""
    fields: str
    """A letter for each field of a list; first, if there may be several, ``*`` or ``+``: they have
    their number before them, in two bytes or in one."""


_FORMS = (
    AttributeForm("Deprecated", "deprecated", "", ""),
    AttributeForm("Synthetic", "generated", "", ""),
    AttributeForm("Signature", "signature", "", "s"),
    AttributeForm("SourceFile", "source", "c", "t"),
    AttributeForm("ConstantValue", "value", "f", "v"),
    AttributeForm("Exceptions", "throws", "m", "*c"),
    AttributeForm("NestHost", "nest-host", "c", "c"),
    AttributeForm("NestMembers", "nest-member", "c", "*c"),
    AttributeForm("PermittedSubclasses", "permits", "c", "*c"),
    AttributeForm("InnerClasses", "inner", "c", "*cCNf"),
    AttributeForm("EnclosingMethod", "enclosing", "c", "cM"),
    AttributeForm("Record", "component", "c", "*DA"),
    AttributeForm("MethodParameters", "parameter", "m", "+nF"),
    AttributeForm("AnnotationDefault", "default", "m", "="),
    AttributeForm("RuntimeVisibleAnnotations", "annotation", "", "@"),
    AttributeForm("RuntimeVisibleParameterAnnotations", "parameters", "m", "@"),
    AttributeForm("RuntimeVisibleTypeAnnotations", "ontype", "", "@"),
)
"""Letters of fields:

- ``c`` a class, ``C`` a class or nothing;
- ``t`` a text, ``s`` a signature, ``N`` a name or nothing, ``n`` the same, which may be left out;
- ``D`` a name with its descriptor, ``M`` the same of a method, which may be left out;
- ``f`` the flags of a class, ``F`` those of a method;
- ``v`` a constant, ``A`` attributes, ``=`` the value of an annotation, ``@`` annotations."""
_NO_COMPONENTS = "record"
_OPAQUE = "attribute"


def _invisible(name: str) -> str:
    return name.replace("RuntimeVisible", "RuntimeInvisible")


_BY_NAME = {name: each for each in _FORMS for name in (each.name, _invisible(each.name))}
_BY_HEAD = {each.head: each for each in _FORMS}
_BY_HEAD[_NO_COMPONENTS] = _BY_NAME["Record"]
_MODULES = frozenset({"Module", "ModulePackages", "ModuleMainClass"})
NAMED_OTHERWISE = frozenset(
    {
        *("Code", "BootstrapMethods", "StackMapTable", "StackMap", "LineNumberTable"),
        *("LocalVariableTable", "LocalVariableTypeTable", "CharacterRangeTable"),
        *("ModuleTarget", "ModuleHashes", "ModuleResolution", "CompilationID", "SourceID"),
        *_MODULES,
        *_BY_NAME,
    }
)
"""Attributes that are never only bytes, since others look into them."""


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
        form = _BY_NAME.get(name)
        if form is None and name in NAMED_OTHERWISE:
            return []
        if form is None:
            return [f"({_OPAQUE} {quoted(name)} {quoted_bytes(content)})"]
        source = ClassBytes(content)
        if form.fields == "@":
            annotations = AnnotationReading(source, self._constants)
            found = annotations.of(form.head, is_visible=name == form.name)
        else:
            found = [*self._lists(form, source)]
        source.finish()
        return found

    def _lists(self, form: AttributeForm, source: ClassBytes) -> Iterator[str]:
        _, head, _, fields = form
        count = source.short() if fields[:1] == "*" else source.byte() if fields[:1] == "+" else 1
        if not count and form.name == "Record":
            yield f"({_NO_COMPONENTS})"
        for _ in range(count):
            texts = (self._field(letter, source) for letter in fields.lstrip("*+"))
            yield f"({' '.join([head, *filter(None, texts)])})"

    def _field(  # noqa: PLR0911 - one for each kind
        self, letter: str, source: ClassBytes
    ) -> str:
        if letter == "=":
            return AnnotationReading(source, self._constants).value()
        if letter == "A":
            return " ".join(text for _, _, each in self.texts(source, "Record") for text in each)
        number, constants = source.short(), self._constants
        if letter in "fF":
            return flag_words(number, CLASS_FLAGS if letter == "f" else METHOD_FLAGS).lstrip()
        if letter == "v":
            return constant_text(constants.constant(number), self._own)
        if letter == "D":
            return f"{quoted(constants.text(number))} {quoted(constants.text(source.short()))}"
        if not number and letter in "CNnM":
            return NOTHING if letter in "CN" else ""
        if letter == "M":
            return " ".join(map(quoted, constants.named(number)))
        if letter in "cC":
            return class_text(constants.class_name(number), self._own)
        return quoted(constants.text(number))


_MOST_ENTRIES = (1 << 16) - 1
_PLAIN_CONSTANTS = frozenset({"int", "long", "float", "double", "string"})


class AttributeWriting:
    """Writes attributes, with the constants that they need."""

    def __init__(self, pool: ConstantPool, table: ClassTable) -> None:
        self._pool, self._table = pool, table

    def written(self, forms: Sequence[FormItem], space: str) -> list[bytes]:
        """Return the attributes in some lists, of a class, a field or a method: see ``space``."""
        kinds: dict[str, list[FormList]] = {}
        for form in lists_of(forms):
            head = head_of(form)
            known = _BY_HEAD.get(head)
            if head == _OPAQUE or (known is not None and known.space in {"", space}):
                kinds.setdefault(_kind(head, form), []).append(form)
        found = []
        for kind, several in kinds.items():
            name, content = self._attribute(kind, several[:_MOST_ENTRIES])
            if content is not None and name:
                number = self._pool.text(name)
                found.append(struct.pack(">HI", number, len(content)) + content)
        return found

    def _attribute(self, kind: str, forms: list[FormList]) -> tuple[str, bytes | None]:
        """Return the name and the content of an attribute; None: these lists make none."""
        head, _, more = kind.partition(" ")
        if head == _OPAQUE:
            raw, content, *_ = [*strings_of(forms[0]), b"", b""]
            name = valid_text(raw)
            return "" if name in NAMED_OTHERWISE else name, content
        name, _, _, fields = _BY_HEAD[head]
        if fields == "@":
            annotations = AnnotationWriting(self._pool).of(head, forms)
            return _invisible(name) if more else name, annotations
        if fields[:1] == "+":
            rows = [self._row(form, fields[1:]) or b"" for form in forms[:255]]
            return name, bytes((len(rows),)) + b"".join(rows)
        if fields[:1] != "*":
            return name, self._row(forms[0], fields)
        rows = [*self._rows(forms, fields[1:])]
        is_record = any(head_of(form) == _NO_COMPONENTS for form in forms)
        return name, counted_pieces(rows) if rows or is_record else None

    def _rows(self, forms: list[FormList], fields: str) -> Iterator[bytes]:
        """Yield what several lists say; of a class, only the first of them."""
        classes = set[str | None]()
        for form in forms:
            first = next(self._names(form, fields), None)
            if head_of(form) == _NO_COMPONENTS or (fields[0] == "c" and first in classes):
                continue
            classes.add(first)
            row = self._row(form, fields)
            if row is not None:
                yield row

    def _row(self, form: FormList, fields: str) -> bytes | None:
        names = self._names(form, fields)
        pieces: list[bytes] = []
        for letter in fields:
            piece = self._field(letter, form, names)
            if piece is None:
                return None
            pieces.append(piece)
        return b"".join(pieces)

    def _names(self, form: FormList, fields: str) -> Iterator[str]:
        """Yield the classes and texts in a list; those that are nothing are empty."""
        if fields == "c":
            yield from filter(None, [class_of(form, self._table)])
        elif not {*"CM"} & {*fields}:
            yield from texts_of(form)
        else:
            yield from self._classes_and_texts(form)

    def _classes_and_texts(self, form: FormList) -> Iterator[str]:
        for item in form[1:]:
            if isinstance(item, bytes):
                yield valid_text(item)
            elif item in (SELF, NOTHING):
                yield self._table.name if item == SELF else ""

    def _field(self, letter: str, form: FormList, names: Iterator[str]) -> bytes | None:
        if letter == "=":
            values = [*lists_of(form)]
            return (AnnotationWriting(self._pool).value(values[0]) if values else b"") or None
        if letter == "A":
            return counted_pieces(self.written(form, "f"))
        if letter == "D":
            name, descriptor = next(names, ""), next(names, "")
            if not (is_member_name(name) and is_field_type(descriptor)):
                return None
            return struct.pack(">HH", self._pool.text(name), self._pool.text(descriptor))
        number = self._number(letter, form, names)
        return None if number is None else struct.pack(">H", number)

    def _number(  # noqa: PLR0911 - one for each kind
        self, letter: str, form: FormList, names: Iterator[str]
    ) -> int | None:
        pool = self._pool
        if letter in "fF":
            return flags_of(form, CLASS_FLAGS if letter == "f" else METHOD_FLAGS)
        if letter == "v":
            constants = (constant_of(inner, self._table) for inner in lists_of(form))
            plain = (each for each in constants if each and each.kind in _PLAIN_CONSTANTS)
            constant = next(plain, None)
            return None if constant is None else pool.constant(constant)
        name = next(names, None)
        if letter in "ts":
            is_wrong = name is None or (letter == "s" and not is_signature(name))
            return None if name is None or is_wrong else pool.text(name)
        if letter in "cC":
            is_class = name is not None and is_class_name(name)
            return pool.class_name(name or "") if is_class else 0 if letter == "C" else None
        if name is None or not is_member_name(name):
            return 0
        if letter == "M":
            descriptor = next(names, "")
            return pool.named(name, descriptor) if method_type(descriptor) else 0
        return pool.text(name)


def _kind(head: str, form: FormList) -> str:
    """Return what is written together."""
    if head == _NO_COMPONENTS:  # one without components, or with those that follow
        return _BY_HEAD[head].head
    if head == _OPAQUE:  # each by itself
        name = next(iter(strings_of(form)), b"")
        return f"{head} {name.hex()}"
    return f"{head} {INVISIBLE}" if INVISIBLE in words_of(form) else head
