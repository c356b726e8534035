# A shop with a history: it worked at v1.0.
set -e
export GIT_CONFIG_GLOBAL=/dev/null
cat > total.sh <<'END'
printf 'import bill\nassert bill.total([3, -1]) == 2\n' | python3 -
END
git() { command git -c user.name=Ann -c user.email=ann@example.org -c init.defaultBranch=main "$@"; }
git init -q .
printf 'def total(items):\n    return sum(items)\n' > bill.py
printf 'prog:\n\tcp prog.in prog && chmod +x prog\n' > Makefile
printf '#!/bin/sh\nsh ./total.sh\n' > prog.in
printf '#!/bin/sh\npython3 -c "import bill; print(\\"score:\\", bill.total([3, -1]) * 10)"\n' > benchmark
chmod +x benchmark
cp total.sh ../total.sh
git add . && git commit -qm 'The first bill' && git tag v1.0
printf 'A shop.\n' > notes.txt && git add . && git commit -qm 'Notes'
printf 'def total(items):\n    return sum(item for item in items if item > 0)\n' > bill.py
git commit -qam 'Leave out refunds'
printf 'A small shop.\n' > notes.txt && git commit -qam 'More notes'
