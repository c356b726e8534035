"""The bytes and the constants of a class file: read as they are, and written each once."""

import struct
from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeAlias

from wynot.formats.containers.container import TOO_MUCH, Broken, TextRoom, check
from wynot_binaries.byte_reader import ByteReader
from wynot_binaries.java.java_types import (
    is_class_name,
    is_field_type,
    is_member_name,
    is_utf8,
    method_type,
)

_WRONG = "it mentions a constant of another kind"
MAX_DYNAMIC_DEPTH = 4
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4}
"""Bytes of a constant, by its tag; but for texts."""
_UTF8, _WIDE_TAGS = 1, (5, 6)
_CLASS, _FIELD, _METHOD, _INTERFACE_METHOD, _NAMED, _CALL_SITE = 7, 9, 10, 11, 12, 18
_TAGS = {
    "int": 3,
    "float": 4,
    "long": 5,
    "double": 6,
    "type": _CLASS,
    "string": 8,
    "handle": 15,
    "methodtype": 16,
    "dynamic": 17,
}
"""Of what can be put on the stack."""
_KINDS = {tag: kind for kind, tag in _TAGS.items()}
HANDLE_KINDS = (
    *("getfield", "getstatic", "putfield", "putstatic", "invokevirtual", "invokestatic"),
    *("invokespecial", "newinvokespecial", "invokeinterface"),
)
_FIRST_METHOD_KIND = 5


class MemberMention(NamedTuple):
    """A field or method of a class that is mentioned."""

    owner: str
    name: str
    descriptor: str
    of_interface: bool = False


class MethodHandle(NamedTuple):
    """A field or method as a value, and what is done with it."""

    kind: str
    member: MemberMention


class Bootstrap(NamedTuple):
    """What makes a call site, or a constant."""

    handle: MethodHandle
    arguments: tuple["JavaConstant", ...]


class DynamicMention(NamedTuple):
    """A call site, or a constant that is made when it is needed."""

    name: str
    descriptor: str
    bootstrap: Bootstrap


class JavaConstant(NamedTuple):
    """Something that can be put on the stack."""

    kind: str
    """``int``, ``long``, ``float``, ``double``, ``string``, ``type``, ``methodtype``, ``handle``,
    ``dynamic``."""
    value: int | bytes | str | MethodHandle | DynamicMention
    """Of floating-point numbers: the bytes, the last ones first."""


Constant: TypeAlias = tuple[int, bytes]


class ClassBytes(ByteReader):
    """Reads the numbers of class files."""

    def short(self) -> int:
        """Read a number of two bytes."""
        return int.from_bytes(self.take(2), "big")

    def number(self) -> int:
        """Read a number of four bytes."""
        return int.from_bytes(self.take(4), "big")

    def finish(self) -> None:
        """Raise if there is more."""
        check(self.is_read, "there is more in an attribute than it says")


