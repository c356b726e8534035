"""Writes modules: of any texts, and always such that they are valid."""

from collections.abc import Iterator, Mapping, Sequence

from wynot.core.system.recent import Cache
from wynot.formats.containers.container import Packed
from wynot.formats.leb128 import write_leb128
from wynot_binaries.symbolic_lists import (
    FORM_BYTES,
    FormItem,
    FormList,
    head_of,
    lists_of,
    name_of,
    numbers_of,
    strings_of,
    words_of,
)
from wynot_binaries.wasm.function_writing import FunctionCode, FunctionTypes, function_code, linked
from wynot_binaries.wasm.instruction_writing import CONSTANTS, stand_ins
from wynot_binaries.wasm.module_reading import CUSTOM_TEXT, FRONT, WASM_HEAD
from wynot_binaries.wasm.module_spaces import MUTABLE
from wynot_binaries.wasm.module_table import (
    EXPORT,
    FUNCTION_NAME,
    IMPORTED_SPACES,
    START,
    DeclaringText,
    ModuleField,
    ModuleTable,
    declaring,
    segment,
    valid_name,
)
from wynot_binaries.wasm.wasm_operations import (
    OPERATIONS_BY_NAME,
    TYPE_BYTES,
)

_END = b"\x0b"
_COMPUTED = {
    name: OPERATIONS_BY_NAME[name]
    for name in (f"{of}.{how}" for of in ("i32", "i64") for how in ("add", "sub", "mul"))
}
_MAX_COMPUTED = 64
"""How deep a computation may be."""
_MAX_PAGES = 1 << 16
_MAX_ELEMENTS = (1 << 32) - 1


class SetupWriting:
    """Writes the fields of one module."""

    def __init__(self, table: ModuleTable) -> None:
        self._table = table
        self._constants: Mapping[str, tuple[int, str]] = table.constants()
        self.referenced: set[str] = set()
        """Functions that are mentioned here, so that they can be values anywhere."""

    def constant(self, forms: Sequence[FormItem], letter: str, depth: int = 0) -> bytes:
        """Write the first list that gives such a value; if none does, a plain one."""
        for form in lists_of(forms):
            head, name = head_of(form), name_of(form)
            if head in CONSTANTS and CONSTANTS[head][0] == letter:
                return CONSTANTS[head][1](form)
            if head == "global.get" and self._constants.get(name, (0, ""))[1] == letter:
                return b"\x23" + write_leb128(self._constants[name][0])
            if head == "ref.func" and letter == "r" and ("f", name) in self._table.numbers:
                self.referenced.add(name)
                return b"\xd2" + write_leb128(self._table.numbers["f", name])
            computed = _COMPUTED.get(head) if depth < _MAX_COMPUTED else None
            if computed is not None and computed.gives == letter:
                inner = [*lists_of(form)]
                sides = (inner[:1], inner[1:])
                operands = [self.constant(each, letter, depth + 1) for each in sides]
                return b"".join((*operands, computed.code))
        return stand_ins(letter)

    def described(self, declared: ModuleField) -> bytes:
        """Return what is said of a table, a memory or a global wherever it comes from."""
        numbers = [abs(number) for number in numbers_of(declared.form)]
        if declared.space == "g":
            letter = declared.type.removesuffix(MUTABLE)
            return bytes((TYPE_BYTES[letter], declared.type.endswith(MUTABLE)))
        if declared.space == "t":
            return bytes((TYPE_BYTES[declared.type],)) + _limits(numbers, _MAX_ELEMENTS)
        is_shared = "shared" in words_of(declared.form)
        return _limits(numbers, _MAX_PAGES, is_shared=is_shared)

    def initialised(self, declared: ModuleField) -> bytes:
        """Return a global with its first value."""
        letter = declared.type.removesuffix(MUTABLE)
        return self.described(declared) + self.constant(declared.form, letter) + _END

    def data(self, declared: ModuleField) -> bytes:
        """Return a piece of data, and where it is put."""
        target, offset, items = segment(declared)
        content = b"".join(strings_of(items))
        if offset is None:
            return b"\1" + write_leb128(len(content)) + content
        number = self._table.numbers["m", target]
        head = b"\2" + write_leb128(number) if number else b"\0"
        head += self.constant(offset, "i") + _END
        return head + write_leb128(len(content)) + content

    def elements(self, declared: ModuleField) -> bytes:
        """Return elements of tables, as functions if they all are."""
        target, offset, items = segment(declared)
        letter, numbers = declared.type, self._table.numbers
        found = [each for each in map(_element, items) if self._can_be(each)]
        is_plain = letter == "r" and all(head_of(each) == "ref.func" for each in found)
        table = 0 if offset is None else numbers["t", target]
        is_explicit = offset is not None and (table > 0 or letter != "r")
        flags = (offset is None) | is_explicit << 1 | (not is_plain) << 2
        head = bytes((flags,))
        if offset is not None:
            head += write_leb128(table) if is_explicit else b""
            head += self.constant(offset, "i") + _END
        if offset is None or is_explicit:
            head += b"\0" if is_plain else bytes((TYPE_BYTES[letter],))
        head += write_leb128(len(found))
        if is_plain:
            names = [*map(name_of, found)]
            self.referenced.update(names)
            return head + b"".join(write_leb128(numbers["f", name]) for name in names)
        return head + b"".join(self.constant([each], letter) + _END for each in found)

    def _can_be(self, element: FormList) -> bool:
        is_function = head_of(element) == "ref.func"
        return bool(element) and not (
            is_function and ("f", name_of(element)) not in self._table.numbers
        )


