#!/bin/bash
# interesting: the program compiles without warnings and multiplies too large numbers when it runs
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
LC_ALL=C timeout 20 "${GXX12:-g++-12}" -std=c++17 -Wall -Werror -fsanitize=undefined -o "$place/account" account.cpp < /dev/null || exit 1
out=$(timeout 5 "$place/account" 2>&1 < /dev/null)
[[ $out == *"runtime error: signed integer overflow: "*" * "*" cannot be represented in type 'int'"* ]]