class ClassConstants:
    """The constants of a class, by their numbers; what makes no sense raises ``Broken``."""

    def __init__(self, source: ClassBytes) -> None:
        self._entries: list[Constant] = [(0, b"")]
        self._bootstraps: list[tuple[int, list[int]]] = []
        self.room = TextRoom(source.data)
        """For what is mentioned: each mention is written in full."""
        count = source.short()
        while len(self._entries) < count:
            tag = source.byte()
            size = source.short() if tag == _UTF8 else _SIZES.get(tag)
            if size is None:
                raise Broken(f"it has constants that are unknown ({tag})")
            self._entries.append((tag, source.take(size)))
            if tag in _WIDE_TAGS:
                self._entries.append((0, b""))

    def read_bootstraps(self, source: ClassBytes) -> None:
        """Read what makes call sites."""
        for _ in range(source.short()):
            handle = source.short()
            self._bootstraps.append((handle, [source.short() for _ in range(source.short())]))
        source.finish()

    def _entry(self, number: int, *tags: int) -> bytes:
        check(number < len(self._entries), "it mentions a constant that is not there")
        tag, content = self._entries[number]
        check(tag in tags, _WRONG)
        return content

    def text(self, number: int) -> str:
        """Return a text."""
        text = self._entry(number, _UTF8).decode("latin-1")
        self.room.take(len(text))
        check(is_utf8(text), "a text is no UTF-8 of Java's kind")
        return text

    def optional_text(self, number: int) -> str:
        """Return a text; empty, if there is none."""
        return self.text(number) if number else ""

    def class_name(self, number: int) -> str:
        """Return the name of a class."""
        name = self.text(_short(self._entry(number, _CLASS)))
        check(is_class_name(name), "a class has a name that none may have")
        return name

    def named(self, number: int) -> tuple[str, str]:
        """Return a name and its descriptor."""
        content = self._entry(number, _NAMED)
        name, descriptor = self.text(_short(content)), self.text(_short(content, 2))
        check(is_member_name(name), "something has a name that it may not have")
        return name, descriptor

    def member(self, number: int) -> MemberMention:
        """Return a field or method that is mentioned."""
        check(number < len(self._entries), "it mentions a constant that is not there")
        tag, content = self._entries[number]
        check(tag in {_FIELD, _METHOD, _INTERFACE_METHOD}, _WRONG)
        name, descriptor = self.named(_short(content, 2))
        fits = is_field_type if tag == _FIELD else method_type
        check(fits(descriptor), "bad descriptor")
        owner = self.class_name(_short(content))
        return MemberMention(owner, name, descriptor, of_interface=tag == _INTERFACE_METHOD)

    def field(self, number: int) -> MemberMention:
        """Return a field that is mentioned."""
        self._entry(number, _FIELD)
        return self.member(number)

    def method(self, number: int) -> MemberMention:
        """Return a method that is mentioned."""
        self._entry(number, _METHOD, _INTERFACE_METHOD)
        return self.member(number)

    def handle(self, number: int) -> MethodHandle:
        """Return a field or method as a value."""
        content = self._entry(number, _TAGS["handle"])
        kind = content[0]
        check(0 < kind <= len(HANDLE_KINDS), "it has a method handle of an unknown kind")
        member = _short(content, 1)
        read = self.field if kind < _FIRST_METHOD_KIND else self.method
        return MethodHandle(HANDLE_KINDS[kind - 1], read(member))

    def dynamic(self, number: int, depth: int = 0) -> DynamicMention:
        """Return a call site, or a constant that is made when it is needed."""
        check(depth < MAX_DYNAMIC_DEPTH, "its constants are made of each other")
        content = self._entry(number, _TAGS["dynamic"], _CALL_SITE)
        at = _short(content)
        check(at < len(self._bootstraps), "it mentions a bootstrap method that is not there")
        handle, arguments = self._bootstraps[at]
        self.room.take(len(arguments))
        name, descriptor = self.named(_short(content, 2))
        constants = tuple(self.constant(each, depth + 1) for each in arguments)
        return DynamicMention(name, descriptor, Bootstrap(self.handle(handle), constants))

    def call_site(self, number: int) -> DynamicMention:
        """Return a call site."""
        self._entry(number, _CALL_SITE)
        found = self.dynamic(number)
        check(method_type(found.descriptor), "bad descriptor")
        return found

    def constant(self, number: int, depth: int = 0) -> JavaConstant:
        """Return something that can be put on the stack."""
        check(number < len(self._entries), "it mentions a constant that is not there")
        tag, content = self._entries[number]
        kind = _KINDS.get(tag, "")
        value: int | bytes | str | MethodHandle | DynamicMention
        match kind:
            case "int" | "long":
                value = int.from_bytes(content, "big", signed=True)
            case "float" | "double":
                value = content[::-1]
            case "string":
                value = self.text(_short(content))
            case "type":
                value = self.class_name(number)
            case "methodtype":
                value = self.text(_short(content))
                check(method_type(value), "bad descriptor")
            case "handle":
                value = self.handle(number)
            case "dynamic":
                value = self.dynamic(number, depth)
                check(is_field_type(value.descriptor), "bad descriptor")
            case _:
                raise Broken(_WRONG)
        return JavaConstant(kind, value)


def _short(content: bytes, at: int = 0) -> int:
    return int.from_bytes(content[at : at + 2], "big")


