"""``package-lock.json`` of npm: a package for each place in node_modules."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from wynot.circumstances.packages import names
from wynot.circumstances.packages.locked import Locked, Pin
from wynot.circumstances.packages.tables import Table
from wynot.core.errors import BrokenLock

MODULES = "node_modules/"
_ASKED = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_OLD = 1
_NEWEST = 3


def read_package_lock(path: Path, top: Table) -> Locked:
    """Return the packages that npm has locked, by their paths below node_modules."""
    form = top.values.get("lockfileVersion")
    if form not in range(_OLD, _NEWEST + 1):
        raise top.wrong("lockfileVersion", "1, 2 or 3")
    if form == _OLD:
        entries = dict(_nested(top, ""))
        asked = set(top.table("dependencies").values)  # it does not tell what the project needs
    else:
        packages = top.table("packages")
        _refuse_workspaces(packages)
        entries = {place: packages.table(place) for place in packages.values if place}
        root = packages.table("")
        asked = {name for group in _ASKED for name in root.table(group).values}
    pins = {}
    for place, entry in entries.items():
        name = names.node_place(place, entry.where).removeprefix(MODULES)
        pins[name] = _pin(name, entry, is_asked=name in asked)
    kind = "package-lock.json, version 1" if form == _OLD else "package-lock.json"
    return Locked(path, kind, pins)


def is_old(kind: str) -> bool:
    """Tell whether a file is of the kind that npm wrote until version 6."""
    return kind.endswith("version 1")


def display(name: str) -> str:
    """Return a path in node_modules as it is read best: outer > inner."""
    return name.replace(f"/{MODULES}", " > ")


def _nested(table: Table, above: str) -> Iterator[tuple[str, Table]]:
    inner = table.table("dependencies")
    for name in inner.values:
        entry = inner.table(name)
        place = f"{above}{MODULES}{names.node_name(name, inner.where)}"
        own = {key: value for key, value in entry.values.items() if key != "dependencies"}
        yield place, Table(own, entry.where)
        yield from _nested(entry, f"{place}/")


def _refuse_workspaces(packages: Table) -> None:
    for place, entry in packages.values.items():
        is_link = isinstance(entry, Mapping) and entry.get("link") is True
        if place and (is_link or not place.startswith(MODULES)):
            raise BrokenLock(
                f"{packages.where}: {names.shown(place)} is a folder of the project (a workspace)",
                hint="only packages of the registry can be compared; "
                "give the lock files of a project without workspaces",
            )


def _pin(name: str, entry: Table, *, is_asked: bool) -> Pin:
    told = entry.text("version", "")
    resolved = entry.text("resolved", "")
    is_place = resolved and not resolved.startswith(("https://", "http://"))
    if not names.is_version(told):
        is_place, resolved = True, resolved or told
    spec = names.address(resolved, entry.where) if is_place else told
    version = told if names.is_version(told) else ""
    sealed = json.dumps(entry.values, sort_keys=True)
    return Pin(name, version, spec, sealed, "asked" if is_asked else "bound")
