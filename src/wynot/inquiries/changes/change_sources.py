"""Where changes come from: revisions, the index, the files on disk, two folders, a patch.

Each is brought to the same form, trees in a private *store*, so that all that follows is the same.
"""

import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import InvalidOption, NothingToReduce
from wynot.disk.read_limited import read_limited
from wynot.inquiries.changes.circumstance import Changes
from wynot.inquiries.changes.commit_history import (
    Chain,
    ChainStep,
    EarlierStates,
    GitCommit,
    History,
    chain,
    commit,
    commits_before,
    history,
    is_ancestor,
    repository,
    tags_before,
)
from wynot.inquiries.changes.diff_parser import changes_around, changes_between
from wynot.inquiries.changes.git import GITLINK_MODE, Git, GitFailed, Store
from wynot.inquiries.changes.overlay import Folder, Overlay
from wynot.inquiries.changes.uncommitted import Filters, in_index, on_disk
from wynot.inquiries.changes.weaving import weave
from wynot.machine.removal import remove

_PREFIXED = re.compile(rb"^(diff --git a/|--- a/|\+\+\+ b/)", re.MULTILINE)
"""What git writes, and no other paths are like."""


LARGEST_PATCH = 1 << 30


@dataclass(frozen=True, slots=True)
class ChangesSource:
    """What work trees and answers need to know of where changes come from."""

    store: Store
    good: str
    """The commit of the passing tree; it is in the store, or found from there."""
    is_repository: bool = True
    """Whether a test finds a repository in its tree, as it would in the user's."""
    tags: bytes = b""
    """The tags of the user's repository, in the form of packed-refs: for ``git describe``."""
    empty_folders: tuple[str, ...] = ()
    """Folders with nothing in them, which git would not make."""
    submodules: tuple[str, ...] = ()
    """Submodules that do not change; in a work tree they are empty folders."""
    filters: tuple[str, ...] = ()
    """Filters of the repository's own config that were not run on files that have changed."""


class Comparison(NamedTuple):
    """The deltas between two sides, and where they come from."""

    changes: Changes
    source: ChangesSource


class SourceHistory(NamedTuple):
    """The history between two revisions, and where it is read from."""

    history: History
    source: ChangesSource


class Past(NamedTuple):
    """What comes before a revision that fails, and where it is read from."""

    states: EarlierStates
    source: ChangesSource


def of_history(folder: Path, good: str, bad: str, private: Path) -> SourceHistory:
    """Read which commits are between two revisions; what they change is not looked at yet."""
    git = repository(folder)
    found = history(git, good, bad)
    return SourceHistory(found, _beginning(_source(git, folder, private), found.good))


def of_earlier(folder: Path, bad: str, private: Path, *, tags: bool) -> Past:
    """Read what comes before a revision: its first parents, or the tags that it comes from."""
    git = repository(folder)
    states = (tags_before if tags else commits_before)(git, bad)
    return Past(states, _beginning(_source(git, folder, private), states.bad.commit))


def from_good(earlier: Past, good: GitCommit, failing: Iterable[GitCommit]) -> SourceHistory:
    """Return the history from a commit that was found to pass, given those found to fail."""
    states, source = earlier
    found = history(source.store, good.id, states.bad.commit.id)
    after = (each.id for each in failing if is_ancestor(source.store, good, each))
    return SourceHistory(found._replace(failing=next(after, "")), _beginning(source, good))


def of_revisions(folder: Path, good: str, bad: str, private: Path) -> Comparison:
    """Compare two revisions of the repository of a folder; ``private`` is a folder to write in."""
    git = repository(folder)
    return comparison_of(_source(git, folder, private), chain(git, good, bad))


def of_index(folder: Path, private: Path) -> Comparison:
    """Compare HEAD with what is staged (``--staged``)."""
    git = repository(folder)
    source = _source(git, folder, private)
    head = commit(git, "HEAD").id
    return comparison_of(source, _single(source.store, in_index(git, head), "what is staged"))


def of_files(folder: Path, private: Path) -> Comparison:
    """Compare HEAD with the files on disk, new ones too unless ignored (``--worktree``)."""
    git = repository(folder)
    if git.line("rev-parse", "--is-inside-work-tree") != "true":
        raise InvalidOption(
            f"the repository of {str(folder)!r} has no files on disk", hint="give two revisions"
        )
    source = _source(git, folder, private)
    top = Path(git.line("rev-parse", "--show-toplevel"))
    head = commit(git, "HEAD").id
    git = Git.at(top)
    filters = Filters.of(git)
    files = on_disk(git, top, head, source.store, "--exclude-standard", filters=filters)
    source = replace(source, filters=filters.used(git, files.entries))
    return comparison_of(source, _single(source.store, files, "what is not committed"))


