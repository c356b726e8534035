"""``--vendor``: an installed package becomes a part of the case, and is reduced like the rest.

It is put where the test finds it before the installed one: for Python beside the text that imports
it, for Node in the folder of packages there. The package itself is only read.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from posixpath import dirname

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import InvalidOption
from wynot.core.files import Files
from wynot.disk.load import Target, read
from wynot.passes.merging.script_imports import PACKAGE_FOLDER
from wynot.reduction.whole_plan import imports_of

MAX_VENDORED_FILES = 20_000
MAX_VENDORED_BYTES = 64 << 20
FINDING_SECONDS = 60.0
_PYTHON = re.compile(r"python[\d.]*|pypy[\d.]*")
_NAME = re.compile(r"(?:@[\w.-]+/)?[\w-][\w.-]*")
_IGNORED = {"__pycache__", ".git", ".bin"}
_FIND = """
import importlib.util, json, sys
spec = importlib.util.find_spec(sys.argv[1])
print(json.dumps(list(spec.submodule_search_locations or [spec.origin])[0] if spec else ""))
"""
"""What an interpreter is asked: where it would import a module from."""


def with_packages(files: Files, found: Sequence[Target], options: ReduceOptions) -> Files:
    """Return the files with those of the packages that are asked for; raise if there are none."""
    if len(found) != 1 or not found[0].is_folder:
        raise InvalidOption(
            f"copies packages into a folder, and {options.files[0]!r} is not the only one",
            option="vendor",
            hint="put all that belongs to the case into one folder, and give that",
        )
    [top] = found
    contents, modes = dict(files.contents), dict(files.modes)
    for name in options.vendor:
        if not _NAME.fullmatch(name):
            raise InvalidOption(f"is {name!r}", option="vendor", hint="give the name of a package")
        place = _importer(files, name) or top.name
        for path, source in _package(name, top.path, options):
            at = f"{place}/{path}"
            if at not in contents:  # what the case has of its own is nearer to the failure
                contents[at] = read(source)
    return Files(contents, modes, files.links)


def _importer(files: Files, name: str) -> str:
    """Return the outermost folder of a text that imports a package; empty if there is none."""
    importing = imports_of(name)
    folders = [dirname(path) for path, text in files.contents.items() if importing.search(text)]
    return min(folders, key=lambda folder: (folder.count("/"), folder), default="")


def _package(name: str, folder: Path, options: ReduceOptions) -> list[tuple[str, Path]]:
    """Return the files of a package, and what they are called in the case."""
    places = _of_node(name, folder) or _of_python(name, options)
    if not places:
        raise InvalidOption(
            f"is {name!r}, which is not installed",
            option="vendor",
            hint=f"neither in {PACKAGE_FOLDER} of a folder above, nor for Python; give the name "
            "that it is imported by",
        )
    found = [each for called, place in places.items() for each in _walk(called, Path(place))]
    size = sum(source.stat().st_size for _, source in found)
    if len(found) > MAX_VENDORED_FILES or size > MAX_VENDORED_BYTES:
        raise InvalidOption(
            f"is {name!r}, which has {len(found):,} files and {size:,} bytes",
            option="vendor",
            hint="copy what may matter of it into the case by hand",
        )
    return found


def _of_node(name: str, folder: Path) -> dict[str, str]:
    """Look for a package where Node does: in the folders above."""
    for above in (folder, *folder.parents, Path.cwd(), *Path.cwd().parents):
        place = above / PACKAGE_FOLDER / name
        if (place / "package.json").is_file():
            return {f"{PACKAGE_FOLDER}/{name}": str(place.resolve())}
    return {}


def _of_python(name: str, options: ReduceOptions) -> dict[str, str]:
    """Ask the interpreter that the test runs where it would import a package from."""
    argv = [*options.command, "python3", "python"]
    named = (word for word in argv if _PYTHON.fullmatch(Path(word).name))
    python = next(filter(None, map(shutil.which, named)), None)
    if python is None:
        return {}
    try:
        done = subprocess.run(  # noqa: S603 - the program that the user's own command runs
            [python, "-c", _FIND, name],
            capture_output=True,
            cwd="/",
            timeout=FINDING_SECONDS,
            check=False,
        )
        place = json.loads(done.stdout or b'""')
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return {}
    if not isinstance(place, str) or not os.path.isabs(place):  # noqa: PTH117 - not built in
        return {}
    return {name if Path(place).is_dir() else Path(place).name: place}


def _walk(called: str, place: Path) -> Iterator[tuple[str, Path]]:
    if place.is_file():
        yield called, place
        return
    for at, folders, names in os.walk(place):
        folders[:] = sorted(set(folders) - _IGNORED)
        for name in sorted(names):
            source = Path(at) / name
            if source.is_file() and not source.is_symlink() and source.suffix != ".pyc":
                yield f"{called}/{source.relative_to(place).as_posix()}", source
