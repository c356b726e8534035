"""Explanations of planted failures, to the letter: the form, the limits, and what they take."""

import ast
import json
import re
from collections.abc import Callable

import pytest
from benchmarks.explain.failures import LOG, ROWS, SERVICE
from benchmarks.explain.instances import instance

from explain_inline import explain_inline
from wynot.core.files import Files

MOST_TESTS = 264
"""What is left of 300 for the search itself."""


def parsed(check: Callable[[object], object]) -> Callable[[bytes], bool | None]:
    """Return a test of JSON; what is none cannot be told."""

    def test(content: bytes) -> bool | None:
        try:
            return bool(check(json.loads(content)))
        except ValueError:
            return None

    return test


def ids(found: object) -> list[str]:
    peers = found.get("peers") if isinstance(found, dict) else []
    peers = peers if isinstance(peers, list) else []
    return [str(each["id"]) for each in peers if isinstance(each, dict) and "id" in each]


def called(content: bytes) -> bool | None:
    try:
        nodes = [*ast.walk(ast.parse(content))]
    except (SyntaxError, ValueError):
        return None
    return any(isinstance(each, ast.Call) and len(each.args) >= 4 for each in nodes)


def count(content: bytes) -> bool:
    found = re.search(rb"count (\d+)", content)
    return found is not None and int(found[1]) >= 100


def port(found: object) -> bool:
    value = found.get("port", 0) if isinstance(found, dict) else 0
    return type(value) is int and value > 1024


def ratio(found: object) -> bool | None:
    """A division of numbers with a point by zero, deep in an object: as a program would fail."""
    try:
        [order] = found["orders"]  # type: ignore[index]
        [item] = order["items"]
        total, cost = item["qty"] * item["price"], order["shipping"]["cost"]
        return type(total) is float and total == 0 and isinstance(cost, (int, float))
    except (KeyError, TypeError, ValueError):
        return None


def no_member(content: bytes) -> bool:
    """A message that names two things; longer names may be others, as for a learned failure."""
    name = rb"([a-zA-Z_]\w*)"
    form = rb"struct NAME\{\}NAME;NAME\(\)\{NAME NAME;NAME\.NAME".replace(b"NAME", name)
    found = re.search(form, content)
    if found is None or found[2] != found[4] or found[5] != found[6]:
        return False
    return len(found[2]) <= 2 and len(found[7]) <= 2


ORDERS = '{"orders":[{"items":[{"qty":0,"price":9.5}],"shipping":{"cost":1}}]}'
CASES = {
    "deep": (
        *("a.json", ORDERS, parsed(ratio)),
        ORDERS.replace("9.5", "<decimal-number>").replace(":1}", ":<integer>}"),
        set(),
    ),
    "short names": (
        *("a.c", "typedef struct a{}b;c(){b d;d.e;}\n", no_member),
        *("struct <name1>{}<name2>;<name3>(){<name2> <name4>;<name4>.<name5>\n", set()),
    ),
    "number": ("a.json", SERVICE, parsed(port), '{"port":<integer>}', {("value", 1025, None)}),
    "equal": (
        *("a.json", SERVICE, parsed(lambda found: len(ids(found)) > len({*ids(found)}))),
        *('{"peers":[{"id":<value>},{"id":<value>}]}', set()),
    ),
    "either-or": (
        *("a.json", SERVICE),
        parsed(lambda found: isinstance(found, dict) and {"port", "limits"} & found.keys()),
        *("{<choice>:<value>}", set()),
    ),
    "length": (
        *("a.txt", "alpha\n" + "x" * 90 + " delta\n"),
        lambda content: any(len(word) >= 60 for word in content.split()),
        *("<word>\n", {("length", 60, None)}),
    ),
    "text": ("a.txt", LOG, count, "count <integer>\n", {("value", 100, None)}),
    "inside": (
        *("a.txt", "router 192.168.0.1\nprinter 192.168.300.7\n"),
        lambda content: any(
            int(each) > 255 for each in re.findall(rb"\b\d+\.\d+\.(\d+)\.", content)
        ),
        *("<integer1>.<integer2>.<integer3>.\n", {("value", 0, None), ("value", 256, None)}),
    ),
    "position": (
        *("a.csv", ROWS),
        lambda content: any(row.split(b",")[2:3] == [b"none"] for row in content.split(b"\n")),
        *("<field1>,<field2>,none\n", set()),
    ),
    "count": (
        *("a.py", "def f(a, b, c, d, e):\n    return a\n\nprint(f(1, 2, 3, 4, 5))\n"),
        *(called, "<value><arguments>\n", {("count", 4, None)}),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_form_of_a_planted_failure(name: str) -> None:
    path, content, test, form, limits = CASES[name]

    def fails(files: Files) -> bool | None:
        return test(files.contents[path])

    found = explain_inline(Files({path: content.encode()}), fails, tests=MOST_TESTS)
    assert found.pattern.replace("\u2039", "<").replace("\u203a", ">") == form
    assert {(part.scale, part.low, part.high) for part in found.free if part.scale} == limits
    assert found.findings.tests <= MOST_TESTS
    assert found.findings.joint is not None
    assert found.findings.joint[0] == found.findings.joint[1]
    fresh = [instance(found.case, found.free, seed) for seed in range(100)]
    assert sum(fails(each) is True for each in fresh) >= 95
