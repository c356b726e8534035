"""From the parts that lock files of Python projects have in common to pins."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from wynot.circumstances.packages import names
from wynot.circumstances.packages.locked import Option, Pin, Role
from wynot.circumstances.packages.tables import Table

PYPI = "https://pypi.org/simple"
_OF_PROJECT = {"extra", "extras", "dependency_groups"}
"""What markers may ask that only the project's own tool can answer."""


class Entry(NamedTuple):
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

    @property
    def sealed(self) -> str:
        """The line with hashes."""
        return self.spec + "".join(f" --hash={each}" for each in self.hashes)


def pin(entries: Sequence[Entry], role: Role) -> Pin:
    """Return the pin of a package: several versions of it are for different markers."""
    return Pin(
        entries[0].name,
        " or ".join(dict.fromkeys(each.version for each in entries)),
        "\n".join(each.spec for each in entries),
        "\n".join(each.sealed for each in entries),
        role,
    )


def named(table: Table) -> tuple[str, str]:
    """Return the name and the version of a package; a folder need not have a version."""
    name = names.python_name(table.text("name"), table.where)
    told = table.text("version", "")
    return name, names.version(told, f"{table.where} ({name})") if told else ""


def git_place(url: str, commit: str, folder: str, where: str) -> str:
    """Return the URL by which pip and uv take a commit of a repository."""
    bare = url.partition("#")[0].partition("?")[0].removeprefix("git+")
    place = f"git+{bare}@{commit}" + (f"#subdirectory={folder}" if folder else "")
    return names.address(place, where)


def file_place(path: Path, inner: str, where: str) -> str:
    """Return the URL of a file that the lock file names relative to itself."""
    return names.address((path.parent.resolve() / inner).resolve().as_uri(), where)


def either(markers: Iterable[str]) -> str:
    """Return the marker that holds where any of these does; an empty one holds everywhere."""
    different = list(dict.fromkeys(markers))
    if not all(different):
        return ""
    return different[0] if len(different) == 1 else " or ".join(f"({each})" for each in different)


def is_general(marker: str) -> bool:
    """Tell whether an installer can decide it without knowing the project."""
    return not _OF_PROJECT.intersection(marker.replace("(", " ").replace(")", " ").split())


def index_options(indexes: Iterable[str], path: Path) -> tuple[Option, ...]:
    """Return options for the indexes that packages come from; PyPI needs none."""
    found = []
    for index in dict.fromkeys(indexes):
        if not index or index.rstrip("/") == PYPI:
            continue
        if "://" in index:
            found.append(Option("--extra-index-url", names.address(index, str(path))))
        else:
            found.append(Option("--find-links", file_place(path, index, str(path))))
    return tuple(found)
