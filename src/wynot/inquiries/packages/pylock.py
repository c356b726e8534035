"""``pylock.toml`` (PEP 751): every package that is to be installed, with its marker."""

from collections.abc import Iterator
from pathlib import Path

from wynot.inquiries.packages import package_names, pinning
from wynot.inquiries.packages.lock_file import LockFile
from wynot.inquiries.packages.tables import Table


def read_pylock(path: Path, top: Table) -> LockFile:
    """Return the packages of a lock file in the standard format."""
    gathered = pinning.Gathered(path, "pylock.toml")
    for table in top.tables("packages"):
        name, version = pinning.named(table)
        if "directory" in table.values:
            gathered.own.append(name)
            continue
        gathered.indexes.append(table.text("index", ""))
        marker = package_names.marker(table.text("marker", ""), table.where)
        place = _place(path, table)
        if not version and not place:
            raise table.wrong("version", "a string")
        entry = pinning.PinEntry(name, version, place, marker, tuple(_hashes(table)))
        gathered.add(entry, is_asked=True)
    return gathered.locked()


def _place(path: Path, table: Table) -> str:
    if "vcs" in table.values:
        vcs = table.table("vcs")
        folder = vcs.text("subdirectory", "")
        return pinning.git_place(vcs.text("url"), vcs.text("commit-id"), folder, vcs.where)
    return pinning.archive_place(path, table.table("archive"))


def _hashes(table: Table) -> Iterator[str]:
    for file in (table.table("archive"), table.table("sdist"), *table.tables("wheels")):
        hashes = file.table("hashes")
        for algorithm in hashes.values:
            yield package_names.digest(f"{algorithm}:{hashes.text(algorithm)}", table.where)
