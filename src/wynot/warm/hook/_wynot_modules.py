"""Modules that are loaded, but are not to be seen before the program imports them.

``import xml`` does not load ``xml.etree``, and a program can look for a module in ``sys.modules``.
So modules that were loaded ahead are put aside. When the program imports one, it appears with all
that it has imported itself, in the order in which a start would have loaded them.
"""

import _frozen_importlib
import atexit
import builtins
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType
    from typing import Any

BOOTSTRAP: "Any" = _frozen_importlib
BUILTINS: "Any" = builtins
CODECS = "encodings."
IMPORTLIB = "<frozen importlib._bootstrap>"
"""The file name of code that tracebacks leave out, as it is part of an import."""


class HiddenModules:
    """Which modules import which, and those that are put aside."""

    def __init__(self) -> None:
        self._imports: "dict[str, dict[str, None]]" = {}
        self._loading: "list[str]" = []
        self._claimed: "set[str]" = set()
        self._hidden: "dict[str, ModuleType]" = {}
        self._late: "set[str]" = set()
        """Submodules that their package does not import itself."""
        self._exits: "dict[str, list[Callable[[], object]]]" = {}
        """What modules register for the end while they are loaded."""
        self._pending: "set[str]" = set()
        self._when_shown: "Callable[[], object] | None" = None
        self._find = BOOTSTRAP._find_and_load
        self._import = BUILTINS.__import__
        self._register = atexit.register

    def learn(self) -> None:
        """Take note of all imports from now on."""

        def find(name: str, import_: "Any") -> "Any":
            return self._found(name, import_)

        def import_module(
            name: str,
            space: "dict[str, Any] | None" = None,
            locals_: "dict[str, Any] | None" = None,
            fromlist: "Iterable[str] | None" = (),
            level: int = 0,
            **named: "Any",
        ) -> "Any":
            space = named.get("globals", space)
            module = self._import(name, space, locals_, fromlist or (), level)
            if self._loading:
                full = _absolute(name, space, level)
                parts = [f"{full}.{each}" for each in fromlist or ()]
                self._note([full, *(each for each in parts if each in sys.modules)])
            return module

        BOOTSTRAP._find_and_load = find
        BUILTINS.__import__ = import_module
        atexit.register = self._register_later  # type: ignore[assignment]

    def hide(self, before: "set[str]", ours: "set[str]") -> "dict[str, ModuleType]":
        """Put all modules aside but those that were there before; return them.

        Those of ``ours`` are forgotten: a program that imports one may mean another. The
        interpreter keeps codecs, and does not import them again.
        """
        BUILTINS.__import__ = self._import
        atexit.register = self._register
        modules, others = sys.modules, ours.difference(sys.builtin_module_names)
        names = [name for name in modules if name not in before]
        found = {name: modules.pop(name) for name in names if not name.startswith(CODECS)}
        self._hidden = {name: module for name, module in found.items() if name not in others}
        for name, module in self._hidden.items():
            package, _, last = name.rpartition(".")
            parent = getattr(self._hidden.get(package) or modules.get(package), "__dict__", {})
            if parent.get(last) is module and name not in self._reached(package):
                self._late.add(name)
                del parent[last]

        def _find_and_load(name: str, import_: "Any") -> "Any":
            if name in self._hidden:
                self._show(name)
            return self._find(name, import_)

        code = _find_and_load.__code__.replace(co_filename=IMPORTLIB)
        _find_and_load.__code__ = code
        BOOTSTRAP._find_and_load = _find_and_load
        return dict(self._hidden)

    def expect(self, names: "Iterable[str]", when_shown: "Callable[[], object]") -> None:
        """Call a function as soon as the program has imported all of some modules."""
        self._pending, self._when_shown = set(names), when_shown

    def _found(self, name: str, import_: "Any") -> "Any":
        """Load a module; those that it puts in place without an import belong to it, too."""
        self._note([name])
        self._loading.append(name)
        before = set(sys.modules)
        try:
            return self._find(name, import_)
        finally:
            own = [each for each in sys.modules if each not in before and each != name]
            self._note(each for each in own if each not in self._claimed)
            self._claimed.update(own, [name])
            self._loading.pop()

    def _register_later(
        self, function: "Callable[..., Any]", *arguments: "Any", **more: "Any"
    ) -> "Callable[..., Any]":
        """Register a function for the end when the module is imported that does so."""
        if not self._loading:
            return self._register(function, *arguments, **more)
        exits = self._exits.setdefault(self._loading[-1], [])
        exits.append(lambda: self._register(function, *arguments, **more))
        return function

    def _note(self, names: "Iterable[str]") -> None:
        if self._loading:
            self._imports.setdefault(self._loading[-1], {}).update(dict.fromkeys(names))

    def _reached(self, name: str) -> "set[str]":
        """Return all modules that the import of one imports."""
        found, left = set(), [name]
        while left:
            each = left.pop()
            if each not in found:
                found.add(each)
                left += self._imports.get(each, ())
        return found

    def _show(self, name: str) -> None:
        """Put a hidden module in its place, and then those that it has imported."""
        hidden, modules = self._hidden, sys.modules
        package, _, last = name.rpartition(".")
        if package in hidden:
            self._show(package)
            if name not in hidden:
                return
        module = modules[name] = hidden.pop(name)
        for each in self._imports.get(name, ()):
            if each in hidden:
                self._show(each)
        for register in self._exits.get(name, ()):
            register()
        modules[name] = modules.pop(name)  # as when it is loaded: it comes after those
        if name in self._late and package in modules:
            setattr(modules[package], last, module)
        if name in self._pending:
            self._pending.remove(name)
            if not self._pending and self._when_shown is not None:
                self._when_shown()


def _absolute(name: str, space: "dict[str, Any] | None", level: int) -> str:
    if not level:
        return name
    package = BOOTSTRAP._calc___package__(space)
    return str(BOOTSTRAP._resolve_name(name, package, level))
