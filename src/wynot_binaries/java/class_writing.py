"""Writes class files: of any texts, and always such that they can be read."""

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from wynot.core.system.recent import Cache
from wynot.formats.containers.container import Packed
from wynot_binaries.java.attributes import AttributeWriting, counted_pieces
from wynot_binaries.java.class_reading import CLASS_MAGIC, DEFAULT_NAME, NamedParameters, read_class
from wynot_binaries.java.code_bytes import (
    CodeEncoding,
    CodeTooLargeError,
    is_short_constant,
)
from wynot_binaries.java.code_fitting import DebugForms, FittedCode, fitted_code, numbered
from wynot_binaries.java.code_texts import FlatCode
from wynot_binaries.java.constant_pool import ConstantPool
from wynot_binaries.java.item_texts import ClassTable, OwnMember, class_of, texts_of
from wynot_binaries.java.java_operations import DEFAULT_VERSION, JavaCode, first_version
from wynot_binaries.java.java_types import (
    CLASS_FLAGS,
    FIELD_FLAGS,
    MAX_PARAMETER_PLACES,
    METHOD_FLAGS,
    OBJECT,
    MethodType,
    flags_of,
    is_class_name,
    is_field_type,
    is_member_name,
    is_utf8,
)
from wynot_binaries.symbolic_lists import (
    FORM_BYTES,
    FormItem,
    FormList,
    head_of,
    lists_of,
    name_of,
    names_in,
    numbers_of,
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
            fields += _declared_field(form)
        elif head == "method":
            methods += _declared_method(form, number)
        else:
            others.append(form)
    return ClassText(text, names_in(text), tuple(fields), tuple(methods), tuple(others))


def _declared_field(form: FormList) -> Iterator[DeclaredField]:
    name, descriptor = [*texts_of(form), "", ""][:2]
    is_named = is_member_name(name) and name not in _SPECIAL
    if is_named and is_field_type(descriptor) and is_utf8(descriptor):
        yield DeclaredField(name_of(form), OwnMember(name, descriptor), form)


def _declared_method(form: FormList, number: int) -> Iterator[DeclaredMethod]:
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


CodeKey: TypeAlias = tuple[str, int, bool, tuple[object, ...]]
_KNOWN_CODE: Cache[CodeKey, FittedCode | FlatCode] = Cache(lambda key, _: FORM_BYTES * len(key[0]))


def written_code(
    text: ClassText,
    method: DeclaredMethod,
    table: ClassTable,
    debug: DebugForms,
    *,
    is_empty: bool,
) -> JavaCode:
    """Return the code of a method, with numbers; if it has to be empty, one that does nothing."""
    mine = _relevant(text, table)
    key = (text.text, method.number, is_empty, mine)
    code = _KNOWN_CODE.get(
        key,
        lambda: _written(text.text, method, table, is_empty=is_empty),
    )
    lines, variables = debug.lines(method.mentioned_as), debug.variables(method.mentioned_as)
    if isinstance(code, FlatCode):
        return code.code(lines, list(variables))
    initial = method.parameters.initial(table.name, method.own.name, method.kind)
    return numbered(code, initial, lines, variables)


def _relevant(text: ClassText, table: ClassTable) -> tuple[object, ...]:
    """Return what is known of all that a text mentions."""
    names = sorted(text.names)
    members = [(name, table.fields.get(name), table.methods.get(name)) for name in names]
    known = tuple(each for each in members if each[1] or each[2])
    return (table.name, table.base, table.is_interface, known)


def _written(
    text: str, method: DeclaredMethod, table: ClassTable, *, is_empty: bool
) -> FittedCode | FlatCode:
    form = symbolic_lists(text)[method.number]
    assert isinstance(form, list)  # noqa: S101 - it was one when it was declared
    codes = (each for each in lists_of(form) if head_of(each) in CODE_HEADS)
    code: FormList = next(codes, []) if not is_empty else []
    if head_of(code) == FLAT_HEAD:
        return FlatCode(code, table)
    head = method.parameters.head(table.name, method.own.name, method.kind)
    return fitted_code(code[1:], table, head)


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
        own = attributes.written(self._others, "c")
        if pool.bootstraps:
            content = struct.pack(">H", len(pool.bootstraps)) + b"".join(pool.bootstraps)
            name = pool.text("BootstrapMethods")
            own.append(struct.pack(">HI", name, len(content)) + content)
        pieces = (head, *map(counted_pieces, (fields, methods, own)))
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
    return struct.pack(">3H", flags, *numbers) + counted_pieces(attributes.written(field.form, "f"))


def _method(
    method: DeclaredMethod, code: bytes | None, pool: ConstantPool, attributes: AttributeWriting
) -> bytes:
    numbers = pool.text(method.own.name), pool.text(method.own.descriptor)
    own = []
    if code is not None:
        own.append(struct.pack(">HI", pool.text("Code"), len(code)) + code)
    own += attributes.written(method.form, "m")
    return struct.pack(">3H", method.flags, *numbers) + counted_pieces(own)


_FLAT = b"(" + FLAT_HEAD.encode()


def settled_class(packed: Packed) -> bytes:
    """Write the texts as a class; code that did not fit together, and does now, as any other."""
    written = write_class(packed)
    if any(_FLAT in each.content for each in packed.members):
        return write_class(read_class(written))
    return written
