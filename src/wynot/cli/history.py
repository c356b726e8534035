"""wynot history: the steps and events of a journal."""

import os
import re
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory

from wynot.cli.exit_codes import DONE
from wynot.commands.reduce_options import ReduceOptions
from wynot.commands.table import HistoryOptions
from wynot.core.errors import (
    BrokenJournal,
    ForeignJournal,
    InvalidOption,
    NoSuchFile,
    WynotError,
    nearest,
)
from wynot.core.events import Doing
from wynot.core.files import Files
from wynot.core.foreign_text import for_json, for_shell_line, for_terminal, read_json
from wynot.core.options.command_line import command_line
from wynot.disk.journal import Journal
from wynot.disk.load import OURS, targets
from wynot.disk.output import Output, shown
from wynot.disk.salvage import salvage
from wynot.disk.write import called_after, make_folder, write, write_beneath
from wynot.document.text_width import cut
from wynot.inquiries.inputs.paths import patch_of
from wynot.reporters.outlet import Outlet
from wynot.reporters.phase_line import phase_reporter
from wynot.reporters.reporter import ticking

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
            f"wynot: {for_terminal(first)}; {found.extent} could be read [damaged-journal]\n"
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
        for_shell_line(command_line(options, "reduce", ReduceOptions))
        if isinstance(options, dict)
        else "an unknown command"
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


STYLES = {"-": "red", "+": "green", "@": "bold", "diff": "bold", "---": "bold", "+++": "bold"}
"""How a line of a diff is shown, by how it begins; the longest beginning counts."""


def run(options: HistoryOptions) -> int:
    """Show the steps, or one of them, or the difference of two; or restore one."""
    options.validate()
    with TemporaryDirectory(prefix="wynot-") as private, ExitStack() as closed:
        with ticking(phase_reporter()) as reporter:
            reporter.handle(Doing("reading the journal"))
            journal = closed.enter_context(closing(named_journal(options.file, Path(private))))
        if options.restore is not None:
            _restore(journal, options.restore, options.file, options.out)
        elif options.show is not None:
            _show(journal, options.show)
        elif options.diff is not None:
            _print_diff(*(_step(journal, number) for number in options.diff))
        else:
            _list(journal, as_json=options.json)
    return DONE


def _list(journal: Journal, *, as_json: bool) -> None:
    rows = journal.steps()
    if as_json:
        for row in rows:
            sys.stdout.write(for_json({**row._asdict(), "digest": row.digest.hex()}) + "\n")
        return
    sys.stdout.write(f"{'step':>5} {'tests':>7} {'seconds':>9} {'bytes':>12}  pass\n")
    size = journal.original().size
    sys.stdout.write(f"{0:>5} {0:>7} {0.0:>9.1f} {size:>12,}  (the original)\n")
    for row in rows:
        line = f"{row.number:>5} {row.tests:>7,} {row.seconds:>9.1f} {row.size:>12,}"
        sys.stdout.write(f"{line}  {for_terminal(row.pass_name)} {for_terminal(row.candidate)}\n")


def _step(journal: Journal, number: int) -> Files:
    """Return the case as it was after a step; raise if there is no such step."""
    numbers = {0, *(row.number for row in journal.steps())}
    if number not in numbers:
        raise InvalidOption(f"there is no step {number}", hint=f"the steps are 0 to {max(numbers)}")
    return journal.restore(number)


def _show(journal: Journal, place: str) -> None:
    """Print a file as it was; of several files their names and sizes, unless one is named."""
    number, _, path = place.partition(":")
    if not re.fullmatch(r"-?\d{1,9}", number, re.ASCII):
        raise InvalidOption(
            f"--show is {place!r}", hint="it is the number of a step, or STEP:PATH in a folder"
        )
    files = _step(journal, int(number))
    if path:
        print_content(_found(files, path, number))
    elif len(files.contents) == 1 and "/" not in next(iter(files.contents)):
        print_content(*files.contents.values())
    else:
        for name, content in files.contents.items():
            sys.stdout.write(f"{len(content):>12,}  {for_terminal(_inner(name, files))}\n")


def _found(files: Files, path: str, number: str) -> bytes:
    """Return the content of the file that is meant by a path, as it is listed or in full."""
    by_name = {_inner(name, files): content for name, content in files.contents.items()}
    content = {**by_name, **files.contents}.get(path)
    if content is None:
        hint = nearest(path, sorted(by_name)) if by_name else "it has no files any more"
        raise InvalidOption(f"there is no file {path!r} in step {number}", hint=hint)
    return content


def _inner(name: str, files: Files) -> str:
    """Return a path as seen from the folder that was reduced, if it was one folder."""
    tops = {each.partition("/")[0] for each in files.contents}
    return name.partition("/")[2] if len(tops) == 1 and "/" in name else name


def print_content(content: bytes) -> None:
    """Print a content to the byte; on a terminal, what would move its cursor is escaped."""
    if not Outlet(sys.stdout).isatty():
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        return
    for line in content.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n"):
        sys.stdout.write(_harmless(line) + "\n")


def _print_diff(before: Files, after: Files) -> None:
    """Print a patch, in colours on a terminal."""
    patch = patch_of(before, after)
    outlet = Outlet(sys.stdout)
    if not outlet.isatty():
        print_content(patch)
        return
    for line in patch.decode("utf-8", "surrogateescape").split("\n")[:-1]:
        begins = max((start for start in STYLES if line.startswith(start)), key=len, default="")
        text = _harmless(line)
        sys.stdout.write((outlet.paint(STYLES[begins], text) if begins else text) + "\n")


def _harmless(line: str) -> str:
    return "\t".join(map(for_terminal, line.split("\t")))


def _restore(journal: Journal, step: int, named: str, out: str | None) -> None:
    files = _step(journal, step)
    target = Path(out or f"{named.removesuffix('.journal')}.{step}")
    if target.exists():
        raise InvalidOption(f"{str(target)!r} is there already", hint="give another name with -o")
    _write(files, target)
    sys.stdout.write(f"step {step}, {files.size:,} bytes, is in {for_terminal(str(target))}\n")


def _write(files: Files, target: Path) -> None:
    """Write a file to the target itself, a folder's files into it, several ones too."""
    [*names] = files.contents
    if len(names) == 1 and "/" not in names[0]:
        write(target, files.contents[names[0]])
        return
    tops = {name.split("/")[0] for name in names}
    strips = len(tops) == 1
    make_folder(target)
    for name, content in files.contents.items():
        path = name.partition("/")[2] if strips else name
        write_beneath(target, path, content, files.modes.get(name))
