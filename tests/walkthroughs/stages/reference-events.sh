set -e
export GIT_CONFIG_GLOBAL=/dev/null
git() { command git -c user.name=Ann -c user.email=ann@example.org -c init.defaultBranch=main "$@"; }
printf 'int a;\nint b;\n' > prog.c
printf '#!/bin/sh\ngrep -q b prog.c\n' > test.sh && chmod +x test.sh
git init -q .
printf 'test:\n\t@! grep -q boom a.txt\n' > Makefile
printf 'a\n' > a.txt
git add . && git commit -qm One && git tag v1.0
printf 'a\nboom\n' > a.txt && git commit -qam Two
