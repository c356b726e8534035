"""What the texts of a module declare, each by a list of its own.

Of a function that is its name and its type; its body is read when it is written.
"""

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from wynot.formats.containers.modules.instruction_writing import stated_types
from wynot.formats.containers.modules.named_types import MUTABLE
from wynot.formats.containers.modules.wasm_operations import REFERENCES, TYPE_BYTES, TYPE_LETTERS
from wynot.formats.containers.symbolic.symbolic_lists import (
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
