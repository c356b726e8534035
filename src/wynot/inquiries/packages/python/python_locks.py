"""Lock files of Python projects: uv, Poetry, PEP 751, and what they have in common.

A lock file names packages that this machine can never install, for other systems. So only what the
project depends on is asked for, and all other packages are bounds: the installer takes those that
are needed here, in the version that is locked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from wynot.inquiries.packages import package_names
from wynot.inquiries.packages.lock_file import LockFile, Option, Pin, Role, Table, joined

PYPI = "https://pypi.org/simple"
_OF_PROJECT = {"extra", "extras", "dependency_groups"}
"""What markers may ask that only the project's own tool can answer."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


class PinEntry(NamedTuple):
    """One version of one package, as a lock file has it."""

    name: str
    version: str
    place: str = ""
    """The URL that it comes from, if it does not come from an index."""
    marker: str = ""
    hashes: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()

    @property
    def spec(self) -> str:
        """The line of a requirements file, without hashes."""
        head = f"{self.name}[{','.join(sorted(self.extras))}]" if self.extras else self.name
        body = f"{head} @ {self.place}" if self.place else f"{head}=={self.version}"
        return f"{body} ; {self.marker}" if self.marker else body

    def pin(self, role: Role) -> Pin:
        """Return the package as one of a side."""
        sealed = self.spec + "".join(f" --hash={each}" for each in self.hashes)
        return Pin(self.name, self.version, self.spec, sealed, role)


@dataclass(slots=True)
class Gathered:
    """What has been read of a lock file so far."""

    path: Path
    kind: str
    entries: dict[str, list[PinEntry]] = field(default_factory=dict)
    direct: set[str] = field(default_factory=set)
    """The packages that are to be installed; all others are bounds."""
    own: list[str] = field(default_factory=list)
    indexes: list[str] = field(default_factory=list)

    def add(self, entry: PinEntry, *, is_direct: bool) -> None:
        """Take in a version of a package; what only the project can decide is not asked for."""
        is_general = not is_of_project(entry.marker)
        entry = entry if is_general else entry._replace(marker="")
        self.entries.setdefault(entry.name, []).append(entry)
        if is_general and is_direct:
            self.direct.add(entry.name)

    def locked(self) -> LockFile:
        """Return what the file says."""
        pins = {
            name: joined(
                [each.pin("direct" if name in self.direct else "bound") for each in entries]
            )
            for name, entries in self.entries.items()
        }
        options = _index_options(self.indexes, self.path)
        return LockFile(self.path, self.kind, pins, options, tuple(self.own))


def named(table: Table) -> tuple[str, str]:
    """Return the name and the version of a package; a folder need not have a version."""
    name = package_names.python_name(table.text("name"), table.where)
    version = table.text("version", "")
    return name, package_names.version_form(version, f"{table.where} ({name})") if version else ""


def git_place(url: str, commit: str, folder: str, where: str) -> str:
    """Return the URL by which pip and uv take a commit of a repository."""
    bare = url.partition("#")[0].partition("?")[0].removeprefix("git+")
    place = f"git+{bare}@{commit}" + (f"#subdirectory={folder}" if folder else "")
    return package_names.address_form(place, where)


def file_place(path: Path, inner: str, where: str) -> str:
    """Return the URL of a file that the lock file names relative to itself."""
    return package_names.address_form((path.parent.resolve() / inner).resolve().as_uri(), where)


def archive_place(path: Path, table: Table) -> str:
    """Return the URL of an archive by its own or its path, empty if it has neither."""
    if "url" in table.values:
        return package_names.address_form(table.text("url"), table.where)
    return file_place(path, table.text("path"), table.where) if "path" in table.values else ""


def either(markers: Iterable[str]) -> str:
    """Return the marker that holds where any of these does; an empty one holds everywhere."""
    different = dict.fromkeys(markers)
    return " or ".join(f"({each})" for each in different) if all(different) else ""


def is_of_project(marker: str) -> bool:
    """Tell whether an installer cannot decide it, since it does not know the project."""
    return not _OF_PROJECT.isdisjoint(re.findall(r"\w+", _QUOTED.sub("", marker)))


def hashes(files: Iterable[Table], where: str) -> tuple[str, ...]:
    """Return the hashes that files have, as uv and Poetry write them."""
    found = (each.text("hash", "") for each in files)
    return tuple(package_names.digest_form(each, where) for each in found if each)


def _index_options(indexes: Iterable[str], path: Path) -> tuple[Option, ...]:
    """Return options for the indexes that packages come from; PyPI needs none."""
    return tuple(
        Option("--extra-index-url", package_names.address_form(index, str(path)))
        if "://" in index
        else Option("--find-links", file_place(path, index, str(path)))
        for index in dict.fromkeys(indexes)
        if index and index.rstrip("/") != PYPI
    )


_FOLDERS = ("editable", "virtual", "directory")


