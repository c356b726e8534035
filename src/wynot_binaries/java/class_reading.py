"""Reads class files: a text for each method, for what the class is, its fields, its attributes.

Lines of the source and names of variables are texts of their own: they go at once, and with them
nothing that matters to most.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from wynot.core.system.recent import Cache
from wynot.formats.containers.container import TOO_LARGE, Member, Packed, check, packed_texts
from wynot_binaries.java.attributes import AttributeReading
from wynot_binaries.java.code_bytes import CodeDecoding
from wynot_binaries.java.code_fitting import hinted_statements
from wynot_binaries.java.code_texts import UnfoldableError, flat_text
from wynot_binaries.java.constant_pool import ClassBytes, ClassConstants
from wynot_binaries.java.instruction_fitting import (
    CONSTRUCTOR_NAME,
    MethodHead,
    variable_name,
)
from wynot_binaries.java.item_texts import ClassTable, OwnMember, OwnNames, class_text, quoted
from wynot_binaries.java.java_operations import DEFAULT_VERSION, JavaCode, first_version
from wynot_binaries.java.java_types import (
    CLASS_FLAGS,
    FIELD_FLAGS,
    METHOD_FLAGS,
    OBJECT,
    THIS,
    MethodType,
    flag_words,
    is_field_type,
    is_member_name,
    kind_of_field,
    method_type,
    type_of_field,
)
from wynot_binaries.symbolic_lists import TextNode, written_nodes


class NamedParameters(NamedTuple):
    """The names of what a method takes, as they are in its text."""

    this: str | None
    """None if it is static."""
    names: Sequence[str]

    def initial(self, owner: str, name: str, kind: MethodType) -> list[tuple[str, str]]:
        """Return the variables that are there at first, with their types, in order."""
        found = []
        if self.this is not None:
            found.append((self.this, THIS if name == CONSTRUCTOR_NAME else f"L{owner}"))
        for own, descriptor in zip(self.names, kind.takes, strict=True):
            key = variable_name(own, kind_of_field(descriptor)) if own else f"({len(found)})"
            found.append((key, type_of_field(descriptor)))
        return found

    def head(self, owner: str, name: str, kind: MethodType) -> MethodHead:
        """Return what its code has to know."""
        variables: dict[str, str] = {}
        for key, value in self.initial(owner, name, kind):
            variables.setdefault(key, value)
        is_constructor = name == CONSTRUCTOR_NAME and self.this is not None
        return MethodHead(variables, self.this or "", kind.given_kind, is_constructor)


def numbered_parameters(kind: MethodType, *, is_static: bool) -> NamedParameters:
    """Return names by the places that parameters have."""
    names, at = [], 0 if is_static else 1
    for descriptor in kind.takes:
        names.append(f"${at}")
        at += 1 + (descriptor in {"J", "D"})
    return NamedParameters(None if is_static else "$0", names)


CLASS_MAGIC = b"\xca\xfe\xba\xbe"
MAX_CLASS_BYTES = 4 << 20
_STATIC_FLAG = 0x8
_NO_CODE = 0x500
DEFAULT_NAME = "A"
_VARIABLE = re.compile(r"\$[0-9]+")
MENTIONED = re.compile(r"\$[fm][0-9]+")


_READ: Cache[bytes, Packed] = Cache(lambda content, packed: len(content) + packed.size)


def read_class(content: bytes) -> Packed:
    """Return a member for each text; it is remembered: each class of a jar is looked at often."""
    check(len(content) <= MAX_CLASS_BYTES, TOO_LARGE)
    return _READ.get(content, lambda: packed_texts(content, _ClassReading(content).members()))


class _ReadMember(NamedTuple):
    """A field or method as it is in the file."""

    flags: int
    name: str
    descriptor: str
    attributes: bytes


class _ClassReading:
    """A class that is read from its first byte to its last."""

    def __init__(self, content: bytes) -> None:
        self._source = source = ClassBytes(content, 4)
        self._minor, self._major = source.short(), source.short()
        self._constants = ClassConstants(source)
        self._flags = source.short()
        self._name = self._constants.class_name(source.short())
        base = source.short()
        check(base, "it has no superclass")
        self._base = self._constants.class_name(base)
        count = source.short()
        self._interfaces = [self._constants.class_name(source.short()) for _ in range(count)]
        fields, methods = ([*self._read_members()] for _ in range(2))
        self._fields: list[_ReadMember] = fields
        self._methods: list[_ReadMember] = methods
        self._own = OwnNames(self._name, _named(fields, "$f"), _named(methods, "$m"))
        self._table = ClassTable(
            self._name,
            self._base,
            bool(self._flags & CLASS_FLAGS["interface"]),
            _by_name(self._own.fields),
            _by_name(self._own.methods),
        )
        self._attributes = AttributeReading(self._constants, self._own)
        self._least_version = DEFAULT_VERSION
        """The first one that knows all its instructions."""
        self._lines: list[str] = []
        self._variables: list[str] = []

    def _read_members(self) -> Iterator[_ReadMember]:
        source = self._source
        for _ in range(source.short()):
            flags, name, descriptor = source.short(), source.short(), source.short()
            start = source.at
            for _ in range(source.short()):
                source.take(2)
                source.take(source.number())
            texts = self._constants.text(name), self._constants.text(descriptor)
            check(is_member_name(texts[0]), "something has a name that it may not have")
            yield _ReadMember(flags, *texts, source.data[start : source.at])

    def members(self) -> Iterator[Member]:
        """Return all, in the order in which they are shown."""
        attributes = [*self._attribute_texts()]
        fields = [self._field(*each) for each in enumerate(self._fields)]
        methods = [self._method(*each) for each in enumerate(self._methods)]
        texts = [*attributes, *fields, *methods, *self._lines, *self._variables]
        mentioned = Counter(name for text in texts for name in MENTIONED.findall(text))
        shown = {name for name, count in mentioned.items() if count > 1}
        yield replace(_text_member("class", [self._head()]), required=True)
        if attributes:
            yield _text_member("attributes", attributes)
        if fields:
            yield _text_member("fields", _without_names(fields, shown))
        for number, method in enumerate(_without_names(methods, shown)):
            # By place, so that there is none that there was not before.
            yield _text_member(f"method {number}", [method])
        if self._lines:
            yield _text_member("lines", self._lines)
        if self._variables:
            yield _text_member("variables", self._variables)

    def _attribute_texts(self) -> list[str]:
        """Read what is said of the class; of calls it says how they are made, so it is first."""
        source = self._source
        start = source.at
        for _ in range(source.short()):
            name = self._constants.text(source.short())
            content = source.take(source.number())
            if name == "BootstrapMethods":
                self._constants.read_bootstraps(ClassBytes(content))
        check(source.is_read, "more follows its end")
        found = self._attributes.texts(ClassBytes(source.data, start))
        return [text for _, _, texts in found for text in texts]

    def _head(self) -> str:
        name = f" {quoted(self._name)}" if self._name != DEFAULT_NAME else ""
        words = [f"(class{name}{flag_words(self._flags, CLASS_FLAGS)}"]
        if (self._major, self._minor) != (self._least_version, 0):
            words.append(f"(version {self._major}{f' {self._minor}' if self._minor else ''})")
        if self._base != OBJECT:
            words.append(f"(extends {class_text(self._base, self._own)})")
        words += (f"(implements {class_text(name, self._own)})" for name in self._interfaces)
        return " ".join(words) + ")"

    def _field(self, number: int, field: _ReadMember) -> str:
        check(is_field_type(field.descriptor), "bad descriptor")
        attributes = [
            text
            for _, _, texts in self._attributes.texts(ClassBytes(field.attributes))
            for text in texts
        ]
        head = f"(field $f{number} {quoted(field.name)} {quoted(field.descriptor)}"
        return " ".join([head + flag_words(field.flags, FIELD_FLAGS), *attributes]) + ")"

    def _method(self, number: int, method: _ReadMember) -> str:
        kind = method_type(method.descriptor)
        check(kind, "bad descriptor")
        assert kind is not None  # noqa: S101 - for the type checker
        is_static = bool(method.flags & _STATIC_FLAG)
        pieces: list[str] = []
        for name, content, texts in self._attributes.texts(ClassBytes(method.attributes)):
            pieces += (f"\n{text}" for text in texts)
            if name == "Code" and not method.flags & _NO_CODE:
                pieces += self._code(number, content, method, kind)
        inside = "".join(pieces)
        used: set[str] | None = set(_VARIABLE.findall(inside))
        if any(f" $m{number} " in each or f" $m{number}\n" in each for each in self._variables):
            used = None
        head = [
            f"(method $m{number} {quoted(method.name)}{flag_words(method.flags, METHOD_FLAGS)}",
            *_parameter_texts(kind, used, is_static=is_static),
        ]
        if kind.gives != "V":
            head.append(f" (result {quoted(kind.gives)})")
        return "".join(head) + inside + ")"

    def _code(
        self, number: int, content: bytes, method: _ReadMember, kind: MethodType
    ) -> Iterator[str]:
        initial = list(map(type_of_field, kind.takes))
        if not method.flags & _STATIC_FLAG:
            initial.insert(0, THIS if method.name == "<init>" else f"L{self._name}")
        code = CodeDecoding(ClassBytes(content), self._constants).read(tuple(initial))
        self._debug(number, code)
        needed = (first_version(item) for item in code.items)
        self._least_version = max(self._least_version, *needed, DEFAULT_VERSION)
        names = numbered_parameters(kind, is_static=bool(method.flags & _STATIC_FLAG))
        head = names.head(self._name, method.name, kind)
        try:
            statements: list[TextNode] = hinted_statements(code, self._own, self._table, head)
        except UnfoldableError:
            yield f"\n{flat_text(code, self._own)}"
            return
        if statements:
            yield from written_nodes([("(code", statements, "\n")], "\n")

    def _debug(self, number: int, code: JavaCode) -> None:
        if code.lines:
            pairs = " ".join(f"({line} {label})" for label, line in code.lines)
            self._lines.append(f"(lines $m{number} {pairs})")
        if code.variables:
            each = "".join(
                f"\n({'generic' if is_generic else 'var'} ${slot} {quoted(name)} {quoted(kind)}"
                f" {start} {stop})"
                for slot, name, kind, start, stop, is_generic in code.variables
            )
            self._variables.append(f"(variables $m{number}{each})")


def _named(members: Sequence[_ReadMember], prefix: str) -> dict[tuple[str, str], str]:
    pairs = [(each.name, each.descriptor) for each in members]
    check(len(set(pairs)) == len(pairs), "two members have one name")
    return {pair: f"{prefix}{number}" for number, pair in enumerate(pairs)}


def _without_names(texts: Sequence[str], shown: Collection[str]) -> list[str]:
    """Return texts without the names by which nobody mentions what they declare."""
    found = []
    for text in texts:
        name = MENTIONED.search(text)  # each begins with its own
        is_shown = name is None or name[0] in shown
        found.append(text if is_shown or name is None else text.replace(f" {name[0]}", "", 1))
    return found


def _by_name(names: Mapping[tuple[str, str], str]) -> dict[str, OwnMember]:
    return {name: OwnMember(*pair) for pair, name in names.items()}


def _parameter_texts(
    kind: MethodType, used: Collection[str] | None, *, is_static: bool
) -> Iterator[str]:
    """Return what a method takes; names only of what is used, if that is known."""
    names = numbered_parameters(kind, is_static=is_static)
    if names.this is not None and (used is None or names.this in used):
        yield f" (this {names.this})"
    for name, descriptor in zip(names.names, kind.takes, strict=True):
        own_name = f" {name}" if used is None or name in used else ""
        yield f" (param{own_name} {quoted(descriptor)})"


def _text_member(name: str, texts: Sequence[str]) -> Member:
    return Member(f"{name}.wat", b"", "".join(f"{text}\n" for text in texts).encode("ascii"))
