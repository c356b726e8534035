"""Pieces of data and elements of tables: where they are put when a module begins."""

from collections.abc import Sequence
from typing import NamedTuple

from wynot.formats.containers.modules.declarations import ModuleField
from wynot.formats.containers.modules.wasm_operations import TYPE_LETTERS
from wynot.formats.containers.symbolic.symbolic_lists import (
    FormItem,
    FormList,
    head_of,
    lists_of,
)

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
    names, items, is_begun = list[str](), list[FormItem](), declared.space == "d"
    for item in declared.form[1:]:
        if isinstance(item, str) and item in _KINDS:
            is_begun = True
        elif (
            isinstance(item, str)
            and item.startswith("$")
            and (declared.space == "d" or not is_begun)
        ):
            names.append(item)
        elif is_begun and item is not offset:
            items.append(item)
    return ModuleSegment(names[1] if len(names) > 1 else "", offset, items)
