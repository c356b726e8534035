"""Writes instructions of any lists, such that each finds what it needs."""

from collections.abc import Generator, Mapping
from typing import NamedTuple, TypeAlias

from wynot.formats.containers.classfiles.class_bytes import MemberMention
from wynot.formats.containers.classfiles.code_items import LABEL, CodeItem
from wynot.formats.containers.classfiles.item_effects import given_types, taken_kinds
from wynot.formats.containers.classfiles.item_forms import (
    CONSTANT_HEADS,
    NOTE_HEADS,
    ClassTable,
    item_of,
)
from wynot.formats.containers.classfiles.java_operations import (
    BRANCHES,
    JAVA_CODES,
    STACK_SHAPES,
    VARIABLE_KINDS,
    WIDE_KINDS,
    named_shape,
)
from wynot.formats.containers.classfiles.java_types import THIS, kind_of, kinds_of
from wynot.formats.containers.classfiles.value_fitting import (
    STAND_IN_ITEMS,
    ValueGroup,
    dropped,
    fitted_values,
    joined_groups,
)
from wynot.formats.containers.symbolic.symbolic_lists import FormList, head_of, name_of

Fitting: TypeAlias = "Generator[Fitting, ValueGroup, ValueGroup]"
"""Asks for what is inside, and is given it."""
CONTROL_HEADS = frozenset({*BRANCHES, "goto", "switch", "return", "athrow", "push"})
POSITION = "at"
WIDE_MARK = "'"
"""Ends the names of variables of two places: these share no place with others of the name."""
CONSTRUCTOR_NAME = "<init>"
_KNOWN_HEADS = frozenset({*JAVA_CODES, *CONSTANT_HEADS, "null", *CONTROL_HEADS})


class MethodHead(NamedTuple):
    """What is known of a method whose code is written."""

    variables: Mapping[str, str]
    """The types of its parameters by their names."""
    this: str
    """How it calls the object whose method it is."""
    given_kind: str
    is_constructor: bool


