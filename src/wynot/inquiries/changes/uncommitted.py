"""What is not committed: the index and the files on disk, without the filters of a stranger.

Who only has a copy of a repository, say from an archive, has not chosen what its ``.git/config``
names. So its filters are not run, and files are taken as they are on disk. Filters of the user's
own config, as ``git lfs install`` makes them, are run as ever; and what git converts by itself, as
line ends, it still does.

Only what differs is looked at, and nothing is written where the user works: not even an object that
is already there, for git would touch its file.
"""

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wynot.core.errors import InvalidOption
from wynot.core.options.quantities import bounded_integer
from wynot.inquiries.changes.diff_parser import DiffParser, refuse_submodule
from wynot.inquiries.changes.git import (
    FILE_MODE,
    GITLINK_MODE,
    LINK_MODE,
    PROGRAM_MODE,
    Git,
    GitFailed,
    Store,
    quoted,
)
from wynot.inquiries.changes.overlay import Overlay, TreeEntry

_TRUSTED = {"system", "global", "command"}
_ASKED = ("config", "--show-scope", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process)$")
_CONFIG_FIELDS = 3


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a repository that are not run."""

    names: frozenset[str] = frozenset()
    env: Mapping[str, str] | None = None
    """Variables that keep git from running them."""

    @classmethod
    def of(cls, git: Git) -> "Filters":
        """Return those that the config of the repository itself names."""
        own: dict[str, str] = {}
        foreign: set[str] = set()
        for scope, key, value in _settings(git):
            if scope in _TRUSTED:
                own[key] = value
            else:
                foreign.add(key)
        names = frozenset(key.removeprefix("filter.").rpartition(".")[0] for key in foreign)
        settings = {key: own.get(key, "") for key in sorted(foreign)}
        settings |= {f"filter.{name}.required": "false" for name in sorted(names)}
        return cls(names, _variables(settings))

    def used(self, git: Git, paths: Iterable[str]) -> tuple[str, ...]:
        """Return the names of those that would have been run on some of the files."""
        if not self.names:
            return ()
        given = b"".join(os.fsencode(path) + b"\0" for path in paths)
        fields = git.run("check-attr", "-z", "--stdin", "filter", given=given).split(b"\0")
        return tuple(sorted(self.names & {os.fsdecode(each) for each in fields[2::_CONFIG_FIELDS]}))


def _settings(git: Git) -> Iterable[tuple[str, str, str]]:
    """Yield the programs of all filters: where each is set, its key and its value."""
    try:
        fields = os.fsdecode(git.run(*_ASKED)).split("\0")
    except GitFailed:  # that is what git says if there are none
        return
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = setting.partition("\n")
        yield scope, key, value


def _variables(settings: Mapping[str, str]) -> dict[str, str]:
    """Return variables that set these, after those that the user has set so."""
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    first = bounded_integer(count) or 0
    variables = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for number, (key, value) in enumerate(settings.items(), start=first):
        variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return variables


_RAW = ("diff-index", "--raw", "-z", "--no-renames", "--full-index", "--ignore-submodules=dirty")
_HASH = ("-c", "core.safecrlf=false", "hash-object", "--stdin-paths")


def in_index(git: Git, commit: str) -> Overlay:
    """Return how what is staged differs from a commit."""
    if unmerged := git.run("ls-files", "--unmerged", "-z", "--full-name"):
        path = os.fsdecode(unmerged.split(b"\0")[0].partition(b"\t")[2])
        raise InvalidOption(
            f"{path!r} has conflicts", hint="resolve them, and stage what comes of it"
        )
    entries: dict[str, TreeEntry | None] = {}
    for _, new in DiffParser(git.run(*_RAW, "--cached", commit, "--")).entries():
        entries[new.path] = TreeEntry(new.mode, new.blob) if new.mode else None
    return Overlay(commit, dict(sorted(entries.items())))


def on_disk(
    git: Git, top: Path, commit: str, store: Store, *others: str, filters: Filters | None = None
) -> Overlay:
    """Return how the files differ from a commit; ``others`` are options for which new ones count.

    Their contents are those that git would have committed, but for the ``filters``, which are not
    run.
    """
    env = filters.env if filters else None
    modes: dict[str, int] = {}
    for old, new in DiffParser(git.run(*_RAW, commit, "--", env=env)).entries():
        if GITLINK_MODE in {old.mode, new.mode}:
            refuse_submodule(new.path)
        modes[new.path] = new.mode
    for name in git.run("ls-files", "--others", "-z", *others).split(b"\0"):
        if name and not name.endswith(b"/"):  # that is another repository
            modes[os.fsdecode(name)] = 0
    entries: dict[str, TreeEntry | None] = {}
    for path, mode in sorted(modes.items()):
        entries[path] = _entry(top / path, mode)
    files = [path for path, entry in entries.items() if entry and entry.content is None]
    for path, blob in zip(files, _blobs(git, files, store, env), strict=True):
        entry = entries[path]
        entries[path] = entry and entry._replace(blob=blob)
    return Overlay(commit, entries)


def _entry(path: Path, mode: int) -> TreeEntry | None:
    """Return what there is at a path, its blob still to be filled in; None if there is nothing."""
    try:
        seen = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISLNK(seen):
        return TreeEntry(LINK_MODE, "", os.fsencode(path.readlink()))
    if not stat.S_ISREG(seen):
        return None
    # On some disks all files are programs, or none: then git knows better.
    by_disk = PROGRAM_MODE if seen & stat.S_IXUSR else FILE_MODE
    return TreeEntry(mode if mode in {FILE_MODE, PROGRAM_MODE} else by_disk, "")


def _blobs(
    git: Git, paths: Iterable[str], store: Store, env: Mapping[str, str] | None
) -> list[str]:
    """Return the ids of files, and put into the store those that are nowhere yet."""
    names = [quoted(os.fsencode(path)) for path in paths]
    if not names:
        return []
    blobs = git.run(*_HASH, given=b"\n".join(names), env=env).decode().split()
    known = store.run(
        "cat-file", "--batch-check=%(objecttype)", given="\n".join(blobs).encode()
    ).split(b"\n")
    new = [name for name, kind in zip(names, known, strict=False) if kind != b"blob"]
    if new:
        there = {**(env or {}), "GIT_OBJECT_DIRECTORY": str(store.objects)}
        git.run(*_HASH, "-w", given=b"\n".join(new), env=there)
    return blobs
