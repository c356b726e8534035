#!/bin/bash
# interesting: the analyzer warns of the use of memory that was freed, in a program without errors
out=$(timeout 20 "${CLANGXX14:-clang++-14}" --analyze -std=c++17 -Xclang -analyzer-output=text cache.cpp 2>&1 < /dev/null)
code=$?
echo "$out" >&2
[[ $code == 0 && $out == *"warning: Use of memory after it is freed"* && $out != *": error: "* ]]
