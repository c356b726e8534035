#!/bin/bash
# interesting: clang++ 16 crashes, and has found no error before
out=$(timeout 20 "${CLANGXX16:-clang++-16}" -std=c++20 -fsyntax-only -fno-crash-diagnostics bus.cpp 2>&1 < /dev/null)
echo "$out" >&2
[[ $out == *"PLEASE submit a bug report"* ]] && ! grep -q '^bus.cpp:.* error: ' <<< "$out"
