"""``uv.lock``: all versions for all platforms, and what the project itself asks for.

It names packages that this machine can never install, for other systems. So only what the project
depends on is asked for, and all other packages are bounds: the installer takes those that are
needed here, in the version that is locked.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from wynot.circumstances.packages import names, pinning
from wynot.circumstances.packages.locked import Locked, Pin
from wynot.circumstances.packages.pinning import Entry
from wynot.circumstances.packages.tables import Table

_FOLDERS = ("editable", "virtual", "directory")


class _Edge(NamedTuple):
    """One thing that the project asks for."""

    name: str
    version: str
    extras: tuple[str, ...]
    marker: str


def read_uv_lock(path: Path, top: Table) -> Locked:
    """Return the packages that uv has locked."""
    packages: dict[str, list[Entry]] = {}
    edges: list[_Edge] = []
    own: list[str] = []
    depended_on: set[str] = set()
    indexes: list[str] = []
    for table in top.tables("package"):
        name, version = pinning.named(table)
        source = table.table("source")
        found = list(_edges(table))
        if any(kind in source.values for kind in _FOLDERS):
            own.append(name)
            edges += found
            continue
        depended_on.update(edge.name for edge in found)
        indexes.append(source.text("registry", ""))
        marker = pinning.either(table.texts("resolution-markers")) if _is_forked(table) else ""
        entry = Entry(name, version, _place(path, source), _clean(marker, table), _hashes(table))
        packages.setdefault(name, []).append(entry)
    if not own:  # a lock of a script: what nothing else needs is what it asks for
        edges = [_Edge(name, "", (), "") for name in packages if name not in depended_on]
    pins = {name: _pin(entries, edges) for name, entries in packages.items()}
    options = pinning.index_options(indexes, path)
    return Locked(path, "uv.lock", pins, options, tuple(own))


def _is_forked(table: Table) -> bool:
    return "resolution-markers" in table.values


def _clean(marker: str, table: Table) -> str:
    return names.marker(marker, table.where) if pinning.is_general(marker) else ""


def _edges(table: Table) -> Iterator[_Edge]:
    groups = [table.tables("dependencies")]
    for kind in ("optional-dependencies", "dev-dependencies"):
        inner = table.table(kind)
        groups += [inner.tables(group) for group in inner.values]
    for each in (each for group in groups for each in group):
        name, version = pinning.named(each)
        extras = tuple(names.python_name(extra, each.where) for extra in each.texts("extra"))
        yield _Edge(name, version, extras, names.marker(each.text("marker", ""), each.where))


def _pin(entries: list[Entry], edges: list[_Edge]) -> Pin:
    asked = []
    for entry in entries:
        mine = [
            edge
            for edge in edges
            if edge.name == entry.name
            and edge.version in ("", entry.version)
            and pinning.is_general(edge.marker)
        ]
        if mine:
            extras = tuple(sorted({extra for edge in mine for extra in edge.extras}))
            marker = pinning.either(edge.marker for edge in mine)
            both = [f"({each})" for each in (entry.marker, marker) if each]
            whole = " and ".join(both) if len(both) > 1 else entry.marker or marker
            asked.append(entry._replace(extras=extras, marker=whole))
    return pinning.pin(asked, "asked") if asked else pinning.pin(entries, "bound")


def _place(path: Path, source: Table) -> str:
    if "git" in source.values:
        url = source.text("git")
        query = dict(
            part.partition("=")[::2] for part in url.partition("?")[2].partition("#")[0].split("&")
        )
        commit = url.partition("#")[2]
        return pinning.git_place(url, commit, query.get("subdirectory", ""), source.where)
    if "url" in source.values:
        return names.address(source.text("url"), source.where)
    if "path" in source.values:
        return pinning.file_place(path, source.text("path"), source.where)
    return ""


def _hashes(table: Table) -> tuple[str, ...]:
    files = [table.table("sdist"), *table.tables("wheels")]
    found = (each.text("hash", "") for each in files)
    return tuple(names.digest(each, table.where) for each in found if each)
