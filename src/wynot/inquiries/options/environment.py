"""Variables of the environment that a failure may depend on."""

import os
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from wynot.core.errors import InvalidOption, NothingToReduce
from wynot.core.foreign_text import for_shell

ALL = "all"
_NEEDED = "PATH HOME USER LOGNAME SHELL PWD OLDPWD SHLVL _ TERM TMPDIR TMP TEMP"
NEEDED = frozenset(_NEEDED.split())
"""What ``all`` leaves alone: programs are found by it, keep their files by it, or wynot sets it.

LANG and LC_* are not among them: no program needs them, and many a failure is one of a locale.
"""
OURS = "WYNOT_"
"""What variables of our own begin with: by one of them processes are found again."""


class Variable(NamedTuple):
    """A variable, and what it is on both sides."""

    name: str
    failing: str
    passing: str | None
    """None: it is not set."""
    present: str | None
    """What it is now; None: it is not set."""


def variables(
    wanted: Sequence[str], present: Mapping[str, str] | None = None
) -> tuple[Variable, ...]:
    """Return the variables that are asked about: ``all``, ``NAME`` or ``NAME=VALUE`` each.

    ``NAME`` is as it is now on the failing side, and not set on the passing side. ``NAME=VALUE`` is
    set that way on the failing side, and as it is now on the passing side. What is said of one
    variable counts more than ``all``, and of two such the last.
    """
    environ: Mapping[str, str] = os.environ if present is None else present
    found: dict[str, Variable] = {}
    for each in wanted:
        if each == ALL:
            every = {variable.name: variable for variable in _every(environ)}
            if not every:
                raise NothingToReduce(
                    "the environment has only variables that every program needs",
                    hint="name one: --env NAME, or --env NAME=VALUE",
                )
            found = {**every, **found}
        else:
            variable = _one(each, environ)
            found[variable.name] = variable
    return tuple(found.values())


def _every(environ: Mapping[str, str]) -> Iterator[Variable]:
    for name in sorted(environ):
        if name not in NEEDED and not name.startswith(OURS):
            yield Variable(name, environ[name], None, environ[name])


def _one(text: str, environ: Mapping[str, str]) -> Variable:
    name, sign, value = text.partition("=")
    if not name or "\0" in text:
        raise InvalidOption(
            f"is {text!r}, which names no variable",
            option="env",
            hint="write NAME, NAME=VALUE, or all",
        )
    if name.startswith(OURS):
        raise InvalidOption(
            f"is {text!r}: wynot sets {name} itself",
            option="env",
            hint="ask about another variable",
        )
    present = environ.get(name)
    if not sign:
        if present is None:
            close = get_close_matches(name, list(environ), n=1)
            guess = f"did you mean {close[0]!r}? " if close else ""
            raise InvalidOption(
                f"is {name!r}, which is not set",
                option="env",
                hint=f"{guess}To have it set on the failing side: --env {for_shell(name)}=VALUE",
            )
        return Variable(name, present, None, present)
    if present == value:
        raise InvalidOption(
            f"is {text!r}, and that is what it is already: both sides would be the same",
            option="env",
            hint=f"to have it unset on the passing side: --env {for_shell(name)}",
        )
    return Variable(name, value, present, present)
