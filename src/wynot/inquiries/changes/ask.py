"""``wynot changes``: which changes make it fail, and which of them to take back."""

import json
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from wynot.commands.inquiry_options import ChangesOptions
from wynot.core.circumstances import Level
from wynot.core.deltas import Deltas
from wynot.core.events import Answered, Doing, Event, InquiryEnded, Noticed, Shown
from wynot.core.files import Files
from wynot.core.stop import Stop
from wynot.disk.fingerprint import of_named
from wynot.disk.output import shown
from wynot.disk.results import refuse_unwritable, write_text
from wynot.inquiries.changes import answer, sources
from wynot.inquiries.changes.chain import repository
from wynot.inquiries.changes.overlay import Overlay
from wynot.inquiries.changes.sources import Compared
from wynot.inquiries.changes.worktree import Worktrees
from wynot.inquiries.inquiry import ON_DISK, Inquiry
from wynot.inquiries.questions import CAUSE, CURE, Finding, Question
from wynot.inquiries.sides import Names
from wynot.oracle.guards import as_it_is, words_of
from wynot.oracle.naming import naming
from wynot.oracle.trials import inquiring, require_program
from wynot.runners.workdir import RunFolder

LEVELS = ("commits", "files", "hunks", "lines")
USE = "wynot changes --good REV --bad REV -- CMD"
HEADS = ("diff --git ", "--- ", "+++ ", "new file ", "deleted file ", "@@ ")
MAX_SHOWN_LINES = 200
"""Lines of a patch that are shown; with --out all of it is written."""


def inquire(options: ChangesOptions, observe: Callable[[Event], None]) -> InquiryEnded:
    """Find the changes that make it fail, and the smallest revert."""
    options.validate()
    if options.out:
        refuse_unwritable(Path(options.out))
    root = RunFolder.make(room=ON_DISK)
    try:
        what = "the two folders" if options.folders else "the history"
        observe(Doing(f"reading {what}"))
        compared = _compared(options, root.folder)
        for path in compared.source.submodules:
            why = f"the submodule {path!r} is an empty folder in the private work trees"
            observe(Noticed("submodule", why))
        for name in compared.source.filters:
            why = f"the filter {name!r} of the repository's own config is not run: the files that "
            observe(Noticed("filter", f"{why}it is for are taken as they are on disk"))
        return _search(options, compared, observe)
    finally:
        root.close()


def _compared(options: ChangesOptions, private: Path) -> Compared:
    repo = Path(options.repo)
    if options.folders and options.patch:
        return sources.of_patch_on_folder(Path(options.patch), Path(options.folders[0]), private)
    if options.folders:
        good, bad = map(Path, options.folders)
        return sources.of_folders(good, bad, private)
    if options.patch:
        return sources.of_patch(Path(options.patch), repo, private)
    if options.staged:
        return sources.of_index(repo, private)
    if options.worktree:
        return sources.of_files(repo, private)
    return sources.of_revisions(repo, options.good, options.bad or "HEAD", private)


def _search(
    options: ChangesOptions, compared: Compared, observe: Callable[[Event], None]
) -> InquiryEnded:
    changes = compared.changes
    if "/" not in options.command[0]:  # else it may be part of what changes
        require_program(options.command)
    command, beside = _in_tree(options.command, options, compared)
    guards = []
    for text in options.passes:
        words, more = _in_tree(words_of(text), options, compared)
        beside = Files({**beside.contents, **more.contents}, {**beside.modes, **more.modes})
        guards.append(as_it_is(text, words, options.timeout))
    names = Names(
        f"the bad side ({_called(options)[1]})",
        f"the good side ({_called(options)[0]})",
        "run the command by hand in a checkout of each; it must exit with 0 if all is well, "
        "125 if it cannot tell, 1 to 124 if it fails",
    )
    inquiry: Inquiry[Overlay]
    with Inquiry(
        "changes",
        json.dumps(
            [
                *(options.identity, command, of_named(command), beside.digest.hex()),
                *(compared.source.good, _tip(compared)),
            ]
        ),
        options,
        inquiring(options, command, as_bisect=options.same is None),
        Worktrees(compared.source, clean=options.clean, beside=beside),
        names,
        observe,
        room=ON_DISK,
        guards=guards,
        apart=[_top_of(options)],
    ) as inquiry:
        levels = _levels(changes.levels, options.atoms)
        counts = ", ".join(f"{len(level.units):,} {level.name}" for level in changes.levels)
        tried = inquiry.try_sides(changes, counts)
        tried.require_pass()
        for question in (CAUSE, CURE) if options.cure else (CAUSE,):
            finest = levels if question is CAUSE else _whole_hunks(levels, changes.deltas)
            finding = inquiry.ask(question, changes, levels=finest)
            _tell(inquiry, question, finding, compared, Path(options.out) if options.out else None)
            if inquiry.stopped != Stop.FINISHED:
                break
        return inquiry.conclude()


def _levels(levels: Sequence[Level], finest: str) -> Sequence[Level]:
    """Return the levels down to the finest that is asked for; the coarsest in any case."""
    wanted = LEVELS[: LEVELS.index(finest) + 1]
    return [level for level in levels if level.name in wanted] or levels[:1]


def _whole_hunks(levels: Sequence[Level], deltas: Deltas) -> Sequence[Level]:
    """Return the levels down to hunks: to take back half of one makes a version of nobody's."""
    return [level for level in levels if level.name != "lines"] or [Level("hunks", [deltas])]


