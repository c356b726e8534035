"""``poetry.lock``: one version of each package; since Poetry 2 with the markers under which."""

from collections.abc import Iterator
from pathlib import Path

from wynot.circumstances.packages import names, pinning
from wynot.circumstances.packages.locked import Locked, Pin, Role
from wynot.circumstances.packages.pinning import Entry
from wynot.circumstances.packages.tables import Table


def read_poetry_lock(path: Path, top: Table) -> Locked:
    """Return the packages that Poetry has locked.

    What the project asks for is not in the file. What no other package needs is asked for, and the
    rest are bounds: a package may be locked for another system only.
    """
    tables = top.tables("package")
    needed = {name for table in tables for name in _needs(table)}
    packages: dict[str, list[Entry]] = {}
    roles: dict[str, Role] = {}
    own: list[str] = []
    indexes: list[str] = []
    for table in tables:
        name, version = pinning.named(table)
        source = table.table("source")
        kind = source.text("type", "")
        if kind == "directory":
            own.append(name)
            continue
        if kind == "legacy":
            indexes.append(source.text("url", ""))
        marker = _marker(table)
        general = pinning.is_general(marker)
        clean = names.marker(marker, table.where) if general else ""
        is_asked = general and (name not in needed or "markers" in table.values)
        entry = Entry(name, version, _place(path, source), clean, _hashes(table))
        packages.setdefault(name, []).append(entry)
        roles[name] = "asked" if is_asked else roles.get(name, "bound")
    pins: dict[str, Pin] = {
        name: pinning.pin(entries, roles[name]) for name, entries in packages.items()
    }
    options = pinning.index_options(indexes, path)
    return Locked(path, "poetry.lock", pins, options, tuple(own))


def _needs(table: Table) -> Iterator[str]:
    for name in table.table("dependencies").values:
        yield names.python_name(name, table.where)


def _marker(table: Table) -> str:
    """Return where a package is needed: there may be one marker for each group of the project."""
    if isinstance(table.values.get("markers"), dict):
        groups = table.table("markers")
        return pinning.either(groups.text(group) for group in groups.values)
    return table.text("markers", "")


def _place(path: Path, source: Table) -> str:
    kind = source.text("type", "")
    if kind == "git":
        commit = source.text("resolved_reference")
        folder = source.text("subdirectory", "")
        return pinning.git_place(source.text("url"), commit, folder, source.where)
    if kind == "url":
        return names.address(source.text("url"), source.where)
    return pinning.file_place(path, source.text("url"), source.where) if kind == "file" else ""


def _hashes(table: Table) -> tuple[str, ...]:
    found = (each.text("hash", "") for each in table.tables("files"))
    return tuple(names.digest(each, table.where) for each in found if each)
