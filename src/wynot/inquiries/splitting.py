"""A command line taken apart: what says what is done, and the options, which can be left out.

Every program reads its own way, so which word is the value of the option before it can only be told
for programs that are known, and guessed for others. These are the rules, the first that fits:

1. The program, words that are no options, a lone ``-``, and all from a bare ``--`` on are fixed:
   without an operand it would be another question.
2. What tells an interpreter what to run is fixed: ``python -m``, ``sh -c``, ``java -jar``.
3. Compilers and linkers (also behind ``ccache`` and the like) have a table: an option in it takes
   the next word, whatever that is (``-Xclang -foo``), no other does.
4. Of other programs ``--name=value``, ``-Ifoo`` and clusters like ``-abc`` are one option each.
5. A word without a dash, or a negative number, after ``--name``, ``-n`` or ``-name`` is its value,
   but not after ``--no-…``, ``--verbose`` and others that hardly ever have one.
6. A word that is a file here is an operand, unless the option's name says that it takes a file
   (``--config``, ``--log-file``, ``-o``): a case whose input is gone would tell nothing.

A pair that should be two is only coarser. To say it outright: ``--name=value`` is one option, what
comes after ``--`` is none.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

END = "--"
"""After this word there are no options."""


class Piece(NamedTuple):
    """Words of a command line that stay together."""

    tokens: tuple[str, ...]
    is_option: bool


class ProgramFamily(NamedTuple):
    """Programs that read their command line in the same way."""

    names: re.Pattern[str]
    values: frozenset[str]
    """Options that take the next word, whatever that is."""
    says_what: frozenset[str] = frozenset()
    """Options that tell what is run, together with the next word."""
    is_complete: bool = False
    """Whether no other option takes the next word."""


_COMPILER_VALUES = """
-o -I -D -U -L -l -x -T -u -z -e -h -m -A -B -F -include -imacros -isystem -iquote -idirafter
-iprefix -iwithprefix -iwithprefixbefore -isysroot -imultilib -iframework -framework -ivfsoverlay
-MF -MT -MQ -MJ -Xlinker -Xassembler -Xpreprocessor -Xclang -Xanalyzer -Xopenmp-target -Xcuda-ptxas
-mllvm -target -triple -arch -aux-info -dumpbase -dumpbase-ext -dumpdir -wrapper --param --sysroot
--serialize-diagnostics -working-directory -current_version -compatibility_version -install_name
-soname -rpath -rpath-link -dynamic-linker -plugin -plugin-opt -ccbin
"""
COMPILERS = ProgramFamily(
    re.compile(
        r"(?:.*-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|cpp|gfortran|gdc|nvcc|icx|icpx|tcc|emcc"
        r"|ld|ld\.\w+|lld|gold|mold)(?:-[\d.]+)?"
    ),
    frozenset(_COMPILER_VALUES.split()),
    is_complete=True,
)
FAMILIES = (
    COMPILERS,
    ProgramFamily(
        re.compile(r"java|javac"),
        frozenset(["-cp", "-classpath", "--class-path", "-p", "-d", "-sourcepath"]),
        frozenset(["-jar"]),
    ),
    ProgramFamily(
        re.compile(r"python[\d.]*|pypy[\d.]*"),
        frozenset(["-W", "-X"]),
        frozenset(["-c", "-m"]),
    ),
    ProgramFamily(re.compile(r"(?:ba|da|z|k)?sh"), frozenset(["-o"]), frozenset(["-c"])),
    ProgramFamily(
        re.compile(r"node|perl|ruby|php|Rscript|lua[\d.]*"),
        frozenset(),
        frozenset(["-e", "-E", "--eval"]),
    ),
)
OTHERS = ProgramFamily(re.compile(""), frozenset())

_NAMED = re.compile(r"--[^=]+|-[^-=]|-[a-z][a-z_-]{3,}")
"""Options that may take the next word: shorter ones with one dash are clusters."""
_ALONE = re.compile(
    r"-[vqhV]|--(?:no|enable|disable)-.*|--(?:verbose|quiet|silent|debug|help|version|force|all"
    r"|recursive|dry-run|yes|interactive|strict|fast|release)"
)
_TAKES_FILE = re.compile(
    r"-[oICLf]|--?(?:[\w-]*[-_])?(?:file|dir|directory|folder|path|config|conf|output|out|input"
    r"|include|exclude|root|prefix|log|cache|db|database|schema|template|script|list|rules)"
)
_NUMBER = re.compile(r"-\d+(?:\.\d+)?")


def split(argv: Sequence[str], here: Path) -> list[Piece]:
    """Take a command line apart; ``here`` is where the files that it names are."""
    pieces = [Piece((argv[0],), is_option=False)]
    family, at, is_fresh = family_of(argv[0]), 1, True
    while at < len(argv):
        word = argv[at]
        if word == END:
            pieces += [Piece((each,), is_option=False) for each in argv[at:]]
            break
        if not is_option(word):
            behind = family_of(word)  # ccache, env, timeout, a script of the user's
            is_fresh = behind.is_complete or (family is OTHERS and behind is not OTHERS)
            family = behind if is_fresh and not family.is_complete else family
            pieces.append(Piece((word,), is_option=False))
            at += 1
            continue
        says_what = is_fresh and word in family.says_what
        takes = says_what or _takes_next(argv[at : at + 2], family, here)
        tokens = tuple(argv[at : at + 1 + takes])
        pieces.append(Piece(tokens, is_option=not says_what))
        is_fresh = is_fresh and not says_what
        at += len(tokens)
    return pieces


def options_in(
    tokens: Sequence[str], family: ProgramFamily, here: Path
) -> Iterator[tuple[str, ...]]:
    """Yield the options of a list that holds nothing else, each with its values.

    A word that is no option belongs to the option before it, except with a compiler: there it would
    be another input, and is yielded alone, as is what has no option before it.
    """
    found: list[str] = []
    at = 0
    while at < len(tokens):
        if not is_option(tokens[at]) and found and not family.is_complete:
            found.append(tokens[at])
            at += 1
            continue
        if found:
            yield tuple(found)
        takes = is_option(tokens[at]) and _takes_next(tokens[at : at + 2], family, here)
        found = list(tokens[at : at + 1 + takes])
        at += len(found)
    if found:
        yield tuple(found)


def is_option(word: str) -> bool:
    """Tell whether a word looks like an option."""
    return len(word) > 1 and word.startswith("-")


def family_of(program: str) -> ProgramFamily:
    """Return how a program reads its command line."""
    name = os.path.basename(program)  # noqa: PTH119 - a program may be named in any way
    return next((family for family in FAMILIES if family.names.fullmatch(name)), OTHERS)


def _takes_next(tokens: Sequence[str], family: ProgramFamily, here: Path) -> bool:
    """Tell whether the first of two words takes the second as its value."""
    if len(tokens) == 1:
        return False
    option, value = tokens
    if family.is_complete or option in family.values:
        return option in family.values
    if not _NAMED.fullmatch(option) or _ALONE.fullmatch(option) or value == END:
        return False
    if is_option(value):
        return _NUMBER.fullmatch(value) is not None
    is_file = value == "-" or os.path.lexists(here / value)
    return not is_file or _TAKES_FILE.fullmatch(option) is not None
