"""``wynot explain``, and what ``wynot reduce --explain`` does when it is done."""

import json
import sys
from contextlib import ExitStack, chdir, closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from wynot.cli import inquiring
from wynot.cli.exit_codes import BUDGET, DONE
from wynot.cli.history import own_journal
from wynot.commands.inquiry_options import IsolateOptions
from wynot.commands.reduce_options import ReduceOptions
from wynot.commands.shared_options import FailureOptions
from wynot.commands.table import ExplainOptions
from wynot.core.errors import NothingToReduce, NotPassing, Unreliable
from wynot.core.events import ReductionEnded
from wynot.core.foreign_text import for_shell_line, for_terminal
from wynot.core.options.command_line import command_line
from wynot.core.standing import Stop
from wynot.disk.journal import Journal
from wynot.disk.load import OURS, targets
from wynot.disk.output import Output
from wynot.explaining.explain_job import (
    Explain,
    ExplainEnd,
    ExplainRequest,
    recalled_folder,
    recalled_options,
)
from wynot.reduction.resume import UNSEALED
from wynot.reporters.choice import inquiry_reporter
from wynot.reporters.reporter import ticking

IN_THE_ORIGINAL = "no part of the result can be left out so that it passes; of the original:"


def run(request_: ExplainOptions) -> int:
    """Explain the case that a reduction has left."""
    request_.validate()
    with TemporaryDirectory(prefix="wynot-") as private, ExitStack() as closed:
        journal = closed.enter_context(closing(own_journal(request_.file, Path(private))))
        _refuse_unfinished(journal, request_.file)
        options = replace(recalled_options(journal), jobs=request_.jobs)
        request = ExplainRequest(request_.explain_tests, request_.all_causes, request_.max_time)
        with chdir(recalled_folder(journal)):
            ended = _explained(
                options, journal, request, as_json=request_.json, quiet=request_.quiet
            )
    return DONE if ended.explanation.stopped == Stop.FINISHED else BUDGET


def after(options: ReduceOptions, reduced: ReductionEnded) -> int:
    """Explain what a reduction has just left; that it cannot be is no failure of the reduction.

    If nothing that is left can be changed so that it passes, that is looked for in the original.
    """
    output = Output(targets(options.files), Path(options.out) if options.out else None)
    path = output.home / OURS / f"{output.name}.journal"
    journal = Journal.open(path)
    assert journal is not None  # noqa: S101 - the reduction has written it
    if not journal.is_own:
        journal.close()
        _say(f"the result is not explained: {UNSEALED}")
        return DONE
    request = ExplainRequest(options.explain_tests, max_time=options.max_time)
    try:
        with closing(journal):
            ended = _explained(options, journal, request, as_json=options.json, quiet=options.quiet)
    except Unreliable as error:
        _say(f"{error} [{error.slug}]")
        return DONE
    if ended.explanation.nearest is not None:
        return DONE if ended.explanation.stopped == Stop.FINISHED else BUDGET
    return _of_the_original(options, reduced, output.paths[0].name)


def _explained(
    options: ReduceOptions, journal: Journal, request: ExplainRequest, *, as_json: bool, quiet: bool
) -> ExplainEnd:
    chosen = inquiry_reporter(sys.stdout, as_json=as_json, quiet=quiet)
    with ticking(chosen) as reporter:
        return Explain(options, journal, request, reporter.handle).run()


def _refuse_unfinished(journal: Journal, named: str) -> None:
    """Raise if the reduction has not come to its end."""
    if journal.fact("state") != Stop.FINISHED:
        recalled_options(journal)  # or nobody knows what was run
        recorded = json.loads(journal.fact("options"))
        again = for_shell_line(command_line(recorded, "reduce", ReduceOptions))
        raise NothingToReduce(
            f"the reduction of {named!r} has not come to its end, so that there is nothing to "
            "explain yet",
            hint=f"finish it: {again}",
        )


def _of_the_original(options: ReduceOptions, reduced: ReductionEnded, name: str) -> int:
    """Isolate what makes the difference in the original."""
    if not options.json:
        _say(IN_THE_ORIGINAL)
    try:
        return inquiring.run(
            IsolateOptions(
                **options.taken(FailureOptions),
                inputs=[reduced.original],
                grow=True,
                fixed=options.fixed,
                jobs=options.jobs,
                max_time=options.max_time,
                json=options.json,
                quiet=options.quiet,
                called=options.files[0],
                named=name,
                written=("passing",),
            )
        )
    except NotPassing as error:
        _say(f"{error} [{error.slug}]")
        return DONE


def _say(text: str) -> None:
    for line in f"wynot: {text}".split("\n"):
        sys.stdout.write(f"{for_terminal(line)}\n")
