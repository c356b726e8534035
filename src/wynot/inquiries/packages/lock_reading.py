"""From the files that the user names to the two sides: which kind they are, and what they say."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from wynot.core.errors import InvalidLockFile, NothingToReduce
from wynot.inquiries.packages import package_names
from wynot.inquiries.packages.lock_file import LockFile, Table, decoded
from wynot.inquiries.packages.npm.npm_lock import read_package_lock
from wynot.inquiries.packages.python.python_locks import read_poetry_lock, read_pylock, read_uv_lock
from wynot.inquiries.packages.python.requirements import read_requirements

KNOWN = "requirements files, pip freeze, uv.lock, poetry.lock, pylock.toml, package-lock.json"
_ELSEWHERE = {
    "Pipfile.lock": "pipenv requirements > requirements.txt",
    "yarn.lock": "npm install --package-lock-only",
    "pnpm-lock.yaml": "npm install --package-lock-only",
    "bun.lock": "npm install --package-lock-only",
    "pdm.lock": "pdm export -o requirements.txt",
    "pyproject.toml": "uv lock, and give uv.lock",
    "Pipfile": "pipenv requirements > requirements.txt",
    "package.json": "npm install --package-lock-only, and give package-lock.json",
    "environment.yml": "pip freeze > requirements.txt",
}
"""Files of other tools, and how to get one of ours from them."""
_MAX_PACKAGES = 100_000


def read(path: str | Path) -> LockFile:
    """Return what a file says; raise if it is not there, or none of the known kinds."""
    path = Path(path)
    text = decoded(path)
    if not text.strip():
        raise InvalidLockFile(f"{str(path)!r} is empty", hint=f"give one of: {KNOWN}")
    locked = _read(path, text)
    if not locked.pins:
        raise InvalidLockFile(f"{str(path)!r} names no package", hint=f"give one of: {KNOWN}")
    if len(locked.pins) > _MAX_PACKAGES:
        raise InvalidLockFile(
            f"{str(path)!r} names more than {_MAX_PACKAGES:,} packages", hint="is it right?"
        )
    return locked


def require_pair(sides: Sequence[LockFile], names: Sequence[str]) -> tuple[LockFile, LockFile]:
    """Return both sides; raise if they, by these names, are not of one kind, or do not differ."""
    good, bad = sides
    if good.kind != bad.kind:
        raise InvalidLockFile(
            f"two kinds of files: {names[0]!r} is {_called(good.kind)}, "
            f"{names[1]!r} is {_called(bad.kind)}",
            hint="give two versions of one file, or two outputs of pip freeze",
        )
    if dict(good.pins) == dict(bad.pins):
        raise NothingToReduce(
            f"{names[0]!r} and {names[1]!r} name the same {len(good.pins)} packages "
            "in the same versions",
            hint="so the packages are not to blame: look at changes or the environment",
        )
    return good, bad


def _read(path: Path, text: str) -> LockFile:
    elsewhere = _ELSEWHERE.get(path.name)
    if elsewhere:
        raise InvalidLockFile(f"{str(path)!r} cannot be read here", hint=f"make one: {elsewhere}")
    if text.lstrip().startswith("{"):
        top = _parsed(path, text, json.loads, "JSON")
        if "lockfileVersion" in top.values:
            return read_package_lock(path, top)
    elif path.suffix in (".lock", ".toml") or re.search(r"^\[\[package", text, re.MULTILINE):
        top = _parsed(path, text, tomllib.loads, "TOML")
        metadata = top.values.get("metadata")
        if {"packages", "lock-version"} <= top.values.keys():
            return read_pylock(path, top)
        if isinstance(metadata, Mapping) and {"lock-version", "content-hash"} & set(metadata):
            return read_poetry_lock(path, top)
        if {"package", "version"} <= top.values.keys():
            return read_uv_lock(path, top)
    elif path.suffix not in (".json", ".yaml", ".yml"):
        return read_requirements(path, text)
    first = text.strip().splitlines()[0]
    raise InvalidLockFile(
        f"{str(path)!r} is not of a known kind; it begins with {package_names.shown_name(first)}",
        hint=f"give one of: {KNOWN}",
    )


def _parsed(path: Path, text: str, parse: Callable[[str], Any], form: str) -> Table:
    try:
        return Table(parse(text), str(path))
    except ValueError as error:
        raise InvalidLockFile(
            f"{path}: this is not valid {form}: {error}",
            hint="was the file cut short, or is a merge unfinished?",
        ) from None
    except RecursionError:
        raise InvalidLockFile(f"{path} is nested too deeply", hint="is it a lock file?") from None


def _called(kind: str) -> str:
    return "a requirements file" if kind == "requirements" else f"a {kind}"
