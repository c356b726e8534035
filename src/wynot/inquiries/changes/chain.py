"""From two revisions to a chain of trees, each a small step after the one before."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.inquiries.changes.commits import Ends, GitCommit, check_depth, commit, ends, listed
from wynot.inquiries.changes.git import Git


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
    undone = _only(git, *sides)
    done = _only(git, *sides[::-1])[::-1]
    check_depth(git, (*undone, *done))
    return Chain(sides.good, tuple(_steps(git, sides, undone, done)))


def _only(git: Git, these: GitCommit, others: GitCommit) -> list[GitCommit]:
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