def _called(options: ChangesOptions) -> tuple[str, str]:
    """Return what the user calls the two sides."""
    if options.folders and not options.patch:
        return options.folders[0], options.folders[1]
    if options.patch:
        return "without the patch", options.patch
    if options.staged or options.worktree:
        return "HEAD", "what is staged" if options.staged else "the files as they are"
    return options.good, options.bad or "HEAD"


def _tip(compared: Compared) -> str:
    return compared.changes.steps[-1].tree


class InTree(NamedTuple):
    """A command as it is run at the top of a private work tree."""

    command: list[str]
    beside: Files
    """Files of the checkout that it names, and that are in no commit: each tree has them too."""


def _in_tree(command: Sequence[str], options: ChangesOptions, compared: Compared) -> InTree:
    """Return a command with its paths as they are in a work tree.

    What it names of the repository is there, and may differ from one candidate to the next. A test
    script that is not committed is put beside it; one from elsewhere is named in full.
    """
    source, changes = compared.source, compared.changes
    listed = source.store.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", source.good)
    committed = {os.fsdecode(path) for path in listed.split(b"\0")}
    changed = {delta.path for delta in changes.described}
    top = _top_of(options)
    words, named = [], {}
    for previous, argument in zip(("", *command), command, strict=False):
        before, word, _ = naming(argument, previous)
        inside = _inside(word, top)
        is_uncommitted = bool(inside) and inside not in committed and (top / inside).is_file()
        if is_uncommitted and (options.worktree or inside not in changed):
            named[inside] = top / inside
        if inside and (top / inside).exists():
            words.append(before + (f"./{inside}" if "/" in word else inside))
        else:
            words.append(before + _in_full(word))
    contents = {inside: path.read_bytes() for inside, path in named.items()}
    modes = {inside: stat.S_IMODE(path.stat().st_mode) for inside, path in named.items()}
    return InTree(words, Files(contents, modes))


def _inside(word: str, top: Path) -> str:
    """Return the path in the repository that a word names, empty if it names none."""
    if not _is_path(word):
        return ""
    full = Path(word).absolute()
    inside = os.path.relpath(full.parent.resolve() / full.name, top)
    return "" if inside.startswith("..") or inside == "." else inside


def _in_full(word: str) -> str:
    """Return a path in full, any other word as it is."""
    return str(Path(word).absolute()) if _is_path(word) else word


def _is_path(word: str) -> bool:
    """Tell whether a word is a relative path to something that is there."""
    if "\0" in word or Path(word).is_absolute() or not os.path.lexists(word):
        return False
    return "/" in word or Path(word).is_file()


def _top_of(options: ChangesOptions) -> Path:
    """Return the folder that the candidates are versions of."""
    return Path(options.folders[0]).resolve() if options.folders else _top(Path(options.repo))


def _top(folder: Path) -> Path:
    """Return the top of a checkout; of a repository without one, the folder itself."""
    git = repository(folder)
    if git.line("rev-parse", "--is-inside-work-tree") != "true":
        return folder.resolve()
    return Path(git.line("rev-parse", "--show-toplevel")).resolve()


def _tell(
    inquiry: Inquiry[Overlay],
    question: Question,
    finding: Finding,
    compared: Compared,
    out: Path | None,
) -> None:
    """Tell an answer, and write its patch."""
    is_cause = question is CAUSE
    patch = (answer.cause if is_cause else answer.cure)(compared, finding.deltas)
    inquiry.observe(_answered(question, finding, compared, patch))
    if out is not None:
        name = "cause" if is_cause else "revert"
        inquiry.written.append((name, shown(write_text(out, f"{name}.patch", patch))))


def _answered(question: Question, finding: Finding, compared: Compared, patch: bytes) -> Answered:
    found = answer.culprits(compared.changes, finding.deltas)
    lines: list[Shown] = []
    for step, parts in found:
        head = f"{step.name}  {step.subject}" if step.commit else step.subject
        lines.append(Shown(head, "yellow"))
        if step.commit:
            lines.append(Shown(f"  {step.author}, {step.date}", "dim"))
        lines += [Shown(f"  {part.place}  {part.words}") for part in parts]
    lines += _patch_lines(patch)
    return Answered(
        question.name,
        _title(question, compared, finding.deltas, found),
        tuple(lines),
        finding.minimal,
        {
            "commits": [
                {
                    "commit": step.commit,
                    "subject": step.subject,
                    "author": step.author,
                    "date": step.date,
                    "undone": step.is_undone,
                    "places": [part.place for part in parts],
                }
                for step, parts in found
            ],
            "patch": patch.decode("utf-8", "surrogateescape"),
        },
    )


def _title(
    question: Question, compared: Compared, deltas: Deltas, found: Sequence[answer.Culprit]
) -> str:
    parts = len(answer.places(compared.changes, deltas))
    what = "1 change" if parts == 1 else f"{parts} changes"
    commits = [each for each in found if each.step.commit]
    if commits:
        of = "1 commit" if len(commits) == 1 else f"{len(commits)} commits"
        what = f"{what} of {of}"
    if question is CAUSE:
        return f"{what}, put into the good side, {'makes' if parts == 1 else 'make'} it fail:"
    return f"the smallest revert: without {what} the bad side passes:"


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
