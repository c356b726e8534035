"""The commands on the pages, and the stage that each page is played on.

A page says "you have a file" and goes on from there. What it takes for granted is made by a script
in ``stages``, named like the page; what a page says it has made itself is not there.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from structure.pages import PAGES, ROOT

STAGES = Path(__file__).parent / "stages"
BLOCK = re.compile(
    r"^( *)```sh\n(.*?)^\1```\n(?:\1```text\n(.*?)^\1```\n)?", re.MULTILINE | re.DOTALL
)
COMMAND = re.compile(r"(?<![\w/.-])wynot ([a-z]+)\b([^\n`]*)")
FLAG = re.compile(r"(?<!\S)(--[a-z][a-z-]*)")
TIMES = re.compile(r"\d+(?:\.\d+)? (?:s|ms|seconds|minutes)\b")
AHEAD = re.compile(r" *\([\d,]+ runs? of the command[^)]*\)|; \d+ tests? at a time,")
WAITING = re.compile(r"wynot: (?:(?!wynot: ).)*? has taken .*?Ctrl-C stops\) ?")
COUNTS = re.compile(r"\b[\d,]+ (?:tests?|runs)\b")
PROGRESS = re.compile(r"^ +\d+\.\d s .*\n", re.MULTILINE)

# What is not run: it installs, publishes, takes an hour, or needs machines that a test has not got.
NOT_RUN = {
    "pip install wynot": "installs: .ci/smoke does that",
    "make demo    # run wynot on a bundled failing example": "CI runs both",
    "make bench-cases TOOLS=wynot,shrinkray,cvise": "takes an hour",
    "    python benchmarks/peers.py --tools wynot=old/.venv/bin/wynot before.jsonl": "an hour",
    "    git tag -s vX.Y.Z -m 'wynot X.Y.Z'": "publishes",
    "python -m pip install build && python -m build": "CI runs both",
    "pip install 'wynot[cluster]'": "other machines; tests/e2e has clusters of its own",
    "dask scheduler --tls-ca-file ca.pem --tls-cert me.pem --tls-key me.key"
    "               # prints its address": "other machines",
    "kubectl port-forward service/reduce-scheduler 8786:8786": "other machines",
    "D=$(mktemp -d)": "what not to do",
    "#!/bin/sh": "a script to be read",
    "wynot reduce FILE -- CMD {}": "a form, not a command",
    "wynot packages -o found --good old.txt --bad new.txt -- python -c 'import flask'": "PyPI",
    "wynot tests test_price -- python -m pytest -x tests/unit --randomly-seed=1234": "a plug-in",
    "wynot tests --shuffle": "another suite, in which all is well at first; tests/e2e has it",
    "wynot reduce --vendor markdown2 case -- python3 {}/main.py": "a package; tests/e2e has it",
}


class Block(NamedTuple):
    """Commands on a page, and what they print."""

    page: str
    commands: str
    printed: str | None

    @property
    def first(self) -> str:
        """The first line, by which it is known."""
        return self.commands.splitlines()[0]


def blocks_of(page: Path) -> list[Block]:
    """Return the commands of a page, in order."""
    name = str(page.relative_to(ROOT))
    return [Block(name, found[2], found[3]) for found in BLOCK.finditer(page.read_text())]


WITH_COMMANDS = [page for page in PAGES if blocks_of(page)]


def stage_of(page: str) -> Path:
    """Return the script that makes what a page takes for granted."""
    name = page.removeprefix("docs/").removesuffix(".md").replace("/", "-")
    return STAGES / f"{name}.sh"


def played(commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run commands as a reader would, in a folder that has what they need."""
    environment = dict(os.environ)
    environment["PATH"] = f"{folder}/bin:{Path(sys.executable).parent}:{environment['PATH']}"
    environment |= {"HOME": str(folder), "COLUMNS": "80", "NO_COLOR": "1"}
    environment["REPOSITORY"] = str(ROOT)
    done = subprocess.run(  # noqa: S603 - our own pages
        ["bash", "-c", commands],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    done.stdout = done.stdout.replace(f"{folder}/", "")
    return done


def bare(text: str) -> str:
    """Return what was printed without what differs from run to run, or with every better search.

    That is times, who was ahead, and how many tests it took; what was found stays.
    """
    joined = " ".join(PROGRESS.sub("", text).replace("…/", "").split())
    prompt = WAITING.sub("", joined)  # which it says only on a machine that is slow
    return COUNTS.sub("N tests", TIMES.sub("T", AHEAD.sub("", prompt)))


def missing(shown: str, printed: str) -> list[str]:
    """Return what a page shows and was not printed; the page leaves out what it has "..." for."""
    there = bare(printed)
    parts = re.split(r"^ *(?:\.\.\.|…)\n", PROGRESS.sub("", shown), flags=re.MULTILINE)
    return [part for part in map(bare, parts) if part not in there]


def flags_of(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the commands that a page names anywhere, with each flag that they are given."""
    joined = page.read_text().replace("\\\n", " ")
    code = [block[2] for block in BLOCK.finditer(joined)]
    code += re.findall(r"`(wynot [^`]*)`", BLOCK.sub("", joined))
    for found in COMMAND.finditer("\n".join(code)):
        own = re.split(r" -- | \| ", re.sub(r"'[^']*'", "''", found[2]))[0]
        for flag in FLAG.findall(own):
            yield found[1], flag
