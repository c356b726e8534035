"""Folders of crashes as a fuzzer leaves them, and for each crash its cause.

The cause is told without wynot: of a Python program by a debugger's view of the exception, its type
and the line of the release that raised it; of the C program by the sanitizer's kind of error and
the function of the release that it is in. Of toml each of these lines was looked at: each is an
error of its own, an index or a conversion that nobody checks. Of the others it is taken for one.
"""

import json
import random
import re
import runpy
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.batch.programs import PLACE, Program

PER_CAUSE, AT_A_TIME = 5, 4
"""Inputs of each cause; how many mutants are run at once."""
CHARACTERS = "[]{}\"'=.,:#;\n\t -_0129eTZxu\\+*`<>&!|@"
SPARES = 3
"""Inputs that do not crash, as there are some in any folder that is a while old."""

_KIND = re.compile(r"Sanitizer: ([\w-]+)|runtime error: ([a-z ]+)")
_CALL = re.compile(r"#\d+ 0x\w+ in (\w+) \S*/nanosvg(?:rast)?\.h:\d+")
_RAISED = re.compile(r'File "([^"]+)", line (\d+), in ')


def crashes(name: str, program: Program) -> tuple[Path, dict[str, str]]:
    """Return a folder of crashes, and the cause of each by its name; it is made once."""
    folder, told = PLACE / name / "crashes", PLACE / name / "causes.json"
    if not told.exists():
        command = program.installed(name)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "README.txt").write_text("Command line used to find this crash: …\n")
        causes = dict(_found(name, program, command, folder))
        told.write_text(json.dumps(causes, indent=1))
    known: dict[str, str] = json.loads(told.read_text())
    return folder, known


def cause(program: Program, command: list[str], path: Path) -> str:
    """Return the cause of a crash; empty if it is none."""
    argv = [str(path) if word == "{}" else word for word in command]
    try:
        ran = subprocess.run(argv, capture_output=True, check=False, timeout=5)
    except subprocess.TimeoutExpired:
        return "hangs"
    said = ran.stderr.decode("utf-8", "replace")
    if program.ending == ".svg":
        kind, call = _KIND.search(said), _CALL.search(said)
        found = [kind and (kind[1] or kind[2]).strip(), call and call[1]]
        return " ".join(filter(None, found))
    if "Traceback (most recent call last):" not in said:
        return ""
    own = [(file, line) for file, line in _RAISED.findall(said) if f"/{program.package}" in file]
    raised = said.strip().splitlines()[-1].split(":")[0]
    return f"{raised} {Path(own[-1][0]).name}:{own[-1][1]}" if own else ""


def _in_process(program: Program, driver: Path, path: Path) -> str:
    """Return the cause of a crash of a Python program; it is run in this process, to be quick."""
    sys.argv = [str(driver), str(path)]
    try:
        runpy.run_path(str(driver))
    except SystemExit:
        return ""
    except Exception as error:  # noqa: BLE001 - it is what is looked for
        calls = traceback.extract_tb(error.__traceback__)
        own = [each for each in calls if f"/{program.package}" in each.filename]
        return f"{type(error).__name__} {Path(own[-1].filename).name}:{own[-1].lineno}"
    return ""


def _found(
    name: str, program: Program, command: list[str], folder: Path
) -> Iterator[tuple[str, str]]:
    """Yield the names of crashes, which are written, and their causes."""
    chance, counts, number = random.Random(name), Counter[str](), 0
    scratch = folder.with_name("scratch")
    scratch.mkdir(exist_ok=True)
    quick = None if program.ending == ".svg" else partial(_in_process, program, Path(command[-2]))
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for tried in range(0, program.tries, 50):
            paths = [scratch / f"{tried + each}{program.ending}" for each in range(50)]
            for path in paths:
                path.write_text(_mutant(program, chance))
            told = map(quick, paths) if quick else pool.map(partial(cause, program, command), paths)
            for path, why in zip(paths, told, strict=True):
                counts[why] += 1
                if why != "hangs" and counts[why] <= (PER_CAUSE if why else SPARES):
                    called = f"id:{number:06},sig:06,src:000000,op:havoc{program.ending}"
                    path.rename(folder / called)
                    number += 1
                    yield called, why
                else:
                    path.unlink()


def _mutant(program: Program, chance: random.Random) -> str:
    """Return the good input with some changes."""
    text = [*program.seed]
    for _ in range(chance.choice([1, 1, 2, 3, 5])):
        at = chance.randrange(len(text) + 1)
        end = at + chance.choice([1, 1, 2, 4, 9, 30])
        some = chance.randrange(len(program.seed))
        text[at:end] = chance.choice(
            (
                [],
                [*text[at:end], chance.choice(CHARACTERS)],
                [*text[at:end], *text[at:end]],
                [*program.seed[some : some + chance.choice([3, 10, 30])]],
                [chance.choice(CHARACTERS)],
                [*chance.choice(program.words or (*CHARACTERS,))],
            )
        )
    return "".join(text)
