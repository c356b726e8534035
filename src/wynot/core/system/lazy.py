"""Modules that are costly to import, and mostly not needed.

A command imports only what it needs; types and the test of the layers are to know of the rest::

    if TYPE_CHECKING:
        from wynot.cli import explain
    else:
        explain = lazy("wynot.cli.explain")
"""

from importlib import import_module
from types import ModuleType
from typing import Any


class _Lazy(ModuleType):
    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


def lazy(name: str) -> ModuleType:
    """Return a stand-in for a module: it is imported when something of it is asked for."""
    return _Lazy(name)
