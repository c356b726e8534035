# A reduction, two inputs of which one fails, and a history that broke.
set -e
export GIT_CONFIG_GLOBAL=/dev/null
git() { command git -c user.name=Ann -c user.email=ann@example.org -c init.defaultBranch=main "$@"; }
mkdir bin
printf '#!/bin/sh\nexec python3 "$@"\n' > bin/node
chmod +x bin/node
printf 'import json, sys\nassert "bad" not in json.load(open(sys.argv[1])), "a bad key"\n' > parse.js
printf '{"a": 1, "b": 2}\n' > good.json
printf '{"a": 1, "bad": 2}\n' > bad.json
git init -q .
printf 'test:\n\t@! grep -q boom a.txt\n' > Makefile
printf 'a\n' > a.txt
git add Makefile a.txt && git commit -qm One && git tag v1.2
printf 'a\nboom\n' > a.txt && git commit -qam Two
printf 'a = 1\nb = 2\nprint(a + b)\n' > report.py
wynot reduce --quiet -c 'grep -q b report.py' report.py
