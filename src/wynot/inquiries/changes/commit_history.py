"""The history between two commits: its commits, its states, and the chain of trees along it.

A *state* is the tree of a commit: it takes in all commits that it comes from. So what is tested is
always a tree that somebody has had, and that most likely could be built; never a mixture. A *chain*
leads from one tree to another in *steps*.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.errors import InvalidOption, NoSuchFile, NothingToReduce
from wynot.inquiries.changes.diff_parser import DiffParser
from wynot.inquiries.changes.git import Git, GitFailed
from wynot.inquiries.changes.overlay import Overlay, TreeEntry
from wynot.inquiries.circumstances import Choice

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
