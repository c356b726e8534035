"""Binary files as texts: Java classes, WebAssembly modules, SQLite databases, Python's pickles.

A plug-in of wynot like any other, by the entry point ``wynot.containers``; it runs in wynot's own
process. Each form is a `Container` that reads a file into texts, one for each function or table,
and writes any such texts as a valid file again. A file is opened only if it is written again as it
is; any other is brought into that form first, which is a test. Nothing of a file is ever executed.

Importing this package is cheap: a form's own modules are imported when a file begins like one.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from wynot.formats.containers.container import Container


def _late(module: str, name: str) -> Callable[[Any], Any]:
    """Return a function that imports its module when it is called."""

    def call(given: Any) -> Any:
        return getattr(import_module(f"{__name__}.{module}"), name)(given)

    return call


def _form(
    name: str, fits: Callable[[bytes], bool], read: tuple[str, str], write: tuple[str, str]
) -> Container:
    """Return a form, given the modules and names of what reads and writes it."""
    return Container(name, fits, _late(*read), _late(*write), exact=True)


def _is_class(content: bytes) -> bool:
    """Tell by the version too: programs for several machines begin with the same four bytes."""
    return content.startswith(b"\xca\xfe\xba\xbe") and b"\0\x2d" <= content[6:8] < b"\0\x64"


def _is_module(content: bytes) -> bool:
    return content.startswith(b"\0asm\1\0\0\0")


def _is_database(content: bytes) -> bool:
    return content.startswith(b"SQLite format 3\0")


def _is_pickle(content: bytes) -> bool:
    """Tell by the protocol, 2 to 5, and the last instruction, which ends every pickle."""
    return content.startswith((b"\x80\2", b"\x80\3", b"\x80\4", b"\x80\5")) and content[-1:] == b"."


JAVA_CLASS = _form(
    "class",
    _is_class,
    ("java.class_reading", "read_class"),
    ("java.class_writing", "settled_class"),
)
WASM_TEXT = _form(
    "WebAssembly",
    _is_module,
    ("wasm.module_reading", "read_module"),
    ("wasm.module_writing", "write_module"),
)
SQLITE = _form("SQLite", _is_database, ("sqlite.databases", "read"), ("sqlite.databases", "pack"))
PICKLE = _form(
    "pickle",
    _is_pickle,
    ("pickles.pickle_reading", "read_pickles"),
    ("pickles.pickle_writing", "write_pickles"),
)
