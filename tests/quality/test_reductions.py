"""Real reductions: this input comes down to that, in exactly so many tests, at any width.

The tests are lines of shell, so that they are real processes and still take two milliseconds. A
change that makes a number smaller is welcome: write the new one down.
"""

import json
import sys
from pathlib import Path
from shlex import quote
from typing import NamedTuple

import pytest

from tiers import slow_but
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.events import Event, ReductionEnded
from wynot.reduction.job import Reduce
from wynot.settings import Atoms

PROGRAM = "".join(
    f"""
static int helper_{number}(int value) {{
    int total = value + {number};
    if (total > {number * 7}) {{
        total = total - 1;
    }} else {{
        total = total * 2;
    }}
    return total;
}}
"""
    for number in range(20)
)
NESTED = json.dumps(
    {f"k{a}": {f"m{b}": [a, b, {"v": a * b, "w": None}] for b in range(5)} for a in range(5)},
    indent=2,
)
LOG = "".join(f"{number:05} event {number * 7919 % 104729} ok\n" for number in range(400))
BINARY = bytes(number * 37 % 256 for number in range(2048))


TWO_STATEMENTS = "grep -q 'total > 49' f && grep -q 'total \\* 2' f"
DEEP = f"""{quote(sys.executable)} -ISc 'import json; assert "m4" in json.load(open("f"))["k3"]'"""
TWO_LINES = "tr -d '\\n' < f | grep -q '00123.*00321'"


class Quality(NamedTuple):
    """An input, what makes it fail, what is left of it, and after how many tests."""

    content: bytes
    fails: str
    atoms: Atoms
    left: bytes
    tests: int


CASES = {
    "two statements of a program": Quality(
        PROGRAM.encode(), TWO_STATEMENTS, "auto", b"total > 49total * 2\n", 182
    ),
    "two statements of a program, without structure": Quality(
        PROGRAM.encode(), TWO_STATEMENTS, "chars", b"total > 49total * 2\n", 73
    ),
    "a value deep in JSON, which must stay JSON": Quality(
        NESTED.encode(), DEEP, "auto", b'{"k3":{"m4":0}}', 58
    ),
    "a value deep in JSON, without structure": Quality(
        NESTED.encode(), DEEP, "chars", b'{"k3":{"m4":[]},"":{}}', 140
    ),
    "two lines of a log, in order": Quality(LOG.encode(), TWO_LINES, "auto", b"0012300321\n", 91),
    "two lines of a log, without structure": Quality(
        LOG.encode(), TWO_LINES, "chars", b"0012300321\n", 62
    ),
    "three bytes of a binary file": Quality(
        BINARY,
        r"""LC_ALL=C grep -qaP '\x25.*\x4a' f && LC_ALL=C grep -qaP '\xff' f""",
        "auto",
        b"%J\xff",
        35,
    ),
}

QUICK = ("three bytes of a binary file",)


def reduce(tmp_path: Path, quality: Quality, jobs: int) -> tuple[bytes, ReductionEnded]:
    folder = tmp_path / str(jobs)
    folder.mkdir()
    path = folder / "f"
    path.write_bytes(quality.content)
    events: list[Event] = []
    options = ReduceOptions(
        files=[str(path)],
        shell=quality.fails,
        atoms=quality.atoms,
        timeout=300.0,  # the learned one may cut a test off where the machine is busy
        jobs=jobs,
    )
    ended = Reduce(options, events.append).run()
    return path.read_bytes(), ended


@pytest.mark.parametrize("name", slow_but(QUICK, CASES))
def test_this_comes_down_to_that_in_so_many_tests(name: str, tmp_path: Path) -> None:
    quality = CASES[name]
    left, ended = reduce(tmp_path, quality, 1)
    assert (left, ended.tests) == (quality.left, quality.tests)
    assert ended.minimal
    for jobs in (2, 7):
        again, ended_again = reduce(tmp_path, quality, jobs)
        assert (again, ended_again.tests) == (left, ended.tests)
