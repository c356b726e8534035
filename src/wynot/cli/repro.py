"""``wynot repro``: a folder to attach to a bug report."""

import sys
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import wynot
from wynot.cli.exit_codes import DONE
from wynot.cli.history import own_journal
from wynot.commands.table import ReproOptions
from wynot.core.errors import InvalidOption
from wynot.core.events import Doing
from wynot.core.foreign_text import for_terminal
from wynot.disk.write import make_folder, write_beneath
from wynot.report.reproduction import reproduction
from wynot.report.story import story_of
from wynot.reporters.reporter import ticking
from wynot.reporters.vigil import murmur


def run(options: ReproOptions) -> int:
    """Write the folder; one that is there is left alone."""
    out = Path(options.out or f"{options.file}.repro")
    if out.exists():
        raise InvalidOption(f"{str(out)!r} is there already", hint="give another name with -o")
    with TemporaryDirectory(prefix="wynot-") as private, ExitStack() as closed:
        with ticking(murmur()) as reporter:
            reporter.handle(Doing("reading the journal"))
            journal = closed.enter_context(closing(own_journal(options.file, Path(private))))
            made = reproduction(story_of(journal), journal, wynot.__version__)
        make_folder(out)
        for path, file in made.items():
            write_beneath(out, path, file.content, file.mode)
    for path, file in made.items():
        if file.source:
            sys.stdout.write(f"{for_terminal(path)} is a copy of {for_terminal(file.source)}\n")
    sys.stdout.write(f"the folder is {for_terminal(str(out))}; ISSUE.md in it can be pasted\n")
    return DONE
