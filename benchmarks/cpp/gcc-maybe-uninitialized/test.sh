#!/bin/bash
# interesting: g++ 12 warns that an int may be used uninitialized, and clang++ 14 does not
out=$(LC_ALL=C timeout 20 "${GXX12:-g++-12}" -std=c++17 -O2 -Wall -S -o - config.cpp 2>&1 > /dev/null < /dev/null)
code=$?
echo "$out" >&2
[[ $code == 0 && $out == *"may be used uninitialized [-Wmaybe-uninitialized]"* ]] || exit 1
out=$(timeout 20 "${CLANGXX14:-clang++-14}" -std=c++17 -O2 -Wall -Wsometimes-uninitialized -Wconditional-uninitialized -fsyntax-only config.cpp 2>&1 < /dev/null)
code=$?
echo "$out" >&2
[[ $code == 0 && $out != *"is used uninitialized"* && $out != *"is uninitialized when used"* ]]
