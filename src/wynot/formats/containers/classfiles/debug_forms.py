"""Lines of the source and names of variables, as the texts of a class say them."""

from collections.abc import Iterator, Sequence

from wynot.formats.containers.classfiles.code_items import CodeVariable
from wynot.formats.containers.classfiles.instruction_fitting import WIDE_MARK
from wynot.formats.containers.classfiles.item_forms import texts_of
from wynot.formats.containers.classfiles.java_types import is_field_type, is_member_name
from wynot.formats.containers.classfiles.signatures import is_signature
from wynot.formats.containers.symbolic.symbolic_lists import (
    FormList,
    head_of,
    lists_of,
    name_of,
    words_of,
)

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