def read_uv_lock(path: Path, top: Table) -> LockFile:
    """Return the packages that uv has locked."""
    gathered = Gathered(path, "uv.lock")
    edges: list[PinEntry] = []
    depended_on: set[str] = set()
    for table in top.tables("package"):
        name, version = named(table)
        source = table.table("source")
        found = list(_edges(table))
        if any(kind in source.values for kind in _FOLDERS):
            gathered.own.append(name)
            edges += found
            continue
        depended_on.update(edge.name for edge in found)
        gathered.indexes.append(source.text("registry", ""))
        marker = package_names.checked_marker(
            either(table.texts("resolution-markers")), table.where
        )
        digests = hashes([table.table("sdist"), *table.tables("wheels")], table.where)
        entry = PinEntry(name, version, _place_in_uv(path, source), marker, digests)
        gathered.add(entry, is_direct=False)
    if not gathered.own:  # a lock of a script: what nothing else needs is what it asks for
        edges = [PinEntry(name, "") for name in gathered.entries if name not in depended_on]
    for name, entries in gathered.entries.items():
        if direct := list(_direct(entries, [edge for edge in edges if edge.name == name])):
            gathered.entries[name] = direct
            gathered.direct.add(name)
    return gathered.locked()


def _edges(table: Table) -> Iterator[PinEntry]:
    """Yield what a package asks for; without a version, any that is locked."""
    groups = [table.tables("dependencies")]
    for kind in ("optional-dependencies", "dev-dependencies"):
        inner = table.table(kind)
        groups += [inner.tables(group) for group in inner.values]
    for each in (each for group in groups for each in group):
        name, version = named(each)
        extras = tuple(
            package_names.python_name(extra, each.where) for extra in each.texts("extra")
        )
        marker = package_names.checked_marker(each.text("marker", ""), each.where)
        yield PinEntry(name, version, marker=marker, extras=extras)


def _direct(entries: Iterable[PinEntry], edges: Sequence[PinEntry]) -> Iterator[PinEntry]:
    """Yield the versions that the project asks for, with the extras and where it does."""
    for entry in entries:
        mine = [
            edge
            for edge in edges
            if edge.version in ("", entry.version) and not is_of_project(edge.marker)
        ]
        if mine:
            extras = tuple(sorted({extra for edge in mine for extra in edge.extras}))
            markers = entry.marker, either(edge.marker for edge in mine)
            both = " and ".join(f"({each})" for each in markers if each)
            yield entry._replace(
                extras=extras, marker=package_names.checked_marker(both, entry.name)
            )


def _place_in_uv(path: Path, source: Table) -> str:
    if "git" in source.values:
        url = source.text("git")
        query = dict(
            part.partition("=")[::2] for part in url.partition("?")[2].partition("#")[0].split("&")
        )
        commit = url.partition("#")[2]
        return git_place(url, commit, query.get("subdirectory", ""), source.where)
    return archive_place(path, source)


def read_poetry_lock(path: Path, top: Table) -> LockFile:
    """Return the packages that Poetry has locked.

    What the project asks for is not in the file. What no other package needs is asked for, and the
    rest are bounds: a package may be locked for another system only.
    """
    tables = top.tables("package")
    needed = {
        package_names.python_name(name, table.where)
        for table in tables
        for name in table.table("dependencies").values
    }
    gathered = Gathered(path, "poetry.lock")
    for table in tables:
        name, version = named(table)
        source = table.table("source")
        kind = source.text("type", "")
        if kind == "directory":
            gathered.own.append(name)
            continue
        if kind == "legacy":
            gathered.indexes.append(source.text("url", ""))
        marker = package_names.checked_marker(_marker(table), table.where)
        digests = hashes(table.tables("files"), table.where)
        entry = PinEntry(name, version, _place_in_poetry(path, kind, source), marker, digests)
        gathered.add(entry, is_direct=name not in needed or "markers" in table.values)
    return gathered.locked()


def _marker(table: Table) -> str:
    """Return where a package is needed: there may be one marker for each group of the project."""
    if isinstance(table.values.get("markers"), dict):
        groups = table.table("markers")
        return either(groups.text(group) for group in groups.values)
    return table.text("markers", "")


def _place_in_poetry(path: Path, kind: str, source: Table) -> str:
    if kind == "git":
        commit = source.text("resolved_reference")
        folder = source.text("subdirectory", "")
        return git_place(source.text("url"), commit, folder, source.where)
    if kind == "url":
        return package_names.address_form(source.text("url"), source.where)
    return file_place(path, source.text("url"), source.where) if kind == "file" else ""


def read_pylock(path: Path, top: Table) -> LockFile:
    """Return the packages of a lock file in the standard format."""
    gathered = Gathered(path, "pylock.toml")
    for table in top.tables("packages"):
        name, version = named(table)
        if "directory" in table.values:
            gathered.own.append(name)
            continue
        gathered.indexes.append(table.text("index", ""))
        marker = package_names.checked_marker(table.text("marker", ""), table.where)
        place = _place_in_pylock(path, table)
        if not version and not place:
            raise table.wrong("version", "a string")
        entry = PinEntry(name, version, place, marker, tuple(_hashes(table)))
        gathered.add(entry, is_direct=True)
    return gathered.locked()


def _place_in_pylock(path: Path, table: Table) -> str:
    if "vcs" in table.values:
        vcs = table.table("vcs")
        folder = vcs.text("subdirectory", "")
        return git_place(vcs.text("url"), vcs.text("commit-id"), folder, vcs.where)
    return archive_place(path, table.table("archive"))


def _hashes(table: Table) -> Iterator[str]:
    for file in (table.table("archive"), table.table("sdist"), *table.tables("wheels")):
        hashes = file.table("hashes")
        for algorithm in hashes.values:
            yield package_names.digest_form(f"{algorithm}:{hashes.text(algorithm)}", table.where)
