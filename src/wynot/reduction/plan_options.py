"""What follows from the options of a reduction, for its passes and for what is never touched."""

import re
from collections.abc import Sequence

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.core.pattern import compiled
from wynot.core.values import choice
from wynot.formats.language import Language
from wynot.formats.language_table import BY_NAME
from wynot.passes.catalog import PlanOptions
from wynot.passes.line_ends import last_line_ends
from wynot.plugins import plugins


def validated(options: ReduceOptions) -> ReduceOptions:
    """Return the options; raise if a value makes no sense, alone or with another."""
    options.validate()
    named_language(options, plugins().languages)
    kept_patterns(options)
    return options


def plan_options(options: ReduceOptions) -> PlanOptions:
    """Return what the passes are to know."""
    return PlanOptions(
        atoms=options.atoms,
        tree=options.tree,
        lists=options.tree is None and options.searching.search != "auto",
        rename=options.rename and not options.readable,
        fast=options.fast,
        layout=options.white_space,
        rewrites=plugins().rewrites,
        passes=plugins().passes,
    )


def wanted_line_ends(options: ReduceOptions, original: Files) -> dict[str, bytes]:
    """Return what the texts of a result are to end with; none if white space is their own."""
    is_raw = options.atoms == "bytes" or options.tree is not None
    if is_raw or options.white_space in {"short", "keep"}:
        return {}
    return last_line_ends(original, always=options.readable)


def named_language(options: ReduceOptions, more: Sequence[Language]) -> Language | None:
    """Return the language that was named, if one was; of plug-ins and of our own."""
    if not options.language:
        return None
    known = {**BY_NAME, **{language.name: language for language in more}}
    choice("language", options.language, list(known))
    return known[options.language]


def kept_patterns(options: ReduceOptions) -> list[re.Pattern[bytes]]:
    """Return what is never to be touched."""
    return [compiled("keep", text) for text in options.keep]
