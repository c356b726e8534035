"""Folders whose files bring in each other: one file is enough to show the failure."""

from collections.abc import Iterator, Mapping
from shutil import which
from textwrap import dedent

from benchmarks.probes.probe import Probe

C = {
    "main.c": """\
        #include <stdio.h>
        #include "h.h"
        int twice(int a) { return a * 2; }
        int main(void) {
            struct shape one = {3, 4};
            printf("%d\\n", area(&one));
            return twice(COUNT) / ZERO;
        }
        """,
    "h.h": """\
        #ifndef H_H
        #define H_H
        #define COUNT 12
        #define ZERO (COUNT - 12)
        struct shape { int width, height; };
        static int area(const struct shape *of) { return of->width * of->height; }
        #endif
        """,
}
C_DEEP = {
    "src/main.c": """\
        #include "../include/list.h"
        #include "../include/types.h"
        int main(void) { struct list l = {0}; number n = push(&l, 7); return n + l.wrong; }
        """,
    "include/list.h": """\
        #pragma once
        #include "types.h"
        #include "detail/node.h"
        struct list { struct node *first; number length; };
        static number push(struct list *l, number n) { l->length++; return n; }
        """,
    "include/types.h": """\
        #pragma once
        typedef int number;
        typedef unsigned long size;
        """,
    "include/detail/node.h": """\
        #pragma once
        #include "../types.h"
        struct node { struct node *next; number value; };
        """,
}
PYTHON = {
    "main.py": """\
        import sys
        from shapes import Square, total as add_up
        from text import *
        def run(sizes):
            shapes = [Square(size) for size in sizes]
            print(title("areas"))
            return add_up(shapes)
        if __name__ == "__main__":
            run([1, 2, None])
        """,
    "shapes.py": """\
        from dataclasses import dataclass
        @dataclass
        class Square:
            size: int
            def area(self):
                return self.size ** 2
        def total(shapes):
            result = 0
            for shape in shapes:
                result += shape.area()
            return result
        """,
    "text.py": """\
        def title(words):
            return words.title()
        def lower(words):
            return words.lower()
        """,
}
PYTHON_QUALIFIED = {
    "main.py": """\
        import store
        import tools.numbers as n
        def main():
            box = store.Box("red")
            box.put(n.LIMIT)
            for _ in range(3):
                box.put(n.half(5))
            print(store.describe(box))
            box.take("nothing")
        main()
        """,
    "store.py": """\
        import tools.numbers
        class Box:
            def __init__(self, name):
                self.name, self.things = name, {}
            def put(self, number):
                self.things[number] = tools.numbers.half(number)
            def take(self, number):
                return self.things[number]
        def describe(box):
            return f"{box.name}: {len(box.things)}"
        """,
    "tools/__init__.py": "",
    "tools/numbers.py": "LIMIT = 100\ndef half(number):\n    return number // 2\n",
}
PYTHON_PACKAGE = {
    "run.py": "from parser.reader import read\nread('[1, 2')\n",
    "parser/__init__.py": "from .tokens import Token\n__all__ = ['Token']\n",
    "parser/tokens.py": """\
        class Token:
            def __init__(self, text):
                self.text = text
        def tokens(text):
            return [Token(each) for each in text]
        """,
    "parser/reader.py": """\
        from . import tokens
        from .errors import Unclosed
        def read(text):
            found = tokens.tokens(text)
            if found[-1].text != ']':
                raise Unclosed(text)
            return found
        """,
    "parser/errors.py": """\
        class Unclosed(Exception):
            def __str__(self):
                return 'no end'
        """,
}
COMMON = {
    "main.js": """\
        const { Queue, sum } = require('./lib/queue');
        const fs = require('fs');
        const queue = new Queue();
        queue.add(1); queue.add(2);
        console.log(sum(queue.items), fs.existsSync('x'));
        queue.drain(item => item.missing.part);
        """,
    "lib/queue.js": """\
        'use strict';
        const { each } = require('./tools');
        class Queue {
          constructor() { this.items = []; }
          add(item) { this.items.push(item); }
          drain(what) { each(this.items, what); }
        }
        function sum(items) { return items.reduce((a, b) => a + b, 0); }
        module.exports = { Queue, sum };
        """,
    "lib/tools.js": """\
        exports.each = function (items, what) { for (const item of items) what(item); };
        exports.last = items => items[items.length - 1];
        """,
}
COMMON_WHOLE = {
    "main.js": """\
        const Stack = require('./stack');
        const shapes = require('./shapes.json');
        const s = new Stack(shapes.sizes);
        s.push(4);
        console.log(s.top(), require('./names').nameOf(s));
        s.pop().pop();
        """,
    "stack.js": """\
        module.exports = class {
          constructor(items) { this.items = items; }
          push(item) { this.items.push(item); return this; }
          top() { return this.items.at(-1); }
          pop() { return this.items.pop(); }
        };
        """,
    "names.js": "exports.nameOf = thing => thing.constructor.name;\n",
    "shapes.json": '{"sizes": [1, 2, 3], "names": ["a", "b"]}\n',
}
MODULES = {
    "main.mjs": """\
        import make, { parse as read, LIMIT } from './lib.mjs';
        import * as util from './util.mjs';
        import './effects.mjs';
        const made = make(LIMIT);
        console.log(util.shout('x'), read('1,2'));
        made.next.next.value;
        """,
    "lib.mjs": """\
        import { shout } from './util.mjs';
        export const LIMIT = 3;
        export function parse(text) { return text.split(',').map(Number); }
        export default function (limit) { return { limit, name: shout('made') }; }
        """,
    "util.mjs": """\
        export function shout(text) { return text.toUpperCase(); }
        export let count = 0;
        """,
    "effects.mjs": "globalThis.started = true;\n",
}
RUST = {
    "main.rs": """\
        mod shapes;
        use shapes::{Circle, draw};
        fn main() {
            let one = Circle { radius: 1.0 };
            draw(one);
            println!("{}", one.radius);
        }
        """,
    "shapes/mod.rs": """\
        mod pens;
        pub struct Circle { pub radius: f64 }
        pub fn draw(circle: Circle) { pens::stroke(circle.radius); }
        """,
    "shapes/pens.rs": "pub fn stroke(width: f64) { let _ = width * 2.0; }\n",
}
PHP = {
    "main.php": """\
        <?php
        require_once __DIR__ . '/lib.php';
        include 'names.php';
        $cart = new Cart();
        $cart->add(NAMES['a'], 3);
        echo $cart->total(), "\\n";
        echo intdiv($cart->total(), $cart->none());
        """,
    "lib.php": """\
        <?php
        class Cart {
            private $items = [];
            function add($name, $price) { $this->items[$name] = $price; }
            function total() { return array_sum($this->items); }
            function none() { return 0; }
        }
        ?>
        """,
    "names.php": "<?php\nconst NAMES = ['a' => 'apple', 'b' => 'bread'];\n",
}
PERL = {
    "main.pl": """\
        use strict; use warnings; use lib '.';
        require "./lib.pl";
        use Names;
        my $count = count("a b c");
        print Names::nice("x"), $count, "\\n";
        print 1 / ($count - 3);
        """,
    "lib.pl": """\
        sub count { my @words = split / /, shift; return scalar @words; }
        sub none { 0 }
        1;
        """,
    "Names.pm": "package Names;\nsub nice { my $n = shift; return ucfirst $n; }\n1;\n",
}
SHELL = {
    "main.sh": """\
        #!/bin/bash
        source "$(dirname "$0")/lib.sh"
        . ./case/colors.sh
        log "started $red"
        value=$(count a b c)
        echo $((value / (value - 3)))
        """,
    "lib.sh": 'log() {\n  echo "log: $1"\n}\ncount() {\n  echo $#\n}\n',
    "colors.sh": "red=1\ngreen=2\n",
}
TCL = {
    "main.tcl": """\
        source [file join [file dirname [info script]] lib.tcl]
        set total [add 1 2]
        puts "total $total"
        puts [expr {$total / [zero]}]
        """,
    "lib.tcl": "proc add {a b} { return [expr {$a + $b}] }\nproc zero {} { return 0 }\n",
}
SQL = {
    "main.sql": """\
        .read case/schema.sql
        .read case/rows.sql
        SELECT name, sum(price) FROM item JOIN shop ON shop.id = item.shop GROUP BY name;
        SELECT zeroblob(price * 1000000000) FROM item WHERE price > 5;
        """,
    "schema.sql": """\
        CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE item (id INTEGER PRIMARY KEY, shop INTEGER, price INTEGER);
        """,
    "rows.sql": """\
        INSERT INTO shop VALUES (1, 'a'), (2, 'b');
        INSERT INTO item VALUES (1, 1, 3), (2, 2, 9);
        """,
}
MAKE = {
    "Makefile": """\
        include case/rules.mk
        include case/names.mk
        all: $(NAMES) loop
        \techo done
        """,
    "rules.mk": "loop: turn\n\techo loop\nturn: loop\n\techo turn\nclean:\n\trm -f x\n",
    "names.mk": "NAMES = a b\na:\n\techo a\nb:\n\techo b\n",
}
VERILOG = {
    "top.v": """\
        `include "sizes.vh"
        module top(input clk, output [`WIDTH-1:0] q);
          assign q = {`WIDTH{clk}};
        `include "counter.vh"
        endmodule
        """,
    "sizes.vh": "`define WIDTH 8\n`define DEPTH 16\n",
    "counter.vh": "  wire unused = missing_name & clk;\n  wire other = clk;\n",
}
LATEX = {
    "paper.tex": """\
        \\documentclass{article}
        \\input{macros}
        \\begin{document}
        \\section{One}
        \\include{chapters/first}
        \\input{chapters/second.tex}
        \\end{document}
        """,
    "macros.tex": "\\newcommand{\\good}{good}\n\\newcommand{\\bad}{\\good\\missing}\n",
    "chapters/first.tex": "Some text \\good{} here.\n\\input{chapters/inner}\n",
    "chapters/inner.tex": "More text.\n",
    "chapters/second.tex": "And \\bad{} there.\n",
}
LATEX_CHECKER = r"""
import re, sys
from pathlib import Path

def text(path, depth=0):
    path = path if path.suffix else path.with_suffix(".tex")
    return re.sub(r"\\(?:input|include)\{([\w./]+)\}",
        lambda found: text(Path("case") / found[1], depth + 1) if depth < 9 else "",
        path.read_text())

whole = text(Path("case/paper.tex"))
defined = {"newcommand", "documentclass", "begin", "end", "section"}
defined |= set(re.findall(r"\\newcommand\{\\(\w+)\}", whole))
used = re.findall(r"\\(\w+)", whole)
bodies = dict(re.findall(r"\\newcommand\{\\(\w+)\}\{([^{}]*)\}", whole))
body = whole.partition(r"\begin{document}")[2].partition(r"\end{document}")[0]
sys.exit(not any(r"\missing" in bodies.get(name, "") for name in re.findall(r"\\(\w+)", body)))
"""