def of_folders(good: Path, bad: Path, private: Path) -> Comparison:
    """Compare two folders, of which the first one passes."""
    store = Store.make(private / "store", None)
    sides = Folder(good), Folder(bad)
    commits = [
        store.commit(side.stream(name), name)
        for side, name in zip(sides, ("good", "bad"), strict=True)
    ]
    empty = {*sides[0].empty, *sides[1].empty}
    source = ChangesSource(
        store, commits[0], is_repository=False, empty_folders=tuple(sorted(empty))
    )
    step = ChainStep(store.tree_of(commits[1]), subject=f"what differs in {bad}")
    return comparison_of(source, Chain(commit(store, commits[0]), (step,)))


def of_patch(patch: Path, folder: Path, private: Path) -> Comparison:
    """Compare HEAD with what a patch makes of it."""
    git = repository(folder)
    source = _source(git, folder, private)
    good = commit(git, "HEAD").id
    return comparison_of(source, _patched(source.store, good, patch, private))


def of_patch_on_folder(patch: Path, folder: Path, private: Path) -> Comparison:
    """Compare a folder with what a patch makes of it."""
    store = Store.make(private / "store", None)
    side = Folder(folder)
    good = store.commit(side.stream("good"), "good")
    source = ChangesSource(store, good, is_repository=False, empty_folders=tuple(side.empty))
    return comparison_of(source, _patched(store, good, patch, private))


def _source(git: Git, folder: Path, private: Path) -> ChangesSource:
    """Return a store that finds the objects of a repository."""
    objects = folder / git.line("rev-parse", "--git-path", "objects")
    object_format = git.line("rev-parse", "--show-object-format")
    store = Store.make(private / "store", objects.resolve(), object_format)
    shallow = folder / git.line("rev-parse", "--git-path", "shallow")
    if shallow.exists():
        shutil.copyfile(shallow, store.folder / "shallow")
    tags = git.run("for-each-ref", "--format=%(objectname) %(refname)", "refs/tags")
    return ChangesSource(store, "", tags=tags)


def _single(store: Store, overlay: Overlay, subject: str) -> Chain:
    """Return a chain of one step."""
    made = store.commit(overlay.stream("bad"), "bad")
    return Chain(commit(store, overlay.base), (ChainStep(store.tree_of(made), subject=subject),))


def _patched(store: Store, good: str, patch: Path, private: Path) -> Chain:
    """Return the chain of one step that a patch is; it is applied to files of our own."""
    content = read_limited(patch, most=LARGEST_PATCH, expected="a unified diff")
    tree = private.resolve() / "patched"
    tree.mkdir()
    git = Git((f"--git-dir={store.folder}", f"--work-tree={tree}", "-C", str(tree)))
    git.run("read-tree", "--reset", "-u", good)
    _apply(git, content, str(patch))
    made = _single(store, on_disk(git, tree, good, store), f"the patch {patch.name}")
    remove(tree)
    return made


def _apply(git: Git, content: bytes, name: str) -> None:
    """Apply a patch to files, whether its paths begin with a folder that means nothing or not."""
    refusals = []
    for strip in ("-p1",) if _PREFIXED.search(content) else ("-p1", "-p0"):
        try:
            git.run("apply", "--whitespace=nowarn", "--unidiff-zero", strip, "-", given=content)
        except GitFailed as error:
            refusals.append(error.message)
        else:
            return
    raise InvalidOption(
        f"{name!r} does not apply: {refusals[0]}",
        hint="it has to be a unified diff (git diff, diff -u) against the passing side",
    )


def comparison_of(source: ChangesSource, way: Chain, step: int | None = None) -> Comparison:
    """Read what changes on the way, and make deltas of it; in detail where one step matters."""
    store, good = source.store, way.good
    trees = [good.tree, *(step.tree for step in way.steps)]
    steps = changes_between(store, trees) if step is None else changes_around(store, trees, step)
    if not any(steps):
        subject = way.steps[-1].subject
        raise NothingToReduce(f"nothing differs: {subject}", hint="give two sides that differ")
    with store.reader() as read:
        fabric = weave(steps, read)
    return Comparison(Changes(good.id, way.steps, fabric), _beginning(source, good))


def _beginning(source: ChangesSource, good: GitCommit) -> ChangesSource:
    """Return a source whose passing side is this commit."""
    return replace(source, good=good.id, submodules=_submodules(source.store, good.tree))


def _submodules(store: Store, tree: str) -> tuple[str, ...]:
    """Return where a tree has submodules."""
    listed = store.run("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0")
    start = b"%o " % GITLINK_MODE
    return tuple(os.fsdecode(line.partition(b"\t")[2]) for line in listed if line.startswith(start))
