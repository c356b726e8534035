"""Isolate failures without a passing side: what is found, in how many tests.

    python benchmarks/no_passing_side.py [CASE …] [--wynot COMMAND] [--seconds N]

A case is a folder of `benchmarks/cases` with a failing input and a `test.sh`, or is made here. The
test has three outcomes: the failure shows (0), the program does what it should on an input that is
one (1), or neither (125). An empty input is of the last kind throughout: nobody has given a passing
side, and there is none to be had for nothing. The programs are installed by
`benchmarks/cases/install.sh`.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from difflib import SequenceMatcher
from pathlib import Path
from time import monotonic
from typing import NamedTuple

CASES = Path(__file__).parent / "cases"
HOME = 'H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}; PATH="$H/bin:$PATH"; '


class Failure(NamedTuple):
    """A failing input, and what accepts inputs that do not fail."""

    accepts: str
    """A line of shell that ends with 0 if the program does what it should; of an input that is made
    here, with 4 then, and with 0 if the failure shows."""
    content: str = ""
    """The input, if it is made here."""
    name: str = ""


class Row(NamedTuple):
    """What is printed of a case."""

    case: str
    size: int
    found: str
    difference: str
    tests: str
    wall: str


ROUND_TRIP = """
import io, sys, yaml, ruamel.yaml
s = open("example.yaml", encoding="utf8").read()
def trip(s):
    y = ruamel.yaml.YAML()
    y.preserve_quotes = True
    out = io.StringIO()
    y.dump_all(list(y.load_all(s)), out)
    return out.getvalue()
assert list(yaml.compose_all(s))
a = trip(s)
assert trip(a) == a
"""
TO_JSON = """
import json, sys, yaml
data = yaml.safe_load(open("compose.yaml", encoding="utf8"))
for name, service in data["services"].items():
    assert service["image"] and len(service["ports"]) == 2
    assert service["environment"]["NAME"] == name
    for other in service.get("depends", ()):
        assert other in data["services"] if isinstance(other, str) else len(other["needs"])
        assert isinstance(other, str) or isinstance(other["needs"], list)
assert len(data["services"]) > 40
try:
    json.dumps(data)
except ValueError as error:
    sys.exit(0 if "Circular" in str(error) else 3)
sys.exit(4)
"""
SUMS = """
import json, sys
data = json.load(open("orders.json"))
assert len(data["orders"]) > 20
try:
    for order in data["orders"]:
        round(sum(item["price"] * item["count"] for item in order["items"]), 2)
except TypeError:
    sys.exit(0)
sys.exit(4)
"""
FEED = """
import sys, xml.etree.ElementTree as tree
from email.utils import parsedate_to_datetime
items = tree.parse("feed.xml").getroot().findall("channel/item")
assert len(items) > 20
try:
    for item in items:
        parsedate_to_datetime(item.find("pubDate").text)
except (TypeError, ValueError):
    sys.exit(0)
sys.exit(4)
"""
LESS = """
const fs = require("fs"), file = "definitions/views/item.less";
const src = fs.readFileSync(file, "utf8");
const run = (v, done) => require(process.env.D + "/" + v + "/node_modules/less")
  .render(src, {filename: file, paths: ["."], math: "always"}, done);
