"""States: trees of commits as they are, and those before one that fails.

A state takes in all commits that it comes from. So what is asked about is always a tree that
somebody has had, and that most likely could be built; never a mixture.
"""

from collections.abc import Sequence
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.errors import NothingToReduce
from wynot.inquiries.changes.commits import GitCommit, commit, is_shallow, listed
from wynot.inquiries.changes.diff_parser import DiffParser
from wynot.inquiries.changes.git import Git
from wynot.inquiries.changes.overlay import Overlay, TreeEntry
from wynot.inquiries.circumstances import Choice


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

    def describe(self, candidate: Candidate) -> str:
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


class NamedCommit(NamedTuple):
    """A commit, and what the user can call it: ``HEAD~4``, or a tag."""

    name: str
    commit: GitCommit

    @property
    def summary(self) -> str:
        """Both, for messages."""
        return f"{self.name} ({self.commit.id[:10]})"


class EarlierStates(Choice[Overlay]):
    """A state that fails and those before it, as they are; the deltas are the steps between."""

    kind = "commits"

    def __init__(
        self, bad: NamedCommit, earlier: Sequence[NamedCommit], step: str, *, is_cut: bool
    ) -> None:
        """Take the earlier states, the latest first, and what one of them is called.

        ``is_cut``: there are more, but they were not fetched.
        """
        self.bad = bad
        self.earlier = earlier
        self.step = step
        self.is_cut = is_cut

    @property
    def deltas(self) -> Deltas:
        """All steps: with them one is at the state that fails."""
        return Deltas.first(len(self.earlier))

    def back(self, steps: int) -> Deltas:
        """Return the configuration that is so many steps back."""
        return Deltas.first(len(self.earlier) - steps)

    def at(self, kept: Deltas) -> NamedCommit:
        """Return the state that these steps lead to."""
        steps = len(self.earlier) - len(kept)
        return self.earlier[steps - 1] if steps else self.bad

    def describe(self, candidate: Candidate) -> str:
        """Return which state it is."""
        state = self.at(candidate.kept)
        return f"{state.summary} {state.commit.subject}".rstrip()

    def chosen(self, kept: Deltas) -> Overlay:
        """Return the tree of that state: nothing differs from its own commit."""
        return Overlay(self.at(kept).commit.id, {})


def commits_before(git: Git, bad: str) -> EarlierStates:
    """Return the commits before a revision, along first parents."""
    last = commit(git, bad)
    earlier = [
        NamedCommit(f"{bad}~{number}", each)
        for number, each in enumerate(listed(git, "--first-parent", last.id))
        if number
    ]
    if not earlier:
        raise NothingToReduce(
            f"there is no commit before {bad!r}, {last.id[:10]}", hint="give a later --bad REV"
        )
    return EarlierStates(NamedCommit(bad, last), earlier, "commit", is_cut=is_shallow(git))


def tags_before(git: Git, bad: str) -> EarlierStates:
    """Return the tagged commits that a revision comes from, the latest first."""
    last = commit(git, bad)
    names: dict[str, str] = {}
    text = git.run(
        *("for-each-ref", f"--merged={last.id}", "--sort=-version:refname"),
        *("--format=%(objectname) %(*objectname) %(refname:short)", "refs/tags"),
    )
    for line in text.decode("utf-8", "surrogateescape").splitlines():
        tag, target, name = line.split(" ", 2)
        names.setdefault(target or tag, name)
    names.pop(last.id, None)
    earlier = [
        NamedCommit(names[each.id], each)
        for each in listed(git, "--date-order", "--simplify-by-decoration", last.id)
        if each.id in names
    ]
    if not earlier:
        raise NothingToReduce(
            f"there is no tag before {bad!r}", hint="without --tags it goes back commit by commit"
        )
    return EarlierStates(NamedCommit(bad, last), earlier, "tag", is_cut=is_shallow(git))
