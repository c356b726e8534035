"""Programs in Python, each with a file that it fails on: see ``cases/warm/cases.toml``."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

CASES = Path(__file__).resolve().parent.parent / "cases" / "warm"
HOME = Path(os.environ.get("WYNOT_BENCH_HOME") or Path.home() / ".cache" / "wynot-bench")


class WarmCase(NamedTuple):
    """A program, and a file that it fails on."""

    name: str
    kind: str
    requires: tuple[str, ...]
    file: Path
    command: tuple[str, ...]
    env: dict[str, str]
    text: tuple[str, ...]
    """What it prints, if the failure cannot be learned from the first run."""

    @classmethod
    def read(cls) -> "list[WarmCase]":
        """Return all of them."""
        told = tomllib.loads((CASES / "cases.toml").read_text())["case"]
        return [cls.of(each) for each in told]

    @classmethod
    def of(cls, told: dict[str, Any]) -> "WarmCase":
        """Return the one that a table tells of."""
        found = HOME / f"warm-{told['name']}" / "bin"
        words = [word.replace("{bin}", str(found)) for word in told["command"]]
        words = [str(CASES / word) if word.startswith("programs/") else word for word in words]
        return cls(
            name=told["name"],
            kind=told["kind"],
            requires=tuple(told["requires"]),
            file=CASES / told["file"],
            command=tuple(words),
            env=told.get("env", {}),
            text=tuple(told.get("text", ())),
        )

    def install(self) -> None:
        """Install the program, unless it is there."""
        folder = HOME / f"warm-{self.name}"
        done = folder / "installed"
        if done.exists() and done.read_text().split() == list(self.requires):
            return
        print(f"installing {' '.join(self.requires)}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        quiet = ["--quiet", "--disable-pip-version-check"]
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", *quiet]
        subprocess.run([*pip, *self.requires], check=True)
        done.write_text("\n".join(self.requires))

    @contextlib.contextmanager
    def in_folder(self) -> Iterator[Path]:
        """Put the file into a folder of its own, and go there."""
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.chdir(folder),
            patch.dict(os.environ, self.env),
        ):
            yield Path(shutil.copy(self.file, folder))
