"""Writes class files: of any texts, and always such that they can be read."""

import struct
from collections.abc import Iterator, Sequence
from typing import TypeVar

from wynot.core.recent import Cache
from wynot.formats.containers.classfiles.access_flags import (
    CLASS_FLAGS,
    FIELD_FLAGS,
    METHOD_FLAGS,
    flags_of,
)
from wynot.formats.containers.classfiles.attribute_writing import AttributeWriting
from wynot.formats.containers.classfiles.class_declarations import (
    ClassText,
    DeclaredField,
    DeclaredMethod,
    class_declarations,
)
from wynot.formats.containers.classfiles.class_reading import CLASS_MAGIC, DEFAULT_NAME
from wynot.formats.containers.classfiles.code_encoding import (
    CodeEncoding,
    CodeTooLargeError,
    is_short_constant,
)
from wynot.formats.containers.classfiles.code_items import DEFAULT_VERSION, JavaCode, first_version
from wynot.formats.containers.classfiles.constant_pool import ConstantPool
from wynot.formats.containers.classfiles.debug_forms import DebugForms
from wynot.formats.containers.classfiles.item_forms import ClassTable, class_of, texts_of
from wynot.formats.containers.classfiles.java_types import OBJECT, is_class_name
from wynot.formats.containers.classfiles.method_writing import written_code
from wynot.formats.containers.container import Packed
from wynot.formats.containers.symbolic.symbolic_lists import (
    FORM_BYTES,
    head_of,
    lists_of,
    numbers_of,
)

_TEXTS: Cache[bytes, ClassText] = Cache(lambda content, _: FORM_BYTES * len(content))
_NO_CODE = METHOD_FLAGS["native"] | METHOD_FLAGS["abstract"]
_VERSIONS = range(45, 100)
_FIRST_WITH_FRAMES = 50
_MOST_ENTRIES = (1 << 16) - 1


def write_class(packed: Packed) -> bytes:
    """Write the texts as a class."""
    return _ClassWriting([_declared(each.content) for each in packed.members]).written()


def _declared(content: bytes) -> ClassText:
    return _TEXTS.get(content, lambda: class_declarations(content))


