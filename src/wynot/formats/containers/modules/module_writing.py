"""Writes modules: of any texts, and always such that they are valid."""

from collections.abc import Iterator, Sequence

from wynot.core.recent import Cache
from wynot.formats.containers.container import Packed
from wynot.formats.containers.modules.code_linking import FunctionTypes, linked
from wynot.formats.containers.modules.declarations import (
    EXPORT,
    FUNCTION_NAME,
    IMPORTED_SPACES,
    START,
    DeclaringText,
    ModuleField,
    declaring,
    valid_name,
)
from wynot.formats.containers.modules.function_writing import FunctionCode, function_code
from wynot.formats.containers.modules.module_reading import CUSTOM_TEXT, FRONT, WASM_HEAD
from wynot.formats.containers.modules.module_table import ModuleTable
from wynot.formats.containers.modules.setup_writing import SetupWriting
from wynot.formats.containers.modules.wasm_operations import leb128
from wynot.formats.containers.symbolic.symbolic_lists import (
    FORM_BYTES,
    head_of,
    lists_of,
    name_of,
    strings_of,
)

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
            _section(12, leb128(len(data))) if mentions_data else b"",
            _listed(10, [leb128(len(body)) + body for body in bodies]),
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
        return leb128(self._types.number(takes, gives))

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
                    yield _named(name) + bytes((_IMPORTED.index(space),)) + leb128(number)

    def _start(self) -> bytes:
        for each in self._declared:
            key = ("f", each.name)
            if each.space == START and self._table.types.get(key) == ":":
                return _section(8, leb128(self._table.numbers[key]))
        return b""

    def _declaring(self, codes: Sequence[FunctionCode]) -> list[bytes]:
        """Return a segment of functions that are values nowhere but in code: it has to be said."""
        mentioned = {name for each in codes for name in each.referenced}
        numbers = {self._table.numbers["f", name] for name in mentioned - self._setup.referenced}
        if not numbers:
            return []
        return [_DECLARATIVE + leb128(len(numbers)) + b"".join(map(leb128, sorted(numbers)))]

    def _names(self) -> bytes:
        """Return the names of functions for people."""
        names = dict[int, bytes]()
        for each in self._declared:
            number = self._table.numbers.get(("f", each.name))
            if each.space == FUNCTION_NAME and number is not None:
                names.setdefault(number, valid_name(next(strings_of(each.form), b"")))
        if not names:
            return b""
        listed = [leb128(number) + _named(name) for number, name in sorted(names.items())]
        content = leb128(len(listed)) + b"".join(listed)
        return _section(0, _named(b"name") + b"\1" + leb128(len(content)) + content)


def _named(name: bytes) -> bytes:
    return leb128(len(name)) + name


def _section(number: int, content: bytes) -> bytes:
    return bytes((number,)) + leb128(len(content)) + content


def _listed(number: int, items: Sequence[bytes]) -> bytes:
    return _section(number, leb128(len(items)) + b"".join(items)) if items else b""
