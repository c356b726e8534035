"""Tests of real failures that take as long as we want, and hardly any processor time.

A machine with two cores cannot run 64 tests at once; it can let 64 sleep. So what the real test
says of a candidate is recorded under the candidate's digest, and from then on its place is taken by
a small program that looks the verdict up and sleeps (``recorded.c``: half a millisecond of
processor time). The recording is kept in ~/.cache/wynot-bench (or $WYNOT_BENCH_HOME).
"""

import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

PROGRAM = Path(__file__).with_name("recorded.c")
HOME = Path(os.environ.get("WYNOT_BENCH_HOME") or Path.home() / ".cache/wynot-bench")
OWN_CASES = Path(__file__).resolve().parent.parent / "cases"


@dataclass(frozen=True)
class RecordedTest:
    """A case of the bench, with a recording of what its test has said so far."""

    folder: Path

    @property
    def name(self) -> str:
        """What the case is called."""
        return self.folder.name

    @cached_property
    def file(self) -> str:
        """The name of the file that is reduced."""
        return str(tomllib.loads((self.folder / "meta.toml").read_text())["file"])

    @property
    def original(self) -> bytes:
        """What is reduced."""
        return (self.folder / self.file).read_bytes()

    @cached_property
    def store(self) -> Path:
        """Where verdicts are kept: another test, or another file name, has another recording."""
        script = (self.folder / "test.sh").read_bytes()
        digest = sha256(script + self.file.encode()).hexdigest()[:12]
        folder = HOME / "verdicts" / f"{self.name}-{digest}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    @property
    def recorded(self) -> int:
        """How many verdicts are known."""
        return sum(1 for _ in os.scandir(self.store))

    def written_to(self, program: Path, seconds: float, log: Path | None = None) -> Path:
        """Make the program that is the test, and takes so long; return where it is."""
        words = {"STORE": self.store, "TEST": self.folder / "test.sh", "CASE": self.file}
        if log is not None:
            words["LOG"] = log
        texts = [f"-D{name}={json.dumps(str(word))}" for name, word in words.items()]
        command = ["cc", "-O2", "-static", f"-DSECONDS={seconds}", *texts, "-o", str(program)]
        subprocess.run([*command, str(PROGRAM)], check=True)
        return program

    def placed(self, folder: Path) -> Path:
        """Put the file into a folder; return where it is."""
        return Path(shutil.copyfile(self.folder / self.file, folder / self.file))


class Asked:
    """Answers at once, from the recording or the real test: for runs in virtual time."""

    def __init__(self, test: RecordedTest) -> None:
        self._test = test
        self._known: dict[bytes, bool] = {}
        self._temporary = TemporaryDirectory(prefix="bench-width-")
        folder = Path(self._temporary.name)
        self._file = folder / test.file
        self._program = test.written_to(folder / "test", 0)

    def __call__(self, content: bytes) -> bool:
        """Tell whether a candidate is interesting."""
        digest = sha256(content).digest()
        known = self._known.get(digest)
        if known is None:
            self._file.write_bytes(content)
            said = subprocess.run([self._program], cwd=self._file.parent, check=False)
            known = self._known[digest] = said.returncode == 0
        return known

    def close(self) -> None:
        """Remove what was put on disk."""
        self._temporary.cleanup()


def found(folders: Sequence[Path], names: Sequence[str]) -> Iterator[RecordedTest]:
    """Yield the cases of these names, in this order, whose failure shows on this machine."""
    for name in names:
        places = [folder.resolve() / name for folder in folders if (folder / name).is_dir()]
        if not places:
            print(f"{name}: not there")
            continue
        test = RecordedTest(places[0])
        asked = Asked(test)
        shows = asked(test.original)
        asked.close()
        if shows:
            yield test
        else:
            print(f"{name}: the failure does not show; is its program installed?")
