# The server of the page, in Python instead of Node, and what it cannot read.
mkdir bin
printf '#!/bin/sh\nexec python3 "$@"\n' > bin/node
chmod +x bin/node
cp "$REPOSITORY/examples/serve/server.py" server.js
printf '{"a": 1, "b": [2, 3}' > config.json
