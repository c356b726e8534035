"""What a method takes and gives: all that its code has to know of it."""

from collections.abc import Sequence
from typing import NamedTuple

from wynot.formats.containers.classfiles.instruction_fitting import (
    CONSTRUCTOR_NAME,
    MethodHead,
    variable_name,
)
from wynot.formats.containers.classfiles.java_types import (
    THIS,
    MethodType,
    kind_of_field,
    type_of_field,
)


class NamedParameters(NamedTuple):
    """The names of what a method takes, as they are in its text."""

    this: str | None
    """None if it is static."""
    names: Sequence[str]

    def initial(self, owner: str, name: str, kind: MethodType) -> list[tuple[str, str]]:
        """Return the variables that are there at first, with their types, in order."""
        found = []
        if self.this is not None:
            found.append((self.this, THIS if name == CONSTRUCTOR_NAME else f"L{owner}"))
        for own, descriptor in zip(self.names, kind.takes, strict=True):
            key = variable_name(own, kind_of_field(descriptor)) if own else f"({len(found)})"
            found.append((key, type_of_field(descriptor)))
        return found

    def head(self, owner: str, name: str, kind: MethodType) -> MethodHead:
        """Return what its code has to know."""
        variables: dict[str, str] = {}
        for key, value in self.initial(owner, name, kind):
            variables.setdefault(key, value)
        is_constructor = name == CONSTRUCTOR_NAME and self.this is not None
        return MethodHead(variables, self.this or "", kind.given_kind, is_constructor)


def numbered_parameters(kind: MethodType, *, is_static: bool) -> NamedParameters:
    """Return names by the places that parameters have."""
    names, at = [], 0 if is_static else 1
    for descriptor in kind.takes:
        names.append(f"${at}")
        at += 1 + (descriptor in {"J", "D"})
    return NamedParameters(None if is_static else "$0", names)
