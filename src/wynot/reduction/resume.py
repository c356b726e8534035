"""Which journal a run writes to: that of an earlier run that it goes on with, or a new one.

A new one is a draft until the test has been found to be good: so a mistaken command does not take
the place of what an earlier run has left, and a run that is killed in its first moments still has
what it had asked.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import BrokenJournal, InvalidOption
from wynot.core.events import Event, Noticed
from wynot.core.files import Files
from wynot.disk.database import move_aside
from wynot.disk.journal import Journal
from wynot.disk.output import Earlier, Output, shown
from wynot.disk.salvage import salvage
from wynot.reduction.reduce_options import ReduceOptions
from wynot.reduction.spelling import Spelling

NO_MATTER = {"out", "resume", "fresh", "target_size", "patience"}
"""Options that change when a run ends and where its result goes, but not what it finds."""

NO_MATTER_EITHER = {"jobs", "max_tests", "max_time", "observe", "workers"}
"""And those of the search."""


class RunBeginning(NamedTuple):
    """Where a run begins."""

    journal: Journal
    original: Files
    known: int
    """How many verdicts there are already."""
    earlier: Earlier
    is_finished: bool = False
    """Whether the same command has come to its end before, and its result is still in place."""

    @property
    def is_draft(self) -> bool:
        """Whether the test is yet to be found good."""
        return self.journal.path.suffix == ".draft"


def begin(
    path: Path,
    options: ReduceOptions,
    own: Sequence[str],
    files: Files,
    output: Output,
    observe: Callable[[Event], None],
) -> RunBeginning:
    """Open the journal of an earlier run of the same command on the same files, or begin one.

    ``own`` are digests of the files that the test itself consists of.
    """
    print_ = fingerprint(options, own, Spelling(output.home))
    digest, there = files.digest, output.digest
    journal = _opened(path, options, chain([files], output.versions()), observe)
    earlier = _left_by(journal)
    if journal is not None and not options.fresh:
        original = journal.original()
        is_ours = digest in earlier.left
        is_over = journal.fact("state") == "finished"
        is_done = is_over and digest != original.digest
        is_same = is_ours and journal.fact("fingerprint") == print_
        is_finished = (
            is_over
            and is_same
            and not options.resume
            and there == _result(journal, original)
            and digest in {there, original.digest}
        )
        if is_finished or (is_same and not is_done):
            return RunBeginning(journal, original, journal.count(), earlier, is_finished)
        _say_why_not(options, observe, is_ours=is_ours, is_done=is_done)
    elif options.resume:
        raise InvalidOption("there is nothing to resume", hint="leave --resume out to begin")
    if journal is not None:
        journal.close()
    draft_path = path.with_suffix(".draft")
    draft = None if options.fresh else _draft(draft_path)
    if draft is not None:
        if draft.fact("fingerprint") == print_ and draft.original() == files:
            return RunBeginning(draft, files, draft.count(), earlier)
        draft.close()
    facts = {"fingerprint": print_, "state": "running", "options": _readable(options)}
    return RunBeginning(Journal.create(draft_path, files, facts), files, 0, earlier)


def _result(journal: Journal, original: Files) -> bytes:
    """Return the digest of what a finished run has found."""
    return next((row.digest for row in reversed(journal.steps())), original.digest)


def _opened(
    path: Path, options: ReduceOptions, known: Iterable[Files], observe: Callable[[Event], None]
) -> Journal | None:
    """Open a journal, if there is one; of a damaged one what can be read of it."""
    try:
        return Journal.open(path)
    except BrokenJournal:
        if options.fresh:
            return None
        found = salvage(path, known)
        if found is None or "fingerprint" not in found.facts:
            raise
    journal = found.journal(path.with_suffix(".rebuilt"))
    damaged = move_aside(path)
    journal.move(path)
    where = shown(damaged or path)
    observe(
        Noticed(
            "damaged-journal",
            f"the journal is damaged: {found.words} could be read, and the rest is asked for "
            f"again; the damaged one is kept as {where}",
        )
    )
    return journal


def _draft(path: Path) -> Journal | None:
    """Open a draft, if there is one; with a damaged one little is lost."""
    try:
        return Journal.open(path)
    except BrokenJournal:
        return None


def _left_by(journal: Journal | None) -> Earlier:
    """Return what the run of a journal may have left in place."""
    if journal is None:
        return Earlier(frozenset(), ())
    left = {journal.original().digest, *(row.digest for row in journal.steps())}
    return Earlier(frozenset(left), tuple(map(Path, listed(journal.fact("backups")))))


def listed(fact: str) -> list[str]:
    """Return a fact that is a list of words; empty if it is not."""
    try:
        words = json.loads(fact or "[]")
    except (ValueError, RecursionError):
        return []
    is_list = isinstance(words, list) and all(isinstance(word, str) for word in words)
    return words if is_list else []


def _say_why_not(
    options: ReduceOptions, observe: Callable[[Event], None], *, is_ours: bool, is_done: bool
) -> None:
    if not is_ours:
        why = "the file is not what the earlier run left"
    elif is_done:
        why = "the earlier run was finished"
    else:
        why = "the earlier run was another command"
    if options.resume:
        raise InvalidOption(
            f"there is nothing to resume: {why}", hint="leave --resume out to begin anew"
        )
    observe(Noticed("fresh", f"beginning anew: {why}; its journal is kept"))


def fingerprint(options: ReduceOptions, own: Sequence[str], spelling: Spelling) -> str:
    """Return a key that is the same if a run would ask the same test the same questions."""
    known = json.loads(_readable(options))
    for name in NO_MATTER:
        known.pop(name, None)
    for name in NO_MATTER_EITHER:
        known["searching"].pop(name, None)
    known["own"] = list(own)
    known |= {
        "files": [spelling.path(path) for path in options.files],
        "fixed": [spelling.path(path) for path in options.fixed],
        "test": spelling.test(options.test) if options.test else "",
        "command": spelling.words(options.command),
        "differs": spelling.line(options.differs),
        "passes": [spelling.line(line) for line in options.passes],
    }
    return sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def _readable(options: ReduceOptions) -> str:
    return json.dumps(asdict(options), default=lambda value: str(type(value).__name__))
