"""Code as a text: instructions with their operands inside, or flat if they do not fit so.

What an instruction takes from the stack is written in it, as far as that is put there after the
last place to or from which code is led. What stays on the stack there is said to be pushed.

Code that does not fit together may be what the failure is about: nothing is put in for what is
missing in it.
"""

import re
from collections.abc import Iterator, Sequence

from wynot_binaries.java.item_texts import (
    ClassTable,
    OwnNames,
    class_of,
    class_text,
    item_head,
    item_of,
    quoted,
    texts_of,
)
from wynot_binaries.java.java_operations import (
    BRANCHES,
    JUMPS,
    LABEL,
    RETURNED_KINDS,
    STACK_SHAPES,
    VARIABLE_KINDS,
    WIDE_KINDS,
    CodeFrame,
    CodeHandler,
    CodeItem,
    CodeVariable,
    JavaCode,
    given_types,
    labels_of,
    shape_in_values,
    taken_kinds,
    width_of,
)
from wynot_binaries.java.java_types import NULL, is_class_name, kinds_of
from wynot_binaries.stack_machine import gather, last_places, without_drop, without_plain
from wynot_binaries.symbolic_lists import (
    FormItem,
    FormList,
    TextNode,
    head_of,
    lists_of,
    name_of,
    numbers_of,
    words_of,
)

SHAPE_WORDS = {shape: name for name, shape in STACK_SHAPES.items()}
"""In texts it is values that are doubled, not places."""
_MAX_PASSES = 50
_MOVING = frozenset({*STACK_SHAPES, "swap", "pop", "pop2"})
_PLAIN_TEXTS = {"I": "(int)", "J": "(long)", "F": "(float)", "D": "(double)", "A": "(null)"}
"""Constants that stand in for what is missing."""


class UnfoldableError(Exception):
    """Code that does not fit together, or is not known well enough."""


class _Effect:
    """What an instruction does to the stack, and what it is called in a text."""

    __slots__ = ("ends", "gives", "head", "takes")

    def __init__(self, takes: str, gives: str, head: str = "", *, ends: bool = False) -> None:
        self.takes, self.gives, self.head, self.ends = takes, gives, head, ends


