"""``poetry.lock``: one version of each package; since Poetry 2 with the markers under which."""

from pathlib import Path

from wynot.inquiries.packages import package_names, pinning
from wynot.inquiries.packages.lock_file import LockFile
from wynot.inquiries.packages.tables import Table


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
    gathered = pinning.Gathered(path, "poetry.lock")
    for table in tables:
        name, version = pinning.named(table)
        source = table.table("source")
        kind = source.text("type", "")
        if kind == "directory":
            gathered.own.append(name)
            continue
        if kind == "legacy":
            gathered.indexes.append(source.text("url", ""))
        marker = package_names.marker(_marker(table), table.where)
        hashes = pinning.hashes(table.tables("files"), table.where)
        entry = pinning.PinEntry(name, version, _place(path, kind, source), marker, hashes)
        gathered.add(entry, is_asked=name not in needed or "markers" in table.values)
    return gathered.locked()


def _marker(table: Table) -> str:
    """Return where a package is needed: there may be one marker for each group of the project."""
    if isinstance(table.values.get("markers"), dict):
        groups = table.table("markers")
        return pinning.either(groups.text(group) for group in groups.values)
    return table.text("markers", "")


def _place(path: Path, kind: str, source: Table) -> str:
    if kind == "git":
        commit = source.text("resolved_reference")
        folder = source.text("subdirectory", "")
        return pinning.git_place(source.text("url"), commit, folder, source.where)
    if kind == "url":
        return package_names.address(source.text("url"), source.where)
    return pinning.file_place(path, source.text("url"), source.where) if kind == "file" else ""
