"""``wynot report``: a reduction as one page."""

import sys
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory

import wynot
from wynot.cli.exit_codes import DONE
from wynot.cli.named_journal import named_journal
from wynot.commands.table import ReportOptions
from wynot.core.errors import InvalidOption
from wynot.core.events import Doing
from wynot.disk.write import write
from wynot.report.page import page
from wynot.report.page_frame import GENERATOR
from wynot.report.story import story_of
from wynot.reporters.ticking import ticking
from wynot.reporters.vigil import murmur
from wynot.reporters.words import clean

SEEN_BYTES = 200
"""Bytes of a page in which it says that it is ours."""


def run(options: ReportOptions) -> int:
    """Write the page of a reduction, wherever it is: finished, stopped or under way."""
    out = Path(options.out or f"{options.file}.html")
    if out.exists() and not _is_page(out):
        raise InvalidOption(f"{str(out)!r} is there already", hint="give another name with -o")
    with TemporaryDirectory(prefix="wynot-") as private, ExitStack() as closed:
        with ticking(murmur()) as reporter:
            reporter.handle(Doing("reading the journal"))
            journal = closed.enter_context(closing(named_journal(options.file, Path(private))))
            reporter.handle(Doing("making the page"))
            made = page(story_of(journal), options.file, wynot.__version__)
        write(out, made.encode("utf-8", "replace"))
    sys.stdout.write(f"the page is in {clean(str(out))}\n")
    return DONE


def _is_page(path: Path) -> bool:
    """Tell whether a file is a page of ours, which the next one may replace."""
    try:
        with path.open("rb") as stream:
            return GENERATOR.encode() in stream.read(SEEN_BYTES)
    except OSError:
        return False
