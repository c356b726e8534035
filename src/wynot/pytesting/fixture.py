"""What the fixture ``wynot`` is: it hands a test its inputs, as they are or smaller ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TypeVar, cast

import pytest

from wynot.core.errors import InvalidArgument, NoSuchFile, NotAFile
from wynot.core.system.beneath import PERMISSION_BITS
from wynot.pytesting.inputs import Input, check, file_of, input_of

Value = TypeVar("Value")


@dataclass(slots=True)
class Desk:
    """The inputs of one test, over all its runs."""

    keeps: bool
    """Whether inputs are kept, to be made smaller if the test fails."""
    is_used: bool = False
    """Whether the test has asked for any input."""
    inputs: list[Input] = field(default_factory=list)
    smaller: Sequence[object] | None = None
    """What to hand out in their place; None: the test runs for the first time."""
    folders: list[Path] = field(default_factory=list)
    """Where the files of this run are."""
    base: Path | None = None
    """The folder of this session; whatever is in it is pytest's."""


DESK = pytest.StashKey[Desk]()


class Given:
    """Hands a test its inputs. Without ``--wynot`` that is all it does.

    ``wynot(value)`` and ``wynot.given(value)`` take a list, tuple, dict, set or deque, or another
    sequence or mapping; a text; bytes. ``wynot.file(path)`` takes a file. Call it for every input
    that may be made smaller, in the same order each time.
    """

    def __init__(self, desk: Desk, folders: pytest.TempPathFactory) -> None:
        self._desk = desk
        self._folders = folders
        self._calls = 0

    def __call__(self, value: Value, name: str = "", *, depth: int | None = None) -> Value:
        """Return the input, or a smaller one of the same type.

        ``name`` is what the report calls it; ``depth=1`` keeps what is in it whole.
        """
        place, name = self._next(name)
        if self._desk.smaller is None:
            check(value, name, depth)
            if self._desk.keeps:
                self._desk.inputs.append(input_of(value, name, depth))
            return value
        known = self._known(place, name, is_file=False)
        if known is None:
            return value
        return cast("Value", known.copy(self._desk.smaller[place]))

    def __repr__(self) -> str:
        return "<wynot>"

    def given(self, value: Value, name: str = "", *, depth: int | None = None) -> Value:
        """The same under another name."""
        return self(value, name, depth=depth)

    def file(self, path: str | PathLike[str], name: str = "") -> Path:
        """Return a private copy of a file, which may have less in it."""
        source = Path(path)
        place, name = self._next(name or source.name)
        known = self._known(place, name, is_file=True)
        if known is not None and self._desk.smaller is not None:
            content = cast("bytes", self._desk.smaller[place])
        else:
            content = _content(source)
            if self._desk.smaller is None and self._desk.keeps:
                self._desk.inputs.append(file_of(content, name))
        folder = self._folders.mktemp("wynot")
        self._desk.folders.append(folder)
        copied = folder / source.name
        copied.write_bytes(content)
        if source.exists():
            copied.chmod(source.stat().st_mode & PERMISSION_BITS)
        return copied

    def _next(self, name: str) -> tuple[int, str]:
        if not isinstance(name, str):
            raise InvalidArgument(f"the name is {name!r}", hint="a text")
        self._calls += 1
        self._desk.is_used = True
        return self._calls - 1, name or f"input {self._calls}"

    def _known(self, place: int, name: str, *, is_file: bool) -> Input | None:
        """Return the input of the first run in this place; None if the test went another way."""
        inputs = self._desk.inputs
        if self._desk.smaller is None or place >= len(inputs):
            return None
        given = inputs[place]
        return given if (given.name, given.kind == "file") == (name, is_file) else None


def _content(path: Path) -> bytes:
    if not path.exists():
        raise NoSuchFile(f"there is no file {str(path)!r}", hint="give the path of a file")
    if not path.is_file():
        raise NotAFile(f"{str(path)!r} is not a file", hint="give the path of a file")
    return path.read_bytes()


def fixture(item: pytest.Item, folders: pytest.TempPathFactory) -> Given:
    """Return what a test gets; without ``--wynot`` it has a desk of its own."""
    desk = item.stash.setdefault(DESK, Desk(keeps=False))
    desk.base = folders.getbasetemp()
    return Given(desk, folders)
