#!/bin/bash
# interesting: only the linker complains, of the vtable of a class whose first virtual function has no definition
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
LC_ALL=C timeout 20 "${GXX12:-g++-12}" -std=c++17 -Wall -c -o "$place/plugins.o" plugins.cpp < /dev/null || exit 1
out=$(LC_ALL=C timeout 20 "${GXX12:-g++-12}" -o "$place/plugins" "$place/plugins.o" 2>&1 < /dev/null)
echo "$out" >&2
[[ $(grep -c 'undefined reference to' <<< "$out") == 1 && $out == *"undefined reference to \`vtable for "* ]]
