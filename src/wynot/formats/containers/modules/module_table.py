"""All that a module has, by kind: what is there, of which type, and what number it gets."""

from collections.abc import Iterable
from typing import TypeAlias

from wynot.formats.containers.modules.declarations import ModuleField
from wynot.formats.containers.modules.instruction_writing import FIRST_MEMORY
from wynot.formats.containers.modules.module_spaces import OPTIONAL_SPACES, SPACES
from wynot.formats.containers.modules.named_types import MUTABLE
from wynot.formats.containers.modules.segments import segment

KnownItems: TypeAlias = tuple[tuple[tuple[str, str], str], ...]
"""What is known, as something that can be compared."""
_TARGETS = {"d": "m", "s": "t"}


class ModuleTable:
    """What there is, of a name the first; what cannot be there is not."""

    def __init__(self, declared: Iterable[ModuleField]) -> None:
        self.spaces: dict[str, list[ModuleField]] = {space: [] for space in SPACES}
        self.types: dict[tuple[str, str], str] = {}
        self.numbers: dict[tuple[str, str], int] = {}
        self._by_name: dict[str, list[tuple[tuple[str, str], str]]] = {}
        several = list(declared)
        for space in SPACES:
            mine = [each for each in several if each.space == space]
            mine.sort(key=lambda each: each.imported is None)
            for each in mine:
                self._add(each)
        for key in ((space, "") for space in OPTIONAL_SPACES):
            if key in self.types:
                self._by_name.setdefault("", []).append((key, self.types[key]))

    def _add(self, declared: ModuleField) -> None:
        space, name, described, *_ = declared
        mine = self.spaces[space]
        if space in _TARGETS and not self._has_target(declared):
            return
        if space == "m" and not mine:
            described = FIRST_MEMORY
        if not mine and space in OPTIONAL_SPACES:
            self.types[space, ""], self.numbers[space, ""] = described, 0
        if name and (space, name) not in self.types:
            self.types[space, name], self.numbers[space, name] = described, len(mine)
            self._by_name.setdefault(name, []).append(((space, name), described))
        mine.append(declared)

    def _has_target(self, declared: ModuleField) -> bool:
        """Tell whether there is something to put a segment into, if it is to be put anywhere."""
        target, offset, _ = segment(declared)
        if offset is None:
            return True
        described = self.types.get((_TARGETS[declared.space], target))
        return described is not None and (declared.space == "d" or described == declared.type)

    def known(self, names: frozenset[str]) -> KnownItems:
        """Return what there is of these names, and what need not be named."""
        found = [*self._by_name.get("", ())]
        for name in sorted(names & self._by_name.keys()):
            found += self._by_name[name]
        return tuple(found)

    def constants(self) -> dict[str, tuple[int, str]]:
        """Return the globals that can be used when a module is set up."""
        return {
            each.name: (number, each.type)
            for number, each in reversed([*enumerate(self.spaces["g"])])
            if each.imported is not None and not each.type.endswith(MUTABLE)
        }
