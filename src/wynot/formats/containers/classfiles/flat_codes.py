"""Code that does not fit together, as it is: one instruction after the other, and all frames.

It may be what the failure is about, so nothing is put in for what is missing in it.
"""

import re
from collections.abc import Iterator, Sequence

from wynot.formats.containers.classfiles.code_items import (
    JUMPS,
    LABEL,
    CodeFrame,
    CodeHandler,
    CodeItem,
    CodeVariable,
    JavaCode,
    labels_of,
)
from wynot.formats.containers.classfiles.item_forms import (
    ClassTable,
    class_of,
    item_of,
    texts_of,
)
from wynot.formats.containers.classfiles.item_texts import OwnNames, class_text, item_head, quoted
from wynot.formats.containers.classfiles.java_operations import VARIABLE_KINDS
from wynot.formats.containers.classfiles.java_types import is_class_name
from wynot.formats.containers.symbolic.symbolic_lists import (
    FormItem,
    FormList,
    head_of,
    lists_of,
    name_of,
    numbers_of,
    words_of,
)

_VARIABLE = re.compile(r"\$[0-9]{1,5}")
_MAX_NUMBER = (1 << 16) - 1
_TYPE_WORDS = {".": "top", "I": "I", "F": "F", "D": "D", "J": "J", "N": "null", "T": "this"}
_WORD_TYPES = {word: kind for kind, word in _TYPE_WORDS.items()}
_UNTYPED = frozenset(
    {
        *("pop", "pop2", "dup", "dup_x1", "dup_x2", "dup2", "dup2_x1", "dup2_x2", "swap", "athrow"),
        *("ireturn", "lreturn", "freturn", "dreturn", "areturn", "return"),
    }
)
"""Instructions without anything but their code, of which texts that fit say something else."""


def flat_text(code: JavaCode, own: OwnNames) -> str:
    """Return code as a text."""
    lines = [f"(flat {code.max_stack} {code.max_variables}"]
    lines += (item[1] if item[0] == LABEL else f"{item_head(item, own)})" for item in code.items)
    for start, stop, handler, caught in code.handlers:
        name = f" {class_text(caught, own)}" if caught else ""
        lines.append(f"(try {start} {stop} {handler}{name})")
    for label, (variables, stack) in code.frames.items():
        parts = (("(locals", variables), ("(stack", stack))
        said = (" ".join((head, *map(_type_text, types))) + ")" for head, types in parts if types)
        lines.append(" ".join((f"(frame {label}", *said)) + ")")
    return "\n".join(lines) + ")"


def _type_text(value: str) -> str:
    if value[0] == "L":
        return quoted(value[1:])
    return f"(new {value[1:]})" if value[0] == "U" else _TYPE_WORDS[value]


class FlatCode:
    """Code that is read from a text."""

    def __init__(self, form: FormList, table: ClassTable) -> None:
        self._form, self._table = form, table
        self._labels = {word for word in words_of(form) if word.startswith("$")}

    def code(
        self, lines: Sequence[tuple[str, int]], variables: Sequence[tuple[str, CodeVariable]]
    ) -> JavaCode:
        """Return all of it; what leads nowhere goes."""
        sizes = [number % (_MAX_NUMBER + 1) for number in numbers_of(self._form)]
        max_stack, max_variables, *_ = [*sizes, 0, 0]
        items = list(self._items())
        if all(item[0] == LABEL for item in items):
            items.append(("return",))
        numbered = [
            each._replace(number=int(name[1:]))
            for name, each in variables
            if _VARIABLE.fullmatch(name)
        ]
        frames = {name_of(form): self._frame(form) for form in self._said("frame")}
        handlers = [*self._handlers()]
        return JavaCode(max_stack, max_variables, items, handlers, frames, lines, numbered)

    def _said(self, head: str) -> Iterator[FormList]:
        return (form for form in lists_of(self._form) if head_of(form) == head)

    def _items(self) -> Iterator[CodeItem]:
        placed = set[str]()
        for form in self._form:
            if isinstance(form, str) and form.startswith("$") and form not in placed:
                placed.add(form)
                yield (LABEL, form)
            elif isinstance(form, list):
                item = self._item(form)
                if item is not None and self._labels.issuperset(labels_of(item)):
                    yield item

    def _item(self, form: FormList) -> CodeItem | None:
        name = head_of(form)
        if name in JUMPS:
            return (name, name_of(form))
        if name == "switch":
            cases: dict[int, str] = {}
            for inner in lists_of(form):
                number, label = next(numbers_of(inner), None), name_of(inner)
                if number is not None and label in self._labels and -(1 << 31) <= number < 1 << 31:
                    cases.setdefault(number, label)
            return (name, name_of(form), tuple(sorted(cases.items())))
        item = item_of(form, self._table)
        if item is None:
            return (name,) if name in _UNTYPED else None
        if name in VARIABLE_KINDS or name in {"ret", "iinc"}:
            number = int(item[1][1:]) if _VARIABLE.fullmatch(item[1]) else _MAX_NUMBER + 1
            return (name, number, *item[2:]) if number <= _MAX_NUMBER else None
        return item

    def _handlers(self) -> Iterator[CodeHandler]:
        for form in self._said("try"):
            labels = [word for word in words_of(form) if word in self._labels]
            if len(labels) >= 3:  # noqa: PLR2004 - from, to, and where it goes on
                caught = class_of(form, self._table) or ""
                yield CodeHandler(labels[0], labels[1], labels[2], caught)

    def _frame(self, form: FormList) -> CodeFrame:
        found: dict[str, tuple[str, ...]] = {"locals": (), "stack": ()}
        for inner in lists_of(form):
            found[head_of(inner)] = tuple(self._types(inner[1:]))
        return CodeFrame(found["locals"], found["stack"])

    def _types(self, items: Sequence[FormItem]) -> Iterator[str]:
        for item in items:
            if isinstance(item, str):
                if item in _WORD_TYPES:
                    yield _WORD_TYPES[item]
            elif isinstance(item, bytes):
                name = next(texts_of([item]))
                if is_class_name(name):
                    yield f"L{name}"
            elif name_of(item) in self._labels:
                yield f"U{name_of(item)}"
