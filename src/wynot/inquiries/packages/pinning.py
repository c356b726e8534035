"""From the parts that lock files of Python projects have in common to pins."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from wynot.inquiries.packages import package_names
from wynot.inquiries.packages.lock_file import LockFile, Option, Pin, Role, joined
from wynot.inquiries.packages.tables import Table

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
    asked: set[str] = field(default_factory=set)
    """The packages that are to be installed; all others are bounds."""
    own: list[str] = field(default_factory=list)
    indexes: list[str] = field(default_factory=list)

    def add(self, entry: PinEntry, *, is_asked: bool) -> None:
        """Take in a version of a package; what only the project can decide is not asked for."""
        is_general = not is_of_project(entry.marker)
        entry = entry if is_general else entry._replace(marker="")
        self.entries.setdefault(entry.name, []).append(entry)
        if is_general and is_asked:
            self.asked.add(entry.name)

    def locked(self) -> LockFile:
        """Return what the file says."""
        pins = {
            name: joined([each.pin("asked" if name in self.asked else "bound") for each in entries])
            for name, entries in self.entries.items()
        }
        options = _index_options(self.indexes, self.path)
        return LockFile(self.path, self.kind, pins, options, tuple(self.own))


def named(table: Table) -> tuple[str, str]:
    """Return the name and the version of a package; a folder need not have a version."""
    name = package_names.python_name(table.text("name"), table.where)
    told = table.text("version", "")
    return name, package_names.version(told, f"{table.where} ({name})") if told else ""


def git_place(url: str, commit: str, folder: str, where: str) -> str:
    """Return the URL by which pip and uv take a commit of a repository."""
    bare = url.partition("#")[0].partition("?")[0].removeprefix("git+")
    place = f"git+{bare}@{commit}" + (f"#subdirectory={folder}" if folder else "")
    return package_names.address(place, where)


def file_place(path: Path, inner: str, where: str) -> str:
    """Return the URL of a file that the lock file names relative to itself."""
    return package_names.address((path.parent.resolve() / inner).resolve().as_uri(), where)


def archive_place(path: Path, table: Table) -> str:
    """Return the URL of an archive by its own or its path, empty if it has neither."""
    if "url" in table.values:
        return package_names.address(table.text("url"), table.where)
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
    return tuple(package_names.digest(each, where) for each in found if each)


def _index_options(indexes: Iterable[str], path: Path) -> tuple[Option, ...]:
    """Return options for the indexes that packages come from; PyPI needs none."""
    return tuple(
        Option("--extra-index-url", package_names.address(index, str(path)))
        if "://" in index
        else Option("--find-links", file_place(path, index, str(path)))
        for index in dict.fromkeys(indexes)
        if index and index.rstrip("/") != PYPI
    )
