"""``uv.lock``: all versions for all platforms, and what the project itself asks for.

It names packages that this machine can never install, for other systems. So only what the project
depends on is asked for, and all other packages are bounds: the installer takes those that are
needed here, in the version that is locked.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from wynot.inquiries.packages import package_names, pinning
from wynot.inquiries.packages.lock_file import LockFile
from wynot.inquiries.packages.pinning import PinEntry
from wynot.inquiries.packages.tables import Table

_FOLDERS = ("editable", "virtual", "directory")


def read_uv_lock(path: Path, top: Table) -> LockFile:
    """Return the packages that uv has locked."""
    gathered = pinning.Gathered(path, "uv.lock")
    edges: list[PinEntry] = []
    depended_on: set[str] = set()
    for table in top.tables("package"):
        name, version = pinning.named(table)
        source = table.table("source")
        found = list(_edges(table))
        if any(kind in source.values for kind in _FOLDERS):
            gathered.own.append(name)
            edges += found
            continue
        depended_on.update(edge.name for edge in found)
        gathered.indexes.append(source.text("registry", ""))
        marker = package_names.marker(
            pinning.either(table.texts("resolution-markers")), table.where
        )
        hashes = pinning.hashes([table.table("sdist"), *table.tables("wheels")], table.where)
        entry = PinEntry(name, version, _place(path, source), marker, hashes)
        gathered.add(entry, is_asked=False)
    if not gathered.own:  # a lock of a script: what nothing else needs is what it asks for
        edges = [PinEntry(name, "") for name in gathered.entries if name not in depended_on]
    for name, entries in gathered.entries.items():
        if asked := list(_asked(entries, [edge for edge in edges if edge.name == name])):
            gathered.entries[name] = asked
            gathered.asked.add(name)
    return gathered.locked()


def _edges(table: Table) -> Iterator[PinEntry]:
    """Yield what a package asks for; without a version, any that is locked."""
    groups = [table.tables("dependencies")]
    for kind in ("optional-dependencies", "dev-dependencies"):
        inner = table.table(kind)
        groups += [inner.tables(group) for group in inner.values]
    for each in (each for group in groups for each in group):
        name, version = pinning.named(each)
        extras = tuple(
            package_names.python_name(extra, each.where) for extra in each.texts("extra")
        )
        marker = package_names.marker(each.text("marker", ""), each.where)
        yield PinEntry(name, version, marker=marker, extras=extras)


def _asked(entries: Iterable[PinEntry], edges: Sequence[PinEntry]) -> Iterator[PinEntry]:
    """Yield the versions that the project asks for, with the extras and where it does."""
    for entry in entries:
        mine = [
            edge
            for edge in edges
            if edge.version in ("", entry.version) and not pinning.is_of_project(edge.marker)
        ]
        if mine:
            extras = tuple(sorted({extra for edge in mine for extra in edge.extras}))
            markers = entry.marker, pinning.either(edge.marker for edge in mine)
            both = " and ".join(f"({each})" for each in markers if each)
            yield entry._replace(extras=extras, marker=package_names.marker(both, entry.name))


def _place(path: Path, source: Table) -> str:
    if "git" in source.values:
        url = source.text("git")
        query = dict(
            part.partition("=")[::2] for part in url.partition("?")[2].partition("#")[0].split("&")
        )
        commit = url.partition("#")[2]
        return pinning.git_place(url, commit, query.get("subdirectory", ""), source.where)
    return pinning.archive_place(path, source)
