"""The states before one that fails, back to the first commit or from tag to tag."""

from collections.abc import Sequence
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.circumstances import Choice
from wynot.core.deltas import Deltas
from wynot.core.errors import NothingToReduce
from wynot.inquiries.changes.commits import GitCommit, commit, is_shallow, listed
from wynot.inquiries.changes.git import Git
from wynot.inquiries.changes.overlay import Overlay


class NamedCommit(NamedTuple):
    """A commit, and what the user can call it: ``HEAD~4``, or a tag."""

    name: str
    commit: GitCommit

    @property
    def words(self) -> str:
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

    def told(self, candidate: Candidate) -> str:
        """Return which state it is."""
        state = self.at(candidate.kept)
        return f"{state.words} {state.commit.subject}".rstrip()

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
