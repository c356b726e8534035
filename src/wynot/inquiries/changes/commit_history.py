"""The history between two revisions: all commits that only one of them has, as ``git bisect``."""

from typing import NamedTuple

from wynot.inquiries.changes.commits import GitCommit, check_depth, commit, ends, listed
from wynot.inquiries.changes.git import Git, GitFailed


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
    ahead = _only(git, sides.bad, sides.good)
    behind = _only(git, sides.good, sides.bad)
    check_depth(git, (*ahead, *behind))
    base = _base(git, *sides) if behind else sides.good
    return History(*sides, ahead, behind, base)


def _only(git: Git, these: GitCommit, others: GitCommit) -> tuple[GitCommit, ...]:
    """Return the commits that only one side has."""
    return tuple(listed(git, "--topo-order", these.id, f"^{others.id}")[::-1])


def _base(git: Git, good: GitCommit, bad: GitCommit) -> GitCommit | None:
    try:
        return commit(git, git.line("merge-base", good.id, bad.id))
    except GitFailed:
        return None