class CodeFolding:
    """One method's code that is written as a text."""

    def __init__(
        self, code: JavaCode, own: OwnNames, given_kind: str, *, says_all: bool = False
    ) -> None:
        self._code, self._own, self._given_kind = code, own, given_kind
        self._says_all = says_all
        self._stacks: dict[str, str] = {each.handler: "A" for each in code.handlers}
        self._targets = {label for item in code.items for label in labels_of(item)}
        self._targets.update(each.handler for each in code.handlers)
        self._nodes: list[TextNode] = []
        self._counts: list[int] = []
        self._floor = 0
        self._base = 0
        """How many values are on the stack that were put there before the floor."""

    def statements(self) -> list[TextNode]:
        """Return all of it, and where exceptions are caught."""
        for _ in range(_MAX_PASSES):
            if not self._learn_stacks():
                break
        else:
            raise UnfoldableError
        stack: str | None = ""
        for item in self._code.items:
            if item[0] == LABEL:
                stack = self._label(item[1], stack)
                continue
            if stack is None:
                raise UnfoldableError  # it is not reached
            stack = self._fold(item, stack)
        if stack is not None:
            raise UnfoldableError
        self._settle()
        if self._nodes[-1:] == ["(return)"] and not self._says_all:
            self._nodes.pop()  # it goes without saying
        found = [without_drop(node, "(pop") for node in self._nodes]
        return [*found, *self._handlers()]

    def _handlers(self) -> Iterator[str]:
        for start, stop, handler, caught in self._code.handlers:
            name = f" {class_text(caught, self._own)}" if caught else ""
            yield f"(try {start} {stop} {handler}{name})"

    def _learn_stacks(self) -> bool:
        """Find out what is on the stack at labels; tell whether there is more to be found out."""
        stack: str | None = ""
        known = len(self._stacks)
        for item in self._code.items:
            if item[0] == LABEL:
                label = item[1]
                if label in self._targets:
                    if stack is not None:
                        self._stacks.setdefault(label, stack)
                    stack = self._stacks.get(label)
                continue
            if stack is not None:
                effect = self._effect(item, stack)
                stack = stack[: len(stack) - len(effect.takes)] + effect.gives
                for label in labels_of(item):
                    self._stacks.setdefault(label, stack)
                if effect.ends:
                    stack = None
        return len(self._stacks) > known

    def _label(self, label: str, stack: str | None) -> str | None:
        if label not in self._targets:
            self._put(f"(at {label})", 0)
            return stack
        self._settle()
        self._put(label, 0)
        self._floor, self._base = len(self._nodes), len(self._stacks.get(label, ""))
        return self._stacks.get(label)

    def _put(self, node: TextNode, count: int) -> None:
        self._nodes.append(node)
        self._counts.append(count)

    def _settle(self) -> None:
        """Leave what is on the stack there."""
        for at in range(self._floor, len(self._nodes)):
            if self._counts[at]:
                self._nodes[at] = ("(push", [self._nodes[at]], " ")
                self._counts[at] = 0
        self._floor = len(self._nodes)

    def _fold(self, item: CodeItem, stack: str) -> str | None:
        effect = self._effect(item, stack)
        taken, over = gather(self._nodes, self._counts, len(effect.takes), self._floor)
        is_sure = over <= 0 and len(taken) == len(effect.takes)
        if is_sure and not (self._base or self._says_all or item[0] in _MOVING):
            fewer = without_plain(taken, effect.takes, _PLAIN_TEXTS, last_places)
            taken = taken if fewer is None else fewer
        head = effect.head or item_head(item, self._own)
        self._put((head, taken, " ") if taken else f"{head})", max(over, 0) + len(effect.gives))
        if item[0] in JUMPS or item[0] == "switch" or effect.ends:
            if over > 0:
                raise UnfoldableError
            last, count = self._nodes.pop(), self._counts.pop()
            self._settle()
            self._put(last, count)
            self._floor, self._base = len(self._nodes), len(stack) - len(effect.takes)
        return None if effect.ends else stack[: len(stack) - len(effect.takes)] + effect.gives

    def _effect(self, item: CodeItem, stack: str) -> _Effect:
        effect = self._effect_of(item, stack)
        if len(effect.takes) > len(stack):
            raise UnfoldableError
        return effect

    def _effect_of(  # noqa: C901,PLR0911 - one for each kind
        self, item: CodeItem, stack: str
    ) -> _Effect:
        name = item[0]
        if name in BRANCHES:
            return _Effect(BRANCHES[name], "")
        if name in STACK_SHAPES:
            return _doubled(name, stack)
        if name in {"pop", "pop2", "swap"}:
            return _moved(name, stack)
        if name in RETURNED_KINDS:
            if RETURNED_KINDS[name] != self._given_kind:
                raise UnfoldableError
            return _Effect(self._given_kind, "", "(return", ends=True)
        if name in {"goto", "goto_w"}:
            return _Effect("", "", f"(goto {item[1]}", ends=True)
        if name in {"athrow", "switch"}:
            return _Effect("A" if name == "athrow" else "I", "", ends=True)
        if name in {"jsr", "jsr_w", "ret"}:
            raise UnfoldableError
        if name in VARIABLE_KINDS and name.endswith("load"):
            return _Effect("", VARIABLE_KINDS[name])
        if name == "new":
            return _Effect("", "A")
        takes = taken_kinds(item)
        return _Effect(takes, kinds_of(given_types(item, [NULL] * len(takes))))


def _doubled(name: str, stack: str) -> _Effect:
    shape = shape_in_values(name, stack)
    if shape is None:
        raise UnfoldableError
    doubled, below = shape
    taken = stack[len(stack) - doubled - below :]
    copies = taken[below:]
    return _Effect(taken, copies + taken, f"({SHAPE_WORDS[shape]}")


def _moved(name: str, stack: str) -> _Effect:
    if not stack or (name == "swap" and width_of(stack[-2:]) != 2):  # noqa: PLR2004
        raise UnfoldableError
    if name == "swap":
        return _Effect(stack[-2:], stack[-1] + stack[-2])
    if (name == "pop2") == (stack[-1] in WIDE_KINDS):
        return _Effect(stack[-1], "", "(pop")
    if name == "pop" or width_of(stack[-2:]) != 2:  # noqa: PLR2004
        raise UnfoldableError
    return _Effect(stack[-2:], "", "(pop2")


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
        lists = (" ".join((head, *map(_type_text, types))) + ")" for head, types in parts if types)
        lines.append(" ".join((f"(frame {label}", *lists)) + ")")
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
        frames = {name_of(form): self._frame(form) for form in self._lists("frame")}
        handlers = [*self._handlers()]
        return JavaCode(max_stack, max_variables, items, handlers, frames, lines, numbered)

    def _lists(self, head: str) -> Iterator[FormList]:
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
        for form in self._lists("try"):
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