_MOST_CONSTANTS = (1 << 16) - 1
_FIELD_KINDS = HANDLE_KINDS[:4]


class ConstantPool:
    """Gives each constant its number; what it is made of comes after it."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._written: dict[int, bytes] = {}
        self._next = 1
        self._bootstraps: dict[Bootstrap, int] = {}
        self.bootstraps: list[bytes] = []
        """What makes call sites, as it is written."""

    def written(self) -> bytes:
        """Return all of them."""
        pieces = [self._written[number] for number in sorted(self._written)]
        return struct.pack(">H", self._next) + b"".join(pieces)

    def _numbered(self, key: Hashable, content: Callable[[], bytes], width: int = 1) -> int:
        """Return the number of a constant; if it is new, it is written behind its number."""
        number = self._numbers.get(key)
        if number is None:
            number = self._next
            check(number + width <= _MOST_CONSTANTS, TOO_MUCH)
            self._numbers[key] = number
            self._next += width
            self._written[number] = content()
        return number

    def text(self, text: str) -> int:
        """Return the number of a text."""

        def content() -> bytes:
            encoded = text.encode("latin-1")
            return struct.pack(">BH", _UTF8, len(encoded)) + encoded

        return self._numbered(("text", text), content)

    def _of_text(self, tag: int, text: str) -> int:
        return self._numbered((tag, text), lambda: struct.pack(">BH", tag, self.text(text)))

    def class_name(self, name: str) -> int:
        """Return the number of a class."""
        return self._of_text(_CLASS, name)

    def named(self, name: str, descriptor: str) -> int:
        """Return the number of a name with its descriptor."""
        return self._numbered(
            (_NAMED, name, descriptor),
            lambda: struct.pack(">BHH", _NAMED, self.text(name), self.text(descriptor)),
        )

    def member(self, member: MemberMention, *, is_field: bool) -> int:
        """Return the number of a field or method."""
        tag = _FIELD if is_field else _INTERFACE_METHOD if member.of_interface else _METHOD

        def content() -> bytes:
            owner = self.class_name(member.owner)
            return struct.pack(">BHH", tag, owner, self.named(member.name, member.descriptor))

        return self._numbered((tag, member), content)

    def handle(self, handle: MethodHandle) -> int:
        """Return the number of a field or method as a value."""

        def content() -> bytes:
            member = self.member(handle.member, is_field=handle.kind in _FIELD_KINDS)
            return struct.pack(">BBH", _TAGS["handle"], HANDLE_KINDS.index(handle.kind) + 1, member)

        return self._numbered(handle, content)

    def dynamic(self, mention: DynamicMention, *, is_call: bool) -> int:
        """Return the number of a call site, or of a constant that is made when it is needed."""
        tag = _CALL_SITE if is_call else _TAGS["dynamic"]

        def content() -> bytes:
            at = self._bootstrap(mention.bootstrap)
            named = self.named(mention.name, mention.descriptor)
            return struct.pack(">BHH", tag, at, named)

        return self._numbered((is_call, mention), content)

    def _bootstrap(self, bootstrap: Bootstrap) -> int:
        at = self._bootstraps.get(bootstrap)
        if at is None:
            arguments = [self.constant(each) for each in bootstrap.arguments]
            numbers = (self.handle(bootstrap.handle), len(arguments), *arguments)
            at = self._bootstraps[bootstrap] = len(self.bootstraps)
            self.bootstraps.append(struct.pack(f">{len(numbers)}H", *numbers))
        return at

    def constant(self, constant: JavaConstant) -> int:
        """Return the number of something that can be put on the stack."""
        kind, value = constant
        if isinstance(value, int | bytes):
            tag = _TAGS[kind]
            is_wide = tag in _WIDE_TAGS
            if isinstance(value, int):
                content = value.to_bytes(8 if is_wide else 4, "big", signed=True)
            else:
                content = value[::-1]
            return self._numbered((tag, content), lambda: bytes((tag,)) + content, 1 + is_wide)
        if isinstance(value, MethodHandle):
            return self.handle(value)
        if isinstance(value, DynamicMention):
            return self.dynamic(value, is_call=False)
        return self._of_text(_TAGS[kind], value)
