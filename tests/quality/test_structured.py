"""Small texts of many languages: this comes down to that, in exactly so many tests.

The tests are functions: a pattern that must be there, and that the text parses without flaws. A
change that makes a number smaller is welcome: write the new one down.
"""

import ast
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from typing import NamedTuple

import pytest

from reduce_inline import reduce_inline
from trees import shape
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.formats.detect import language_of, syntax_errors_of, tree_of


class Quality(NamedTuple):
    """A text, what makes it fail, what is left of it, and after how many tests."""

    path: str
    text: str
    fails: Callable[[str, str], bool]
    """Is given the text, and its tree in one line."""
    left: str
    tests: int


def has(*patterns: str) -> Callable[[str, str], bool]:
    """Return a test for patterns in the tree of a text, where tokens are parted by blanks."""
    return lambda _text, tree: all(re.search(pattern, tree) for pattern in patterns)


def json_has_path(text: str, _tree: str) -> bool:
    """Tell whether an edge leads to a node that there is."""
    data = json.loads(text)
    if not isinstance(data, dict):
        return False
    ids = {node["id"] for node in data.get("nodes", ()) if isinstance(node, dict) and "id" in node}
    return any(edge.get("to") in ids for edge in data.get("edges", ()) if isinstance(edge, dict))


def python_yields_in_a_loop(text: str, _tree: str) -> bool:
    """Tell whether a method of a class, by Python's own parser, yields in a loop."""
    inside = [ast.ClassDef, ast.FunctionDef, ast.For, ast.Yield]
    found: list[ast.AST] = [ast.parse(text)]
    for kind in inside:
        found = [
            node
            for outer in found
            for node in ast.walk(outer)
            if isinstance(node, kind) and node is not outer
        ]
    return bool(found)


def sqlite_joins(text: str, _tree: str) -> bool:
    """Tell whether SQLite runs it, and a LEFT JOIN with a GROUP BY finds something."""
    with closing(sqlite3.connect(":memory:")) as database:
        rows = 0
        try:
            for statement in text.split(";"):
                found = database.execute(statement).fetchall()
                if re.search(r"LEFT JOIN\b[\s\S]*\bGROUP BY\b", statement):
                    rows += len(found)
        except sqlite3.Error:
            return False
        return rows > 0


def smt_is_declared(text: str, _tree: str) -> bool:
    """Tell whether two different names are said to be distinct, and both are declared."""
    said = re.search(r"\(assert\b.*\(distinct (\w+) (\w+)\)", text)
    if said is None or said[1] == said[2]:
        return False
    return all(re.search(rf"\(declare-const {name} Int\)", text) for name in said.groups())


