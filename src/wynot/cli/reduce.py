"""``wynot reduce``."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import Any, TextIO, get_args

from wynot.cli.exit_codes import BUDGET, DONE
from wynot.cli.parser import cores
from wynot.core.errors import InvalidOption, NoSuchFile
from wynot.core.stop import COMPLETE_STOPS
from wynot.reduction.job import Reduce
from wynot.reduction.reduce_options import ReduceOptions
from wynot.reporters.jsonlines import JsonLines
from wynot.reporters.plain import Plain
from wynot.reporters.reporter import Reporter
from wynot.reporters.silent import Silent
from wynot.reporters.ticking import ticking
from wynot.settings import Settings, TreeSearch

STDIN = "-"
"""In place of a file: what comes by standard input."""

SAME_NAME = [
    "search",
    "order",
    "subset_iterator",
    "complement_iterator",
    "memo",
    "pick",
    "granularity",
    "seed",
    "restart",
    "combined",
    "star",
    "check",
    "max_tests",
    "max_time",
]


def run(arguments: Namespace) -> int:
    """Reduce, and tell about it in the way that was asked for."""
    options = options_of(arguments)
    if STDIN in options.files:
        piped: int = import_module("wynot.cli.piped").run(arguments, options)
        return piped
    if arguments.explain and len(options.files) != 1:
        raise InvalidOption(
            f"compares one file or folder, and {len(options.files)} are given",
            option="explain",
            hint="put them into one folder",
        )
    with ticking(reporter_of(arguments, sys.stdout)) as reporter:
        ended = Reduce(options, reporter.handle).run()
    if ended.stopped not in COMPLETE_STOPS:
        return BUDGET
    # Costly to import, and not needed elsewhere.
    return import_module("wynot.cli.explain").run(arguments, options) if arguments.explain else DONE


def reporter_of(arguments: Namespace, stream: TextIO) -> Reporter:
    """Return who tells: a view for terminals, lines elsewhere, JSON for programs."""
    if arguments.json:
        return JsonLines(stream)
    if arguments.quiet:
        return Silent(stream)
    if stream.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        # Costly to import, and not needed elsewhere.
        live: Reporter = import_module("wynot.reporters.live").Live(stream)
        return live
    return Plain(stream)


def options_of(arguments: Namespace) -> ReduceOptions:
    """Return the options of a reduction."""
    searching = {name: getattr(arguments, name) for name in SAME_NAME}
    searching["jobs"] = cores() if arguments.jobs is None else arguments.jobs
    by_weight = arguments.split == "weight"
    if not by_weight:
        searching["split"] = arguments.split
    tree = searching["search"] if searching["search"] in get_args(TreeSearch) else None
    if tree is not None:
        searching["search"] = arguments.level_search
    return ReduceOptions(
        **asked(arguments),
        atoms=arguments.atoms,
        language=arguments.language,
        tree=tree,
        rename=arguments.rename and not arguments.readable,
        fast=arguments.fast,
        layout=arguments.layout or ("pretty" if arguments.readable else "tidy"),
        readable=arguments.readable,
        keep=arguments.keep,
        target_size=arguments.target_size,
        patience=arguments.patience,
        by_weight=by_weight,
        searching=Settings.read(searching),
        out=arguments.out,
        resume=arguments.resume,
        fresh=arguments.fresh,
    )


FAILURE = [
    "invert",
    "same",
    "exit",
    "signal",
    "stdout",
    "stderr",
    "not_stdout",
    "not_stderr",
    "text",
    "hangs",
    "differs",
    "passes",
    "no_ub",
    "also_interesting",
]


def asked(arguments: Namespace) -> dict[str, Any]:
    """Return what ``reduce`` and ``check`` have in common: what is run on what, and looked for."""
    test, files = named(arguments)
    failure = {name: getattr(arguments, name) for name in FAILURE if name in arguments}
    return {
        "files": files,
        "test": test,
        "command": arguments.command or (),
        "shell": arguments.shell,
        "fixed": arguments.fixed,
        "timeout": arguments.timeout,
        "memory": arguments.memory,
        "confine": arguments.confine,
        "writable": arguments.writable,
        **failure,
    }


def named(arguments: Namespace) -> tuple[str, Sequence[str]]:
    """Return the test and the files; there is no test if there is a command."""
    given: list[str] = arguments.arguments
    if arguments.command is not None and arguments.shell:
        raise InvalidOption(
            "both -c and a command after -- are given", hint="choose one of the two"
        )
    if arguments.command is not None or arguments.shell:
        if not given:
            raise InvalidOption("no file is given", hint="wynot reduce FILE -- CMD {}")
        return "", given
    if not given:
        raise InvalidOption("no test and no file are given", hint="wynot reduce TEST FILE")
    if len(given) == 1:
        raise InvalidOption(
            f"only {given[0]!r} is given, and a test or a file is missing",
            hint="wynot reduce TEST FILE; or without a script: wynot reduce FILE -- CMD {}",
        )
    if not given[0]:
        raise NoSuchFile("there is no test ''", hint="wynot reduce TEST FILE")
    return given[0], given[1:]
