"""Answers: what a set of deltas is to people: a patch, a list of commits, places in files."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from wynot.core.deltas import NONE, Deltas
from wynot.core.events import Shown
from wynot.core.options.quantities import counted
from wynot.inquiries.changes.change_sources import Comparison
from wynot.inquiries.changes.circumstance import Changes
from wynot.inquiries.changes.commit_history import ChainStep, GitCommit
from wynot.inquiries.changes.git import DIFFERENCE
from wynot.inquiries.changes.weaving import Delta
from wynot.inquiries.worded import Worded

HEADS = ("diff --git ", "--- ", "+++ ", "new file ", "deleted file ", "@@ ")
MAX_SHOWN_LINES = 200
"""Lines of a patch that are shown; with --out all of it is written."""
MAX_SHOWN_COMMITS = 20
"""Commits that are shown, if it is not known which one it is."""
_PATCH = ("--patch", "--binary", "-U3", "--inter-hunk-context=0")


class HunkPart(NamedTuple):
    """What of one hunk, or of one change of a file as such, is in the set."""

    path: str
    line: int
    """Where it is in the file after the step, before it if it only takes out; 0: the whole file."""
    deltas: tuple[Delta, ...]

    @property
    def place(self) -> str:
        """``path:line``, or only the path."""
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def summary(self) -> str:
        """What it does, in a few words."""
        first = self.deltas[0]
        lines = [each for each in self.deltas if each.line]
        removed = sum(each.kind != "added line" for each in lines)
        counts = [(sum(map(_is_new, lines)), "+"), (removed, "-")]
        shown = " ".join(f"{sign}{count}" for count, sign in counts if count)
        if first.kind == "rename":
            return f"renamed from {first.text.decode(errors='replace')}"
        if first.kind == "mode":
            return f"mode {first.text.decode()}"
        if first.line:
            return shown
        return f"{first.kind} {shown}".rstrip()


class Culprit(NamedTuple):
    """A step, and what of it is in the set."""

    step: ChainStep
    parts: tuple[HunkPart, ...]


def culprits(changes: Changes, deltas: Deltas) -> list[Culprit]:
    """Return the steps that a set of deltas is of, and what of each."""
    found = []
    for step, parts in groupby(_parts(changes, deltas), lambda part: part.deltas[0].step):
        found.append(Culprit(changes.steps[step], tuple(parts)))
    return found


def patch(comparison: Comparison, before: Deltas, after: Deltas) -> bytes:
    """Return what leads from one tree to another, as a patch that ``git apply`` takes."""
    changes, store = comparison.changes, comparison.source.store
    trees = [
        store.commit(changes.overlay(kept).stream("answer"), "answer") for kept in (before, after)
    ]
    return store.run("diff-tree", *DIFFERENCE, *_PATCH, *trees)


def _parts(changes: Changes, deltas: Deltas) -> Iterator[HunkPart]:
    """Go through a set of deltas hunk by hunk, and file by file where several were moved."""

    def place(delta: int) -> tuple[int, str]:
        kind, _, path, *_ = changes.described[delta]
        return changes.hunk_of(delta), path if kind == "rename" else ""

    for _, members in groupby(deltas, place):
        chosen = tuple(changes.described[each] for each in members)
        lines = [*filter(_is_new, chosen)] or chosen
        # A file that is new, or takes another's place, is meant as such, not its first line.
        line = lines[0].line if chosen[0].line else 0
        yield HunkPart(chosen[-1].path, line, chosen)


def _is_new(delta: Delta) -> bool:
    """Tell whether there is a line afterwards that was not there before."""
    return delta.kind in {"added line", "replaced line"}


def worded(comparison: Comparison, question: str, deltas: Deltas) -> Worded:
    """Word which changes make it fail, or are to be taken back."""
    if question == "cause":
        return cause_worded(comparison, NONE, deltas, "the good side")
    whole = comparison.changes.deltas
    return cure_worded(comparison, whole.toggle(deltas), whole, is_smallest=True)


def cause_worded(
    comparison: Comparison, passing: Deltas, failing: Deltas, where: str, remark: str = ""
) -> Worded:
    """Word which changes make it fail, and where they are put; ``remark`` is one line more."""
    found = culprits(comparison.changes, failing.toggle(passing))
    parts, what = _counted(found)
    title = f"{what}, put into {where}, {'makes' if parts == 1 else 'make'} it fail:"
    return _worded(found, title, remark, "cause.patch", patch(comparison, passing, failing))


def cure_worded(
    comparison: Comparison, passing: Deltas, failing: Deltas, *, is_smallest: bool
) -> Worded:
    """Word which changes are to be taken back from the failing side."""
    found = culprits(comparison.changes, failing.toggle(passing))
    _, what = _counted(found)
    title = f"{'the smallest' if is_smallest else 'a'} revert: without {what} the bad side passes:"
    return _worded(found, title, "", "revert.patch", patch(comparison, failing, passing))


def _worded(found: Sequence[Culprit], title: str, remark: str, file: str, content: bytes) -> Worded:
    lines: list[Shown] = []
    for step, parts in found:
        head = f"{step.name}  {step.subject}" if step.commit else step.subject
        lines.append(Shown(head, "yellow"))
        if step.commit:
            lines.append(Shown(f"  {step.author}, {step.date}", "dim"))
        lines += [Shown(f"  {part.place}  {part.summary}") for part in parts]
    lines += [Shown(remark)] if remark else []
    lines += _patch_lines(content)
    data = {
        "commits": [
            {**_facts(step, is_undone=step.is_undone), "places": [part.place for part in parts]}
            for step, parts in found
        ],
        "patch": content.decode("utf-8", "surrogateescape"),
    }
    return Worded(title, tuple(lines), data, {file: content})


def no_cure_worded(steps: Sequence[ChainStep]) -> Worded:
    """Word that there is no small revert."""
    names = " and ".join(step.name for step in steps)
    title = f"no revert: without {names} the bad side does not pass either"
    return Worded(title, (Shown("--prove looks among all changes"),), {"commits": [], "patch": ""})


def first_bad_worded(commits: Sequence[GitCommit], *, is_undone: bool, is_done: bool) -> Worded:
    """Word which commit is the first bad one; or which it may be, if that cannot be told yet."""
    last, count = commits[-1], len(commits)
    if count == 1 and is_undone:
        title = f"{last.id[:10]} has fixed it, and the bad side does not have it: {last.subject}"
    elif count == 1:
        title = f"{last.id[:10]} is the first bad commit: {last.subject}"
    elif is_done:
        title = f"one of {count:,} commits is the first bad one; of the others it cannot be told:"
    else:
        title = f"one of {count:,} commits is the first bad one:"
    lines: list[Shown] = []
    for each in commits[: -MAX_SHOWN_COMMITS - 1 : -1]:
        if count > 1:
            lines.append(Shown(f"{each.id[:10]}  {each.subject}", "yellow"))
        else:
            lines.append(Shown(f"commit {each.id}", "yellow"))
        lines.append(Shown(f"  {each.author}, {each.date}", "dim"))
    if count > MAX_SHOWN_COMMITS:
        lines.append(Shown(f"… {count - MAX_SHOWN_COMMITS:,} more", "dim"))
    return Worded(
        title, tuple(lines), {"commits": [_facts(each, is_undone=is_undone) for each in commits]}
    )


def _facts(each: GitCommit | ChainStep, *, is_undone: bool) -> dict[str, object]:
    """Return what programs are told of a commit."""
    return {
        "commit": each.commit if isinstance(each, ChainStep) else each.id,
        "subject": each.subject,
        "author": each.author,
        "date": each.date,
        "undone": is_undone,
    }


def _counted(found: Sequence[Culprit]) -> tuple[int, str]:
    """Return how many changes there are, and of how many commits, in words."""
    parts = sum(len(each.parts) for each in found)
    commits = sum(bool(each.step.commit) for each in found)
    of = f" of {counted(commits, 'commit')}" if commits else ""
    return parts, f"{counted(parts, 'change')}{of}"


def _patch_lines(patch: bytes) -> list[Shown]:
    """Return a patch to be looked at."""
    text = patch.decode("utf-8", "replace")
    lines = [line for line in text.split("\n") if line and not line.startswith("index ")]
    found = [Shown(line, _style(line)) for line in lines]
    if len(found) > MAX_SHOWN_LINES:
        more = f"… {len(found) - MAX_SHOWN_LINES:,} more lines: --out DIR writes all of it"
        found = [*found[:MAX_SHOWN_LINES], Shown(more, "dim")]
    return [Shown(""), *found]


def _style(line: str) -> str:
    if line.startswith(HEADS):
        return "dim"
    return {"+": "green", "-": "red"}.get(line[:1], "")