CASES = {
    "c": Quality(
        "a.c",
        """\
#include <stdio.h>

/* Counts. */
static int twice(int value) { return value * 2; }

int main(int argc, char **argv) {
    int total = 0;
    for (int i = 0; i < argc; i++) {
        total += twice(i); // more
        if (total > 100) {
            report("too many", total, argv[i]);
        } else {
            printf("%d\\n", total);
        }
    }
    return total ? 0 : 1;
}
""",
        # A call with a string, inside of a loop.
        has(r"for_statement\(.*call_expression\(\w+ argument_list\(\( string_literal"),
        """\
for(;;)0("");
""",
        77,
    ),
    "rust": Quality(
        "a.rs",
        """\
use std::collections::HashMap;

#[derive(Debug, Clone)]
struct Item<'a, T> { name: &'a str, value: T }

impl<'a, T: Clone> Item<'a, T> {
    fn new(name: &'a str, value: T) -> Self { Item { name, value } }
    fn get(&self) -> T { self.value.clone() }
}

fn main() {
    let mut all: HashMap<String, Item<u32>> = HashMap::new();
    for number in 0..10u32 {
        all.insert(number.to_string(), Item::new("x", number));
    }
    match all.get("3") { Some(item) => println!("{:?}", item), None => {} }
}
""",
        has(r"impl_item\(.*-> T \{|impl_item\(.*-> \w+ block", r"match_arm"),
        """\
impl A{fn a()->T{}}match(){B=>{}}
""",
        83,
    ),
    "python": Quality(
        "a.py",
        '''\
import os
import sys


class Reader:
    """Reads."""

    def __init__(self, path, mode="r"):
        self.path = path
        self.mode = mode

    def read(self):
        with open(self.path, self.mode) as stream:
            for number, line in enumerate(stream):
                if line.startswith("#"):
                    continue
                yield number, line.strip()


def main():
    for number, line in Reader(os.environ["HOME"]).read():
        print(number, line, file=sys.stderr)
''',
        python_yields_in_a_loop,
        """\
class a:
    def a():
        for b in():yield
""",
        120,
    ),
    "javascript": Quality(
        "a.js",
        """\
'use strict';
const fs = require('fs');

async function load(path, { encoding = 'utf8', retries = 3 } = {}) {
  for (let attempt = 0; attempt < retries; attempt++) {
    try {
      return await fs.promises.readFile(path, encoding);
    } catch (error) {
      console.log(`attempt ${attempt} failed`, error.message);
    }
  }
  throw new Error('gave up: ' + path);
}

module.exports = { load, loadAll: (...paths) => Promise.all(paths.map(load)) };
""",
        has(r"catch_clause\(.*template_substitution\("),
        """\
try{}catch{`${0}`}
""",
        111,
    ),
    "json": Quality(
        "a.json",
        json.dumps(
            {
                "name": "graph",
                "nodes": [{"id": f"node {n}", "width": n, "tags": ["a", "b"]} for n in range(8)],
                "edges": [{"from": f"node {n}", "to": f"node {7 - n}"} for n in range(8)],
                "options": {"rank": {"direction": "down", "spacing": [1, 2.5, None]}},
            },
            indent=2,
        ),
        json_has_path,
        '{"nodes":[{"id":"a"}],"edges":[{"to":"a"}]}',
        188,
    ),
    "sql": Quality(
        "a.sql",
        """\
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, town INTEGER);
CREATE TABLE towns (id INTEGER, name TEXT);
INSERT INTO people (id, name, age, town) VALUES (1, 'Ann', 30, 1), (2, 'Bob', 25, 2);
INSERT INTO towns VALUES (1, 'Ulm');
-- Who lives where?
SELECT p.name, t.name AS town, COUNT(*) FROM people p
LEFT JOIN towns t ON p.town = t.id
WHERE p.age > 20 AND t.name LIKE 'U%' GROUP BY p.name, t.name ORDER BY 3 DESC;
""",
        sqlite_joins,
        """\
CREATE TABLE a(b);CREATE TABLE c(d);INSERT INTO a VALUES(1);SELECT 1 FROM a
LEFT JOIN c ON 1
GROUP BY 1
""",
        260,
    ),
    "yaml": Quality(
        "a.yaml",
        """\
# What is built.
name: build
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        python: ["3.11", "3.12"]
    steps:
      - uses: actions/checkout@v4
      - name: Install
        run: |
          pip install .
          pip list
      - run: make test
  docs: &docs
    runs-on: ubuntu-latest
  more: *docs
""",
        lambda text, _tree: "- run: |" in re.sub(r"- name: \w+\n\s+run", "- run", text),
        "- run: |\n",
        170,
    ),
    "dot": Quality(
        "a.dot",
        """\
digraph "g" {
  rankdir=LR; node [shape=box, color="red"];
  subgraph cluster_0 { label="first"; a -> b -> c; b [label="B"]; }
  subgraph cluster_1 { d; e; d -> e [weight=2]; }
  a -> d [constraint=false];
  c -> e;
}
""",
        has(r"subgraph\(subgraph \w+ .*weight"),
        "subgraph 0{weight}\n",
        86,
    ),
    "smt-lib": Quality(
        "a.smt2",
        """\
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-fun f (Int) Int)
(assert (and (> x 0) (< y 10) (= (f x) (+ y 1))))
(assert (or (distinct x y) (not (= x (* 2 y)))))
(check-sat)
(get-model)
""",
        smt_is_declared,
        """\
(declare-const x Int)(declare-const y Int)(assert(distinct x y))
""",
        287,
    ),
    "markdown": Quality(
        "a.md",
        """\
# Title

Some *text* with a [link](https://example.org/a "t") and `code`.

- one
- two
  1. three **bold** and *mixed **nested** text*
  2. four

```c
int a;
```

| a | b |
| - | - |
| 1 | 2 |
""",
        lambda text, _tree: re.search(r"^ *\d\. .*\*\w+ \*\*", text, re.MULTILINE) is not None,
        "1. *e **\n",
        65,
    ),
    "any text": Quality(
        "a.log",
        "".join(
            f"01-{day:02} [{'warn' if day % 5 else 'error'}] request({day}, size={day * 7}) ok\n"
            for day in range(1, 29)
        ),
        lambda text, _tree: re.search(r"\[error\].*\n.*size=\d", text) is not None,
        """\
[error]
size=0
""",
        115,
    ),
}


def oracle_of(quality: Quality) -> Callable[[Files], bool]:
    """Return the test of a case: no flaws, and what is looked for."""
    language = language_of(quality.path, quality.text.encode())
    assert language is not None

    def fails(files: Files) -> bool:
        content = files.contents[quality.path]
        if not content.strip() or syntax_errors_of(language, content):
            return False
        tree = shape(tree_of(language, content), content).replace("\n", " ")
        try:
            return quality.fails(content.decode(), tree)
        except (ValueError, TypeError, AttributeError, SyntaxError):
            return False

    return fails


@pytest.mark.parametrize("name", CASES)
def test_this_text_comes_down_to_that(name: str) -> None:
    quality = CASES[name]
    files, fails = Files({quality.path: quality.text.encode()}), oracle_of(quality)
    assert fails(files)
    found = reduce_inline(files, fails)
    assert (found.content.decode(), found.tests) == (quality.left, quality.tests)
    assert {"nodes", "tokens"} <= {*found.proved}
    # A rewrite inside of another that was done is no step: it changes nothing any more.
    contents = [files.contents, *(step.files.contents for step in found.steps)]
    assert all(one != other for one, other in pairwise(contents))
    again = reduce_inline(files, fails, width=4, seed=1)
    assert again == found


@pytest.mark.slow
def test_binary_data_that_cannot_be_cut_take_tests_in_proportion() -> None:
    files = Files({"a.bin": bytes(range(256)) * 122})
    found = reduce_inline(files, lambda candidate: candidate.contents == files.contents)
    assert (found.files, found.tests, found.proved) == (files, 2292, ())


@pytest.mark.parametrize("name", ["c", "json", "smt-lib"])
def test_fast_is_hardly_larger(name: str) -> None:
    quality = CASES[name]
    files, fails = Files({quality.path: quality.text.encode()}), oracle_of(quality)
    found = reduce_inline(files, fails, ReduceOptions(files=(), fast=True))
    assert fails(found.files)
    assert len(found.content) <= 1.2 * len(quality.left)
    assert found.tests < quality.tests
