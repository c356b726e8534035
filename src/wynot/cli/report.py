"""``wynot report``, and ``--report`` of ``reduce``: a reduction as one page."""

import sys
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import wynot
from wynot.cli.exit_codes import DONE
from wynot.cli.history import named_journal
from wynot.commands.reduce_options import ReduceOptions
from wynot.commands.table import ReportOptions
from wynot.core.events import Doing, ReductionEnded
from wynot.core.foreign_text import for_terminal
from wynot.report.page import page, refuse_foreign, write_page
from wynot.report.story import story_of
from wynot.reporters.reporter import ticking
from wynot.reporters.vigil import murmur


def run(options: ReportOptions) -> int:
    """Write the page of a reduction, wherever it is: finished, stopped or under way."""
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
        with ticking(murmur()) as reporter:
            reporter.handle(Doing("reading the journal"))
            journal = closed.enter_context(closing(named_journal(journal_name, Path(private))))
            reporter.handle(Doing("making the page"))
            made = page(story_of(journal), shown_name, wynot.__version__)
        write_page(out, made)
