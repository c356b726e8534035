"""Commits: what git knows of them, as far as it matters here."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import InvalidOption, NoSuchFile, NothingToReduce
from wynot.inquiries.changes.git import Git, GitFailed

_FORMAT = "%T%n%P%n%an <%ae>%n%aI%n%ct%n%s%x00"


class GitCommit(NamedTuple):
    """A commit, as far as it matters here."""

    id: str
    tree: str
    parents: tuple[str, ...]
    author: str
    date: str
    when: int
    """When it was committed, in seconds."""
    subject: str


class Ends(NamedTuple):
    """The two commits that are compared."""

    good: GitCommit
    bad: GitCommit


def ends(git: Git, good: str, bad: str) -> Ends:
    """Return the commits of two revisions; raise if nothing differs between them."""
    found = Ends(commit(git, good), commit(git, bad))
    if found.good.id == found.bad.id:
        raise NothingToReduce(
            f"{good!r} and {bad!r} are the same commit, {found.good.id[:10]}",
            hint="give one revision that passes and one that fails",
        )
    if found.good.tree == found.bad.tree:
        raise NothingToReduce(
            f"{good!r} and {bad!r} do not differ in any file",
            hint="what fails between them is not in the repository",
        )
    return found


def commit(git: Git, revision: str) -> GitCommit:
    """Return the commit of that name."""
    try:
        name = f"{revision}^{{commit}}"
        found = git.line("rev-parse", "--verify", "--quiet", "--end-of-options", name)
    except GitFailed:
        found = ""
    if not found or found.startswith("^"):
        raise InvalidOption(
            f"there is no commit {revision!r} in this repository",
            hint="a branch, a tag or a commit; `git log --oneline` shows them",
        )
    return listed(git, "--no-walk", found)[0]


def is_ancestor(git: Git, one: GitCommit, other: GitCommit) -> bool:
    """Tell whether a commit comes from another one."""
    try:
        git.run("merge-base", "--is-ancestor", one.id, other.id)
    except GitFailed:
        return False
    return True


def repository(folder: Path) -> Git:
    """Return the repository of a folder; raise if it has none."""
    if not folder.is_dir():
        raise NoSuchFile(
            f"there is no folder {str(folder)!r}", path=str(folder), hint="give --repo DIR"
        )
    git = Git.at(folder)
    try:
        git.run("rev-parse", "--git-dir")
    except GitFailed as error:
        raise InvalidOption(
            f"{str(folder)!r} is not in a git repository: {error.said}",
            hint="give --repo DIR, or two folders",
        ) from None
    return git


def listed(git: Git, *args: str) -> list[GitCommit]:
    """Return the commits that ``git rev-list`` lists, latest first."""
    text = git.run("rev-list", f"--format={_FORMAT}", "--encoding=UTF-8", *args, "--")
    found = []
    for record in text.decode(errors="replace").split("\0\n")[:-1]:
        name, tree, parents, author, date, when, subject = record.split("\n", 6)
        identity, before = name.removeprefix("commit "), tuple(parents.split())
        found.append(GitCommit(identity, tree, before, author, date, int(when), subject))
    return found


def check_depth(git: Git, commits: Sequence[GitCommit]) -> None:
    """Raise if a parent is missing because not all of the history was fetched."""
    orphans = [each for each in commits if not each.parents]
    if orphans and is_shallow(git):
        raise InvalidOption(
            f"the history ends at {orphans[0].id[:10]}: this is a shallow clone",
            hint="fetch the rest: git fetch --unshallow",
        )


def is_shallow(git: Git) -> bool:
    """Tell whether only the latest part of a history was fetched."""
    return git.line("rev-parse", "--is-shallow-repository") == "true"
