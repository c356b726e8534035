"""``wynot reduce``: files in their place, or standard input (``-``) to standard output."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from wynot.cli.exit_codes import BUDGET, DONE
from wynot.commands.reduce_options import CheckOptions, ReduceOptions
from wynot.core.errors import InvalidOption, NoSuchFile
from wynot.core.events import Event, ReductionEnded, ReductionStarted
from wynot.core.foreign_text import for_terminal
from wynot.core.standing import COMPLETE_STOPS, Steering
from wynot.core.system.lazy import lazy
from wynot.disk.output import shown
from wynot.disk.standard_input import discard_piped, keep_piped, read_piped
from wynot.plugins import plugins
from wynot.reduction.job import Reduce, ReduceResources
from wynot.reduction.resume import Spelling
from wynot.reduction.whole_plan import named_language, validated
from wynot.report.page import refuse_foreign
from wynot.reporters.choice import reporter_of
from wynot.reporters.reporter import ticking

if TYPE_CHECKING:
    from wynot.cli import explain, report
else:
    explain, report = lazy("wynot.cli.explain"), lazy("wynot.cli.report")

STDIN = "-"
"""In place of a file: what comes by standard input."""

Named = TypeVar("Named", ReduceOptions, CheckOptions)


def run(options_: ReduceOptions) -> int:
    """Reduce, and tell about it in the way that was asked for."""
    options = named(options_)
    if STDIN in options.files:
        return _reduce_standard_input(options)
    if options.report:
        refuse_foreign(Path(options.report))
    if options.explain and len(options.files) != 1:
        raise InvalidOption(
            f"compares one file or folder, and {len(options.files)} are given",
            option="explain",
            hint="put them into one folder",
        )
    steering = Steering()
    chosen = reporter_of(sys.stdout, steering, as_json=options.json, quiet=options.quiet)
    with ticking(chosen) as reporter:
        ended = Reduce(options, reporter.handle, ReduceResources(steering=steering)).run()
    is_complete = ended.stopped in COMPLETE_STOPS
    code = DONE if is_complete else BUDGET
    if is_complete and options.explain:
        code = explain.after(options, ended)
    if options.report:  # with the explanation, if there is one
        report.after(options, ended)
    return code


def named(options_: Named) -> Named:
    """Return it with the test apart from the files; there is none if there is a command."""
    arguments = options_.files
    if not options_.has_script:
        if not arguments:
            raise InvalidOption("no file is given", hint="wynot reduce FILE -- CMD {}")
        return options_
    if not arguments:
        raise InvalidOption("no test and no file are given", hint="wynot reduce TEST FILE")
    if len(arguments) == 1:
        raise InvalidOption(
            f"only {arguments[0]!r} is given, and a test or a file is missing",
            hint="wynot reduce TEST FILE; or without a script: wynot reduce FILE -- CMD {}",
        )
    if not arguments[0]:
        raise NoSuchFile("there is no test ''", hint="wynot reduce TEST FILE")
    return replace(options_, test=arguments[0], files=arguments[1:])


def _reduce_standard_input(options: ReduceOptions) -> int:
    """Reduce what comes in; whatever ends it, the best so far comes out."""
    _refuse_what_needs_a_file(options)
    validated(options)
    kept = _kept(options)
    handover = Handover(kept, result=None if options.out else kept.parent / "result" / kept.name)
    stream = sys.stdout if handover.result is None else sys.stderr
    try:
        chosen = reporter_of(stream, as_json=options.json, quiet=options.quiet)
        with ticking(chosen) as reporter:
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
    identity = (test, options.shell, *spelling.words(options.command), *served)
    return keep_piped(read_piped(sys.stdin.buffer), suffix, identity)