class _ClassWriting:
    """A class that is written from its texts."""

    def __init__(self, texts: Sequence[ClassText]) -> None:
        self._texts = texts
        self._others = [form for text in texts for form in text.others]
        self._form = next((form for form in self._others if head_of(form) == "class"), ["class"])
        self._fields = _unique([each for text in texts for each in text.fields])
        methods = _unique([each for text in texts for each in text.methods])
        kept = {id(each) for each in methods}
        self._methods = [
            (text, each) for text in texts for each in text.methods if id(each) in kept
        ][:_MOST_ENTRIES]
        self._table = self._known()
        self._debug = DebugForms(self._others)

    def _known(self) -> ClassTable:
        name = next(texts_of(self._form), "")
        name = name if is_class_name(name) and not name.startswith("[") else DEFAULT_NAME
        fields = {each.mentioned_as: each.own for text in self._texts for each in text.fields}
        methods = {each.mentioned_as: each.own for text in self._texts for each in text.methods}
        is_interface = bool(flags_of(self._form, CLASS_FLAGS) & CLASS_FLAGS["interface"])
        table = ClassTable(name, OBJECT, is_interface, fields, methods)
        base = next(self._mentioned("extends", table), OBJECT)
        return table._replace(base=base)

    def _mentioned(self, head: str, table: ClassTable) -> Iterator[str]:
        for inner in lists_of(self._form):
            name = class_of(inner, table) if head_of(inner) == head else None
            if name is not None and not name.startswith("["):
                yield name

    def written(self) -> bytes:
        """Return all of it; code that is too large is left out, which needs another try."""
        codes: list[JavaCode | None] = [self._code(*each) for each in self._methods]
        while True:
            try:
                return self._whole(codes)
            except _MethodTooLargeError as error:
                codes[error.number] = self._code(*self._methods[error.number], is_empty=True)

    def _code(
        self, text: ClassText, method: DeclaredMethod, *, is_empty: bool = False
    ) -> JavaCode | None:
        if method.flags & _NO_CODE:
            return None
        return written_code(text, method, self._table, self._debug, is_empty=is_empty)

    def _whole(self, codes: Sequence[JavaCode | None]) -> bytes:
        pool = ConstantPool()
        major, minor = self._version(codes)
        # First what has to have a small number to be mentioned in few bytes.
        for code in codes:
            for item in code.items if code else ():
                if item[0] == "ldc" and is_short_constant(item[1]):
                    pool.constant(item[1])
        attributes = AttributeWriting(pool, self._table)
        interfaces = list(dict.fromkeys(self._mentioned("implements", self._table)))[:_MOST_ENTRIES]
        head = struct.pack(
            f">{4 + len(interfaces)}H",
            flags_of(self._form, CLASS_FLAGS),
            pool.class_name(self._table.name),
            pool.class_name(self._table.base),
            len(interfaces),
            *map(pool.class_name, interfaces),
        )
        fields = [_field(each, pool, attributes) for each in self._fields[:_MOST_ENTRIES]]
        methods = []
        for number, ((_, method), code) in enumerate(zip(self._methods, codes, strict=True)):
            encoded = None
            if code is not None:
                initial = [value for _, value in self._initial(method)]
                try:
                    encoded = CodeEncoding(pool).written(
                        code, initial, has_frames=major >= _FIRST_WITH_FRAMES
                    )
                except CodeTooLargeError as error:
                    raise _MethodTooLargeError(number) from error
            methods.append(_method(method, encoded, pool, attributes))
        said = attributes.written(self._others, "c")
        if pool.bootstraps:
            content = struct.pack(">H", len(pool.bootstraps)) + b"".join(pool.bootstraps)
            name = pool.text("BootstrapMethods")
            said.append(struct.pack(">HI", name, len(content)) + content)
        pieces = (head, *map(_counted, (fields, methods, said)))
        constants = pool.written()
        return b"".join((CLASS_MAGIC, struct.pack(">HH", minor, major), constants, *pieces))

    def _initial(self, method: DeclaredMethod) -> list[tuple[str, str]]:
        return method.parameters.initial(self._table.name, method.own.name, method.kind)

    def _version(self, codes: Sequence[JavaCode | None]) -> tuple[int, int]:
        for inner in lists_of(self._form):
            if head_of(inner) == "version":
                major, minor = [*numbers_of(inner), 0, 0][:2]
                if major in _VERSIONS:
                    return major, minor & _MOST_ENTRIES
        items = (item for code in codes if code for item in code.items)
        return max((first_version(item) for item in items), default=DEFAULT_VERSION), 0


class _MethodTooLargeError(Exception):
    """A method has more code than it may have."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


_Declared = TypeVar("_Declared", DeclaredField, DeclaredMethod)


def _unique(members: Sequence[_Declared]) -> list[_Declared]:
    """Return members without those that another one has the name and type of."""
    found = {each.own: each for each in reversed(members)}
    return list(reversed(found.values()))


def _field(field: DeclaredField, pool: ConstantPool, attributes: AttributeWriting) -> bytes:
    flags = flags_of(field.form, FIELD_FLAGS)
    numbers = pool.text(field.own.name), pool.text(field.own.descriptor)
    return struct.pack(">3H", flags, *numbers) + _counted(attributes.written(field.form, "f"))


def _method(
    method: DeclaredMethod, code: bytes | None, pool: ConstantPool, attributes: AttributeWriting
) -> bytes:
    numbers = pool.text(method.own.name), pool.text(method.own.descriptor)
    said = []
    if code is not None:
        said.append(struct.pack(">HI", pool.text("Code"), len(code)) + code)
    said += attributes.written(method.form, "m")
    return struct.pack(">3H", method.flags, *numbers) + _counted(said)


def _counted(pieces: Sequence[bytes]) -> bytes:
    return struct.pack(">H", len(pieces)) + b"".join(pieces)
