"""Put `wynot tests` beside detect-test-pollution: the same suites, polluters, machine and Python.

    python benchmarks/test_order.py PYTHON [--sizes 300 850] [--only NAME …] [--repeat N]

PYTHON has pytest and detect-test-pollution from PyPI. The suites are made: files of tests that
share a small shop, with fixtures, classes, parameters, imports that take a while, and some slow
tests. One test leaves something behind, in one of the ways that are met in practice, and a later
one fails of it. A run is a start of pytest, also if it only collects. Each suite has run once
before, so that Python finds all of it compiled. The exit code is 1 if wynot is wrong, takes more
runs, or takes longer, in a case that both can be asked about.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import monotonic
from typing import NamedTuple

TESTS_PER_FILE = 17
SLOW_EVERY, SLOW_SECONDS = 12, 0.02
"""One test in so many takes so long; the others take none."""
IMPORTS = (
    *("asyncio", "sqlite3", "decimal", "email.mime.text", "http.server", "xml.dom.minidom"),
    *("unittest.mock", "concurrent.futures", "csv", "ctypes", "difflib", "doctest", "ftplib"),
    *("imaplib", "pydoc", "smtplib", "tarfile", "zipfile", "xmlrpc.client", "statistics"),
)

SHOP = '''
"""A small shop: what its tests share."""
import functools
import logging
import os
import warnings

settings = {"currency": "EUR"}
done = set()
log = logging.getLogger("shop")


class Stock:
    def __init__(self, name):
        self.name = name


@functools.lru_cache(maxsize=None)
def stock():
    return Stock(os.environ.get("SHOP_STOCK", "main"))


def price(amount):
    return f"{amount} {os.environ.get('SHOP_CURRENCY', settings['currency'])}"


def old_price(amount):
    warnings.warn("old", DeprecationWarning, stacklevel=2)
    return price(amount)
'''

CONFTEST = """
import os
import pytest


def pytest_sessionstart(session):
    with open(os.environ["COUNTED"], "a") as log:
        log.write("run\\n")


@pytest.fixture(scope="module")
def basket():
    return []


@pytest.fixture
def customer(tmp_path):
    (tmp_path / "name").write_text("Ada")
    return tmp_path
