"""Writes what a module has beside its functions, and what is done with it when it begins."""

from collections.abc import Mapping, Sequence

from wynot.formats.containers.modules.constant_writing import CONSTANTS
from wynot.formats.containers.modules.declarations import ModuleField
from wynot.formats.containers.modules.fitting import stand_ins
from wynot.formats.containers.modules.module_table import ModuleTable
from wynot.formats.containers.modules.named_types import MUTABLE
from wynot.formats.containers.modules.segments import segment
from wynot.formats.containers.modules.wasm_operations import (
    OPERATIONS_BY_NAME,
    TYPE_BYTES,
    leb128,
)
from wynot.formats.containers.symbolic.symbolic_lists import (
    FormItem,
    FormList,
    head_of,
    lists_of,
    name_of,
    numbers_of,
    strings_of,
    words_of,
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
                return b"\x23" + leb128(self._constants[name][0])
            if head == "ref.func" and letter == "r" and ("f", name) in self._table.numbers:
                self.referenced.add(name)
                return b"\xd2" + leb128(self._table.numbers["f", name])
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
            return b"\1" + leb128(len(content)) + content
        number = self._table.numbers["m", target]
        head = b"\2" + leb128(number) if number else b"\0"
        head += self.constant(offset, "i") + _END
        return head + leb128(len(content)) + content

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
            head += leb128(table) if is_explicit else b""
            head += self.constant(offset, "i") + _END
        if offset is None or is_explicit:
            head += b"\0" if is_plain else bytes((TYPE_BYTES[letter],))
        head += leb128(len(found))
        if is_plain:
            names = [*map(name_of, found)]
            self.referenced.update(names)
            return head + b"".join(leb128(numbers["f", name]) for name in names)
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
        return b"\0" + leb128(least)
    last = max([least, *above])
    return (b"\3" if is_shared else b"\1") + leb128(least) + leb128(last)
