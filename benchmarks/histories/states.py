"""A state of the files of a package, and what the test says about it."""

import os
import shutil
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path

from benchmarks.histories.cases import Case
from benchmarks.histories.releases import Tree, dependencies

GOOD, BAD, UNBUILT = 0, 1, 125
"""What a test exits with."""
PYTHON = (sys.executable, "-I", "-S", "-B")
"""Without site-packages, and without compiled files, whose time stamps are too coarse for this."""
PRELOADED = [
    "asyncio",
    "decimal",
    "email.message",
    "html.parser",
    "http.client",
    "http.cookies",
    "inspect",
    "logging.handlers",
    "socketserver",
    "ssl",
    "unittest.mock",
    "zoneinfo",
]
"""What most packages import."""

STRICT = """\
import sys
import warnings
warnings.simplefilter("ignore")
sys.path[:0] = ["src", ".", {dependencies!r}]
result = None
try:
    exec({program!r})
except Exception as error:
    result = type(error).__name__
if result not in ({good!r}, {bad!r}):
    sys.exit(125)
assert result == {good!r}, result
"""
PLAIN = """\
import sys
import warnings
warnings.simplefilter("ignore")
sys.path[:0] = ["src", ".", {dependencies!r}]
{program}
assert result == {good!r}, result
"""


def script(case: Case, *, strict: bool) -> str:
    """Return the test; strict: it exits with 125 if the result is neither of the two."""
    shape = STRICT if strict else PLAIN
    return shape.format(
        dependencies=str(dependencies()), program=case.program, good=case.good, bad=case.bad
    )


def is_code(path: str) -> bool:
    """Tell whether a file can have to do with what the test says."""
    return path.endswith(".py") and not path.startswith(("docs/", "tests/", "examples/"))


class States:
    """A folder with one tree after the other, and what the test says about them."""

    def __init__(self, folder: Path, case: Case) -> None:
        self._folder = folder / "state"
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        self._test = compile(script(case, strict=True), "strict.py", "exec")
        self._compiled = folder / "compiled"
        self._there: Tree = {}
        self._known: dict[frozenset[tuple[str, bytes]], int] = {}
        for name in PRELOADED:
            import_module(name)

    def verdict(self, tree: Tree) -> int:
        """Return 0, 1 or 125; the same for trees that differ only in what is not code."""
        key = frozenset(each for each in tree.items() if is_code(each[0]))
        if key not in self._known:
            self._write(tree)
            self._known[key] = self._run()
        return self._known[key]

    def _run(self) -> int:
        """Run the test in a child of this process: thousands of them are run."""
        child = os.fork()
        if child:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        status = BAD
        try:
            os.chdir(self._folder)
            sys.path[:] = [each for each in sys.path if "site-packages" not in each]
            sys.pycache_prefix = str(self._compiled)
            exec(self._test, {"__name__": "__main__"})  # noqa: S102 - the test
            status = GOOD
        except SystemExit as end:
            status = int(end.code or 0)
        finally:
            os._exit(status)

    def _write(self, tree: Tree) -> None:
        for path in self._there.keys() - tree.keys():
            (self._folder / path).unlink()
        for path, content in tree.items():
            if self._there.get(path) != content:
                file = self._folder / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
                # Compiled files are known by time and size: so the time is made of the content.
                stamp = int(sha256(content).hexdigest()[:7], 16)
                os.utime(file, (stamp, stamp))
        self._there = tree
