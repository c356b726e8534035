"""The constants of a class that is written: numbered as they are met, each once."""

import struct
from collections.abc import Hashable

from wynot.formats.containers.classfiles.class_bytes import (
    HANDLE_KINDS,
    Bootstrap,
    DynamicMention,
    JavaConstant,
    MemberMention,
    MethodHandle,
)
from wynot.formats.containers.container import TOO_MUCH, check

_MOST_CONSTANTS = (1 << 16) - 1
_FIELD_TAG, _METHOD_TAG, _INTERFACE_TAG = 9, 10, 11
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

    def _add(self, key: Hashable, width: int = 1) -> int:
        number = self._next
        check(number + width <= _MOST_CONSTANTS, TOO_MUCH)
        self._numbers[key] = number
        self._next += width
        return number

    def text(self, text: str) -> int:
        """Return the number of a text."""
        key = ("text", text)
        number = self._numbers.get(key)
        if number is None:
            number = self._add(key)
            content = text.encode("latin-1")
            self._written[number] = struct.pack(">BH", 1, len(content)) + content
        return number

    def _of_text(self, tag: int, text: str) -> int:
        key = (tag, text)
        number = self._numbers.get(key)
        if number is None:
            number = self._add(key)
            self._written[number] = struct.pack(">BH", tag, self.text(text))
        return number

    def class_name(self, name: str) -> int:
        """Return the number of a class."""
        return self._of_text(7, name)

    def named(self, name: str, descriptor: str) -> int:
        """Return the number of a name with its descriptor."""
        key = (12, name, descriptor)
        number = self._numbers.get(key)
        if number is None:
            number = self._add(key)
            self._written[number] = struct.pack(">BHH", 12, self.text(name), self.text(descriptor))
        return number

    def member(self, member: MemberMention, *, is_field: bool) -> int:
        """Return the number of a field or method."""
        tag = _FIELD_TAG if is_field else _INTERFACE_TAG if member.of_interface else _METHOD_TAG
        key = (tag, member)
        number = self._numbers.get(key)
        if number is None:
            number = self._add(key)
            owner = self.class_name(member.owner)
            named = self.named(member.name, member.descriptor)
            self._written[number] = struct.pack(">BHH", tag, owner, named)
        return number

    def handle(self, handle: MethodHandle) -> int:
        """Return the number of a field or method as a value."""
        number = self._numbers.get(handle)
        if number is None:
            number = self._add(handle)
            member = self.member(handle.member, is_field=handle.kind in _FIELD_KINDS)
            kind = HANDLE_KINDS.index(handle.kind) + 1
            self._written[number] = struct.pack(">BBH", 15, kind, member)
        return number

    def dynamic(self, mention: DynamicMention, *, is_call: bool) -> int:
        """Return the number of a call site, or of a constant that is made when it is needed."""
        key = (is_call, mention)
        number = self._numbers.get(key)
        if number is None:
            number = self._add(key)
            at = self._bootstrap(mention.bootstrap)
            named = self.named(mention.name, mention.descriptor)
            self._written[number] = struct.pack(">BHH", 18 if is_call else 17, at, named)
        return number

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
        if isinstance(value, int):
            return self._number(
                3 if kind == "int" else 5,
                value.to_bytes(4 if kind == "int" else 8, "big", signed=True),
            )
        if isinstance(value, bytes):
            return self._number(4 if kind == "float" else 6, value[::-1])
        if isinstance(value, MethodHandle):
            return self.handle(value)
        if isinstance(value, DynamicMention):
            return self.dynamic(value, is_call=False)
        return self._of_text({"string": 8, "type": 7, "methodtype": 16}[kind], value)

    def _number(self, tag: int, content: bytes) -> int:
        key = (tag, content)
        number = self._numbers.get(key)
        if number is None:
            number = self._add(key, 1 if tag < 5 else 2)  # noqa: PLR2004 - those of eight bytes
            self._written[number] = bytes((tag,)) + content
        return number
