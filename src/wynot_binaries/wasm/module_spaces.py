"""What a module consists of, by kind: each thing has a number there, and a name here.

A letter stands for each kind: functions, tables, memories, globals, exceptions (their tags), data
and segments of elements.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from wynot.formats.containers.container import Broken, TextRoom, check

FunctionType: TypeAlias = tuple[str, str]
"""What a function takes and what it gives: a letter for each value."""
SPACES = "ftmgeds"
OPTIONAL_SPACES = "tm"
"""Of these the first one need not be named."""


@dataclass(slots=True)
class ModuleSpaces:
    """How much of each kind there is, and the types that are needed to read bodies."""

    room: TextRoom
    """For the types that are mentioned: a few bytes can mention one with a thousand values."""
    types: list[FunctionType] = field(default_factory=list)
    functions: list[FunctionType] = field(default_factory=list)
    tags: list[FunctionType] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=lambda: {"t": [], "g": []})
    """The types of what is in tables and globals."""
    mentioned: set[tuple[str, int]] = field(default_factory=set)
    """What has to have a name."""
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SPACES, 0))

    def new(self, space: str) -> int:
        """Return the number of one more."""
        self.counts[space] += 1
        return self.counts[space] - 1

    def own_name(self, space: str, number: int) -> str:
        """Return the name of one after a blank; nothing, if nobody needs it."""
        return f" ${space}{number}" if (space, number) in self.mentioned else ""

    def name(self, space: str, number: int) -> str:
        """Return the name of one that is mentioned."""
        if number >= self.counts[space]:
            raise Broken("it mentions something that is not there")
        self.mentioned.add((space, number))
        return f"${space}{number}"

    def unless_first(self, space: str, number: int) -> str:
        """Return the name of one, after a blank; nothing, if that goes without saying."""
        if not number:
            check(self.counts[space], "it mentions something that is not there")
            return ""
        return f" {self.name(space, number)}"

    def described(self, space: str, number: int) -> str:
        """Return the type of what is in a table or a global; nothing, of what has none."""
        values = self.values.get(space)
        if values is None:
            return ""
        check(number < len(values), "it mentions something that is not there")
        return values[number]

    def type(self, number: int) -> FunctionType:
        """Return a type of functions."""
        check(number < len(self.types), "it mentions a type that is not there")
        return self._counted(self.types[number])

    def function(self, number: int) -> FunctionType:
        """Return the type of a function."""
        check(number < len(self.functions), "it mentions a function that is not there")
        return self._counted(self.functions[number])

    def tag(self, number: int) -> str:
        """Return the values that an exception has."""
        check(number < len(self.tags), "it mentions an exception that is not there")
        return self._counted(self.tags[number])[0]

    def _counted(self, function: FunctionType) -> FunctionType:
        self.room.take(sum(map(len, function)))
        return function


MUTABLE = "!"
"""What the type of a global ends with that can be set."""


def named_signature(head: str, types: Sequence[str]) -> FunctionType:
    """Return what an instruction takes and gives, if what it names is of these types."""
    kind, action = head.split(".")
    if kind == "ref":
        return "", "r"
    if kind == "memory" or action in {"init", "copy", "drop"}:
        return {"size": ("", "i"), "grow": ("i", "i"), "drop": ("", "")}.get(action, ("iii", ""))
    letter = types[-1]
    if kind == "table":
        return {
            "get": ("i", letter),
            "set": ("i" + letter, ""),
            "grow": (letter + "i", "i"),
            "size": ("", "i"),
            "fill": (f"i{letter}i", ""),
        }[action]
    return {"get": ("", letter), "set": (letter, ""), "tee": (letter, letter)}[action]


def agree_in_type(head: str, types: Sequence[str]) -> bool:
    """Tell whether things of these types can be named together."""
    if head == "global.set":
        return types[0].endswith(MUTABLE)
    return head not in {"table.init", "table.copy"} or types[0] == types[1]
