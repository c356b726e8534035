"""What is known of variables and the stack where code is led to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from wynot.formats.containers.classfiles.java_types import NULL, OBJECT, TOP, kinds_of

Place = str | int
"""A variable, or how many values are below one on the stack."""


@dataclass(slots=True)
class LabelState:
    """The types of variables that can be used, and of what is on the stack."""

    variables: dict[str, str]
    stack: list[str]

    def copied(self) -> "LabelState":
        """Return one that can be changed by itself."""
        return LabelState(dict(self.variables), list(self.stack))


@dataclass(slots=True)
class LabelStates:
    """The states at labels, merged from all places that lead there."""

    hints: Mapping[tuple[str, Place], str]
    """Classes that others have in common, by label and place."""
    states: dict[str, LabelState] = field(default_factory=dict)
    used: dict[str, LabelState] = field(default_factory=dict)
    """As they were when the code there was written."""
    conflicts: set[tuple[str, Place]] = field(default_factory=set)
    """Where different classes meet."""

    def begin(self) -> None:
        """Begin to write the code again, with what is known by now."""
        self.used = {}
        self.conflicts = set()

    @property
    def are_settled(self) -> bool:
        """Whether nothing was learned of a place after the code there was written."""
        return all(self.used.get(label) == state for label, state in self.states.items())

    def arrive(self, label: str, variables: Mapping[str, str], stack: list[str]) -> bool:
        """Lead to a label; False if the stack there is another one."""
        known = self.states.get(label)
        if known is None:
            self.states[label] = LabelState(dict(variables), list(stack))
            return True
        if kinds_of(known.stack) != kinds_of(stack):
            return False
        if variables != known.variables:
            known.variables = self._merged(label, known.variables, variables)
        for at, value in enumerate(stack):
            if value != known.stack[at]:
                known.stack[at] = self._common(label, at, known.stack[at], value)
        return True

    def pass_by(self, label: str) -> LabelState | None:
        """Return the state at a label whose code is written next."""
        known = self.states.get(label)
        if known is None:
            return None
        self.used[label] = known.copied()
        return known.copied()

    def _merged(
        self, label: str, known: Mapping[str, str], others: Mapping[str, str]
    ) -> dict[str, str]:
        found = {}
        for name, value in known.items():
            other = others.get(name, TOP)
            common = value if other == value else self._common(label, name, value, other)
            if common != TOP:
                found[name] = common
        return found

    def _common(self, label: str, place: Place, one: str, other: str) -> str:
        """Return the type of what is one thing or another."""
        firsts = one[0] + other[0]
        if firsts in {"NL", "LN"}:
            return other if one == NULL else one
        if firsts != "LL":
            return TOP
        hint = self.hints.get((label, place), f"L{OBJECT}")
        self.conflicts.add((label, place))
        return hint
