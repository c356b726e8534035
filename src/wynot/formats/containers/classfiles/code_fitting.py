"""Writes the code of a method of any lists, and such that it can be verified.

Types are followed through the code until they stay the same; of them what the verifier is told is
made. What cannot be reached is not written, and what leads to a place that is not there, or where
another stack is expected, goes on instead.
"""

from collections.abc import Sequence
from typing import NamedTuple

from wynot.formats.containers.classfiles.class_bytes import MemberMention
from wynot.formats.containers.classfiles.code_items import LABEL, CodeHandler, CodeItem, places_in
from wynot.formats.containers.classfiles.instruction_fitting import (
    CONTROL_HEADS,
    POSITION,
    InstructionFitting,
    MethodHead,
)
from wynot.formats.containers.classfiles.item_forms import ClassTable, class_of, texts_of
from wynot.formats.containers.classfiles.java_operations import BRANCHES, RETURNED_KINDS
from wynot.formats.containers.classfiles.java_types import THIS, is_class_name, kinds_of
from wynot.formats.containers.classfiles.label_states import LabelState, LabelStates, Place
from wynot.formats.containers.classfiles.value_fitting import (
    ValueGroup,
    discard,
    dropped,
    fitted_values,
    pops,
    stand_in_items,
)
from wynot.formats.containers.symbolic.symbolic_lists import (
    FormItem,
    FormList,
    head_of,
    lists_of,
    name_of,
    numbers_of,
    words_of,
)

_MAX_PASSES = 40
_RETURNS = {kind: name for name, kind in RETURNED_KINDS.items()}
_SAID = frozenset({"try", "frame"})
"""Lists that say something of the code."""


class FittedCode(NamedTuple):
    """Code in which variables have names."""

    items: list[CodeItem]
    handlers: list[CodeHandler]
    states: dict[str, LabelState]
    conflicts: set[tuple[str, Place]]
    """Where different classes meet."""


