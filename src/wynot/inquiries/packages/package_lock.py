"""``package-lock.json`` of npm: a package for each place in node_modules.

It is read, and written for a candidate with entries of both sides, beside a root that asks for
them. ``npm ci`` installs exactly what a lock file says, and refuses one whose packages do not fit
each other. That is what is wanted of a candidate; ``npm install`` would mend it by taking in
versions that are on neither side.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from wynot.core.errors import InvalidLockFile
from wynot.inquiries.packages import package_names
from wynot.inquiries.packages.lock_file import LockFile, Pin, Pins
from wynot.inquiries.packages.tables import Table

MODULES = "node_modules/"
_ASKED = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_OLD_VERSION, _NEWEST_VERSION = 1, 3
_OLD_KIND = "package-lock.json, version 1"  # what npm wrote until version 6
_MAX_DEPTH = 64
_ROOT: Mapping[str, Any] = {"name": "candidate", "version": "0.0.0"}


def read_package_lock(path: Path, top: Table) -> LockFile:
    """Return the packages that npm has locked, by their paths below node_modules."""
    form = top.values.get("lockfileVersion")
    if form not in range(_OLD_VERSION, _NEWEST_VERSION + 1):
        raise top.wrong("lockfileVersion", "1, 2 or 3")
    if form == _OLD_VERSION:
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
        name = package_names.node_place(place, entry.where).removeprefix(MODULES)
        if name.count(MODULES) > _MAX_DEPTH:
            raise InvalidLockFile(
                f"{path}: packages are nested more than {_MAX_DEPTH} deep", hint="is it right?"
            )
        pins[name] = _pin(name, entry, is_asked=name in asked)
    return LockFile(path, _OLD_KIND if form == _OLD_VERSION else "package-lock.json", pins)


def _nested(table: Table, above: str) -> Iterator[tuple[str, Table]]:
    inner = table.table("dependencies")
    for name in inner.values:
        entry = inner.table(name)
        place = f"{above}{MODULES}{package_names.node_name(name, inner.where)}"
        own = {key: value for key, value in entry.values.items() if key != "dependencies"}
        yield place, Table(own, entry.where)
        yield from _nested(entry, f"{place}/")


def _refuse_workspaces(packages: Table) -> None:
    for place, entry in packages.values.items():
        is_link = isinstance(entry, Mapping) and entry.get("link") is True
        if place and (is_link or not place.startswith(MODULES)):
            name = package_names.shown_name(place)
            raise InvalidLockFile(
                f"{packages.where}: {name} is a folder of the project (a workspace)",
                hint="only packages of the registry can be compared; "
                "give the lock files of a project without workspaces",
            )


def _pin(name: str, entry: Table, *, is_asked: bool) -> Pin:
    told = entry.text("version", "")
    resolved = entry.text("resolved", "")
    is_place = resolved and not resolved.startswith(("https://", "http://"))
    if not package_names.version.fits(told):
        is_place, resolved = True, resolved or told
    spec = package_names.address(resolved, entry.where) if is_place else told
    version = told if package_names.version.fits(told) else ""
    sealed = json.dumps(entry.values, sort_keys=True)
    return Pin(name, version, spec, sealed, "asked" if is_asked else "bound")


def package_json(pins: Pins, overrides: Mapping[str, object]) -> dict[str, Any]:
    """Return the root: what the project asks for, in exactly the candidate's versions."""
    asked = {pin.name for pin in pins if pin.role == "asked"}
    # npm refuses an override of what is asked for directly in another version.
    kept = {name: value for name, value in overrides.items() if name not in asked}
    return {**_ROOT, "private": True, **_groups(pins), "overrides": kept}


def lock_text(pins: Pins, kind: str) -> str:
    """Return the lock file."""
    entries = {pin.name: json.loads(pin.sealed) for pin in sorted(pins)}
    head = {**_ROOT, "requires": True}
    if kind == _OLD_KIND:
        body = {"lockfileVersion": 1, **head, "dependencies": _inside(entries)}
    else:
        packages = {"": {**_ROOT, **_groups(pins)}}
        packages |= {f"{MODULES}{name}": entry for name, entry in entries.items()}
        body = {"lockfileVersion": 3, **head, "packages": packages}
    return json.dumps(body, indent=2) + "\n"


def _groups(pins: Pins) -> dict[str, dict[str, str]]:
    groups: dict[str, dict[str, str]] = {"dependencies": {}, "optionalDependencies": {}}
    for pin in sorted(pins):
        if pin.role == "asked":
            entry = json.loads(pin.sealed)
            kind = "optionalDependencies" if entry.get("optional") is True else "dependencies"
            groups[kind][pin.name] = _wanted(pin, entry)
    return groups


def _wanted(pin: Pin, entry: Mapping[str, object]) -> str:
    """Return the exact version, or the place; an alias is of another name than its folder."""
    if not pin.version or pin.spec != pin.version:
        return pin.spec
    real = entry.get("name")
    return f"npm:{real}@{pin.version}" if isinstance(real, str) else pin.version


def _inside(entries: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return entries as the old format has them: inner packages inside of outer ones."""
    top: dict[str, Any] = {}
    for name, entry in sorted(entries.items(), key=lambda each: each[0].count(MODULES)):
        *outer, last = name.split(f"/{MODULES}")
        place = top
        for each in outer:
            place = place[each].setdefault("dependencies", {})
        place[last] = entry
    return top


def overrides_of(texts: Iterable[str]) -> dict[str, object]:
    """Return the overrides of the first package.json that has any."""
    for text in texts:
        try:
            top = json.loads(text)
        except (ValueError, RecursionError):
            continue  # it is beside the lock file, and may be anything
        found = top.get("overrides") if isinstance(top, dict) else None
        if isinstance(found, dict):
            return found
    return {}