_CASES: tuple[tuple[str, str, Mapping[str, str], str, int], ...] = (
    ("c", "gcc", C, "gcc -c case/main.c -o x.o 2>&1 | grep -q 'division by zero'", 14),
    ("c, four deep", "gcc", C_DEEP,
        "gcc -c case/src/main.c -o x.o 2>&1 | grep -q 'has no member named'", 40),
    ("python, from", "python3", PYTHON,
        "python3 -SE case/main.py 2>&1 | grep -q 'unsupported operand type(s) for .. or pow'", 60),
    ("python, qualified", "python3", PYTHON_QUALIFIED,
        "python3 -SE case/main.py 2>&1 | grep -q \"^KeyError: 'nothing'\"", 26),
    ("python, package", "python3", PYTHON_PACKAGE,
        "python3 -SE case/run.py 2>&1 | grep -q Unclosed", 36),
    ("javascript, required", "node", COMMON,
        "node case/main.js 2>&1 | grep -q \"Cannot read properties of undefined (reading 'part')\"",
        20),
    ("javascript, required as a whole", "node", COMMON_WHOLE,
        "node case/main.js 2>&1 | grep -q 'pop(...).pop is not a function'", 40),
    ("javascript, modules", "node", MODULES,
        "node case/main.mjs 2>&1 | grep -q \"properties of undefined (reading 'next')\"", 30),
    ("rust", "rustc", RUST,
        "rustc --emit=metadata --out-dir . case/main.rs 2>&1 | grep -q 'of moved value'", 70),
    ("php", "php", PHP, "php case/main.php 2>&1 | grep -q 'DivisionByZeroError'", 20),
    ("perl", "perl", PERL, "cd case; perl main.pl 2>&1 | grep -q 'division by zero'", 10),
    ("shell", "bash", SHELL, "bash case/main.sh 2>&1 | grep -q 'division by 0'", 12),
    ("tcl", "tclsh", TCL, "tclsh case/main.tcl 2>&1 | grep -q 'divide by zero'", 12),
    ("sqlite", "sqlite3", SQL,
        "sqlite3 :memory: <case/main.sql 2>&1 | grep -q 'string or blob too big'", 30),
    ("make", "make", MAKE, "make -f case/Makefile -n all loop 2>&1 | grep -q Circular", 30),
    ("verilog", "iverilog", VERILOG,
        "iverilog -I case -o x case/top.v 2>&1 | grep -q 'missing_name'", 60),
)  # fmt: skip


def probes() -> Iterator[Probe]:
    """Yield the cases whose programs are there."""
    for name, program, files, test, size in _CASES:
        if which(program):
            yield Probe(name, _dedented(files), f"#!/bin/bash\n{test}\n", size)
    yield Probe("latex, by a checker", _dedented(LATEX), LATEX_CHECKER, 80)


def _dedented(files: Mapping[str, str]) -> dict[str, bytes]:
    return {path: dedent(text).encode() for path, text in files.items()}
