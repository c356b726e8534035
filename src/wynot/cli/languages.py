"""``wynot languages``: what is known, how it is parsed, and what to install for the rest."""

import sys

from wynot.cli.exit_codes import DONE
from wynot.core.foreign_text import for_terminal
from wynot.core.options.option import OptionRecord
from wynot.formats.grammar import is_installed
from wynot.formats.language import Language
from wynot.formats.language_table import LANGUAGES
from wynot.plugins import plugins


def run(_options: OptionRecord) -> int:
    """Print a line for each language; no grammar is loaded for it."""
    rows = [
        (each.name, how(each), files(each))
        for each in sorted((*plugins().languages, *LANGUAGES), key=_name)
    ]
    rows.insert(0, ("language", "parsed by", "files"))
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, parser, named in rows:
        sys.stdout.write(f"{name:<{first}}  {parser:<{second}}  {named}".rstrip() + "\n")
    for complaint in plugins().broken:
        sys.stderr.write(f"wynot: {for_terminal(complaint)}\n")
    return DONE


def how(language: Language) -> str:
    """Return what parses a language, or how to get it."""
    if language.parser is not None:
        return "wynot"
    return language.package if is_installed(language) else f"pip install {language.package}"


def files(language: Language) -> str:
    """Return how the files of a language are called."""
    return " ".join([*language.suffixes, *language.file_names])


def _name(language: Language) -> str:
    return language.name
