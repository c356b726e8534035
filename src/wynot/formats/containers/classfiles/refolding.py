"""Code as a text of which exactly that code is written again; if there is one."""

from collections.abc import Iterator, Sequence

from wynot.core.quantities import bounded_integer
from wynot.formats.containers.classfiles.code_fitting import FittedCode
from wynot.formats.containers.classfiles.code_folding import CodeFolding, UnfoldableError
from wynot.formats.containers.classfiles.code_items import (
    LABEL,
    CodeFrame,
    CodeItem,
    JavaCode,
    placed,
)
from wynot.formats.containers.classfiles.instruction_fitting import WIDE_MARK, MethodHead
from wynot.formats.containers.classfiles.item_forms import ClassTable
from wynot.formats.containers.classfiles.item_texts import OwnNames, quoted
from wynot.formats.containers.classfiles.java_operations import WIDE_KINDS
from wynot.formats.containers.classfiles.java_types import OBJECT, TOP
from wynot.formats.containers.classfiles.label_states import Place
from wynot.formats.containers.classfiles.method_code import fitted_code, has_variable
from wynot.formats.containers.symbolic.nested_texts import TextNode, written_nodes
from wynot.formats.containers.symbolic.symbolic_lists import symbolic_lists

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