def _element(item: FormItem) -> FormList:
    """Return what gives an element; a name alone is a function's."""
    if isinstance(item, bytes):
        return []
    return ["ref.func", item] if isinstance(item, str) else item


def _limits(numbers: Sequence[int], most: int, *, is_shared: bool = False) -> bytes:
    least, *above = [min(number, most) for number in numbers[:2]] or [0]
    if not above and not is_shared:
        return b"\0" + write_leb128(least)
    last = max([least, *above])
    return (b"\3" if is_shared else b"\1") + write_leb128(least) + write_leb128(last)


_IMPORTED = "ftmge"
_DECLARATIVE = b"\3\0"
_TEXTS: Cache[bytes, DeclaringText] = Cache(lambda content, _: FORM_BYTES * len(content))


def write_module(packed: Packed) -> bytes:
    """Write the texts as a module, between what is no text."""
    texts = [_declaring(member.content) for member in packed.members if not member.header]
    front, after = ([*_customs(packed, where)] for where in (FRONT, CUSTOM_TEXT))
    return b"".join((WASM_HEAD, *front, _ModuleWriting(texts).written(), *after))


def _declaring(content: bytes) -> DeclaringText:
    return _TEXTS.get(content, lambda: declaring(content))


def _customs(packed: Packed, where: bytes) -> Iterator[bytes]:
    for member in packed.members:
        kind, _, name = member.header.partition(b" ")
        if kind == where:
            yield _section(0, _named(name) + member.content)


