"""From two revisions to a chain of trees, each a small step after the one before."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import InvalidOption, NoSuchFile, NothingToReduce
from wynot.inquiries.changes.git import Git, GitFailed

_FORMAT = "%T%n%P%n%an <%ae>%n%aI%n%s%x00"


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


class GitCommit(NamedTuple):
    """A commit, as far as it matters here."""

    id: str
    tree: str
    parents: tuple[str, ...]
    author: str
    date: str
    subject: str


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
    ends = commit(git, good), commit(git, bad)
    if ends[0].id == ends[1].id:
        raise NothingToReduce(
            f"{good!r} and {bad!r} are the same commit, {ends[0].id[:10]}",
            hint="give one revision that passes and one that fails",
        )
    if ends[0].tree == ends[1].tree:
        raise NothingToReduce(
            f"{good!r} and {bad!r} do not differ in any file",
            hint="what fails between them is not in the repository",
        )
    undone = _only(git, ends[0], ends[1])
    done = _only(git, ends[1], ends[0])[::-1]
    _check_depth(git, (*undone, *done))
    return Chain(ends[0], tuple(_steps(git, ends, undone, done)))


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
    return _commits(git, "--no-walk", found)[0]


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


def _only(git: Git, these: GitCommit, others: GitCommit) -> list[GitCommit]:
    """Return the commits that only one side has, latest first."""
    return _commits(git, "--first-parent", these.id, f"^{others.id}")


def _commits(git: Git, *args: str) -> list[GitCommit]:
    text = git.run("rev-list", f"--format={_FORMAT}", "--encoding=UTF-8", *args, "--")
    found = []
    for record in text.decode(errors="replace").split("\0\n")[:-1]:
        name, tree, parents, author, date, subject = record.split("\n", 5)
        identity = name.removeprefix("commit ")
        found.append(GitCommit(identity, tree, tuple(parents.split()), author, date, subject))
    return found


def _check_depth(git: Git, commits: Sequence[GitCommit]) -> None:
    """Raise if a parent is missing because not all of the history was fetched."""
    orphans = [each for each in commits if not each.parents]
    if orphans and git.line("rev-parse", "--is-shallow-repository") == "true":
        raise InvalidOption(
            f"the history ends at {orphans[0].id[:10]}: this is a shallow clone",
            hint="fetch the rest: git fetch --unshallow",
        )


def _steps(
    git: Git,
    ends: tuple[GitCommit, GitCommit],
    undone: Sequence[GitCommit],
    done: Sequence[GitCommit],
) -> Iterator[ChainStep]:
    trees = _parent_trees(git, (*undone, *done))
    at = ends[0].tree
    for each in undone:
        if each.parents and trees[each.parents[0]] != at:
            at = trees[each.parents[0]]
            yield _step(each, at, is_undone=True)
    start = trees[done[0].parents[0]] if done and done[0].parents else at
    if not done:
        start = ends[1].tree
    if start != at:
        yield ChainStep(
            start, subject=f"what {ends[0].id[:10]} has that is not on the way to the other"
        )
        at = start
    for each in done:
        if each.tree != at:
            at = each.tree
            yield _step(each, at, is_undone=False)


def _step(made: GitCommit, tree: str, *, is_undone: bool) -> ChainStep:
    return ChainStep(tree, made.id, made.subject, made.author, made.date, is_undone)


def _parent_trees(git: Git, commits: Sequence[GitCommit]) -> dict[str, str]:
    """Return the trees of all commits and first parents, by commit."""
    trees = {each.id: each.tree for each in commits}
    missing = {each.parents[0] for each in commits if each.parents} - trees.keys()
    for parent in sorted(missing):
        trees[parent] = commit(git, parent).tree
    return trees
