"""Read a file that Python itself can read, and compare what is written again."""

import os
import sys

os.environ["LIBCST_PARSER_TYPE"] = "native"
from libcst import parse_module

with open(sys.argv[1], encoding="utf8", newline="") as stream:
    text = stream.read()
compile(text, sys.argv[1], "exec")
code = parse_module(text).code
if code != text and "".join(code.split()) == "".join(text.split()):
    raise ValueError("blanks are lost")