run("less35", (e, out) => process.exit(!e && out.css.trim() !== "" ? 0 : 1));
"""


def compose() -> str:
    """Return 18 kB of YAML with forty aliases, of which one leads back to what it stands in."""
    lines = ["version: 3", "x-common: &common", "  restart: always", "  limits: {cpu: 2}"]
    lines.append("services:")
    for number in range(120):
        lines += [f"  service-{number}:", f"    image: registry.example/app-{number}:1.{number}"]
        lines += ["    <<: *common"] if number % 3 == 0 else ["    restart: never"]
        lines += [f"    ports: [{8000 + number}, {9000 + number}]", "    environment:"]
        lines += [f"      NAME: service-{number}", f"      LEVEL: {number % 5}"]
        if number == 77:
            lines += ["    depends: &after", "      - service-1", "      - needs: *after"]
    return "\n".join([*lines, ""])


def orders() -> str:
    """Return orders, of which one has a count that is a text."""
    found = [
        {
            "id": number,
            "customer": {"name": f"Customer {number}", "vip": number % 7 == 0},
            "items": [
                {"sku": f"S-{number}-{each}", "price": 1.5 * each + number, "count": each}
                for each in range(1, 4)
            ],
        }
        for number in range(60)
    ]
    found[41]["items"][1]["count"] = None  # type: ignore[index]
    return json.dumps({"currency": "EUR", "orders": found}, indent=1)


def feed() -> str:
    """Return a feed, of which one item has a date that is none."""
    items = [
        f"<item><title>News {number}</title><link>https://example.org/{number}</link>"
        f"<pubDate>{'soon' if number == 33 else 'Mon, 02 Jan 2023 10:00:00 +0000'}</pubDate></item>"
        for number in range(80)
    ]
    return "\n".join(["<rss><channel><title>News</title>", *items, "</channel></rss>", ""])


def python(venv: str, text: str) -> str:
    """Return a line of shell that runs Python of an installed environment."""
    return f"timeout 20 $H/{venv}/bin/python -I -W ignore - <<'END'\n{text}\nEND\n"


def node(package: str, text: str) -> str:
    """Return a line of shell that runs JavaScript with installed packages."""
    return f"D=$H/js/{package} timeout 20 node -e '{text}'"


FAILURES = {
    "yaml-aliases": Failure(python("py-ruamel", TO_JSON), compose(), "compose.yaml"),
    "json-orders": Failure(python("py-ruamel", SUMS), orders(), "orders.json"),
    "xml-feed": Failure(python("py-ruamel", FEED), feed(), "feed.xml"),
    "yaml-ruamel": Failure(python("py-ruamel", ROUND_TRIP)),
    "toml-tomlkit": Failure(
        python(
            "py-tomlkit",
            "import tomllib, tomlkit; s = open('workspace.toml', encoding='utf8').read()\n"
            "assert tomllib.loads(s) and tomlkit.parse(s)",
        )
    ),
    "css-clean-css": Failure(
        node(
            "clean-css/node_modules",
            'const s = require("fs").readFileSync("tree.css", "utf8");'
            'require(process.env.D + "/css-tree").parse(s, {onParseError: (e) => { throw e; }});'
            'const Clean = require(process.env.D + "/clean-css");'
            "new Clean({level: 2, inline: false}).minify(s);",
        )
    ),
    "js-butternut": Failure(
        node(
            "butternut/node_modules",
            'const s = require("fs").readFileSync("structured-clone.js", "utf8");'
            'const acorn = require(process.env.D + "/acorn");'
            "const parse = (t) => acorn.parse(t, {ecmaVersion: 2017}); parse(s);"
            'const {squash} = require(process.env.D + "/butternut");'
            "parse(squash(s, {check: false, sourceMap: false}).code);",
        )
    ),
    "html-minifier": Failure(
        node(
            "html-minifier/node_modules",
            'const s = require("fs").readFileSync("data-types.html", "utf8");'
            'const {minify} = require(process.env.D + "/html-minifier");'
            "const opts = {collapseWhitespace: true, removeOptionalTags: true,"
            " removeAttributeQuotes: true};"
            "const a = minify(s, opts); if (a !== minify(a, opts)) throw a;"
            'require(process.env.D + "/parse5").parse(s, {onParseError: (e) => { throw e; },'
            " sourceCodeLocationInfo: true});",
        )
    ),
    "py-libcst": Failure(
        "LIBCST_PARSER_TYPE=native "
        + python(
            "py-libcst",
            "s = open('webbrowser.py', encoding='utf8', newline='').read()\n"
            "compile(s, 'f', 'exec')\nfrom libcst import parse_module\n"
            "assert parse_module(s).code == s",
        )
    ),
    "sql-sqlglot": Failure(
        python(
            "py-sqlglot",
            "import sqlite3\ntext = open('library.sql', encoding='utf8').read()\n"
            "db = sqlite3.connect(':memory:')\ndb.executescript(text)\n"
            "schema = {t: {c[1]: c[2] for c in db.execute('PRAGMA table_info(\"%s\")' % t)}\n"
            "          for (t,) in db.execute('SELECT name FROM sqlite_master').fetchall()}\n"
            "import sqlglot\nfrom sqlglot import exp\nfrom sqlglot.optimizer import optimize\n"
            "found = [e for e in sqlglot.parse(text, read='sqlite')\n"
            "         if isinstance(e, (exp.Select, exp.Union))]\n"
            "assert found\n[optimize(e, schema=schema) for e in found]",
        )
    ),
    "jq-implode": Failure("timeout 10 jq -n -r -f report.jq"),
    "less-folder": Failure(f"cd semantic && {node('', LESS)}"),
}


def prepared(name: str, folder: Path) -> str:
    """Put a case into a folder, with a test of three outcomes; return the input's name."""
    accepts, content, called = FAILURES[name]
    if content:
        (folder / called).write_text(content)
        script = f"{accepts}\ncase $? in 0) exit 0;; 4) exit 1;; *) exit 125;; esac"
    else:
        shutil.copytree(CASES / name, folder, dirs_exist_ok=True)
        [called] = {each.name for each in folder.iterdir()} - {"meta.toml", "test.sh"}
        full = f"[ -s {called} ] && " if (folder / called).is_file() else ""
        script = f"bash {folder}/test.sh && exit 0\n{full}({accepts}) && exit 1\nexit 125"
    three = folder / "three.sh"
    three.write_text(f"#!/bin/bash\n{HOME}\nexec > /dev/null 2>&1 < /dev/null\n{script}\n")
    three.chmod(0o755)
    return called


