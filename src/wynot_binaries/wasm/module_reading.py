"""Reads modules: a text for each function and each piece of data, and for each kind of the rest.

Everything has a name in these texts, and is mentioned by it. So what is left of them says all that
there is to say, and numbers are given anew when it is written.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar, NamedTuple, TypeAlias

from wynot.core.system.recent import Cache
from wynot.formats.containers.container import (
    TOO_LARGE,
    Broken,
    Member,
    Packed,
    TextRoom,
    check,
    packed_texts,
)
from wynot_binaries.symbolic_lists import quoted_bytes, written_nodes
from wynot_binaries.wasm.body_reading import (
    BodyReading,
    WasmBytes,
    signature_text,
    type_names,
)
from wynot_binaries.wasm.module_spaces import FunctionType, ModuleSpaces
from wynot_binaries.wasm.wasm_operations import REFERENCES

WASM_HEAD = b"\0asm\1\0\0\0"
CUSTOM_TEXT, FRONT = b"custom", b"front"
"""What is in the header of a member that is no text: where it belongs."""
MAX_MODULE_BYTES = 8 << 20
_MAX_VARIABLES = 50_000
_STRING_BYTES = 32
"""Bytes of data that are written in one string."""
_LOCAL = " (local i32)"
_FUNCTION_TYPE = 0x60
_ORDER = bytes((1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11))
"""The sections of a module as they have to follow one another."""
_TEXTS = ("imports", "fields", "exports", "elements", "names")
_KINDS = "ftmge"
_KIND_WORDS = {"f": "func", "t": "table", "m": "memory", "g": "global", "e": "tag"}
_PASSIVE, _EXPLICIT, _EXPRESSIONS = 1, 2, 4
"""What the flags of a segment say: it is not put anywhere; it says where, or is declared; what it
has are expressions."""
_FUNCTION_NAMES = 1


_READ: Cache[bytes, Packed] = Cache(lambda content, packed: len(content) + packed.size)


def read_module(content: bytes) -> Packed:
    """Return a member for each text; the last ones are remembered, as each is looked at twice."""
    check(len(content) <= MAX_MODULE_BYTES, TOO_LARGE)
    return _READ.get(content, lambda: packed_texts(content, _ModuleReading(content).members()))


Thing: TypeAlias = tuple[str, int]
"""The kind and number of something."""


class _Described(NamedTuple):
    """A list without its end; its own name comes after its head, if it needs one."""

    head: str
    rest: str
    thing: Thing | None = None


def _unless(letter: str, usual: str) -> str:
    """Return a type, unless it is what it is if nothing is said."""
    return "" if letter == usual else f" {type_names(letter)}"


class _ModuleReading:
    """A module that is read section by section."""

    def __init__(self, content: bytes) -> None:
        self._source = WasmBytes(content, len(WASM_HEAD))
        self._spaces = ModuleSpaces(TextRoom(content))
        self._texts: dict[str, list[_Described]] = {name: [] for name in _TEXTS}
        self._own: list[FunctionType] = []
        self._functions: list[_Described] = []
        self._data: list[_Described] = []
        self._front: list[Member] = []
        self._customs: list[Member] = []
        self._bodies: list[WasmBytes] = []
        self._names = b""

    def members(self) -> Iterator[Member]:
        """Return all, in the order in which they are shown."""
        self._sections()
        check(len(self._bodies) == len(self._own), "it has functions without a body")
        for function, body in zip(self._own, self._bodies, strict=True):
            self._function(function, body)
        self._texts["names"] += self._named(WasmBytes(self._names))
        yield from self._front
        for name, described in self._texts.items():
            if described:
                yield self._member(name, *described)
        for kind, several in (("func", self._functions), ("data", self._data)):
            for place, each in enumerate(several):
                # By place, so that there is none that there was not before.
                yield self._member(f"{kind} {place}", each)
        yield from self._customs

    def _sections(self) -> None:
        last = -1
        while not self._source.is_read:
            number = self._source.byte()
            section = WasmBytes(self._source.take(self._source.number()))
            if number == 0:
                self._custom(section, is_first=last < 0)
                continue
            place = _ORDER.find(number)
            check(place > last, "it has sections that are unknown, or out of order")
            last = place
            self._SECTIONS[number](self, section)
            check(section.is_read, "there is more in a section than it says")

    def _member(self, name: str, *described: _Described) -> Member:
        names = (self._spaces.own_name(*each.thing) if each.thing else "" for each in described)
        pairs = zip(described, names, strict=True)
        text = "".join(f"{each.head}{own}{each.rest})\n" for each, own in pairs)
        return Member(f"{name}.wat", b"", text.encode("ascii"))

    def _custom(self, section: WasmBytes, *, is_first: bool) -> None:
        name = section.name()
        content = section.take(section.stop - section.at)
        if name == b"name":
            self._names = content
            return
        shown = name.decode().replace("/", "_")[:60]
        members = self._front if is_first else self._customs
        header = (FRONT if is_first else CUSTOM_TEXT) + b" " + name
        members.append(Member(f"custom {shown}", header, content))

    def _named(self, section: WasmBytes) -> list[_Described]:
        """Read the names of functions; those of anything else are left out."""
        found = []
        try:
            while not section.is_read:
                kind, part = section.byte(), WasmBytes(section.take(section.number()))
                for _ in range(part.count() if kind == _FUNCTION_NAMES else 0):
                    name = self._spaces.name("f", part.number())
                    found.append(_Described("(name", f" {name} {quoted_bytes(part.name())}"))
        except Broken:
            return []
        return found

    def _types(self, section: WasmBytes) -> None:
        for _ in range(section.count()):
            check(section.byte() == _FUNCTION_TYPE, "it has types that are no functions")
            self._spaces.types.append((section.types(), section.types()))

    def _imports(self, section: WasmBytes) -> None:
        for _ in range(section.count()):
            names = [quoted_bytes(section.name()) for _ in range(2)]
            kind = section.byte()
            check(kind < len(_KINDS), "it imports something unknown")
            thing, rest = self._described(_KINDS[kind], section)
            head = f"(import {' '.join(names)} ({_KIND_WORDS[_KINDS[kind]]}"
            self._texts["imports"].append(_Described(head, f"{rest})", thing))

    def _described(self, space: str, section: WasmBytes) -> tuple[Thing, str]:
        """Return what is said of a thing wherever it comes from."""
        thing, spaces = (space, self._spaces.new(space)), self._spaces
        if space in "fe":
            check(space == "f" or section.byte() == 0, "it has exceptions of an unknown kind")
            function = spaces.type(section.number())
            (spaces.functions if space == "f" else spaces.tags).append(function)
            return thing, signature_text(*function)
        if space == "m":
            return thing, section.limits()
        spaces.values[space].append(section.type())
        letter = spaces.values[space][-1]
        if space == "t":
            check(letter in REFERENCES, "it has tables of an unknown kind")
            return thing, section.limits() + _unless(letter, "r")
        is_mutable = section.byte()
        return thing, f" (mut{_unless(letter, 'i')})" if is_mutable else _unless(letter, "i")

    def _own_functions(self, section: WasmBytes) -> None:
        for _ in range(section.count()):
            function = self._spaces.type(section.number())
            self._spaces.functions.append(function)
            self._spaces.new("f")
            self._own.append(function)

    def _fields(self, section: WasmBytes, space: str) -> None:
        for _ in range(section.count()):
            thing, rest = self._described(space, section)
            if space == "g":
                rest += self._expression(section, self._spaces.values["g"][-1])
            self._texts["fields"].append(_Described(f"({_KIND_WORDS[space]}", rest, thing))

    def _exports(self, section: WasmBytes) -> None:
        for _ in range(section.count()):
            name, kind = quoted_bytes(section.name()), section.byte()
            check(kind < len(_KINDS), "it exports something unknown")
            space = _KINDS[kind]
            thing = self._spaces.name(space, section.number())
            self._texts["exports"].append(
                _Described("(export", f" {name} ({_KIND_WORDS[space]} {thing})")
            )

    def _start(self, section: WasmBytes) -> None:
        name = self._spaces.name("f", section.number())
        self._texts["fields"].append(_Described("(start", f" {name}"))

    def _elements(self, section: WasmBytes) -> None:
        for _ in range(section.count()):
            flags = section.number()
            check(flags <= 7, "it has elements of an unknown kind")  # noqa: PLR2004 - three flags
            is_declared = flags & _PASSIVE and flags & _EXPLICIT
            number, head, letter = self._spaces.new("s"), "", "r"
            if not flags & _PASSIVE:
                table = section.number() if flags & _EXPLICIT else 0
                head = self._spaces.unless_first("t", table)
                head += f" (offset{self._expression(section, 'i')})"
            if flags & (_PASSIVE | _EXPLICIT) and flags & _EXPRESSIONS:
                letter = section.type()
            elif flags & (_PASSIVE | _EXPLICIT):
                check(section.byte() == 0, "it has elements of an unknown kind")
            items = [self._element(section, flags) for _ in range(section.count())]
            kind = " func" if letter == "r" else f" {type_names(letter)}"
            if not is_declared:  # what has to be declared is found out when it is written
                each = _Described("(elem", f"{head}{kind}{''.join(items)}", ("s", number))
                self._texts["elements"].append(each)

    def _element(self, section: WasmBytes, flags: int) -> str:
        if not flags & _EXPRESSIONS:
            return f" {self._spaces.name('f', section.number())}"
        return self._expression(section)

    def _expression(self, section: WasmBytes, letter: str = "") -> str:
        """Read what is computed when a module is set up; nothing, if that is plain."""
        nodes = BodyReading(section, self._spaces, letter, "").read()
        return "".join(written_nodes(nodes, " "))

    def _data_count(self, section: WasmBytes) -> None:
        self._spaces.counts["d"] = section.number()

    def _code(self, section: WasmBytes) -> None:
        for _ in range(section.count()):
            self._bodies.append(WasmBytes(section.take(section.number())))

    def _segments(self, section: WasmBytes) -> None:
        count = section.count()
        self._spaces.counts["d"] = count
        for number in range(count):
            flags = section.number()
            check(flags <= _EXPLICIT, "it has data of an unknown kind")
            head = ""
            if flags != _PASSIVE:
                memory = section.number() if flags == _EXPLICIT else 0
                head += self._spaces.unless_first("m", memory)
                head += f" (offset{self._expression(section, 'i')})"
            content = section.take(section.number())
            pieces = [
                "\n" + quoted_bytes(content[at : at + _STRING_BYTES])
                for at in range(0, len(content), _STRING_BYTES)
            ]
            self._data.append(_Described("(data", head + "".join(pieces), ("d", number)))

    def _function(self, function: FunctionType, body: WasmBytes) -> None:
        number = len(self._spaces.functions) - len(self._own) + len(self._functions)
        takes, gives = function
        variables = takes
        for _ in range(body.count()):
            several = body.number()
            check(several + len(variables) <= _MAX_VARIABLES, "a function has too many variables")
            self._spaces.room.take(several * len(_LOCAL))
            variables += several * body.type()
        reading = BodyReading(body, self._spaces, gives, variables)
        nodes = reading.read()
        check(body.is_read, "there is more in a body than it says")
        pieces = []
        for variable, letter in enumerate(variables):
            word = "param" if variable < len(takes) else "local"
            name = f" ${variable}" if variable in reading.used else ""
            pieces.append(f" ({word}{name} {type_names(letter)})")
        pieces.insert(len(takes), signature_text("", gives))
        pieces += written_nodes(nodes, "\n")
        self._functions.append(_Described("(func", "".join(pieces), ("f", number)))

    _SECTIONS: ClassVar[dict[int, Callable[["_ModuleReading", WasmBytes], None]]] = {
        1: _types,
        2: _imports,
        3: _own_functions,
        4: partial(_fields, space="t"),
        5: partial(_fields, space="m"),
        6: partial(_fields, space="g"),
        7: _exports,
        8: _start,
        9: _elements,
        10: _code,
        11: _segments,
        12: _data_count,
        13: partial(_fields, space="e"),
    }