"""


class Pollution(NamedTuple):
    """One way in which a test does harm to another."""

    name: str
    polluters: tuple[str, ...]
    """What each does that has to run; there are several if they do harm only together."""
    victim: str
    places: tuple[float, ...]
    """Where they and the victim stand in the suite, as shares of it."""
    kind: str = "polluted"
    top: bool = False
    """Whether it is done when the file is imported."""


POLLUTIONS = (
    Pollution(
        "global",
        ("shop.settings['currency'] = 'USD'",),
        "assert shop.price(1) == '1 EUR'",
        (0.31, 0.93),
    ),
    Pollution(
        "environment",
        ("os.environ['SHOP_CURRENCY'] = 'GBP'",),
        "assert shop.price(2) == '2 EUR'",
        (0.87, 0.99),
    ),
    Pollution("sys.modules", ("sys.modules['json'] = None",), "import json", (0.55, 0.72)),
    Pollution(
        "logging",
        ("logging.disable(logging.ERROR)",),
        "shop.log.error('no'); assert caplog.records",
        (0.12, 0.64),
    ),
    Pollution(
        "singleton",
        ("os.environ['SHOP_STOCK'] = 'spare'; shop.stock(); del os.environ['SHOP_STOCK']",),
        "assert shop.stock().name == 'main'",
        (0.74, 0.97),
    ),
    Pollution("folder", ("os.chdir('/')",), "assert os.path.exists('shop.py')", (0.43, 0.58)),
    Pollution("warnings", ("warnings.simplefilter('error')",), "shop.old_price(3)", (0.05, 0.81)),
    Pollution(
        "import",
        ("shop.settings['currency'] = 'CHF'",),
        "assert shop.price(4) == '4 EUR'",
        (0.66, 0.9),
        top=True,
    ),
    Pollution(
        "late import",
        ("shop.settings['currency'] = 'CHF'",),
        "assert shop.price(4) == '4 EUR'",
        (0.95, 0.4),
        top=True,
    ),
    Pollution(
        "pair",
        ("shop.done.add('a')", "shop.done.add('b')"),
        "assert len(shop.done) < 2",
        (0.22, 0.7, 0.95),
    ),
    Pollution(
        "brittle", ("shop.done.add('set up')",), "assert shop.done", (0.6, 0.92), kind="brittle"
    ),
)


class Suite(NamedTuple):
    """A suite on disk, and what is to be found in it."""

    folder: Path
    victim: str
    guilty: tuple[str, ...]


class Ran(NamedTuple):
    """What a tool came to."""

    is_right: bool
    runs: int
    seconds: float
    cpu: float
    """Seconds that processors were at work: on a machine that does other things, the better one."""

    @property
    def cells(self) -> str:
        """The columns of the table."""
        right = "yes" if self.is_right else "no"
        return f"{right} | {self.runs} | {self.seconds:.1f} | {self.cpu:.1f}"


def made(folder: Path, size: int, pollution: Pollution) -> Suite:
    """Write a suite."""
    places = [int(share * (size - 1)) for share in pollution.places]
    bodies = dict(zip(places, (*pollution.polluters, pollution.victim), strict=True))
    (folder / "tests").mkdir()
    (folder / "shop.py").write_text(SHOP)
    (folder / "tests" / "conftest.py").write_text(CONFTEST)
    (folder / "pytest.ini").write_text(
        "[pytest]\npythonpath = .\naddopts = -p no:cacheprovider -p no:warnings\n"
    )
    names: list[str] = []
    for number, first in enumerate(range(0, size, TESTS_PER_FILE)):
        name = f"tests/test_{number:02}.py"
        some = range(first, min(size, first + TESTS_PER_FILE))
        own = {at: bodies[at] for at in some if at in bodies}
        top = [own.pop(places[0])] if pollution.top and places[0] in own else []
        text, found = written(number, some, own)
        (folder / name).write_text("\n".join([*header(number), *top, *text]) + "\n")
        names += [f"{name}::{each}" for each in found]
    if len(names) != size:
        raise SystemExit(f"{len(names)} tests were made, not {size}")
    guilty = tuple(names[at] for at in places[:-1])
    if pollution.top:  # whatever of that file runs or is imported does it
        guilty = (guilty[0].partition("::")[0],)
    return Suite(folder, names[places[-1]], guilty)


def header(number: int) -> list[str]:
    """Return the imports of a file, each other ones."""
    own = [IMPORTS[(3 * number + each) % len(IMPORTS)] for each in range(3)]
    shared = ["logging", "os", "sys", "time", "warnings", "pytest", "shop", "unittest.mock"]
    return [f"import {name}" for name in dict.fromkeys((*shared, *own))]


def written(number: int, some: range, own: dict[int, str]) -> tuple[list[str], list[str]]:
    """Return the tests of a file, and their names: functions, methods, some with parameters."""
    text: list[str] = []
    names: list[str] = []
    at, in_class = some.start, False
    while at < some.stop:
        indent = "    " if in_class else ""
        first = "self, " if in_class else ""
        owner = f"TestPart{number}::" if in_class else ""
        if at in own:
            fixtures = "caplog" if "caplog" in own[at] else "customer"
            text += [f"{indent}def test_{at}({first}{fixtures}):", f"{indent}    {own[at]}"]
            names.append(f"{owner}test_{at}")
        elif at % 5 == 1 and at + 2 < some.stop and not {at + 1, at + 2} & own.keys():
            text += [
                f"{indent}@pytest.mark.parametrize('amount', [1, 2, 3])",
                f"{indent}def test_{at}({first}amount, basket):",
                f"{indent}    basket.append(amount)",
                f"{indent}    assert basket[-1] == amount",
            ]
            names += [f"{owner}test_{at}[{amount}]" for amount in (1, 2, 3)]
            at += 2
        else:
            slow = f"time.sleep({SLOW_SECONDS})" if at % SLOW_EVERY == 0 else "pass"
            text += [
                f"{indent}def test_{at}({first}customer):",
                f"{indent}    {slow}",
                f"{indent}    assert (customer / 'name').read_text() == 'Ada'",
            ]
            names.append(f"{owner}test_{at}")
        at += 1
        if not in_class and at - some.start > len(some) * 2 // 3 and at < some.stop:
            in_class = True
            text.append(f"class TestPart{number}:")
    return text, names


def timed(suite: Suite, command: Sequence[str]) -> tuple[str, Ran]:
    """Run a command; return what it printed, how often it started pytest, and how long it took."""
    counted = suite.folder.with_suffix(".runs")
    counted.unlink(missing_ok=True)
    began, used = monotonic(), os.times()
    done = subprocess.run(
        command,
        cwd=suite.folder,
        env={**os.environ, "COUNTED": str(counted)},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds, now = monotonic() - began, os.times()
    cpu = now.children_user + now.children_system - used.children_user - used.children_system
    runs = counted.read_text().count("run") if counted.exists() else 0
    return done.stdout, Ran(is_right=False, runs=runs, seconds=seconds, cpu=cpu)


def by_wynot(suite: Suite, python: str, kind: str) -> Ran:
    """Ask wynot."""
    command = [sys.executable, "-m", "wynot", "tests", "--fresh", "--json", suite.victim]
    out, ran = timed(suite, [*command, "--", python, "-m", "pytest", "tests"])
    events = [json.loads(line) for line in out.splitlines()]
    answers = [event["data"] for event in events if event["event"] == "answered"]
    found = (*answers[-1]["tests"], *answers[-1]["imported"]) if answers else ()
    right = bool(answers) and answers[-1]["kind"] == kind and is_it(suite, found)
    return ran._replace(is_right=right)


def by_detect(suite: Suite, python: str, _kind: str) -> Ran:
    """Ask detect-test-pollution."""
    program = str(Path(python).with_name("detect-test-pollution"))
    out, ran = timed(suite, [program, "--failing-test", suite.victim, "--tests", "tests"])
    _, said, found = out.rpartition("-> the polluting test is: ")
    return ran._replace(is_right=bool(said) and is_it(suite, (found.strip(),)))


def is_it(suite: Suite, found: Sequence[str]) -> bool:
    """Tell whether these are the guilty ones; of an import any test of that file will do."""
    return len(found) == len(suite.guilty) and all(
        name == guilty or name.startswith(f"{guilty}::")
        for name, guilty in zip(found, suite.guilty, strict=True)
    )


def compared(
    size: int, pollution: Pollution, python: str, repeat: int, *, wynot_first: bool
) -> tuple[Ran, Ran]:
    """Make a suite, and ask both tools; of several times the quickest counts."""
    tools = {"wynot": by_wynot, "detect": by_detect}
    found: dict[str, list[Ran]] = {name: [] for name in tools}
    for _ in range(repeat):
        for name in sorted(tools, reverse=wynot_first):
            with tempfile.TemporaryDirectory() as temporary:
                folder = Path(temporary, "project")
                folder.mkdir()
                suite = made(folder, size, pollution)
                timed(suite, [python, "-m", "pytest", "-q", "tests"])
                found[name].append(tools[name](suite, python, pollution.kind))
    wynot, detect = (min(found[name], key=lambda ran: ran.seconds) for name in tools)
    return wynot, detect


def rows(
    sizes: Sequence[int], only: Sequence[str], python: str, repeat: int
) -> Iterator[tuple[Ran, Ran]]:
    """Print a line for each case."""
    chosen = [each for each in POLLUTIONS if not only or each.name in only]
    for size in sizes:
        for number, pollution in enumerate(chosen):
            wynot, detect = compared(size, pollution, python, repeat, wynot_first=bool(number % 2))
            print(f"| {pollution.name} | {size} | {wynot.cells} | {detect.cells} |", flush=True)
            yield wynot, detect


def main() -> None:
    """Print a table, and what it comes to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", help="an interpreter with pytest and detect-test-pollution")
    parser.add_argument("--sizes", type=int, nargs="+", default=[300, 850])
    parser.add_argument("--only", nargs="+", default=[], help="only these kinds of pollution")
    parser.add_argument("--repeat", type=int, default=1, help="the quickest of so many counts")
    given = parser.parse_args()
    python = shutil.which(given.python)
    if python is None:
        raise SystemExit(f"there is no {given.python}")
    columns = "right | runs | seconds | CPU"
    print(f"| pollution | tests | wynot: {columns} | detect-test-pollution: {columns} |")
    print("| --- | --- " + "| --- " * 8 + "|")
    found = list(rows(given.sizes, given.only, python, given.repeat))
    both = [(wynot, detect) for wynot, detect in found if detect.is_right]
    print(f"\nwynot is right in {sum(wynot.is_right for wynot, _ in found)} of {len(found)} cases,")
    print(f"detect-test-pollution in {len(both)}; where both are, medians:")
    for what, place in (("runs", 1), ("seconds", 2), ("CPU", 3)) if both else ():
        one, other = (median(pair[tool][place] for pair in both) for tool in (0, 1))
        print(f"{what}: wynot {one:.1f}, detect-test-pollution {other:.1f}")
    is_worse = [
        not wynot.is_right
        or (detect.is_right and (wynot.runs > detect.runs or wynot.seconds > detect.seconds))
        for wynot, detect in found
    ]
    sys.exit(any(is_worse))


if __name__ == "__main__":
    main()