def holds(folder: Path, called: str, side: str, status: int) -> bool:
    """Tell whether the test says this of a side that was written."""
    found = list((folder / "out").glob(f"*.{side}*"))
    with tempfile.TemporaryDirectory() as private:
        if len(found) != 1:
            return False
        copied = shutil.copytree if found[0].is_dir() else shutil.copy
        copied(found[0], Path(private, called))
        test = subprocess.run([folder / "three.sh", called], cwd=private, check=False)
        return test.returncode == status


def isolated(wynot: list[str], folder: Path, name: str, terms: list[str]) -> Row:
    """Run it; return a row of the table."""
    called = prepared(name, folder)
    size = sum(each.stat().st_size for each in (folder / called).rglob("*") if each.is_file())
    size = size or (folder / called).stat().st_size
    command = [*wynot, "isolate", "--json", "--fresh", "-o", "out", *terms]
    began = monotonic()
    done = subprocess.run(
        [*command, str(folder / "three.sh"), called], cwd=folder, capture_output=True, check=False
    )
    wall = f"{monotonic() - began:.0f} s"
    events = [json.loads(line) for line in done.stdout.splitlines()]
    if not events or events[-1]["event"] != "concluded":
        said = done.stderr.decode().splitlines()
        return Row(name, size, "no", said[0][:100] if said else "", "", wall)
    [*_, data] = [event["data"] for event in events if event["event"] == "answered"]
    is_true = holds(folder, called, "passing", 1) and holds(folder, called, "failing", 0)
    left = f"{data['left']} {data['granularity']}, {changed(data['patch'])} characters"
    if events[-1]["stopped"] != "finished":
        left = f"{left} ({events[-1]['stopped']})"
    tests = f"{events[-1]['tests']:,}"
    return Row(name, size, "yes" if is_true else "no", left, tests, wall)


def changed(patch: str) -> int:
    """Return how many characters a patch takes out and puts in, not counting what stays."""
    lines = [line for line in patch.splitlines() if line[:3] not in {"---", "+++"}]
    old, new = ("\n".join(line[1:] for line in lines if line[:1] == sign) for sign in "-+")
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    codes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return sum(max(stop - start, end - begin) for _, start, stop, begin, end in codes)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", help="only these")
    parser.add_argument("--wynot", default=f"{sys.executable} -m wynot", help="the command")
    parser.add_argument("--seconds", type=int, default=300, help="for each run")
    parser.add_argument("--terms", default="", help="more options of isolate")
    parser.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)))
    given = parser.parse_args()
    terms = ["-j", str(given.jobs), "--max-time", str(given.seconds), *given.terms.split()]
    print("| case | bytes | found | difference | tests | wall |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in given.cases or FAILURES:
        with tempfile.TemporaryDirectory() as folder:
            row = isolated(given.wynot.split(), Path(folder).resolve(), name, terms)
        print(f"| {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main()
