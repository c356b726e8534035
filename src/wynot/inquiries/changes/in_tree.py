"""A command as it is run in a private work tree, where its paths are others."""

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from wynot.core.beneath import PERMISSION_BITS
from wynot.core.files import Files
from wynot.inquiries.changes.change_sources import ChangesSource
from wynot.inquiries.changes.commits import repository
from wynot.oracle.naming import naming


class InTree(NamedTuple):
    """A command as it is run at the top of a private work tree."""

    command: list[str]
    beside: Files
    """Files of the checkout that it names, and that are in no commit: each tree has them too."""


def in_tree(
    command: Sequence[str],
    top: Path,
    source: ChangesSource,
    changed: Collection[str],
    *,
    from_disk: bool,
) -> InTree:
    """Return a command with its paths as they are in a work tree.

    What it names of the repository is there, and may differ from one candidate to the next. A test
    script that is not committed is put beside it; one from elsewhere is named in full. A file that
    changes is put there too if it is the one on disk that is asked about.
    """
    listed = source.store.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", source.good)
    committed = {os.fsdecode(path) for path in listed.split(b"\0")}
    words, named = [], {}
    for previous, argument in zip(("", *command), command, strict=False):
        before, word, _ = naming(argument, previous)
        inside = _inside(word, top)
        is_uncommitted = bool(inside) and inside not in committed and (top / inside).is_file()
        if is_uncommitted and (from_disk or inside not in changed):
            named[inside] = top / inside
        if inside and (top / inside).exists():
            words.append(before + (f"./{inside}" if "/" in word else inside))
        else:
            words.append(before + _in_full(word))
    contents = {inside: path.read_bytes() for inside, path in named.items()}
    modes = {inside: path.stat().st_mode & PERMISSION_BITS for inside, path in named.items()}
    return InTree(words, Files(contents, modes))


def _inside(word: str, top: Path) -> str:
    """Return the path in the repository that a word names, empty if it names none."""
    if not _is_path(word):
        return ""
    full = Path(word).absolute()
    inside = os.path.relpath(full.parent.resolve() / full.name, top)
    return "" if inside.startswith("..") or inside == "." else inside


def _in_full(word: str) -> str:
    """Return a path in full, any other word as it is."""
    return str(Path(word).absolute()) if _is_path(word) else word


def _is_path(word: str) -> bool:
    """Tell whether a word is a relative path to something that is there."""
    if "\0" in word or Path(word).is_absolute() or not os.path.lexists(word):
        return False
    return "/" in word or Path(word).is_file()


def top_of(folder: Path) -> Path:
    """Return the top of a checkout; of a repository without one, the folder itself."""
    git = repository(folder)
    if git.line("rev-parse", "--is-inside-work-tree") != "true":
        return folder.resolve()
    return Path(git.line("rev-parse", "--show-toplevel")).resolve()
