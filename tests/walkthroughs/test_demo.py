"""`make demo` ends as the README shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from faults.scripts import WYNOT
from structure.pages import ROOT

RESULT = re.compile(r"orders\.py: .* bytes \(.* smaller\) in \d+ tests")
PROOF = re.compile(r"No single .*: each was tried \(1-minimal\)\.")


@pytest.mark.slow
def test_demo_leaves_as_much_in_as_many_tests_as_the_readme_shows() -> None:
    shown = (ROOT / "README.md").read_text(encoding="utf-8")
    command: list[str | Path] = [ROOT / "examples" / "demo", WYNOT, sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    for pattern in (RESULT, PROOF):
        assert pattern.findall(done.stdout) == pattern.findall(shown)
        assert pattern.findall(shown)
