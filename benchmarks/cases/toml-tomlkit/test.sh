#!/bin/bash
# interesting: TOML that Python's tomllib reads and that tomlkit refuses with EmptyKeyError
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
[ -s workspace.toml ] || exit 1
timeout 20 "$H/py-tomlkit/bin/python" -I -c '
import sys, tomllib, tomlkit
from tomlkit.exceptions import EmptyKeyError
s = open("workspace.toml", encoding="utf8").read()
tomllib.loads(s)
try:
    tomlkit.parse(s)
except EmptyKeyError:
    sys.exit(0)
sys.exit(1)
' > /dev/null 2>&1
