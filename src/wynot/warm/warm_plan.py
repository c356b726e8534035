"""Which modules are loaded ahead: those that a run of the program has loaded, but for some."""

import os
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from wynot.warm.shell_line import ShellLine

MAX_RECORD_BYTES = 1 << 24
_BUILT_IN = frozenset({"built-in", "frozen"})


class WarmPlan(NamedTuple):
    """The modules, and where they are looked for; it is handed on as a file."""

    modules: tuple[tuple[str, str], ...]
    """Each with the file that it is loaded from, in the order in which they were loaded."""
    avoided: frozenset[str] = frozenset()
    """Modules that must not be loaded ahead, nor any that needs one of them."""
    path: str = ""
    """Where modules are looked for first, if that is not the folder of the candidate."""
    is_inside: bool = False
    """Whether modules are looked for in the folder of the candidate first."""
    line: ShellLine | None = None
    """What is run in place of a shell script that is nothing else."""

    @classmethod
    def recorded(
        cls,
        record: bytes,
        mains: Collection[str],
        inside: Iterable[Path],
        path: str,
        *,
        is_inside: bool,
    ) -> "WarmPlan":
        """Return a plan from what a run has written down.

        ``mains`` are names of the program itself, ``inside`` folders of what may change.
        """
        folders = tuple(f"{os.path.realpath(folder)}/" for folder in inside)
        modules, avoided = {}, set(mains)
        for line in record.decode("utf-8", "surrogateescape").split("\n"):
            match line.split("\t"):
                case ["module", name, origin]:
                    modules[name] = origin
                case ["looks", name]:
                    avoided.add(name)
        # A package is loaded before its ``__main__`` is run; a module that is run is not.
        avoided -= {name for name in mains if modules.get(name, "").endswith("/__init__.py")}
        for name, origin in modules.items():
            if origin not in _BUILT_IN and f"{os.path.realpath(origin)}/".startswith(folders):
                avoided.add(name)
        return cls(tuple(modules.items()), path=path, is_inside=is_inside).without(avoided)

    @classmethod
    def read(cls, file: Path) -> "WarmPlan":
        """Return the plan that a file holds."""
        modules, avoided, path, is_inside, line = [], set(), "", False, None
        for row in file.read_text("utf-8", "surrogateescape").split("\n"):
            match row.split("\t"):
                case ["module", name, origin]:
                    modules.append((name, origin))
                case ["avoid", name]:
                    avoided.add(name)
                case ["path", path]:
                    pass
                case ["inside", _]:
                    is_inside = True
                case ["shell", text]:
                    line = ShellLine.read(text)
        return cls(tuple(modules), frozenset(avoided), path, is_inside, line)

    def write(self, file: Path) -> None:
        """Write it to a file, all at once: others may read it meanwhile."""
        lines = [f"avoid\t{name}" for name in sorted(self.avoided)]
        lines += [f"module\t{name}\t{origin}" for name, origin in self.modules]
        lines += [f"path\t{self.path}"] if self.path else []
        lines += ["inside\t1"] if self.is_inside else []
        lines += [f"shell\t{self.line.text}"] if self.line else []
        draft = file.with_name(f"{file.name}.{os.urandom(6).hex()}")
        draft.write_text("\n".join(lines), "utf-8", "surrogateescape")
        draft.rename(file)

    def without(self, unfit: Iterable[str]) -> "WarmPlan":
        """Return a plan that avoids some more modules."""
        avoided = self.avoided.union(unfit)
        modules = tuple(each for each in self.modules if not _is_below(each[0], avoided))
        return self._replace(modules=modules, avoided=avoided)


def _is_below(name: str, avoided: Collection[str]) -> bool:
    """Tell whether a module is one of these, or in one of them."""
    parts = name.split(".")
    return any(".".join(parts[: end + 1]) in avoided for end in range(len(parts)))
