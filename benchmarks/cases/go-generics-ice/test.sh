#!/bin/bash
# interesting: the Go compiler passes the type check and then panics with a nil dereference while it makes the
# instances of generic code (a type error would be reported first, and no internal error then)
export LC_ALL=C  # (never -o /dev/null: the compiler removes its output file when it fails)
[ -s inventory.go ] || exit 1
out=$(timeout 20 "${GO119:-/usr/lib/go-1.19/bin/go}" tool compile -p main -o .t.o inventory.go 2>&1 < /dev/null)
rm -f .t.o
[[ ${out%%$'\n'*} =~ ^inventory\.go:[0-9]+:[0-9]+:\ internal\ compiler\ error:\ panic:\ runtime\ error:\ invalid\ memory\ address ]]
