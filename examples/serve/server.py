"""A server for ``wynot reduce --serve``: whether Python's json can read a file.

wynot reduce --serve 'python server.py {}' config.json
"""

import json
import sys
import traceback
from pathlib import Path

path = Path(sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    name = line.split()[0]
    status = 0
    try:
        json.loads(path.read_text())
    except ValueError:
        traceback.print_exc()  # what is printed is output of the candidate
        status = 1
    print(name, status, flush=True)
