"""What makes two failures of a test the same one."""

import re
import sysconfig
import traceback
from pathlib import Path
from typing import Literal, TypeAlias

SameFailure: TypeAlias = Literal["type", "place", "message"]
"""How much must be the same; each asks for what is before it, too."""

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")
_LIBRARIES = tuple(
    Path(path)
    for name, path in sysconfig.get_paths().items()
    if name in {"stdlib", "platstdlib", "purelib", "platlib"}
)


def failure_of(error: BaseException, same: SameFailure) -> tuple[str, ...]:
    """Return what is equal for the same failure."""
    kind = type(error)
    found = [f"{kind.__module__}.{kind.__qualname__}"]
    if same != "type":
        found.append(_place(error))
    if same == "message":
        found.append(_message(error))
    return tuple(found)


def _message(error: BaseException) -> str:
    """Return the first line; the others of an assertion show the input, which gets smaller."""
    try:
        lines = _ADDRESS.sub("0x", str(error)).splitlines()
    except Exception as broken:  # noqa: BLE001 - it is another's class, and may refuse in any way
        return type(broken).__name__
    return lines[0] if lines else ""


def _place(error: BaseException) -> str:
    """Return the file and function of the user's where it was raised; a line would be too much.

    Which function is the last one when the stack is full depends on how much there was on it.
    """
    if isinstance(error, RecursionError):
        return ""
    frames = [
        (frame.f_code.co_filename, frame.f_code.co_qualname)
        for frame, _ in traceback.walk_tb(error.__traceback__)
    ]
    mine = [frame for frame in frames if not _is_library(frame[0])]
    return ":".join((mine or frames)[-1]) if frames else ""


def _is_library(path: str) -> bool:
    return path.startswith("<") or any(map(Path(path).is_relative_to, _LIBRARIES))
