"""Arguments as they are typed in a shell."""

import os
import subprocess

import pytest

from wynot.core.typed import typed, typed_line

HOSTILE = [
    "plain",
    "two words",
    "it's",
    "$(touch x)",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "a\nb",
    "\x011",
    "back\\slash\x7f'",
    "\u202eabc",
    "\U000e0001d",
    "\udcff",
    "",
]


@pytest.mark.parametrize("argument", HOSTILE, ids=ascii)
def test_a_shell_reads_what_was_meant_and_a_terminal_sees_nothing_of_it(argument: str) -> None:
    line = typed(argument)
    assert line.isprintable()
    read = subprocess.run(  # noqa: S603
        ["/bin/bash", "-c", f"printf %s {line}"],
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=True,
    )
    assert read.stdout == os.fsencode(argument)


def test_holes_stay_as_people_write_them() -> None:
    assert typed_line(["gcc", "-c", "{}", "a b", "@@"]) == "gcc -c {} 'a b' @@"
