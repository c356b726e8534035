"""A list in brackets: what opens and closes it, its items, and what stands between them."""

from collections.abc import Sequence
from typing import NamedTuple

from wynot.explaining.case_parts import CaseParts, Part

SEPARATORS = (b",", b";")
PAIRED_KINDS = frozenset({"object", "dictionary", "flow_mapping", "hash", "table_constructor"})
"""Kinds of lists whose items are a key and a value each."""


class ListForm(NamedTuple):
    """How a list is written."""

    opens: bytes
    closes: bytes
    separator: bytes
    items: tuple[bytes, ...]
    atoms: tuple[bytes, ...]
    """Other items that it could have; of pairs, each with another key."""
    kind: str
    """What such a list is called."""

    @property
    def is_distinct(self) -> bool:
        """Whether no two items may be the same, as with keys and parameters."""
        return self.kind in {"object", "parameters"}

    def of(self, items: Sequence[bytes]) -> bytes:
        """Return a list of other items."""
        return self.opens + self.separator.join(items) + self.closes

    def counted(self, count: int) -> bytes:
        """Return a list of so many items: those that there are, and then more like the last."""
        have = self.items or self.atoms[:1]
        more = [self.added(number) for number in range(count - len(have))]
        return self.of([*have[:count], *more])

    def added(self, number: int) -> bytes:
        """Return one more item."""
        if self.is_distinct:
            return self.atoms[0].replace(b"0", b"%d" % number, 1)
        return (self.items or self.atoms)[-1 if self.items else 0]


def list_form(part: Part, parts: CaseParts, atoms: Sequence[bytes]) -> ListForm | None:
    """Take a list apart; None if it is nothing whose items could be counted."""
    text = part.text
    children = parts.children.get(part.number, ())
    inner = [child for child in children if child.start > part.start and child.stop < part.stop]
    marks = {child.text for child in inner if not child.named} & {*SEPARATORS}
    named = [child for child in inner if child.named]
    if len(marks) > 1 or (not marks and len(named) > 1):
        return None
    [separator] = marks or {b","}
    items = _items(inner, separator, parts)
    kind = _kind(part)
    if kind == "object":
        quote = b"'" if b"'" in text and b'"' not in text else b'"'
        atoms = [b"%sk0%s: 0" % (quote, quote)]
    elif kind == "parameters":
        atoms = [b"p0"] if b"a" in atoms else []
    if not kind or not (atoms or items):
        return None
    spaced = separator + b" "
    parted = spaced if spaced in text or not marks else separator
    return ListForm(text[:1], text[-1:], parted, items, (*atoms,), kind)


def _kind(part: Part) -> str:
    """Return what a list is called; empty if it is none, but a block."""
    kinds = " ".join(part.kinds)
    if part.text[:1] == b"{":
        return "object" if PAIRED_KINDS & {*part.kinds} else ""
    if part.text[:1] == b"[":
        return "list"
    for sign, name in (("argument", "arguments"), ("param", "parameters"), ("tuple", "tuple")):
        if sign in kinds:
            return name
    return "sequence"


def _items(inner: Sequence[Part], separator: bytes, parts: CaseParts) -> tuple[bytes, ...]:
    """Return the items, each from its first part to its last."""
    groups: list[list[Part]] = [[]]
    for child in inner:
        if not child.named and child.text == separator:
            groups.append([])
        else:
            groups[-1].append(child)
    return tuple(
        parts.files.contents[group[0].path][group[0].start : group[-1].stop]
        for group in groups
        if group
    )
