"""The code of a method of any lists, written such that it can be verified.

Types are followed through the code until they stay the same; of them what the verifier is told is
made. What cannot be reached is not written, and what leads to a place that is not there, or where
another stack is expected, goes on instead.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from wynot.core.options.quantities import bounded_integer
from wynot_binaries.java.code_texts import CodeFolding, UnfoldableError
from wynot_binaries.java.constant_pool import MemberMention
from wynot_binaries.java.frames import LabelState, LabelStates, Place
from wynot_binaries.java.instruction_fitting import (
    CONTROL_HEADS,
    POSITION,
    WIDE_MARK,
    InstructionFitting,
    MethodHead,
    ValueGroup,
    discard,
    dropped,
    fitted_values,
    pops,
    stand_in_items,
)
from wynot_binaries.java.item_texts import ClassTable, OwnNames, class_of, quoted, texts_of
from wynot_binaries.java.java_operations import (
    BRANCHES,
    LABEL,
    RETURNED_KINDS,
    VARIABLE_KINDS,
    WIDE_KINDS,
    CodeFrame,
    CodeHandler,
    CodeItem,
    CodeVariable,
    JavaCode,
    given_types,
    labels_of,
    placed,
    places_in,
    taken_kinds,
    width_of,
)
from wynot_binaries.java.java_types import (
    NULL,
    OBJECT,
    THIS,
    TOP,
    is_class_name,
    is_field_type,
    is_member_name,
    is_signature,
    kinds_of,
)
from wynot_binaries.symbolic_lists import (
    FormItem,
    FormList,
    TextNode,
    head_of,
    lists_of,
    name_of,
    numbers_of,
    symbolic_lists,
    words_of,
    written_nodes,
)

_MAX_PASSES = 40
_RETURNS = {kind: name for name, kind in RETURNED_KINDS.items()}
_ABOUT_CODE = frozenset({"try", "frame"})
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
        if not self._is_reached or head in _ABOUT_CODE:
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


_PLACES_MOVED = {
    "dup": 1,
    "dup_x1": 1,
    "dup_x2": 1,
    "dup2": 2,
    "dup2_x1": 2,
    "dup2_x2": 2,
    "pop": -1,
    "pop2": -2,
    "swap": 0,
    "switch": -1,
    "athrow": -1,
    "new": 1,
}


def fitted_code(forms: Sequence[FormItem], table: ClassTable, head: MethodHead) -> FittedCode:
    """Write the code of a method; one that does nothing, if that cannot be done."""
    found = CodeFitting(forms, table, head).fitted() or CodeFitting((), table, head).fitted()
    assert found is not None  # noqa: S101 - of nothing it is one instruction
    return found


def numbered(
    code: FittedCode,
    initial: Sequence[tuple[str, str]],
    lines: Sequence[tuple[str, int]],
    variables: Iterable[tuple[str, CodeVariable]],
) -> JavaCode:
    """Return code with numbers; ``initial``: names and types of what is there at first."""
    numbers, places = _numbers(code.items, initial)
    items = [
        (item[0], numbers[item[1]], *item[2:]) if has_variable(item) else item
        for item in code.items
    ]
    handlers = code.handlers
    targets = {label for item in code.items for label in labels_of(item)}
    targets.update(each.handler for each in handlers)
    frames = {
        label: _frame(state, numbers) for label, state in code.states.items() if label in targets
    }
    known = [each._replace(number=numbers[name]) for name, each in variables if name in numbers]
    return JavaCode(_max_stack(code), places, items, handlers, frames, lines, known)


def has_variable(item: CodeItem) -> bool:
    """Tell whether an instruction is about a variable."""
    return item[0] in VARIABLE_KINDS or item[0] == "iinc"


def _numbers(
    items: Sequence[CodeItem], initial: Sequence[tuple[str, str]]
) -> tuple[dict[str, int], int]:
    """Return the first place of each variable, in the order in which they are met; and how many."""
    numbers: dict[str, int] = {}
    at = 0
    for name, value in initial:
        numbers.setdefault(name, at)
        at += 1 + (value in WIDE_KINDS)
    for item in items:
        if has_variable(item) and item[1] not in numbers:
            numbers[item[1]] = at
            at += 1 + item[1].endswith(WIDE_MARK)
    return numbers, at


def _frame(state: LabelState, numbers: Mapping[str, int]) -> CodeFrame:
    by_number = {numbers[name]: value for name, value in state.variables.items() if name in numbers}
    variables: list[str] = []
    at, last = 0, max(by_number, default=-1)
    while at <= last:
        value = by_number.get(at, TOP)
        variables.append(value)
        at += 1 + (value in WIDE_KINDS)
    return CodeFrame(tuple(variables), tuple(state.stack))


def _max_stack(code: FittedCode) -> int:
    most = depth = 0
    for item in code.items:
        name = item[0]
        if name == LABEL:
            if item[1] in code.states:
                depth = width_of(kinds_of(code.states[item[1]].stack))
        elif name in _PLACES_MOVED:
            depth += _PLACES_MOVED[name]
        elif name in BRANCHES:
            depth -= len(BRANCHES[name])
        elif name in VARIABLE_KINDS:
            width = width_of(VARIABLE_KINDS[name])
            depth += width if name.endswith("load") else -width
        elif not name.endswith("return"):
            takes = taken_kinds(item)
            gives = kinds_of(given_types(item, [NULL] * len(takes)))
            depth += width_of(gives) - width_of(takes)
        most = max(most, depth)
    return most


_MAX_ROUNDS = 8


def hinted_statements(
    code: JavaCode, own: OwnNames, table: ClassTable, head: MethodHead
) -> list[TextNode]:
    """Return code as statements, and what is known of types where different ones meet.

    Raises ``UnfoldableError``. What is written if nothing is said is no statement.
    """
    wanted = placed([_shortened(item) for item in code.items])
    if all(item[0] != LABEL for item in code.items) and _is_same(
        fitted_code((), table, head), wanted, code
    ):
        return []
    for says_all in (False, True):
        folding = CodeFolding(code, own, head.given_kind, says_all=says_all)
        found = _hinted(code, folding.statements(), wanted, table, head)
        if found is not None:
            return found
    raise UnfoldableError


def _hinted(
    code: JavaCode,
    statements: list[TextNode],
    wanted: Sequence[CodeItem],
    table: ClassTable,
    head: MethodHead,
) -> list[TextNode] | None:
    hints: dict[tuple[str, Place], str] = {}
    for _ in range(_MAX_ROUNDS):
        nodes = [*statements, *_hint_texts(hints)]
        written = fitted_code(symbolic_lists("".join(written_nodes(nodes, " "))), table, head)
        if not _is_same(written, wanted, code):
            break
        more = {
            (label, place): value
            for label, place in sorted(written.conflicts - hints.keys(), key=str)
            if (value := _declared(code.frames.get(label), place)) is not None
        }
        if not more:
            return nodes
        hints |= more
    return None


def _is_same(written: FittedCode, wanted: Sequence[CodeItem], code: JavaCode) -> bool:
    items = [_unnamed(item) for item in placed(written.items)]
    return items == wanted and written.handlers == list(code.handlers)


def _shortened(item: CodeItem) -> CodeItem:
    return ("goto", item[1]) if item[0] == "goto_w" else item


def _unnamed(item: CodeItem) -> CodeItem:
    """Return an instruction with the number that its variable had."""
    if not has_variable(item):
        return item
    name = item[1].removesuffix(WIDE_MARK)
    number = bounded_integer(name[1:])
    return (item[0], -1 if number is None else number, *item[2:])


def _hint_texts(hints: dict[tuple[str, Place], str]) -> Iterator[str]:
    for label in dict.fromkeys(label for label, _ in hints):
        mine = ((place, value) for (at, place), value in hints.items() if at == label)
        each = (f"({place} {quoted(value)})" for place, value in mine)
        yield f"(frame {label} {' '.join(each)})"


def _declared(frame: CodeFrame | None, place: Place) -> str | None:
    """Return the class that the file says is in a place; None if it is any, or nothing is said."""
    if frame is None:
        return None
    value = TOP
    if isinstance(place, int):
        value = frame.stack[place] if place < len(frame.stack) else TOP
    else:
        at, wanted = 0, int(place[1:])
        for each in frame.variables:
            if at == wanted:
                value = each
                break
            at += 1 + (each in WIDE_KINDS)
    return value[1:] if value[0] == "L" and value[1:] != OBJECT else None


_LAST_LINE = (1 << 16) - 1


class DebugForms:
    """What is said for debuggers of each method, by what it is mentioned as."""

    def __init__(self, forms: Sequence[FormList]) -> None:
        self._lines: dict[str, list[FormList]] = {}
        self._variables: dict[str, list[FormList]] = {}
        for form in forms:
            kinds = {"lines": self._lines, "variables": self._variables}
            known = kinds.get(head_of(form))
            if known is not None:
                known.setdefault(name_of(form), []).extend(lists_of(form))

    def lines(self, method: str) -> list[tuple[str, int]]:
        """Return labels, and the lines that begin there."""
        found = []
        for form in self._lines.get(method, ()):
            line, label = head_of(form), name_of(form)
            if line.isdecimal() and len(line) < 6 and int(line) <= _LAST_LINE:  # noqa: PLR2004
                found.append((label, int(line)))
        return found[:_LAST_LINE]

    def variables(self, method: str) -> Iterator[tuple[str, CodeVariable]]:
        """Return what variables are called, with what they are known by in the code."""
        for form in self._variables.get(method, ()):
            is_generic = head_of(form) == "generic"
            own, start, stop, *_ = [*(w for w in words_of(form) if w[:1] == "$"), "", "", ""]
            name, kind = [*texts_of(form), "", ""][:2]
            fits = is_signature(kind) if is_generic else is_field_type(kind)
            if fits and is_member_name(name):
                is_wide = kind in {"J", "D"}
                variable = CodeVariable(0, name, kind, start, stop, is_generic)
                yield own + WIDE_MARK * is_wide, variable