class InstructionFitting:
    """Writes instructions that lead nowhere else."""

    def __init__(self, table: ClassTable, head: MethodHead) -> None:
        self._table, self._head = table, head
        self._variables = dict(head.variables)
        self._stack: list[str] = []
        """What is on the stack between statements."""
        self._pending: list[list[ValueGroup]] = []
        """The operands so far of all instructions that are still written."""
        self._placed: set[str] = set()
        self._made: dict[int, str] = {}
        """Which number the objects have that a list makes."""
        self._classes: dict[str, str] = {}
        """The classes of objects that are not initialised."""

    def _changed(self) -> None:
        """Note that a variable has another type now."""
        raise NotImplementedError

    def _pass_position(self, name: str) -> None:
        """Note that a label is here."""
        raise NotImplementedError

    def value(self, form: FormList, *, first: bool = True) -> ValueGroup:
        """Write an instruction with all that is in it, however deep.

        ``first``: nothing was put on the stack by what it is in.
        """
        writing = [self._value(form, first=first)]
        answer: ValueGroup | None = None
        while True:
            try:
                inner = writing[-1].send(answer)  # type: ignore[arg-type]  # None to begin with
            except StopIteration as done:
                answer = done.value
                writing.pop()
                if not writing:
                    assert answer is not None  # noqa: S101 - what a generator returns
                    return answer
            else:
                writing.append(inner)
                answer = None

    def operands(self, form: FormList) -> list[ValueGroup]:
        """Write what is inside of an instruction."""
        groups: list[ValueGroup] = []
        self._pending.append(groups)
        for item in form:
            if not isinstance(item, list) or head_of(item) in NOTE_HEADS:
                continue
            groups.append(self.value(item, first=not any(each.types for each in groups)))
        self._pending.pop()
        return groups

    def _value(self, form: FormList, *, first: bool) -> Fitting:
        groups: list[ValueGroup] = []
        self._pending.append(groups)
        for item in form:
            if not isinstance(item, list) or head_of(item) in NOTE_HEADS:
                continue
            is_first = first and not any(each.types for each in groups)
            if any(isinstance(inner, list) for inner in item):
                groups.append((yield self._value(item, first=is_first)))
            else:
                groups.append(self._instruction(item, [], first=is_first))
        self._pending.pop()
        return self._instruction(form, groups, first=first)

    def _instruction(  # noqa: PLR0911 - one for each kind
        self, form: FormList, groups: list[ValueGroup], *, first: bool
    ) -> ValueGroup:
        head = head_of(form)
        base = self._stack if first else []
        if head == POSITION:
            return self._position(form, groups)
        if head in STACK_SHAPES or head in {"swap", "pop", "pop2"}:
            return self._moved(head, groups, base)
        if head in CONTROL_HEADS:
            return dropped(groups)  # it leads out of a computation
        if head in VARIABLE_KINDS and head.endswith("load"):
            return self._loaded(head, name_of(form), groups)
        item = item_of(form, self._table)
        if item is None:
            return dropped(groups) if head in _KNOWN_HEADS else joined_groups(groups)
        if item[0] == "new":
            return self._new(form, item, groups)
        if item[0] == "iinc" and self._variables.get(item[1]) != "I":
            return dropped(groups)
        return self._usual(item, groups, base)

    def _position(self, form: FormList, groups: list[ValueGroup]) -> ValueGroup:
        found, name = joined_groups(groups), name_of(form)
        if name and name not in self._placed:
            self._placed.add(name)
            self._pass_position(name)
            found.items.append((LABEL, name))
        return found

    def _usual(self, item: CodeItem, groups: list[ValueGroup], base: list[str]) -> ValueGroup:
        if item[0] == "invokespecial" and item[1].name == CONSTRUCTOR_NAME:
            item = self._constructing(item, groups, base)
        takes = self._wanted(item, groups, base)
        found = fitted_values(groups, takes, base)
        if found is None:
            return dropped(groups)
        if found.used:
            del base[len(base) - found.used :]
        group = ValueGroup([*found.items, item], list(found.over), found.uses_base)
        if item[0] in VARIABLE_KINDS:
            name = variable_name(item[1], VARIABLE_KINDS[item[0]])
            group.items[-1] = (item[0], name)
            self._variables[name] = found.taken[0]
            self._changed()
        elif takes.startswith("U") and item[0] == "invokespecial":
            self._initialise(found.taken[0], group)
        group.types += given_types(item, found.taken)
        return group

    def _wanted(self, item: CodeItem, groups: list[ValueGroup], base: list[str]) -> str:
        """Return what an instruction takes; some can take what is not initialised, too."""
        takes = taken_kinds(item)
        given = [value for each in groups for value in each.types] or base[-len(takes or "A") :]
        if item[0] == "astore" and given and kind_of(given[-1]) == "U":
            return "U"
        if item[0] == "putfield" and THIS in given:
            return "U" + takes[1:]
        return takes

    def _constructing(self, item: CodeItem, groups: list[ValueGroup], base: list[str]) -> CodeItem:
        """Return the call of a constructor that the object has: its own, or that of its base."""
        member: MemberMention = item[1]
        made = [value for each in groups for value in each.types if kind_of(value) == "U"]
        value = next(reversed(made or [each for each in base if kind_of(each) == "U"]), "")
        if value in self._classes and self._classes[value] != member.owner:
            return (item[0], member._replace(owner=self._classes[value]))
        if value == THIS and member.owner not in {self._table.name, self._table.base}:
            return (item[0], MemberMention(self._table.base, CONSTRUCTOR_NAME, "()V"))
        return item

    def _initialise(self, value: str, group: ValueGroup) -> None:
        """Note that an object is one of its class from now on."""
        known = f"L{self._classes.get(value, self._table.name)}"
        lists = [group.types, self._stack]
        lists += (each.types for groups in self._pending for each in groups)
        for types in lists:
            types[:] = [known if each == value else each for each in types]
        for name, each in self._variables.items():
            if each == value:
                self._variables[name] = known
        self._changed()

    def _loaded(self, head: str, name: str, groups: list[ValueGroup]) -> ValueGroup:
        found, kind = dropped(groups), VARIABLE_KINDS[head]
        name = variable_name(name, kind)
        value = self._variables.get(name, "")
        if value and kind_of(value) in ("AU" if kind == "A" else kind):
            found.items.append((head, name))
            found.types.append(value)
        else:
            found.items.append(STAND_IN_ITEMS[kind])
            found.types.append("N" if kind == "A" else kind)
        return found

    def _new(self, form: FormList, item: CodeItem, groups: list[ValueGroup]) -> ValueGroup:
        found = dropped(groups)
        label = self._made.setdefault(id(form), f"new {len(self._made)}")
        self._classes[f"U{label}"] = item[1]
        found.items += [(LABEL, label), item]
        found.types.append(f"U{label}")
        return found

    def _moved(self, head: str, groups: list[ValueGroup], base: list[str]) -> ValueGroup:
        """Write what doubles values, changes their order, or takes them away."""
        found = joined_groups(groups)
        doubled, below = STACK_SHAPES.get(head, (0, {"swap": 2, "pop2": 2}.get(head, 1)))
        missing = doubled + below - len(found.types)
        if missing > len(base):
            return found
        if missing > 0:
            found.types = base[len(base) - missing :] + found.types
            del base[len(base) - missing :]
            found.uses_base = True
        start = len(found.types) - doubled - below
        rest, taken = found.types[:start], found.types[start:]
        kinds = kinds_of(taken)
        is_wide = any(kind in WIDE_KINDS for kind in kinds)
        if doubled:
            name, left = named_shape(kinds[below:], kinds[:below]), taken[below:] + taken
        elif head == "swap":
            name, left = (None if is_wide else head), taken[::-1]
        elif head == "pop2" and not is_wide:
            name, left = head, []
        else:
            name, left = ("pop2" if kinds[-1] in WIDE_KINDS else "pop"), taken[:-1]
        if name is None:
            return found
        return ValueGroup([*found.items, (name,)], rest + left, found.uses_base)


def variable_name(name: str, kind: str) -> str:
    """Return what a variable of a kind is known by."""
    return name + WIDE_MARK if kind in WIDE_KINDS else name
