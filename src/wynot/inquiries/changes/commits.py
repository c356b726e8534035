"""Commits, the history between two of them, and the chain of trees from one to the other."""

from collections.abc import Iterator, Sequence
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
            f"{str(folder)!r} is not in a git repository: {error.message}",
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


class History(NamedTuple):
    """Two commits, and what leads from one to the other; parents come first."""

    good: GitCommit
    bad: GitCommit
    ahead: tuple[GitCommit, ...]
    """The commits that only the failing side has."""
    behind: tuple[GitCommit, ...]
    """Those that only the passing side has; mostly none."""
    base: GitCommit | None
    """Where the two have parted; None: they have nothing in common."""
    failing: str = ""
    """A commit on the way that is known to fail: the first bad one is no later. Empty: none is."""


def history(git: Git, good: str, bad: str) -> History:
    """Return the history between two revisions."""
    sides = ends(git, good, bad)
    ahead = _commits_only_in(git, sides.bad, sides.good)
    behind = _commits_only_in(git, sides.good, sides.bad)
    check_depth(git, (*ahead, *behind))
    base = _base(git, *sides) if behind else sides.good
    return History(*sides, ahead, behind, base)


def _commits_only_in(git: Git, these: GitCommit, others: GitCommit) -> tuple[GitCommit, ...]:
    """Return the commits that only one side has."""
    return tuple(listed(git, "--topo-order", these.id, f"^{others.id}")[::-1])


def _base(git: Git, good: GitCommit, bad: GitCommit) -> GitCommit | None:
    try:
        return commit(git, git.line("merge-base", good.id, bad.id))
    except GitFailed:
        return None


class ChainStep(NamedTuple):
    """What leads from one tree to the next: a commit, as a rule."""

    tree: str
    """The tree that it leads to."""
    commit: str = ""
    """Its id; empty if it is no commit."""
    subject: str = ""
    author: str = ""
    date: str = ""
    is_undone: bool = False
    """Whether the step takes the commit back: the passing side has it, the failing one not."""

    @property
    def name(self) -> str:
        """A short name for messages."""
        if not self.commit:
            return self.subject
        return f"the reversal of {self.commit[:10]}" if self.is_undone else self.commit[:10]


class Chain(NamedTuple):
    """Trees, from the passing to the failing one."""

    good: GitCommit
    steps: tuple[ChainStep, ...]


def chain(git: Git, good: str, bad: str) -> Chain:
    """Return the way from one revision to another, along first parents.

    Commits that only the passing side has are undone, latest first; then come those that only the
    failing side has. A merge is one step: what it changes against its first parent. Where the two
    ways do not meet in one tree, there is a step of its own for what is left.
    """
    sides = ends(git, good, bad)
    undone = _line_only_in(git, *sides)
    done = _line_only_in(git, *sides[::-1])[::-1]
    check_depth(git, (*undone, *done))
    return Chain(sides.good, tuple(_steps(git, sides, undone, done)))


def _line_only_in(git: Git, these: GitCommit, others: GitCommit) -> list[GitCommit]:
    """Return the commits that only one side has, latest first."""
    return listed(git, "--first-parent", these.id, f"^{others.id}")


def _steps(
    git: Git,
    sides: Ends,
    undone: Sequence[GitCommit],
    done: Sequence[GitCommit],
) -> Iterator[ChainStep]:
    trees = _parent_trees(git, (*undone, *done))
    at = sides.good.tree
    for each in undone:
        if each.parents and trees[each.parents[0]] != at:
            at = trees[each.parents[0]]
            yield step_of(each, at, is_undone=True)
    start = trees[done[0].parents[0]] if done and done[0].parents else at
    if not done:
        start = sides.bad.tree
    if start != at:
        yield ChainStep(
            start, subject=f"what {sides.good.id[:10]} has that is not on the way to the other"
        )
        at = start
    for each in done:
        if each.tree != at:
            at = each.tree
            yield step_of(each, at, is_undone=False)


def step_of(made: GitCommit, tree: str, *, is_undone: bool) -> ChainStep:
    """Return the step that a commit is, or its reversal."""
    return ChainStep(tree, made.id, made.subject, made.author, made.date, is_undone)


def _parent_trees(git: Git, commits: Sequence[GitCommit]) -> dict[str, str]:
    """Return the trees of all commits and first parents, by commit."""
    trees = {each.id: each.tree for each in commits}
    missing = {each.parents[0] for each in commits if each.parents} - trees.keys()
    for parent in sorted(missing):
        trees[parent] = commit(git, parent).tree
    return trees
