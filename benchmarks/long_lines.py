"""Our own processor time before the first test of a text that is one line of 1 MB.

    python benchmarks/long_lines.py
    python benchmarks/long_lines.py --only blanks quotes

The test refuses every candidate. The time includes that of a start with next to nothing to do,
which is the first row. It is higher on a busy machine: the load is printed.
"""

import argparse
import random
import string
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from os import getloadavg
from pathlib import Path

SIZE = 1 << 20
MOST_SECONDS = 300
OWN = """
import resource, sys
from wynot.cli.main import main
main(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_SELF)
open(sys.argv[1], "w").write(str(used.ru_utime + used.ru_stime))
"""
UNITS = {
    "blanks": " ",
    "quotes": '"',
    "escaped quotes": '\\"',
    "escaped JSON": '{\\"a\\":\\"b\\",\\"c\\":[1,2]},',
    "comments": "/* ",
    "markup comments": "<!--",
    "brackets": "(",
    "tags": "<a>",
    "names": "a.",
    "digits": "7",
    "dashes": "-",
    "values": '"${',
    "log": '2026-01-02 ERROR at com.x.Y(Z.java:12) {"k": "v"} path=/a/b/c; ',
}
SCRIPT = "function a(b,c){var d=b.e('x y',{f:1,g:[2,3]});return d&&c?d.h(/z/g):!1};"
RECORD = '{"id":1,"n":"u1","t":["a","b"],"x":{"s":1.5,"f":null}},'


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield what a row is called, the name of its file, and the text."""
    yield "nothing", "f.txt", "x"
    yield "JavaScript", "f.js", repeated(SCRIPT)
    yield "JSON", "f.json", f"[{repeated(RECORD).rpartition(',{')[0]}]"
    chance = random.Random(1)
    yield "base64", "f.txt", "".join(chance.choices(string.ascii_letters + "0123456789+/", k=SIZE))
    for name, unit in UNITS.items():
        yield name, "f.txt", repeated(unit)


def repeated(unit: str) -> str:
    """Return a line of 1 MB."""
    return (unit * (SIZE // len(unit) + 1))[:SIZE]


def own_seconds(folder: Path, name: str, text: str) -> float:
    """Return the processor time of a reduction that ends after its first test."""
    for each in (name, "original"):
        (folder / each).write_text(text)
    test = folder / "t.sh"
    test.write_text(f"#!/bin/sh\nexec cmp -s {name} {folder}/original\n")
    test.chmod(0o755)
    options = ["--fresh", "--json", "-j", "1", "--max-tests", "1"]
    subprocess.run(
        [sys.executable, "-c", OWN, "used", "reduce", *options, "./t.sh", name],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        timeout=MOST_SECONDS,
        check=False,
    )
    return float((folder / "used").read_text())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", help="the rows to measure")
    only = parser.parse_args().only
    for row, name, text in rows():
        if only and row not in only:
            continue
        with tempfile.TemporaryDirectory(prefix="long-") as folder:
            try:
                shown = f"{own_seconds(Path(folder), name, text):.2f} s"
            except subprocess.TimeoutExpired:
                shown = f"more than {MOST_SECONDS} s by the clock"
        print(f"{row:>16} {shown}  (load {getloadavg()[0]:.1f})", flush=True)


if __name__ == "__main__":
    main()
