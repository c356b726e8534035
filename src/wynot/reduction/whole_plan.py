"""What follows from the options of a reduction for its plan: languages, and what is kept.

Of packages that ``--vendor`` copied into the case so much is kept that the installed ones are not
used instead.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from wynot.assemble import pass_search, tree_search
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.files import Files
from wynot.core.options.option import choice
from wynot.core.options.pattern import compiled
from wynot.formats.language import Language
from wynot.formats.language_table import BY_NAME
from wynot.passes.catalog import PlanOptions
from wynot.passes.containers import containers_in, laid_out, unpacked
from wynot.passes.merging.script_imports import PACKAGE_FOLDER
from wynot.passes.plan import Plan
from wynot.passes.progress import Runs
from wynot.passes.reduction_pass import Cut
from wynot.passes.sources import last_line_ends
from wynot.passes.trees.parsed_files import Trees
from wynot.plugins import plugins
from wynot.search.combinators import Minimizer


@dataclass(slots=True)
class Keeps:
    """Tells whether a candidate still has all that is to be kept.

    That no part which holds a match is left out is not enough: what is beside it can be what makes
    it one, as the line ends beside ``^word$`` do.
    """

    patterns: Sequence[re.Pattern[bytes]]
    original: Files
    packages: Sequence[str] = ()
    """Names of packages that are part of the case as long as they are imported."""
    _wanted: "list[Counter[bytes]]" = field(init=False)

    def __post_init__(self) -> None:
        self._wanted = [_matches(pattern, self.original) for pattern in self.patterns]

    def lacks(self, case: Case[Files], candidate: Candidate) -> bool:
        """Tell whether a candidate lacks any of it."""
        wants = self.patterns or self.packages
        return bool(wants) and not self.are_in(case.render(candidate))

    def are_in(self, files: Files) -> bool:
        """Tell whether these files have every match that the original has."""
        return all(
            wanted <= _matches(pattern, files)
            for pattern, wanted in zip(self.patterns, self._wanted, strict=True)
        ) and not any(_is_missed(package, files) for package in self.packages)


def imports_of(package: str) -> re.Pattern[bytes]:
    """Return what finds the imports of a package."""
    name = re.escape(package).encode()
    return re.compile(rb"(?:import|from|require)\b[^\n]{,200}(?<![\w.])" + name + rb"\b")


def _is_missed(package: str, files: Files) -> bool:
    """Tell whether a package is imported from outside of the case."""
    own = (f"/{package}.py", f"/{package}/__init__.py")
    folder = f"/{PACKAGE_FOLDER}/{package}/"
    if any(f"/{path}".endswith(own) or folder in f"/{path}" for path in files.contents):
        return False
    return any(map(imports_of(package).search, files.contents.values()))


def _matches(pattern: re.Pattern[bytes], files: Files) -> "Counter[bytes]":
    return Counter(
        match[0] for content in files.contents.values() for match in pattern.finditer(content)
    )


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


def trees_of(options: ReduceOptions, original: Files) -> Trees:
    """Find out what the files are written in."""
    languages = plugins().languages
    inside = unpacked(original, containers_in(original)).files
    again = laid_out(original)  # in case that is as interesting
    opened = unpacked(again, containers_in(again)).files
    inside = inside.replaced({**opened.contents, **inside.contents})
    return Trees.of(inside, named_language(options, languages), languages)


def whole_plan(options: ReduceOptions, known: PlanOptions, keeps: Keeps, trees: Trees) -> Plan:
    """Return all that is done, as one search; ``known`` is what the passes are to know."""
    runs = Runs(keeps.patterns, partial(_search, options))
    return Plan(known, trees, runs, wanted_line_ends(options, keeps.original))


def _search(options: ReduceOptions, cut: Cut, loop: int) -> Minimizer | None:
    if cut.nodes is not None and options.tree is not None:
        return tree_search(options.searching, options.tree, cut.nodes)
    if cut.search is not None:
        return None
    return pass_search(options.searching, cut.groups, cut.case.weights, loop)