class CodeFitting(InstructionFitting):
    """Writes one method's code."""

    def __init__(self, forms: Sequence[FormItem], table: ClassTable, head: MethodHead) -> None:
        super().__init__(table, head)
        self._forms = forms
        self._labels = {word for word in words_of(forms) if word.startswith("$")}
        self._handlers = [*filter(None, map(self._handler, lists_of(forms)))]
        self._begin()
        self._items: list[CodeItem] = []
        self._is_reached = True
        self._active: list[CodeHandler] = []

    def fitted(self) -> FittedCode | None:
        """Write it as often as something is learned; None if that does not end."""
        for _ in range(_MAX_PASSES):
            self._write()
            if not self._states.are_settled:
                continue
            used = self._states.used
            reached = [each for each in self._handlers if each.handler in used]
            handlers = self._inhabited(reached)
            if len(handlers) == len(reached):
                return FittedCode(self._items, handlers, used, self._states.conflicts)
            self._handlers = handlers
            self._begin()
        return None

    def _begin(self) -> None:
        """Find out what leads where, and forget what is known there."""
        self._targets = self._mentioned() | {each.handler for each in self._handlers}
        self._states = LabelStates(_hints(self._forms))

    def _inhabited(self, handlers: Sequence[CodeHandler]) -> list[CodeHandler]:
        """Return where exceptions are caught that something could raise."""
        places, count = places_in(self._items)
        return [
            each
            for each in handlers
            if places.get(each.start, count) < places.get(each.stop, 0)
            and places[each.handler] < count
        ]

    def _write(self) -> None:
        self._states.begin()
        self._variables, self._stack = dict(self._head.variables), []
        self._items, self._placed = [], set()
        self._is_reached, self._active = True, []
        for form in self._forms:
            if isinstance(form, str):
                if form.startswith("$"):
                    self._label(form)
            elif isinstance(form, list):
                self._statement(form)
        if self._is_reached:
            self._return([])

    def _handler(self, form: FormList) -> CodeHandler | None:
        labels = [word for word in words_of(form) if word.startswith("$")]
        if head_of(form) != "try" or len(labels) < 3 or labels[2] not in self._labels:  # noqa: PLR2004
            return None
        return CodeHandler(labels[0], labels[1], labels[2], class_of(form, self._table) or "")

    def _mentioned(self) -> set[str]:
        """Return the labels that something leads to."""
        forms = [form for form in lists_of(self._forms) if head_of(form) in CONTROL_HEADS]
        forms += [inner for form in forms for inner in lists_of(form) if head_of(inner) == "case"]
        return {name_of(form) for form in forms} & self._labels

    def _label(self, name: str) -> None:
        if name in self._placed:
            return
        self._placed.add(name)
        if name in self._targets:
            if self._is_reached:
                self._go_to(name)
            state = self._states.pass_by(name)
            self._is_reached = state is not None
            if state is not None:
                self._variables, self._stack = state.variables, state.stack
        self._items.append((LABEL, name))
        self._pass_position(name)

    def _pass_position(self, name: str) -> None:
        self._active = [each for each in self._active if each.stop != name]
        self._active += (
            each for each in self._handlers if each.start == name and each.stop not in self._placed
        )

    def _go_to(self, label: str) -> bool:
        """Lead to a label with the stack that is expected there; False if that cannot be had."""
        known = self._states.states.get(label)
        if known is not None:
            have, want = kinds_of(self._stack), kinds_of(known.stack)
            same = 0
            while same < min(len(have), len(want)) and have[same] == want[same]:
                same += 1
            if "U" in want[same:]:
                self._items += [("aconst_null",), ("athrow",)]
                return False
            self._items += pops(self._stack[same:])
            self._items += stand_in_items(want[same:])
            more = ["N" if kind == "A" else kind for kind in want[same:]]
            self._stack = self._stack[:same] + more
        self._states.arrive(label, self._variables, self._stack)
        return True

    def _changed(self) -> None:
        for each in self._active:
            caught = f"L{each.caught or 'java/lang/Throwable'}"
            self._states.arrive(each.handler, self._variables, [caught])

    def _statement(self, form: FormList) -> None:
        head = head_of(form)
        if head == POSITION:
            self._label(name_of(form))
            return
        if not self._is_reached or head in _SAID:
            return
        self._changed()
        if head not in CONTROL_HEADS:
            found = self.value(form)
            discard(found.items, found.types)
            self._items += found.items
            return
        groups = self.operands(form)
        if head == "push":
            for group in groups:
                self._items += group.items
                self._stack += group.types
        elif head == "return":
            self._return(groups)
        elif head == "athrow":
            self._take(groups, "A")
            self._end(("athrow",))
        elif head == "goto":
            self._goto(name_of(form), groups)
        elif head == "switch":
            self._switch(form, groups)
        else:
            self._branch(head, name_of(form), groups)

    def _take(self, groups: list[ValueGroup], kinds: str) -> None:
        """Put what an instruction takes on the stack."""
        found = fitted_values(groups, kinds, self._stack)
        assert found is not None  # noqa: S101 - all these kinds have something that stands in
        if found.used:
            del self._stack[len(self._stack) - found.used :]
        self._items += found.items
        self._stack += found.over

    def _end(self, item: CodeItem) -> None:
        self._items.append(item)
        self._is_reached = False

    def _drop(self, groups: list[ValueGroup]) -> None:
        self._items += dropped(groups).items

    def _goto(self, label: str, groups: list[ValueGroup]) -> None:
        self._drop(groups)
        if label not in self._labels:
            return
        if self._go_to(label):
            self._items.append(("goto", label))
        self._is_reached = False

    def _is_led_to(self, label: str, taken: int) -> bool:
        """Tell whether a label is there, and expects the stack without what is taken."""
        if label not in self._labels:
            return False
        known = self._states.states.get(label)
        left = self._stack[: len(self._stack) - taken]
        return known is None or kinds_of(known.stack) == kinds_of(left)

    def _branch(self, head: str, label: str, groups: list[ValueGroup]) -> None:
        kinds = BRANCHES[head]
        found = fitted_values(groups, kinds, self._stack)
        if not self._is_led_to(label, found.used if found else 0):
            self._drop(groups)
            return
        self._take(groups, kinds)
        if self._states.arrive(label, self._variables, self._stack):
            self._items.append((head, label))
        else:  # there is more on the stack than is expected
            self._items += pops(kinds)

    def _switch(self, form: FormList, groups: list[ValueGroup]) -> None:
        self._take(groups, "I")
        cases: dict[int, str] = {}
        otherwise = name_of(form)
        if not self._is_led_to(otherwise, 0):
            self._items.append(("pop",))
            return
        self._states.arrive(otherwise, self._variables, self._stack)
        for inner in lists_of(form):
            number, label = next(numbers_of(inner), None), name_of(inner)
            if head_of(inner) != "case" or number is None or label == otherwise:
                continue
            if -(1 << 31) <= number < 1 << 31 and number not in cases and self._is_led_to(label, 0):
                self._states.arrive(label, self._variables, self._stack)
                cases[number] = label
        self._end(("switch", otherwise, tuple(sorted(cases.items()))))

    def _return(self, groups: list[ValueGroup]) -> None:
        kind = self._head.given_kind
        self._take(groups, kind)
        if self._head.is_constructor and self._variables.get(self._head.this) == THIS:
            base = MemberMention(self._table.base, "<init>", "()V")
            self._items += [("aload", self._head.this), ("invokespecial", base)]
        self._end((_RETURNS[kind],))


def _hints(forms: Sequence[FormItem]) -> dict[tuple[str, Place], str]:
    """Return the classes that are said to be what others have in common."""
    found: dict[tuple[str, Place], str] = {}
    for form in lists_of(forms):
        if head_of(form) != "frame":
            continue
        for inner in lists_of(form):
            name = next(texts_of(inner), "")
            place: Place | None = name_of(inner) or next(numbers_of(inner), None)
            if place is not None and is_class_name(name):
                found.setdefault((name_of(form), place), f"L{name}")
    return found
