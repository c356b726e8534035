# Of the other commands: a project that makes a compiler fail, and a generator of JSON.
mkdir -p bin project
printf 'all:\n\t@grep -q boom *.c && echo "internal compiler error" && exit 1 || true\n' > project/Makefile
printf 'int a;\nint boom;\nint c;\n' > project/one.c
printf 'int d;\n' > project/two.c
printf '#!/bin/sh\nexec python3 "$@"\n' > bin/node
cat > parse.js <<'END'
import json, sys
assert "bad" not in json.load(open(sys.argv[1])), "a key that must not be there"
END
printf '#!/bin/sh\necho "{\\"a\\": [1, 2, 3], \\"bad\\": {\\"b\\": 4}, \\"c\\": 5}"\n' > generate
chmod +x bin/node generate
