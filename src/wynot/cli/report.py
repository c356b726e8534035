"""``wynot report``, ``reduce --report``: one page; ``wynot repro``: a folder to attach."""

import sys
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import wynot
from wynot.cli.exit_codes import DONE
from wynot.cli.history import named_journal, own_journal
from wynot.commands.reduce_options import ReduceOptions
from wynot.commands.table import ReportOptions, ReproOptions
from wynot.core.errors import InvalidOption
from wynot.core.events import Doing, ReductionEnded
from wynot.core.foreign_text import for_terminal
from wynot.disk.write import make_folder, write_beneath
from wynot.report.page import page, refuse_foreign, write_page
from wynot.report.reproduction import reproduction
from wynot.report.story import story_of
from wynot.reporters.phase_line import phase_reporter
from wynot.reporters.reporter import ticking


def run(options: ReportOptions | ReproOptions) -> int:
    """Write the page of a reduction, finished or not, or the folder that reproduces the failure."""
    if isinstance(options, ReproOptions):
        return _write_folder(options)
    out = Path(options.out or f"{options.file}.html")
    _write(options.file, options.file, out)
    sys.stdout.write(f"the page is in {for_terminal(str(out))}\n")
    return DONE


def after(options: ReduceOptions, ended: ReductionEnded) -> None:
    """Write the page of a reduction that has ended just now."""
    named = options.out or options.files[0]
    _write(ended.journal, named, Path(options.report))
    if not (options.json or options.quiet):
        sys.stdout.write(f"page      {for_terminal(options.report)}\n")


def _write(journal_name: str, shown_name: str, out: Path) -> None:
    refuse_foreign(out)
    with TemporaryDirectory(prefix="wynot-") as private, ExitStack() as closed:
        with ticking(phase_reporter()) as reporter:
            reporter.handle(Doing("reading the journal"))
            journal = closed.enter_context(closing(named_journal(journal_name, Path(private))))
            reporter.handle(Doing("making the page"))
            made = page(story_of(journal), shown_name, wynot.__version__)
        write_page(out, made)


def _write_folder(options: ReproOptions) -> int:
    """Write the folder; one that is there is left alone."""
    out = Path(options.out or f"{options.file}.repro")
    if out.exists():
        raise InvalidOption(f"{str(out)!r} is there already", hint="give another name with -o")
    with TemporaryDirectory(prefix="wynot-") as private, ExitStack() as closed:
        with ticking(phase_reporter()) as reporter:
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
