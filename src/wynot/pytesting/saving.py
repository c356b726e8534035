"""Writes minimal inputs to files: as JSON where it says all, else as Python writes them."""

import hashlib
import json
import re
from collections import deque
from pathlib import Path

from wynot.core.errors import WynotError
from wynot.disk.write import write
from wynot.pytesting.inputs import UTF_8, Input
from wynot.pytesting.shrink import Shrinking

_UNSAFE = re.compile(r"[^\w.\[\]-]+", re.ASCII)
MAX_NAME_CHARS = 100
"""Characters of a test's name that its files have in theirs."""


class NoJson(Exception):
    """A value that JSON has no words for."""


def save(shrinking: Shrinking, folder: Path, test: str) -> list[str]:
    """Write each input, and return what to say about it; a full disk does not end the tests."""
    messages = []
    for number, (source, best) in enumerate(zip(shrinking.inputs, shrinking.best, strict=True)):
        suffix, content = written(source, best)
        path = folder / f"{name(test, number, source.name)}{suffix}"
        try:
            write(path, content)
        except WynotError as error:
            messages.append(str(error))
        else:
            messages.append(f"saved: {path}")
    return messages


def name(test: str, number: int, source: str) -> str:
    """Return a file name: one that can be read, and that no other input of any test has."""
    readable = _UNSAFE.sub("-", test).strip(".-")[-MAX_NAME_CHARS:]
    digest = hashlib.sha256(f"{test}\0{number}".encode(*UTF_8)).hexdigest()[:8]
    return f"{readable}-{_UNSAFE.sub('-', source).strip('.-')[-MAX_NAME_CHARS:]}-{digest}"


def written(source: Input, value: object) -> tuple[str, bytes]:
    """Return the suffix of a file, and what to write into it."""
    if source.kind == "file" and isinstance(value, bytes):
        return Path(source.name).suffix, value
    if isinstance(value, str):
        return ".txt", value.encode(*UTF_8)
    if isinstance(value, bytes | bytearray):
        return ".bin", bytes(value)
    try:
        text = json.dumps(_plain(value), indent=1, ensure_ascii=False, allow_nan=False)
        return ".json", f"{text}\n".encode(*UTF_8)
    except (NoJson, ValueError, RecursionError):
        return ".txt", _represented(value).encode(*UTF_8)


def _plain(value: object) -> object:
    """Return the value in the words of JSON; a sequence of any type becomes an array."""
    if value is None or type(value) in {bool, int, float, str}:
        return value
    if isinstance(value, list | tuple | deque):
        return [_plain(item) for item in value]
    if isinstance(value, dict) and all(type(key) is str for key in value):
        return {key: _plain(item) for key, item in value.items()}
    raise NoJson


def _represented(value: object) -> str:
    try:
        return f"{value!r}\n"
    except Exception as error:  # noqa: BLE001 - it is another's class, and may refuse in any way
        return f"<it cannot be written: {type(error).__name__}>\n"