class _ModuleWriting:
    """A module that is written section by section."""

    def __init__(self, texts: Sequence[DeclaringText]) -> None:
        self._texts = texts
        self._declared = [each for text in texts for each in text.declared]
        self._table = ModuleTable(self._declared)
        self._setup = SetupWriting(self._table)
        self._types = FunctionTypes()

    def written(self) -> bytes:
        """Return all sections."""
        setup, own = self._setup, self._own
        imports = [self._import(each) for each in self._declared if each.imported]
        functions = [self._type(each) for each in own("f")]
        tags = [b"\0" + self._type(each) for each in own("e")]
        values = [setup.initialised(each) for each in own("g")]
        exports = [*self._exports()]
        elements = [setup.elements(each) for each in own("s")]
        codes = [*self._codes()]
        bodies = [linked(each.pieces, self._table.numbers, self._types) for each in codes]
        elements += self._declaring(codes)
        data = [setup.data(each) for each in own("d")]
        mentions_data = any(each.mentions_data for each in codes)
        sections = (
            _listed(1, self._types.written()),
            _listed(2, imports),
            _listed(3, functions),
            _listed(4, [setup.described(each) for each in own("t")]),
            _listed(5, [setup.described(each) for each in own("m")]),
            _listed(13, tags),
            _listed(6, values),
            _listed(7, exports),
            self._start(),
            _listed(9, elements),
            _section(12, write_leb128(len(data))) if mentions_data else b"",
            _listed(10, [write_leb128(len(body)) + body for body in bodies]),
            _listed(11, data),
            self._names(),
        )
        return b"".join(sections)

    def _own(self, space: str) -> Iterator[ModuleField]:
        return (each for each in self._table.spaces[space] if each.imported is None)

    def _codes(self) -> Iterator[FunctionCode]:
        for text in self._texts:
            mine = [each for each in text.declared if each.space == "f" and not each.imported]
            known = self._table.known(text.names) if mine else ()
            for each in mine:
                yield function_code(text, each.number, known)

    def _type(self, declared: ModuleField) -> bytes:
        takes, _, gives = declared.type.partition(":")
        return write_leb128(self._types.number(takes, gives))

    def _import(self, declared: ModuleField) -> bytes:
        kind = _IMPORTED.index(declared.space)
        head = b"".join(map(_named, declared.imported or ())) + bytes((kind,))
        if declared.space in "fe":
            return head + b"\0" * (declared.space == "e") + self._type(declared)
        return head + self._setup.described(declared)

    def _exports(self) -> Iterator[bytes]:
        taken = set[bytes]()
        for each in self._declared:
            if each.space != EXPORT:
                continue
            name = valid_name(next(strings_of(each.form), b""))
            for inner in lists_of(each.form):
                space, thing = IMPORTED_SPACES.get(head_of(inner), ""), name_of(inner)
                number = self._table.numbers.get((space, thing))
                if thing and number is not None and name not in taken:
                    taken.add(name)
                    self._setup.referenced.update([thing] if space == "f" else ())
                    yield _named(name) + bytes((_IMPORTED.index(space),)) + write_leb128(number)

    def _start(self) -> bytes:
        for each in self._declared:
            key = ("f", each.name)
            if each.space == START and self._table.types.get(key) == ":":
                return _section(8, write_leb128(self._table.numbers[key]))
        return b""

    def _declaring(self, codes: Sequence[FunctionCode]) -> list[bytes]:
        """Return a segment of functions that are values nowhere but in code: it has to be said."""
        mentioned = {name for each in codes for name in each.referenced}
        numbers = {self._table.numbers["f", name] for name in mentioned - self._setup.referenced}
        if not numbers:
            return []
        return [
            _DECLARATIVE + write_leb128(len(numbers)) + b"".join(map(write_leb128, sorted(numbers)))
        ]

    def _names(self) -> bytes:
        """Return the names of functions for people."""
        names = dict[int, bytes]()
        for each in self._declared:
            number = self._table.numbers.get(("f", each.name))
            if each.space == FUNCTION_NAME and number is not None:
                names.setdefault(number, valid_name(next(strings_of(each.form), b"")))
        if not names:
            return b""
        listed = [write_leb128(number) + _named(name) for number, name in sorted(names.items())]
        content = write_leb128(len(listed)) + b"".join(listed)
        return _section(0, _named(b"name") + b"\1" + write_leb128(len(content)) + content)


def _named(name: bytes) -> bytes:
    return write_leb128(len(name)) + name


def _section(number: int, content: bytes) -> bytes:
    return bytes((number,)) + write_leb128(len(content)) + content


def _listed(number: int, items: Sequence[bytes]) -> bytes:
    return _section(number, write_leb128(len(items)) + b"".join(items)) if items else b""
