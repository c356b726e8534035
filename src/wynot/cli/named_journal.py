"""The journal that is meant by the name of a file."""

import os
import re
import sys
from contextlib import closing
from pathlib import Path

from wynot.core.errors import BrokenJournal, ForeignJournal, NoSuchFile, WynotError
from wynot.core.files import Files
from wynot.core.foreign_json import read_json
from wynot.core.foreign_text import for_shell_line, for_terminal
from wynot.disk.file_names import called_after
from wynot.disk.journal import Journal
from wynot.disk.load import OURS, targets
from wynot.disk.output import Output, shown
from wynot.disk.salvage import salvage
from wynot.report.again import command_of
from wynot.reporters.words import cut

SQLITE = b"SQLite format 3\0"
"""How such a file begins."""
MAX_COMMAND_CHARS = 2_000
"""How much is shown of a command that is not run."""


def named_journal(named: str, private: Path, *, only_reads: bool = True) -> Journal:
    """Open a journal; of a damaged one what can be read of it, in a private folder."""
    path = journal_path(named)
    try:
        journal = Journal.open(path, only_reads=only_reads)
    except BrokenJournal as error:
        found = salvage(path, _versions(path, named))
        if found is None:
            raise
        first = str(error).partition("\n")[0]
        sys.stderr.write(
            f"wynot: {for_terminal(first)}; {found.words} could be read [damaged-journal]\n"
        )
        return found.journal(private / "salvaged.journal")
    if journal is None:
        raise NoSuchFile(
            f"there is no journal for {named!r}: {shown(path)!r} does not exist",
            path=named,
            hint="give the file that was reduced; after reduce -o OUT, give OUT",
        )
    return journal


def own_journal(named: str, private: Path) -> Journal:
    """Open a journal that says what to run or to copy; raise if this user has not begun it."""
    journal = named_journal(named, private, only_reads=False)
    if journal.is_own:
        return journal
    with closing(journal):
        options = read_json(journal.fact("options"))
    command = (
        for_shell_line(command_of(options)) if isinstance(options, dict) else "an unknown command"
    )
    raise ForeignJournal(
        f"the journal of {named!r} was not written by you on this machine; it asks for:\n"
        f"  {cut(for_terminal(command), MAX_COMMAND_CHARS)}",
        hint="look at that command first; if it is harmless, reduce the file with it yourself",
    )


def journal_path(named: str) -> Path:
    """Return where the journal is that is meant by a name: of a file, or its own."""
    path = Path(os.path.abspath(named))  # noqa: PTH100 - without following links
    beside = path.parent / OURS / f"{called_after(path.name)}.journal"
    is_own = path.suffix == ".journal" and not beside.exists() and _is_journal(path)
    return path if is_own else beside


def _versions(journal: Path, named: str) -> list[Files]:
    """Return what the files are that a journal is about, as they are now and as they are kept."""
    if journal == Path(os.path.abspath(named)):  # noqa: PTH100 - without following links
        # Of one that was put aside, X.1.journal, it is X as well.
        named = str(journal.parent.parent / re.sub(r"(\.\d+)?\.journal$", "", journal.name))
    try:
        return list(Output(targets([named]), None).versions())
    except WynotError:
        return []


def _is_journal(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(SQLITE)) == SQLITE
    except OSError:
        return False
