"""Writes the code of methods; it is done anew only if what it mentions is no longer as it was."""

from typing import TypeAlias

from wynot.core.recent import Cache
from wynot.formats.containers.classfiles.class_declarations import (
    CODE_HEADS,
    FLAT_HEAD,
    ClassText,
    DeclaredMethod,
)
from wynot.formats.containers.classfiles.code_fitting import FittedCode
from wynot.formats.containers.classfiles.code_items import JavaCode
from wynot.formats.containers.classfiles.debug_forms import DebugForms
from wynot.formats.containers.classfiles.flat_codes import FlatCode
from wynot.formats.containers.classfiles.item_forms import ClassTable
from wynot.formats.containers.classfiles.method_code import fitted_code, numbered
from wynot.formats.containers.symbolic.symbolic_lists import (
    FORM_BYTES,
    FormList,
    head_of,
    lists_of,
    symbolic_lists,
)

CodeKey: TypeAlias = tuple[str, int, bool, tuple[object, ...]]
_KNOWN_CODE: Cache[CodeKey, FittedCode | FlatCode] = Cache(lambda key, _: FORM_BYTES * len(key[0]))


def written_code(
    text: ClassText,
    method: DeclaredMethod,
    table: ClassTable,
    debug: DebugForms,
    *,
    is_empty: bool,
) -> JavaCode:
    """Return the code of a method, with numbers; if it has to be empty, one that does nothing."""
    mine = _relevant(text, table)
    key = (text.text, method.number, is_empty, mine)
    code = _KNOWN_CODE.get(
        key,
        lambda: _written(text.text, method, table, is_empty=is_empty),
    )
    lines, variables = debug.lines(method.mentioned_as), debug.variables(method.mentioned_as)
    if isinstance(code, FlatCode):
        return code.code(lines, list(variables))
    initial = method.parameters.initial(table.name, method.own.name, method.kind)
    return numbered(code, initial, lines, variables)


def _relevant(text: ClassText, table: ClassTable) -> tuple[object, ...]:
    """Return what is known of all that a text mentions."""
    names = sorted(text.names)
    members = [(name, table.fields.get(name), table.methods.get(name)) for name in names]
    known = tuple(each for each in members if each[1] or each[2])
    return (table.name, table.base, table.is_interface, known)


def _written(
    text: str, method: DeclaredMethod, table: ClassTable, *, is_empty: bool
) -> FittedCode | FlatCode:
    form = symbolic_lists(text)[method.number]
    assert isinstance(form, list)  # noqa: S101 - it was one when it was declared
    codes = (each for each in lists_of(form) if head_of(each) in CODE_HEADS)
    code: FormList = next(codes, []) if not is_empty else []
    if head_of(code) == FLAT_HEAD:
        return FlatCode(code, table)
    head = method.parameters.head(table.name, method.own.name, method.kind)
    return fitted_code(code[1:], table, head)
