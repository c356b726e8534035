"""Format a file that Python itself can read."""

import sys

from yapf.yapflib.yapf_api import FormatCode

with open(sys.argv[1], encoding="utf8") as stream:
    text = stream.read()
compile(text, sys.argv[1], "exec")
FormatCode(text, filename=sys.argv[1])
