"""The command starts quickly: it imports only what it needs to know what it is asked for."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("asked", ["--version", "--help"])
def test_what_only_tells_something_imports_little(asked: str, tmp_path: Path) -> None:
    program = f"""
import atexit, sys
from wynot.__main__ import main
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
sys.argv = ["wynot", {asked!r}]
main()
"""
    ran = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    layers = {name.split(".")[1] for name in ran.stderr.split() if name.startswith("wynot.")}
    assert layers == {"__main__", "cli", "commands", "core"}


def test_the_guard_of_each_candidate_imports_one_module() -> None:
    program = "import sys; import wynot.programs.undefined; print(*sys.modules)"
    ran = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    own = {name for name in ran.stdout.split() if name.startswith("wynot.")}
    assert own == {"wynot.programs", "wynot.programs.undefined"}
