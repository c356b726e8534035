"""Writes functions; a text is written anew only if what it mentions is no longer as it was."""

from itertools import groupby
from typing import NamedTuple

from wynot.core.recent import Cache
from wynot.formats.containers.modules.body_writing import BodyWriting
from wynot.formats.containers.modules.code_linking import flattened
from wynot.formats.containers.modules.declarations import DeclaringText
from wynot.formats.containers.modules.fitting import REFERENCED, CodePiece, Mention
from wynot.formats.containers.modules.instruction_writing import stated_types
from wynot.formats.containers.modules.module_table import KnownItems
from wynot.formats.containers.modules.wasm_operations import TYPE_BYTES, TYPE_LETTERS, leb128
from wynot.formats.containers.symbolic.symbolic_lists import (
    FORM_BYTES,
    FormList,
    head_of,
    lists_of,
    name_of,
    symbolic_lists,
    words_of,
)


class FunctionCode(NamedTuple):
    """A function without the numbers of what it mentions."""

    pieces: tuple[CodePiece, ...]
    referenced: frozenset[str]
    """Functions that it mentions as values."""
    mentions_data: bool
    """Whether it mentions a piece of data."""


_KNOWN_CODE: Cache[tuple[str, int, KnownItems], FunctionCode] = Cache(
    lambda key, _: FORM_BYTES * len(key[0])
)


def function_code(source: DeclaringText, number: int, known: KnownItems) -> FunctionCode:
    """Write the function that one of the lists of a text is."""
    key = (source.text, number, known)
    return _KNOWN_CODE.get(key, lambda: _written(source.text, number, known))


def _written(text: str, number: int, known: KnownItems) -> FunctionCode:
    form = symbolic_lists(text)[number]
    assert isinstance(form, list)  # noqa: S101 - it was one when its type was read
    _, gives = stated_types(form)
    variables = dict[str, tuple[int, str]]()
    letters = _variables(form, "param", variables, 0)
    own = _variables(form, "local", variables, len(letters))
    body = BodyWriting(dict(known), variables, gives).body(form)
    groups = [(letter, len([*same])) for letter, same in groupby(own)]
    counted = b"".join(leb128(count) + bytes((TYPE_BYTES[letter],)) for letter, count in groups)
    pieces = flattened([leb128(len(groups)), counted, *body])
    mentions = [piece for piece in pieces if isinstance(piece, Mention)]
    referenced = frozenset(name for space, name in mentions if space == REFERENCED)
    return FunctionCode(pieces, referenced, any(space == "d" for space, _ in mentions))


def _variables(form: FormList, word: str, variables: dict[str, tuple[int, str]], first: int) -> str:
    """Return the types of variables of a sort, and add them to those that are known by name."""
    letters = ""
    for inner in lists_of(form):
        if head_of(inner) != word:
            continue
        mine = "".join(TYPE_LETTERS.get(each, "") for each in words_of(inner))
        if mine:
            variables.setdefault(name_of(inner), (first + len(letters), mine[0]))
        letters += mine
    return letters
