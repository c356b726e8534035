"""Code with names made code with numbers: variables get their places, labels their frames."""

from collections.abc import Iterable, Mapping, Sequence

from wynot.formats.containers.classfiles.code_fitting import CodeFitting, FittedCode
from wynot.formats.containers.classfiles.code_items import (
    LABEL,
    CodeFrame,
    CodeItem,
    CodeVariable,
    JavaCode,
    labels_of,
)
from wynot.formats.containers.classfiles.instruction_fitting import WIDE_MARK, MethodHead
from wynot.formats.containers.classfiles.item_effects import given_types, taken_kinds
from wynot.formats.containers.classfiles.item_forms import ClassTable
from wynot.formats.containers.classfiles.java_operations import (
    BRANCHES,
    VARIABLE_KINDS,
    WIDE_KINDS,
    width_of,
)
from wynot.formats.containers.classfiles.java_types import NULL, TOP, kinds_of
from wynot.formats.containers.classfiles.label_states import LabelState
from wynot.formats.containers.symbolic.symbolic_lists import FormItem

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
