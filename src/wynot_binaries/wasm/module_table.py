"""What the texts of a module declare, and which number each of it gets.

Of a function that is its name and its type; its body is read when it is written.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from wynot_binaries.symbolic_lists import (
    FormItem,
    FormList,
    head_of,
    lists_of,
    name_of,
    names_in,
    strings_of,
    symbolic_lists,
    words_of,
)
from wynot_binaries.wasm.instruction_writing import FIRST_MEMORY, stated_types
from wynot_binaries.wasm.module_spaces import MUTABLE, OPTIONAL_SPACES, SPACES
from wynot_binaries.wasm.wasm_operations import REFERENCES, TYPE_BYTES, TYPE_LETTERS

EXPORT, START, FUNCTION_NAME = "x", "0", "n"
_SPACES = {
    "func": "f",
    "table": "t",
    "memory": "m",
    "global": "g",
    "tag": "e",
    "data": "d",
    "elem": "s",
    "export": EXPORT,
    "start": START,
    "name": FUNCTION_NAME,
}
IMPORTED_SPACES = {word: space for word, space in _SPACES.items() if space in "ftmge"}


class ModuleField(NamedTuple):
    """Something that a text declares."""

    space: str
    name: str
    type: str
    """Letters: of functions and exceptions what is taken, a colon, what is given."""
    form: Sequence[FormItem]
    """All that is said of it; nothing, of a function with a body."""
    number: int
    """Which list of its text it is."""
    imported: tuple[bytes, bytes] | None = None


class DeclaringText(NamedTuple):
    """A text, and what it declares."""

    text: str
    names: frozenset[str]
    """All that it mentions."""
    declared: tuple[ModuleField, ...]


def declaring(content: bytes) -> DeclaringText:
    """Read a text."""
    text = content.decode("latin-1")
    return DeclaringText(text, names_in(text), tuple(_declarations(symbolic_lists(text))))


def _declarations(forms: Sequence[FormItem]) -> Iterator[ModuleField]:
    for number, form in enumerate(forms):
        if not isinstance(form, list):
            continue
        head = head_of(form)
        if head == "import":
            yield from _imported(form, number)
        elif head in _SPACES:
            space = _SPACES[head]
            yield ModuleField(
                space, name_of(form), type_of(space, form), _kept(space, form), number
            )


def _kept(space: str, form: FormList) -> Sequence[FormItem]:
    return () if space == "f" else form


def _imported(form: FormList, number: int) -> Iterator[ModuleField]:
    module, name, *_ = [*strings_of(form), b"", b""]
    for inner in lists_of(form):
        space = IMPORTED_SPACES.get(head_of(inner))
        if space is not None:
            imported = valid_name(module), valid_name(name)
            yield ModuleField(space, name_of(inner), type_of(space, inner), inner, number, imported)
            return


def valid_name(name: bytes) -> bytes:
    """Return a name that is UTF-8."""
    return name.decode("utf-8", "replace").encode()


def type_of(space: str, form: FormList) -> str:
    """Return the type that a list says something has."""
    if space in "fe":
        takes, gives = stated_types(form)
        return f"{takes}:{gives if space == 'f' else ''}"
    if space == "g":
        inner = next((each for each in lists_of(form) if head_of(each) == "mut"), None)
        letter = _letter(form if inner is None else inner, TYPE_BYTES, "i")
        return letter + MUTABLE * (inner is not None)
    return _letter(form, REFERENCES, "r") if space in "ts" else ""


def _letter(items: Sequence[FormItem], allowed: Container[str], otherwise: str) -> str:
    found = (TYPE_LETTERS.get(word, "") for word in words_of(items))
    return next((letter for letter in found if letter and letter in allowed), otherwise)


_KINDS = frozenset({"func", *TYPE_LETTERS})


class ModuleSegment(NamedTuple):
    """What a list says of a segment."""

    target: str
    """The name of the table or memory; empty, if it is the first."""
    offset: FormList | None
    """Where it is put; None: it waits until it is asked for."""
    items: Sequence[FormItem]


def segment(declared: ModuleField) -> ModuleSegment:
    """Read what is said of one."""
    offset = next((each for each in lists_of(declared.form) if head_of(each) == "offset"), None)
    names, items, is_inside = list[str](), list[FormItem](), declared.space == "d"
    for item in declared.form[1:]:
        if isinstance(item, str) and item in _KINDS:
            is_inside = True
        elif (
            isinstance(item, str)
            and item.startswith("$")
            and (declared.space == "d" or not is_inside)
        ):
            names.append(item)
        elif is_inside and item is not offset:
            items.append(item)
    return ModuleSegment(names[1] if len(names) > 1 else "", offset, items)


KnownItems: TypeAlias = tuple[tuple[tuple[str, str], str], ...]
"""What is known, as something that can be compared."""
_TARGETS = {"d": "m", "s": "t"}


class ModuleTable:
    """What there is, of a name the first; what cannot be there is not."""

    def __init__(self, declared: Iterable[ModuleField]) -> None:
        self.spaces: dict[str, list[ModuleField]] = {space: [] for space in SPACES}
        self.types: dict[tuple[str, str], str] = {}
        self.numbers: dict[tuple[str, str], int] = {}
        self._by_name: dict[str, list[tuple[tuple[str, str], str]]] = {}
        several = list(declared)
        for space in SPACES:
            mine = [each for each in several if each.space == space]
            mine.sort(key=lambda each: each.imported is None)
            for each in mine:
                self._add(each)
        for key in ((space, "") for space in OPTIONAL_SPACES):
            if key in self.types:
                self._by_name.setdefault("", []).append((key, self.types[key]))

    def _add(self, declared: ModuleField) -> None:
        space, name, described, *_ = declared
        mine = self.spaces[space]
        if space in _TARGETS and not self._has_target(declared):
            return
        if space == "m" and not mine:
            described = FIRST_MEMORY
        if not mine and space in OPTIONAL_SPACES:
            self.types[space, ""], self.numbers[space, ""] = described, 0
        if name and (space, name) not in self.types:
            self.types[space, name], self.numbers[space, name] = described, len(mine)
            self._by_name.setdefault(name, []).append(((space, name), described))
        mine.append(declared)

    def _has_target(self, declared: ModuleField) -> bool:
        """Tell whether there is something to put a segment into, if it is to be put anywhere."""
        target, offset, _ = segment(declared)
        if offset is None:
            return True
        described = self.types.get((_TARGETS[declared.space], target))
        return described is not None and (declared.space == "d" or described == declared.type)

    def known(self, names: frozenset[str]) -> KnownItems:
        """Return what there is of these names, and what need not be named."""
        found = [*self._by_name.get("", ())]
        for name in sorted(names & self._by_name.keys()):
            found += self._by_name[name]
        return tuple(found)

    def constants(self) -> dict[str, tuple[int, str]]:
        """Return the globals that can be used when a module is set up."""
        return {
            each.name: (number, each.type)
            for number, each in reversed([*enumerate(self.spaces["g"])])
            if each.imported is not None and not each.type.endswith(MUTABLE)
        }
