#!/bin/bash
# interesting: the file compiles, and libcst's native parser does not give back the text it read (blanks are lost)
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
[ -s webbrowser.py ] || exit 1
LIBCST_PARSER_TYPE=native timeout 20 "$H/py-libcst/bin/python" -s -W ignore -c '
import sys
sys.path = [p for p in sys.path if p]  # the folder of the case holds a module of the standard library
s = open("webbrowser.py", encoding="utf8", newline="").read()
compile(s, "f", "exec")
from libcst import parse_module
code = parse_module(s).code
sys.exit(0 if code != s and "".join(code.split()) == "".join(s.split()) else 1)
' > /dev/null 2>&1
