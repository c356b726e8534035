"""Failures of which the pattern is known: of real programs, and planted ones.

Each says what an explanation must find: for every limit its scale and the limit itself, exactly;
and how often parts must be said to be equal, or to be one of a few.
"""

import json
import sys
from collections.abc import Sequence
from typing import NamedTuple

PYTHON = (sys.executable, "-I", "-S", "-E")


class KnownFailure(NamedTuple):
    """An input, what is run on it, and what is known of the failure."""

    name: str
    path: str
    content: str
    command: Sequence[str]
    """The file is ``{}``."""
    limits: tuple[tuple[str, int | None, int | None], ...] = ()
    """Scale, least and most that fails, in any order."""
    equal: int = 0
    """How many groups of parts must be the same."""
    choices: int = 0
    """How many parts are one of a few."""
    same: str = "auto"


def run(program: str) -> tuple[str, ...]:
    """Return the command that runs a Python program on the file."""
    return (*PYTHON, "-c", program, "{}")


READ = "import sys; text = open(sys.argv[1]).read()\n"
JSON = "import json, sys\nfound = json.load(open(sys.argv[1]))\n"
WALK = """
def walk(value):
    yield value
    inner = value.values() if isinstance(value, dict) else value
    for each in inner if isinstance(value, (dict, list)) else ():
        yield from walk(each)
"""
FAIL = "raise RuntimeError('planted')\n"

SERVICE = json.dumps(
    {
        "name": "service",
        "port": 8080,
        "tags": ["alpha", "beta", "gamma"],
        "limits": {"cpu": 4, "memory": 2048, "burst": 17},
        "peers": [{"host": "alpha", "id": 3}, {"host": "beta", "id": 9}, {"host": "eps", "id": 3}],
    },
    indent=1,
)
ROWS = "id,name,qty\n1,foo,3\n2,bar,none\n3,baz,9\n4,qux,12\n"
LOG = "start of the log\nworker 3 ready\nretry count 412 of worker 7\nworker 9 ready\nend\n"
SOURCE = """\
import os
import sys

LIMIT = 10

def area(width, height):
    return width * height

def main(argv):
    total = 0
    for each in argv:
        total += area(len(each), LIMIT)
    return total

print(main(sys.argv[1:]))
"""


def planted(name: str, path: str, content: str, program: str, **known: object) -> KnownFailure:
    """Return a failure that a few lines of Python make."""
    return KnownFailure(name, path, content, run(program), **known)  # type: ignore[arg-type]


REAL = [
    KnownFailure(
        "python stdev of too few",
        "stdev.py",
        "import statistics\nimport json\n\n\ndef spread(rows):\n    return statistics.stdev(rows)\n"
        "\n\nfor rows in ([1, 2, 3], [4], [5, 6]):\n    print(json.dumps(spread(rows)))\n",
        (sys.executable, "-I", "{}"),
        limits=(("count", None, 1),),
    ),
    KnownFailure(
        "python day of a month",
        "date.py",
        "import datetime\nstart = datetime.date(2020, 1, 30)\nfor month in range(1, 3):\n"
        "    print(start.replace(month=month))\nprint(datetime.date(2021, 14, 3))\n",
        (*PYTHON, "{}"),
        limits=(("value", 1, 9999), ("value", 1, 12)),
    ),
    KnownFailure(
        "python chr of a number",
        "chars.py",
        "codes = [72, 101, 108]\nprint(''.join(map(chr, codes)))\nprint(chr(1200000))\n",
        (*PYTHON, "{}"),
        limits=(("value", 0x110000, 2**31 - 1),),
    ),
    planted(
        "ip address octet",
        "hosts.txt",
        "localhost 127.0.0.1\nrouter 192.168.0.1\nprinter 192.168.300.7\n",
        READ + "import ipaddress\nfor line in text.split('\\n'):\n"
        "    for word in line.split():\n"
        "        if word.count('.') == 3: ipaddress.IPv4Address(word)\n",
        limits=(("value", 0, 999), ("value", 256, 999)),
    ),
    planted(
        "int of too many digits",
        "digits.txt",
        "12 34\n" + "7" * 4400 + "\n56\n",
        READ + "for word in text.split():\n    if word.isdigit(): int(word)\n",
        limits=(("length", 4301, None),),
    ),
    planted(
        "xml attribute twice",
        "page.xml",
        '<page lang="en">\n <head title="x"/>\n <row id="a" key="b" id="c">text</row>\n</page>\n',
        READ + "import xml.etree.ElementTree as tree\ntree.fromstring(text)\n",
        equal=1,
    ),
    planted(
        "toml key twice",
        "config.toml",
        "name = 'x'\n[server]\nport = 80\nhost = 'a'\nport = 81\n[client]\nport = 9\n",
        READ + "import tomllib\ntomllib.loads(text)\n",
        equal=1,
    ),
    planted(
        "ini option twice",
        "config.ini",
        "[server]\nport = 80\nhost = a\nport = 81\n[client]\nport = 9\n",
        READ + "import configparser\nconfigparser.ConfigParser().read_string(text)\n",
        equal=1,
    ),
    KnownFailure(
        "gcc case value twice",
        "switch.c",
        "int f(int a) {\n  switch (a) {\n  case 1: return 2;\n  case 7: return 3;\n"
        "  case 9: return 5;\n  case 7: return 4;\n  default: return 0;\n  }\n}\n"
        "int main(void) { return f(3); }\n",
        ("gcc", "-fsyntax-only", "{}"),
        equal=1,
    ),
    KnownFailure(
        "gcc array of negative size",
        "array.c",
        "int f(int a) { return a; }\nint main(void) {\n  int buffer[-5];\n  buffer[0] = f(3);\n"
        "  return buffer[0];\n}\n",
        ("gcc", "-fsyntax-only", "{}"),
        limits=(("value", None, -1),),
    ),
    planted(
        "sql group by position",
        "query.sql",
        "CREATE TABLE t (a, b);\nINSERT INTO t VALUES (1, 2);\n"
        "SELECT a, b FROM t WHERE a > 1 ORDER BY 5;\n",
        READ + "import sqlite3\nsqlite3.connect(':memory:').executescript(text)\n",
        limits=(("value", 2, 2**31 - 1),),
    ),
]

