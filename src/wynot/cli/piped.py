"""``wynot reduce TEST -``: standard input is reduced, and the result goes to standard output."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from wynot.cli.exit_codes import BUDGET, DONE
from wynot.cli.reporter_choice import STDIN, reporter_of
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import InvalidOption
from wynot.core.events import Event, ReductionEnded, ReductionStarted
from wynot.core.foreign_text import for_terminal
from wynot.core.standing import COMPLETE_STOPS
from wynot.disk.output import shown
from wynot.disk.standard_input import discard_piped, keep_piped, read_piped
from wynot.plugins import plugins
from wynot.reduction.job import Reduce
from wynot.reduction.resume import Spelling
from wynot.reduction.whole_plan import named_language, validated
from wynot.reporters.reporter import ticking


def run(options: ReduceOptions) -> int:
    """Reduce what comes in; whatever ends it, the best so far comes out."""
    _refuse_what_needs_a_file(options)
    validated(options)
    kept = _kept(options)
    handover = Handover(kept, result=None if options.out else kept.parent / "result" / kept.name)
    stream = sys.stdout if handover.result is None else sys.stderr
    try:
        with ticking(reporter_of(options, stream)) as reporter:
            on_file = replace(options, files=[str(kept)], out=str(handover.result or options.out))
            ended = Reduce(on_file, handover.watching(reporter.handle)).run()
    finally:
        handover.finish()
    return DONE if ended.stopped in COMPLETE_STOPS else BUDGET


class Handover:
    """Hands over what was found, and keeps what came in until then."""

    def __init__(self, kept: Path, *, result: Path | None) -> None:
        """Take where the input is, and the result, unless the user has named a place for it."""
        self.kept = kept
        self.result = result
        self._ended: ReductionEnded | None = None

    def watching(self, handle: Callable[[Event], None]) -> Callable[[Event], None]:
        """Return what hands events on, in the words of one who named no file."""

        def watch(event: Event) -> None:
            if isinstance(event, ReductionStarted):
                event = event._replace(names=("standard input",))
            elif isinstance(event, ReductionEnded):
                self._ended = event
                is_over = event.stopped in COMPLETE_STOPS
                if self.result is not None:
                    journal = "" if is_over else event.journal
                    event = event._replace(where="standard output", journal=journal)
                event = event._replace(original="" if is_over else event.original)
            handle(event)

        return watch

    def finish(self) -> None:
        """Write the best case; let go of the input only if there is nothing more to do."""
        if self._ended is None:
            sys.stderr.write(f"wynot: what was read is kept in {for_terminal(shown(self.kept))}\n")
            return
        if self.result is not None:
            try:
                sys.stdout.buffer.write(self.result.read_bytes())
                sys.stdout.buffer.flush()
            except OSError:
                sys.stderr.write(
                    f"wynot: the result is kept in {for_terminal(shown(self.result))}\n"
                )
                raise
        if self._ended.stopped in COMPLETE_STOPS:
            discard_piped(self.kept)


def _refuse_what_needs_a_file(options: ReduceOptions) -> None:
    if len(options.files) > 1:
        raise InvalidOption(
            "standard input is given together with other files",
            hint="save it into a file beside them; a file called - is given as ./-",
        )
    for name in ("explain", "report"):
        if vars(options)[name]:
            raise InvalidOption(
                "needs the journal of a file, and standard input is none",
                option=name,
                hint="save it into a file, and give that",
            )
    if sys.__stdout__ is None and not options.out:
        raise InvalidOption(
            "standard output is closed, where the result would go", hint="give -o OUT"
        )
    if sys.stdin is None:
        raise InvalidOption("standard input is closed", hint=f"give a file in place of {STDIN}")


def _kept(options: ReduceOptions) -> Path:
    """Read what comes in, and return the private file that it is in."""
    if sys.stdin.isatty():
        sys.stderr.write("wynot: reading what you type; Ctrl-D ends it\n")
    language = named_language(options, plugins().languages)
    suffix = next(iter(language.suffixes), "") if language else ""
    spelling = Spelling(Path("/"))
    test = spelling.test(options.test) if options.test else ""
    served = spelling.line(options.serve) if options.serve else []
    asked = (test, options.shell, *spelling.words(options.command), *served)
    return keep_piped(read_piped(sys.stdin.buffer), suffix, asked)
