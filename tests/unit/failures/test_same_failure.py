"""What the first run teaches about texts in quotes: the same failure, or another.

The messages are those of the programs themselves where this machine had them: CPython 3.11, gcc 12,
ld, rustc, node, javac, bash, dash, sqlite, PyYAML, make, perl, cmake, tclsh and jq. The others are
written after the documented format.
"""

from typing import NamedTuple

import pytest

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.expectation import Expectation
from wynot.failures.wording import Vocabulary
from wynot.formats.grammar import is_installed, reserved
from wynot.formats.language_table import BY_NAME


class Pair(NamedTuple):
    """A failure on an input, how it looks on smaller ones, and what another one looks like."""

    name: str
    given: str
    language: str
    first: str
    same: tuple[str, ...]
    other: tuple[str, ...]


def python(error: str) -> str:
    """Return a traceback with no functions to tell by."""
    return f'Traceback (most recent call last):\n  File "in.py", line 3, in <module>\n{error}\n'


def node(error: str) -> str:
    return f"/w/in.js:2\n\n{error}\n    at Object.<anonymous> (/w/in.js:2:7)\n"


PAIRS = [
    Pair(
        "python-operands",
        "total = 0\nfor item in items: total += int(item.get('price'))",
        "python",
        python("TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'"),
        (python("TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'"),),
        (
            python("TypeError: unsupported operand type(s) for +: 'int' and 'tuple'"),
            python("TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'"),
            python("TypeError: unsupported operand type(s) for +: 'str' and 'NoneType'"),
            python("TypeError: unsupported operand type(s) for -: 'int' and 'NoneType'"),
            python("TypeError: unsupported operand type(s) for +: 'NoneType'"),
        ),
    ),
    Pair(
        "python-attribute",
        "class Node:\n  name = 1\nwhile node.name: node = node.parent",
        "python",
        python("AttributeError: 'NoneType' object has no attribute 'name'"),
        (
            python("AttributeError: 'NoneType' object has no attribute 'a'"),
            python("AttributeError: 'NoneType' object has no attribute 'nam'"),
        ),
        (
            python("AttributeError: 'int' object has no attribute 'h'"),
            python("AttributeError: 'Node' object has no attribute 'name'"),
            python("AttributeError: 'NoneType' object has no attribute 'append'"),
            python("AttributeError: 'NoneType' object has no attribute 'parent'"),
        ),
    ),
    Pair(
        "python-own-class",
        "class Customer:\n  pass\nCustomer().adress",
        "python",
        python("AttributeError: 'Customer' object has no attribute 'adress'"),
        (
            python("AttributeError: 'A' object has no attribute 'a'"),
            python("AttributeError: 'Customer' object has no attribute 'b'"),
        ),
        (
            python("AttributeError: 'NoneType' object has no attribute 'adress'"),
            python("AttributeError: 'tuple' object has no attribute 'b'"),
        ),
    ),
    Pair(
        "python-comparison",
        "sorted([1, 'x'])",
        "python",
        python("TypeError: '<' not supported between instances of 'str' and 'int'"),
        (python("TypeError: '<' not supported between instances of 'str' and 'int'"),),
        (
            python("TypeError: '<' not supported between instances of 'int' and 'str'"),
            python("TypeError: '>' not supported between instances of 'str' and 'int'"),
            python("TypeError: '<' not supported between instances of 'list' and 'int'"),
        ),
    ),
    Pair(
        "python-concatenation",
        "print('a' + count)",
        "python",
        python('TypeError: can only concatenate str (not "int") to str'),
        (python('TypeError: can only concatenate str (not "int") to str'),),
        (python('TypeError: can only concatenate str (not "NoneType") to str'),),
    ),
    Pair(
        "python-name",
        "def total(items): return sum(itms)\ntotal(items)",
        "python",
        python("NameError: name 'itms' is not defined. Did you mean: 'items'?"),
        (
            python("NameError: name 'itms' is not defined"),
            python("NameError: name 'a' is not defined. Did you mean: 'b'?"),
        ),
        (
            python("NameError: name 'items' is not defined"),
            python("NameError: name 'sum' is not defined"),
        ),
    ),
    Pair(
        "python-value",
        "name,age\nann,12x\n",
        "csv",
        python("ValueError: invalid literal for int() with base 10: '12x'"),
        (
            python("ValueError: invalid literal for int() with base 10: 'x'"),
            python("ValueError: invalid literal for int() with base 10: ''"),
            python("ValueError: invalid literal for int() with base 10: 'a'"),
        ),
        (
            python("ValueError: invalid literal for int() with base 16: 'name'"),
            python("ValueError: could not convert string to float: '12x'"),
        ),
    ),
    Pair(
        "python-module",
        "import numpyy\nimport json",
        "python",
        python("ModuleNotFoundError: No module named 'numpyy'"),
        (python("ModuleNotFoundError: No module named 'a'"),),
        (python("ModuleNotFoundError: No module named 'json'"),),
    ),
    Pair(
        "python-codec",
        "a,b\n",
        "csv",
        python("UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 7: invalid"),
        (
            python(
                "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xfe in position 0: invalid"
            ),
        ),
        (
            python(
                "UnicodeDecodeError: 'ascii' codec can't decode byte 0xff in position 7: invalid"
            ),
        ),
    ),
    Pair(
        "python-set",
        "x: 1\n",
        "yaml",
        python("ValueError: missing fields {'version', 'kind'}"),
        (python("ValueError: missing fields {'kind', 'version'}"),),
        (python("ValueError: missing fields {'kind', 'spec'}"),),
    ),
    Pair(
        "json",
        '{"a" 1}',
        "json",
        python("json.decoder.JSONDecodeError: Expecting ':' delimiter: line 1 column 6 (char 5)"),
        (
            python(
                "json.decoder.JSONDecodeError: Expecting ':' delimiter: line 9 column 1 (char 0)"
            ),
        ),
        (
            python(
                "json.decoder.JSONDecodeError: Expecting ',' delimiter: line 1 column 6 (char 5)"
            ),
        ),
    ),
    Pair(
        "toml",
        "[server\nport = 1",
        "toml",
        python("tomllib.TOMLDecodeError: Expected ']' at the end of a table (at line 1, column 3)"),
        (
            python(
                "tomllib.TOMLDecodeError: Expected ']' at the end of a table (at line 7, column 1)"
            ),
        ),
        (
            python(
                "tomllib.TOMLDecodeError: Expected '=' at the end of a table (at line 1, column 3)"
            ),
        ),
    ),
    Pair(
        "yaml",
        "a: *base\nother: 1",
        "yaml",
        python("yaml.composer.ComposerError: found undefined alias 'base'"),
        (python("yaml.composer.ComposerError: found undefined alias 'b'"),),
        (
            python("yaml.composer.ComposerError: found undefined alias 'other'"),
            python("yaml.composer.ComposerError: found duplicate anchor 'base'"),
        ),
    ),
    Pair(
        "yaml-list",
        "a: [1, 2",
        "yaml",
        "error: expected ',' or ']', but got '<stream end>'",
        ("error: expected ']' or ',', but got '<stream end>'",),
        (
            "error: expected ',' or '}', but got '<stream end>'",
            "error: expected ',' or ']', but got '<block end>'",
            "error: expected ',' or ']', but got '?'",
        ),
    ),
    Pair(
        "xml",
        "<shop><item></shop>",
        "xml",
        'in.xml:1: parser error : Opening and ending tag mismatch: "item" and "shop"',
        ('in.xml:9: parser error : Opening and ending tag mismatch: "a" and "b"',),
        ('in.xml:1: parser error : Opening and ending tag mismatch: "item" and "html"',),
    ),
    Pair(
        "gcc-undeclared",
        "int main(void){ int total_price = 1; return totl_price; }",
        "c",
        "a.c:1:45: error: 'totl_price' undeclared (first use in this function); "
        "did you mean 'total_price'?",
        (
            "a.c:1:3: error: 'totl_price' undeclared (first use in this function)",
            "a.c:1:3: error: 'a' undeclared (first use in this function); did you mean 'b'?",
        ),
        (
            "a.c:1:3: error: 'NULL' undeclared (first use in this function)",
            "a.c:1:3: error: 'main' undeclared (first use in this function)",
        ),
    ),
    Pair(
        "gcc-expected",
        "int main(void){ int y = 1; return y }",
        "c",
        "a.c:1:35: error: expected ';' before '}' token",
        ("a.c:1:9: error: expected ';' before '}' token",),
        (
            "a.c:1:9: error: expected ')' before '}' token",
            "a.c:1:9: error: expected ';' before 'return' token",
        ),
    ),
    Pair(
        "gcc-keyword",
        "int f(void) { int x return x; }",
        "c",
        "a.c:1:21: error: expected ';' before 'return'",
        ("a.c:1:1: error: expected ';' before 'return'",),
        (
            "a.c:1:1: error: expected ';' before 'if'",
            "a.c:1:1: error: expected ';' before 'x'",
        ),
    ),
    Pair(
        "gcc-member",
        "struct point {int x;}; struct line {int y;}; int f(struct point here){return here.depth;}",
        "c",
        "b.c:2:40: error: 'struct point' has no member named 'depth'",
        ("b.c:2:4: error: 'struct a' has no member named 'b'",),
        ("b.c:2:4: error: 'union point' has no member",),
    ),
    Pair(
        "gcc-types",
        "struct point {int x;}; int f(struct point here){ int y = here; }",
        "c",
        "b.c:2:60: error: cannot convert to type \u2018float\u2019 from \u2018point\u2019",
        ("b.c:1:6: error: cannot convert to type \u2018float\u2019 from \u2018a\u2019",),
        ("b.c:1:6: error: cannot convert to type \u2018int\u2019 from \u2018point\u2019",),
    ),
    Pair(
        "clang",
        "int total(int price) { return pric; }",
        "c",
        "a.c:1:31: error: use of undeclared identifier 'pric'; did you mean 'price'?",
        ("a.c:1:9: error: use of undeclared identifier 'a'",),
        (
            "a.c:1:9: error: use of undeclared identifier 'price'",
            "a.c:1:9: error: use of undeclared label 'pric'",
        ),
    ),
    Pair(
        "linker",
        "int missing_thing(void); int main(void){return missing_thing();}",
        "c",
        "/usr/bin/ld: /tmp/ccl9mdri.o: in function `main':\n"
        "l.c:(.text+0x5): undefined reference to `missing_thing'\n"
        "collect2: error: ld returned 1 exit status\n",
        (
            (
                "/usr/bin/ld: /tmp/ccabcdef.o: in function `main':\n"
                "l.c:(.text+0x9): undefined reference to `a'\n"
                "collect2: error: ld returned 1 exit status\n"
            ),
        ),
        (
            (
                "/usr/bin/ld: /tmp/ccl9mdri.o: in function `main':\n"
                "l.c:(.text+0x5): undefined reference to `main'\n"
                "collect2: error: ld returned 1 exit status\n"
            ),
            (
                "/usr/bin/ld: /tmp/cc1.o: in function `_start':\n"
                "(.text+0x17): undefined reference to `printf'\n"
                "collect2: error: ld returned 1 exit status\n"
            ),
        ),
    ),
    Pair(
        "rustc-expected",
        "fn main() { let x = 5 let y = 6; }",
        "rust",
        "error: expected one of `.`, `;`, `?`, `else`, or an operator, found keyword `let`",
        ("error: expected one of `.`, `;`, `?`, `else`, or an operator, found keyword `let`",),
        (
            "error: expected one of `.`, `;`, `?`, `else`, or an operator, found keyword `fn`",
            "error: expected one of `.`, `,`, `?`, `else`, or an operator, found keyword `let`",
        ),
    ),
    Pair(
        "rustc-value",
        "fn main() { let total = 1; println!(totl); }",
        "rust",
        "error[E0425]: cannot find value `totl` in this scope",
        ("error[E0425]: cannot find value `a` in this scope",),
        (
            "error[E0425]: cannot find value `total` in this scope",
            "error[E0425]: cannot find function `totl` in this scope",
        ),
    ),
    Pair(
        "rust-panic",
        "fn main() { let v: Option<i32> = None; v.unwrap(); let r: Result<i32, ()> = Err(()); }",
        "rust",
        "thread 'main' panicked at 'called `Option::unwrap()` on a `None` value', r.rs:1:5",
        ("thread 'main' panicked at 'called `Option::unwrap()` on a `None` value', r.rs:9:1",),
        (
            "thread 'main' panicked at 'called `Result::unwrap()` on an `Err` value', r.rs:1:5",
            "thread 'main' panicked at 'called `Option::expect()` on a `None` value', r.rs:1:5",
        ),
    ),
    Pair(
        "node-json",
        '{"a": tru}',
        "json",
        node('SyntaxError: Unexpected token \'}\', "{"a": tru}" is not valid JSON'),
        (node('SyntaxError: Unexpected token \'}\', "{"b": tru}" is not valid JSON'),),
        (node('SyntaxError: Unexpected token \']\', "{"a": tru}" is not valid JSON'),),
    ),
    Pair(
        "node-property",
        "function render(shop) { return shop.items.length }\nrender({})",
        "javascript",
        node("TypeError: Cannot read properties of undefined (reading 'length')"),
        (node("TypeError: Cannot read properties of undefined (reading 'a')"),),
        (
            node("TypeError: Cannot read properties of null (reading 'length')"),
            node("TypeError: Cannot read properties of undefined (reading 'items')"),
        ),
    ),
    Pair(
        "node-module",
        "const pad = require('left-pad2'); require('fs')",
        "javascript",
        node("Error: Cannot find module 'left-pad2'"),
        (node("Error: Cannot find module 'a'"), node("Error: Cannot find module 'left'")),
        (node("Error: Cannot find module 'require'"),),
    ),
    Pair(
        "tsc-assignable",
        "let total: number = 'x'; let done: boolean = true;",
        "typescript",
        "in.ts(1,5): error TS2322: Type 'string' is not assignable to type 'number'.",
        ("in.ts(1,1): error TS2322: Type 'string' is not assignable to type 'number'.",),
        (
            "in.ts(1,5): error TS2322: Type 'string' is not assignable to type 'boolean'.",
            "in.ts(1,5): error TS2322: Type 'boolean' is not assignable to type 'number'.",
        ),
    ),
    Pair(
        "tsc-property",
        "interface Shop { items: number[] }\nfunction f(s: Shop) { return s.itms }",
        "typescript",
        "in.ts(2,32): error TS2339: Property 'itms' does not exist on type 'Shop'.",
        (
            "in.ts(1,2): error TS2339: Property 'a' does not exist on type 'A'.",
            "in.ts(1,2): error TS2339: Property 'itms' does not exist on type 'a'.",
        ),
        (
            "in.ts(1,2): error TS2339: Property 'itms' does not exist on type 'never'.",
            "in.ts(1,2): error TS2339: Property 'items' does not exist on type 'Shop'.",
        ),
    ),
    Pair(
        "go",
        'package main\nfunc main() { var total int = "x"; print(totl) }',
        "go",
        "./in.go:2:41: error: cannot use \"x\" (untyped string) as 'int' value",
        ("./in.go:1:4: error: cannot use \"\" (untyped string) as 'int' value",),
        ("./in.go:2:41: error: cannot use \"x\" (untyped string) as 'bool' value",),
    ),
    Pair(
        "java",
        "12x;13\n",
        "csv",
        'Exception in thread "x" java.lang.NumberFormatException: For input string: "12x"\n'
        "\tat T.main(T.java:1)\n",
        (
            (
                'Exception in thread "x" java.lang.NumberFormatException: For input string: "x"\n'
                "\tat T.main(T.java:1)\n"
            ),
        ),
        (
            (
                'Exception in thread "x" java.lang.NumberFormatException: For input string: "nul"\n'
                "\tat T.main(T.java:1)\n"
            ),
        ),
    ),
    Pair(
        "ruby",
        "def total(order) order.price end\ntotal(nil)",
        "ruby",
        "in.rb:1:in `total': undefined method `price' for nil:NilClass (NoMethodError)",
        ("in.rb:1:in `total': undefined method `a' for nil:NilClass (NoMethodError)",),
        ("in.rb:1:in `total': undefined method `+' for nil:NilClass (NoMethodError)",),
    ),
    Pair(
        "bash",
        "case a in b) echo c; fi",
        "bash",
        "s.sh: line 1: syntax error near unexpected token `fi'\ns.sh: line 1: `fi'",
        ("s.sh: line 7: syntax error near unexpected token `fi'",),
        (
            "s.sh: line 1: syntax error near unexpected token `)'",
            "s.sh: line 1: syntax error near unexpected token `newline'",
            "s.sh: line 1: syntax error near unexpected token `do'",
            "s.sh: line 1: syntax error near unexpected token `b'",
        ),
    ),
    Pair(
        "dash",
        "while true; do echo; fi",
        "bash",
        's.sh: 1: Syntax error: "fi" unexpected (expecting "done")',
        ('s.sh: 12: Syntax error: "fi" unexpected (expecting "done")',),
        (
            's.sh: 1: Syntax error: ")" unexpected (expecting "done")',
            's.sh: 1: Syntax error: "fi" unexpected (expecting ";;")',
        ),
    ),
    Pair(
        "sqlite",
        "select 1 from from; select 2 where where",
        "sql",
        'Error: in prepare, near "from": syntax error',
        ('Error: in prepare, near "from": syntax error',),
        (
            'Error: in prepare, near "where": syntax error',
            'Error: in prepare, near "as": syntax error',
            'Error: in prepare, near ")": syntax error',
        ),
    ),
    Pair(
        "postgres",
        "SELECT Nme, id FROM Users",
        "sql",
        'psql:in.sql:1: ERROR:  column "nme" does not exist',
        ('psql:in.sql:4: ERROR:  column "a" does not exist',),
        (
            'psql:in.sql:1: ERROR:  relation "users" does not exist',
            'psql:in.sql:1: ERROR:  column "users" does not exist',
        ),
    ),
    Pair(
        "duckdb",
        "SELECT parent_exists FROM t",
        "sql",
        'INTERNAL Error: Failed to bind column reference "parent_exists" [14.0] (bindings: [3.0])',
        ('INTERNAL Error: Failed to bind column reference "a" [1.0] (bindings: [2.0])',),
        ('INTERNAL Error: Failed to bind column reference "count_star()" [1.0] (bindings: [2.0])',),
    ),
    Pair(
        "make-target",
        "all: foo.o\n\tgcc foo.o\nclean:\n",
        "make",
        "make: *** No rule to make target 'foo.o', needed by 'all'.  Stop.",
        (
            "make: *** No rule to make target 'a', needed by 'b'.  Stop.",
            "make: *** No rule to make target 'foo', needed by 'all'.  Stop.",
        ),
        ("make: *** No rule to make target 'clean', needed by 'all'.  Stop.",),
    ),
    Pair(
        "make-endif",
        "ifdef X\nall:\n\techo\n",
        "make",
        "Makefile:4: *** missing 'endif'.  Stop.",
        ("Makefile:2: *** missing 'endif'.  Stop.",),
        ("Makefile:2: *** missing 'endef'.  Stop.",),
    ),
    Pair(
        "perl",
        "my $total = 1; Shop->open; print $totl;",
        "perl",
        'Can\'t locate object method "open" via package "Shop" (perhaps you forgot "Shop"?) '
        "at p.pl line 1.",
        (
            (
                'Can\'t locate object method "a" via package "B" (perhaps you forgot to load "B"?) '
                "at p.pl line 9."
            ),
        ),
        ('Can\'t locate object method "open" via package "main" at p.pl line 1.',),
    ),
    Pair(
        "cmake",
        "project(x NONE)\nfoo(1)\nbar(2)",
        "cmake",
        'CMake Error: Unknown CMake command "foo".',
        ('CMake Error: Unknown CMake command "a".',),
        (
            'CMake Error: Unknown CMake command "bar".',
            'CMake Error: Unknown CMake command "project".',
        ),
    ),
    Pair(
        "jq",
        '{"a": [1], "b": {}}',
        "json",
        'jq: error (at in.json:1): Cannot index array with string "name"',
        ('jq: error (at in.json:9): Cannot index array with string "name"',),
        (
            'jq: error (at in.json:1): Cannot index number with string "name"',
            'jq: error (at in.json:1): Cannot index array with string "id"',
        ),
    ),
    Pair(
        "an-echo",
        "a long line of an unknown format that goes on and on",
        "",
        "fmt: error: cannot parse 'a long line of an unknown format that goes on'",
        ("fmt: error: cannot parse 'a'", "fmt: error: cannot parse 'goes on and on; and'"),
        ("fmt: error: cannot write 'a long line'",),
    ),
    Pair(
        "an-own-word-beside-one-of-the-input",
        "let a: Foo = b",
        "typescript",
        "in.ts(1,5): error TS2322: Type 'Foo | undefined' is not assignable to type 'null'.",
        ("in.ts(1,5): error TS2322: Type 'A | undefined' is not assignable to type 'null'.",),
        ("in.ts(1,5): error TS2322: Type 'A | string' is not assignable to type 'null'.",),
    ),
]


def learned(pair: Pair) -> Expectation:
    language = BY_NAME.get(pair.language)
    words = reserved(language) if language and is_installed(language) else frozenset[str]()
    vocabulary = Vocabulary(lambda: [pair.given.encode()], lambda: words)
    return Expectation.learned(ended(pair.first), vocabulary=vocabulary)


def ended(stderr: str) -> Ending:
    return Ending(1, 0.1, "", b"", stderr.encode())


def test_there_are_many() -> None:
    assert len({pair.name for pair in PAIRS}) == len(PAIRS) > 40


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_same_failure_is_not_refused(pair: Pair) -> None:
    expectation = learned(pair)
    for message in (pair.first, *pair.same):
        assert expectation.judge(ended(message)) is Verdict.INTERESTING, message


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_another_failure_does_not_slip_in(pair: Pair) -> None:
    expectation = learned(pair)
    for message in pair.other:
        assert expectation.judge(ended(message)) is Verdict.UNRESOLVED, message
