"""States: the trees of commits as they are, as a case whose deltas are commits.

A state takes in all commits that it comes from. So what is asked about is always a tree that
somebody has had, and that most likely could be built; never a mixture.
"""

from collections.abc import Sequence

from wynot.core.candidate import Candidate
from wynot.core.circumstances import Choice
from wynot.core.deltas import Deltas
from wynot.inquiries.changes.commits import GitCommit
from wynot.inquiries.changes.diff_parser import DiffParser
from wynot.inquiries.changes.git import Git
from wynot.inquiries.changes.overlay import Overlay, TreeEntry


class States(Choice[Overlay]):
    """The states between a commit that passes and one that fails, by the commits they take in."""

    kind = "commits"

    def __init__(self, git: Git, good: GitCommit, commits: Sequence[GitCommit]) -> None:
        """Take the commits after those that the passing side has, parents first."""
        self.commits = commits
        self._git = git
        self._good = good.id
        self._overlays = {good.id: Overlay(good.id, {})}

    @property
    def deltas(self) -> Deltas:
        """All commits."""
        return Deltas.first(len(self.commits))

    def chosen(self, kept: Deltas) -> Overlay:
        """Return the tree of the state that takes in these commits."""
        name = self.at(kept)
        if name not in self._overlays:
            self._overlays[name] = overlay_of(self._git, self._good, name)
        return self._overlays[name]

    def told(self, candidate: Candidate) -> str:
        """Return the commit whose state it is."""
        name = self.at(candidate.kept)
        subject = next((each.subject for each in self.commits if each.id == name), "")
        return f"commit {name[:10]} {subject}".rstrip()

    def at(self, kept: Deltas) -> str:
        """Return the commit whose state takes in these."""
        return self.commits[kept.index(len(kept) - 1)].id if kept else self._good


class UndoneStates(States):
    """The states that the passing side comes from, back to one that fails.

    A commit of the passing side is *undone* where the failing one does not have it.
    """

    def __init__(
        self, git: Git, good: GitCommit, commits: Sequence[GitCommit], base: GitCommit
    ) -> None:
        """Take the commits that the passing side has and the other not, and where that begins."""
        super().__init__(git, good, commits)
        self._base = base.id

    def at(self, kept: Deltas) -> str:
        """Return the commit whose state lacks these."""
        left = self.deltas.toggle(kept)
        return self.commits[left.index(len(left) - 1)].id if left else self._base


def overlay_of(git: Git, base: str, name: str) -> Overlay:
    """Return how the tree of a commit differs from that of another one."""
    text = git.run("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", base, name)
    entries = {
        new.path: TreeEntry(new.mode, new.blob) if new.mode else None
        for _, new in DiffParser(text).entries()
    }
    return Overlay(base, dict(sorted(entries.items())))