PLANTED = [
    planted(
        "json number",
        "a.json",
        SERVICE,
        JSON + "port = found.get('port') if isinstance(found, dict) else 0\n"
        "if type(port) is int and port > 1024: " + FAIL,
        limits=(("value", 1025, None),),
    ),
    planted(
        "json list of three",
        "a.json",
        SERVICE,
        JSON
        + WALK
        + "if any(type(each) is list and len(each) >= 3 for each in walk(found)): "
        + FAIL,
        limits=(("count", 3, None),),
    ),
    planted(
        "json string of six",
        "a.json",
        SERVICE,
        JSON
        + WALK
        + "if any(type(each) is str and len(each) > 5 for each in walk(found)): "
        + FAIL,
        limits=(("length", 6, None),),
    ),
    planted(
        "json two equal ids",
        "a.json",
        SERVICE,
        JSON + "peers = found.get('peers', []) if type(found) is dict else []\n"
        "ids = [str(each['id']) for each in peers if type(each) is dict and 'id' in each]\n"
        "if len(ids) > len(set(ids)): " + FAIL,
        equal=1,
    ),
    planted(
        "json one of two keys",
        "a.json",
        SERVICE,
        JSON + "if type(found) is dict and ('port' in found or 'limits' in found): " + FAIL,
        choices=1,
    ),
    planted(
        "json more than another",
        "a.json",
        SERVICE,
        JSON + "limits = found.get('limits') if type(found) is dict else None\n"
        "if type(limits) is dict and limits.get('memory', 0) > limits.get('cpu', 99) > 3: " + FAIL,
    ),
    planted(
        "json nested twelve deep",
        "a.json",
        '{"a": ' + "[" * 30 + "]" * 30 + ', "b": 3}',
        JSON + "def depth(value):\n"
        "    inner = value.values() if type(value) is dict else value\n"
        "    inner = inner if type(value) in (dict, list) else ()\n"
        "    return (type(value) is list) + max(map(depth, inner), default=0)\n"
        "if depth(found) >= 12: " + FAIL,
        limits=(("depth", 12, None),),
    ),
    planted(
        "text count from hundred",
        "a.txt",
        LOG,
        READ + "import re\nfound = re.search(r'count (\\d+)', text)\n"
        "if found and int(found[1]) >= 100: " + FAIL,
        limits=(("value", 100, None),),
    ),
    planted(
        "text long word",
        "a.txt",
        "alpha beta\n" + "x" * 90 + " delta\nepsilon 7\n",
        READ + "if any(len(word) >= 60 for word in text.split()): " + FAIL,
        limits=(("length", 60, None),),
    ),
    planted(
        "csv third field",
        "a.csv",
        ROWS,
        READ + "rows = [line.split(',') for line in text.split('\\n')]\n"
        "if any(len(row) > 2 and row[2] == 'none' for row in rows): " + FAIL,
    ),
    planted(
        "python call of four",
        "a.py",
        "def f(a, b, c, d, e):\n    return a\n\n\nprint(f(1, 2, 3, 4, 5))\n",
        READ + "import ast\nnodes = ast.walk(ast.parse(text))\n"
        "if any(isinstance(each, ast.Call) and len(each.args) >= 4 for each in nodes): " + FAIL,
        limits=(("count", 4, None),),
    ),
    planted(
        "python function that is called",
        "a.py",
        SOURCE,
        READ + "import ast\nnodes = [*ast.walk(ast.parse(text))]\n"
        "names = {each.name for each in nodes if isinstance(each, ast.FunctionDef)}\n"
        "calls = {each.func.id for each in nodes if isinstance(each, ast.Call)"
        " and isinstance(each.func, ast.Name)}\nif names & calls: " + FAIL,
        equal=1,
    ),
    planted(
        "python less than",
        "a.py",
        "a = 3\nb = a < 4\nc = b and a\nprint(a <= c, a > 2)\n",
        READ + "import ast\nnodes = ast.walk(ast.parse(text))\n"
        "if any(isinstance(each, ast.Compare) and isinstance(each.ops[0], (ast.Lt, ast.LtE))"
        " for each in nodes): " + FAIL,
        choices=1,
    ),
]

FAILURES = [*REAL, *PLANTED]
