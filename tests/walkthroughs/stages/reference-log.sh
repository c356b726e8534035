set -e
export GIT_CONFIG_GLOBAL=/dev/null
git() { command git -c user.name=Ann -c user.email=ann@example.org -c init.defaultBranch=main "$@"; }
git init -q .
printf '#!/bin/sh\n! grep -q boom a.txt\n' > check.sh && chmod +x check.sh
printf 'a\n' > a.txt
git add . && git commit -qm One && git tag v1.2
printf 'a\nboom\n' > a.txt && git commit -qam Two
