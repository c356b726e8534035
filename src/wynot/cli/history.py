"""``wynot history``: the steps of a reduction, and any of them back."""

import json
import os
import sys
from argparse import Namespace
from pathlib import Path

from wynot.cli.exit_codes import DONE
from wynot.core.errors import InvalidOption, NoSuchFile
from wynot.core.files import Files
from wynot.disk.journal import Journal
from wynot.disk.load import OURS
from wynot.disk.output import shown
from wynot.disk.write import write

SQLITE = b"SQLite format 3\0"
"""How such a file begins."""


def run(arguments: Namespace) -> int:
    """Show the steps, or restore one."""
    journal = _journal(arguments.file)
    try:
        if arguments.restore is None:
            _show(journal, as_json=arguments.json)
        else:
            _restore(journal, arguments.restore, arguments.file, arguments.out)
    finally:
        journal.close()
    return DONE


def _journal(named: str) -> Journal:
    path = Path(os.path.abspath(named))  # noqa: PTH100 - without following links
    beside = path.parent / OURS / f"{path.name}.journal"
    if path.suffix != ".journal" or beside.exists() or not _is_journal(path):
        path = beside
    journal = Journal.open(path)
    if journal is None:
        raise NoSuchFile(
            f"there is no journal of {named!r}, that is {shown(path)!r}",
            hint="give the file that was reduced, or with -o the one that was written",
        )
    return journal


def _is_journal(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


def _show(journal: Journal, *, as_json: bool) -> None:
    rows = journal.steps()
    if as_json:
        for row in rows:
            sys.stdout.write(json.dumps({**row._asdict(), "digest": row.digest.hex()}) + "\n")
        return
    sys.stdout.write(f"{'step':>5} {'tests':>7} {'seconds':>9} {'bytes':>12}  pass\n")
    size = journal.original().size
    sys.stdout.write(f"{0:>5} {0:>7} {0.0:>9.1f} {size:>12,}  (the original)\n")
    for row in rows:
        line = (
            f"{row.number:>5} {row.tests:>7,} {row.seconds:>9.1f} {row.size:>12,}  {row.pass_name}"
        )
        sys.stdout.write(f"{line} {row.candidate}\n")


def _restore(journal: Journal, step: int, named: str, out: str | None) -> None:
    last = len(journal.steps())
    if not 0 <= step <= last:
        raise InvalidOption(f"there is no step {step}", hint=f"they are 0 to {last}")
    files = journal.restore(step)
    target = Path(out or f"{named.removesuffix('.journal')}.{step}")
    if target.exists():
        raise InvalidOption(f"{str(target)!r} is there already", hint="give another name with -o")
    _write(files, target)
    sys.stdout.write(f"step {step}, {files.size:,} bytes, is in {target}\n")


def _write(files: Files, target: Path) -> None:
    """Write a file to the target itself, a folder's files into it, several ones too."""
    [*names] = files.contents
    if len(names) == 1 and "/" not in names[0]:
        write(target, files.contents[names[0]])
        return
    tops = {name.split("/")[0] for name in names}
    strips = len(tops) == 1
    for name, content in files.contents.items():
        path = target / (name.partition("/")[2] if strips else name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, content, files.modes.get(name))
