"""Code as a text: each instruction with its operands inside of it.

What an instruction takes from the stack is written in it, as far as that is put there after the
last place to or from which code is led. What stays on the stack there is said to be pushed.
"""

from collections.abc import Iterator

from wynot.formats.containers.classfiles.code_items import (
    JUMPS,
    LABEL,
    CodeItem,
    JavaCode,
    labels_of,
)
from wynot.formats.containers.classfiles.item_effects import given_types, taken_kinds
from wynot.formats.containers.classfiles.item_texts import OwnNames, class_text, item_head
from wynot.formats.containers.classfiles.java_operations import (
    BRANCHES,
    RETURNED_KINDS,
    STACK_SHAPES,
    VARIABLE_KINDS,
    WIDE_KINDS,
    shape_in_values,
    width_of,
)
from wynot.formats.containers.classfiles.java_types import NULL, kinds_of
from wynot.formats.containers.symbolic.nested_texts import TextNode
from wynot.formats.containers.symbolic.value_places import last_places

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
        found = [*map(_without_pop, self._nodes)]
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
        taken, over = self._gather(len(effect.takes))
        if not (over or self._base or self._says_all or item[0] in _MOVING):
            taken = _said(taken, effect.takes)
        head = effect.head or item_head(item, self._own)
        self._put((head, taken, " ") if taken else f"{head})", over + len(effect.gives))
        if item[0] in JUMPS or item[0] == "switch" or effect.ends:
            if over:
                raise UnfoldableError
            last, count = self._nodes.pop(), self._counts.pop()
            self._settle()
            self._put(last, count)
            self._floor, self._base = len(self._nodes), len(stack) - len(effect.takes)
        return None if effect.ends else stack[: len(stack) - len(effect.takes)] + effect.gives

    def _gather(self, wanted: int) -> tuple[list[TextNode], int]:
        """Take the last nodes that give so many values; return them, and how many too many."""
        start, got, counts = len(self._nodes), 0, self._counts
        while got < wanted and start > self._floor:
            start -= 1
            got += counts[start]
        if got < wanted:
            while start < len(counts) and not counts[start]:
                start += 1
        taken = self._nodes[start:]
        del self._nodes[start:], counts[start:]
        return taken, max(got - wanted, 0)

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


def _said(nodes: list[TextNode], takes: str) -> list[TextNode]:
    """Return operands without those that are plain constants, where these go without saying."""
    plain = [node == _PLAIN_TEXTS.get(kind) for node, kind in zip(nodes, takes, strict=False)]
    if len(nodes) != len(takes) or True not in plain:
        return nodes
    others = [place for place, is_plain in enumerate(plain) if not is_plain]
    if last_places("".join(takes[place] for place in others), takes) != others:
        return nodes
    return [nodes[place] for place in others]


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


def _without_pop(node: TextNode) -> TextNode:
    """Return a statement whose value nobody wants without saying so."""
    if isinstance(node, tuple) and node[0] == "(pop" and len(node[1]) == 1:
        return node[1][0]
    return node
