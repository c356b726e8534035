"""The last bytes: small failures of which the other passes leave a few bytes too many.

What is left goes only together with something elsewhere, or in spite of what a grammar says, or as
something of another kind.
"""

from collections.abc import Iterator

from benchmarks.probes.probe import Probe

READ = "import re, sys\ntext = open(sys.argv[1]).read()\n"
"""How each test begins."""
BALANCED = """
def balanced(text):
    stack = []
    for mark in re.findall(r"[()\\[\\]{}]", text):
        if mark in "([{":
            stack.append(mark)
        elif not stack or stack.pop() + mark not in ("()", "[]", "{}"):
            return False
    return not stack
"""
EXIT = "sys.exit(0 if {} else 1)\n"
NOISE = "".join(f"value {number} := item({number}) + rest[{number}];\n" for number in range(40))


def probes() -> Iterator[Probe]:
    """Yield leftovers of many kinds."""
    yield from _sets()
    yield from _windows()
    yield from _white_space()
    yield from _stand_ins()


def _sets() -> Iterator[Probe]:
    """Yield those of which tokens go together or not at all."""
    yield Probe(
        "conflict markers, all or none",
        {"merge.cfg": f"{NOISE}<<<< ours\nkey = !1\n==== base\nkey = 2\n>>>> theirs\n".encode()},
        READ
        + "marks = [mark in text for mark in ('<<<<', '====', '>>>>')]\n"
        + EXIT.format("len(set(marks)) == 1 and '!' in text and 'key' in text"),
        6,
    )
    yield Probe(
        "separators, all or none",
        {"rows.unl": (NOISE + "one | two | @three | four | five\n").encode()},
        READ
        + "cells = len(re.findall(r'\\w+', re.sub(r'(?m)^value.*', '', text)))\n"
        + EXIT.format("'@' in text and text.count('|') in (0, cells - 1) and cells > 0"),
        3,
    )
    yield Probe(
        "a word that is opened and closed",
        {"doc.mark": (NOISE + "begin page\nbegin list\nat ~ here\nend list\nend page\n").encode()},
        READ
        + "opened, closed = re.findall(r'begin (\\w+)', text), re.findall(r'end (\\w+)', text)\n"
        + EXIT.format(
            "opened == closed[::-1] and '~' in text and text.split().count('begin') == len(opened)"
            " and text.split().count('end') == len(closed)"
        ),
        2,
    )


def _windows() -> Iterator[Probe]:
    """Yield those of which long runs go, though the rest parses worse."""
    yield Probe(
        "only what is before it parses",
        {"tail.json": b'{"a": [1, 2, {"b": [true, {"c": "needle"}]}], "d": {"e": [1, 2, 3]}\n'},
        READ
        + "import json\n"
        + "try:\n    json.JSONDecoder().raw_decode(text)\n    sys.exit(1)\n"
        + "except ValueError as error:\n    "
        + EXIT.format("'needle' in text and error.pos > 0 and text[0] in '{['"),
        8,
    )
    yield Probe(
        "an unclosed function, in C",
        {
            "open.c": b"int add(int a, int b) {\n  return a + b;\n}\n\n"
            b"int main(int argc, char **argv) {\n  if (argc > 1) {\n    add(1, 2);\n  }\n"
        },
        READ + EXIT.format("text.count('{') - text.count('}') == 1 and 'main' in text"),
        6,
    )
    yield Probe(
        "two ends of one thing",
        {"pair.txt": (NOISE + "open (left, right) [x] shut! {y}\n").encode()},
        READ + BALANCED + EXIT.format("balanced(text) and re.search(r'\\).*!', text, re.S)"),
        4,
    )


def _white_space() -> Iterator[Probe]:
    """Yield those of which line ends and blanks can go."""
    yield Probe(
        "a function on one line, in C",
        {"line.c": b"int first(int a)\n{\n  return a;\n}\nint second(int b[])\n{\n}\n"},
        READ
        + EXIT.format("re.search(r'int\\s+\\w+\\s*\\(int\\s*\\w*\\[\\]\\)\\s*\\{\\s*\\}', text)"),
        15,
    )
    yield Probe(
        "keywords next to numbers, in SQL",
        {
            "query.sql": b"CREATE TABLE t (a INTEGER, b TEXT);\nINSERT INTO t VALUES (1, 'x');\n"
            b"SELECT a, b FROM t\nWHERE a IN (SELECT 1)\nORDER BY b;\n"
        },
        READ
        + "import sqlite3\n"
        + "try:\n    sqlite3.connect(':memory:').executescript(text)\n"
        + "except sqlite3.Error:\n    sys.exit(1)\n"
        + EXIT.format("re.search(r'\\d\\s*IN\\b', re.sub(r'\\ba\\b', '1', text))"),
        13,
    )
    yield Probe(
        "key and value, in TOML",
        {"pyproject.toml": b'[tool]\nname = "x"\n\n[tool.more]\n"" = 1\nother = [1, 2]\n'},
        READ
        + "import tomllib\n"
        + "try:\n    found = tomllib.loads(text)\nexcept ValueError:\n    sys.exit(1)\n"
        + EXIT.format("'\"\"' in repr(found).replace(\"''\", '\"\"') and '=' in text"),
        5,
    )


def _stand_ins() -> Iterator[Probe]:
    """Yield those of which something of another kind is shorter."""
    yield Probe(
        "an interface that is a type, in TypeScript",
        {
            "api.ts": b"interface Shape {\n  area(scale: number): number;\n}\n"
            b"interface Api {\n  draw: (shape: Shape, options: {}) => void;\n}\n"
        },
        READ
        + "parts = re.search(r'\\((\\w+(: ?\\w+)?), ?(\\w+: ?)?\\{\\}\\) ?=>', text)\n"
        + EXIT.format("parts and re.match(r'interface \\w+ ?\\{|type \\w+ ?=|\\(', text)"),
        12,
    )
    yield Probe(
        "a value in the place of its list, in JSON",
        {"deep.json": b'{"rows": [{"id": 1, "at": [[{"x": "2024-02-30"}]]}], "next": null}\n'},
        READ
        + "import json\n"
        + "try:\n    found = json.loads(text)\nexcept ValueError:\n    sys.exit(1)\n"
        + EXIT.format("'02-30' in repr(found)"),
        8,
    )
    yield Probe(
        "a call that is only a value, in Python",
        {
            "value.py": b"import os\n\ndef size(path):\n    return os.stat(path).st_size\n\n"
            b"total = sum([size(name) for name in os.listdir('.')])\nprint(total % 0)\n"
        },
        READ
        + "try:\n    exec(compile(text, 'value.py', 'exec'))\n"
        + "except ZeroDivisionError:\n    sys.exit(0)\nexcept Exception:\n    pass\nsys.exit(1)\n",
        4,
    )
