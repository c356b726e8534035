#!/bin/bash
# interesting: g++ 12 refuses a call of a member template ("no matching function for call") and has no other
# complaint; clang++ 14 accepts the same C++20 file and none of its functions lacks a body
export LC_ALL=C
[ -s cards.cpp ] || exit 1
out=$(timeout 20 "${GXX12:-g++-12}" -std=c++20 -pedantic-errors -fsyntax-only cards.cpp 2>&1 < /dev/null)
[ "$(grep -c ': error: ' <<< "$out")" -eq 1 ] || exit 1
grep -q ": error: no matching function for call to '.*::sort()'" <<< "$out" || exit 1
grep -q 'couldn.t deduce template parameter\|template argument deduction/substitution failed' <<< "$out" || exit 1
timeout 20 "${CLANGXX14:-clang++-14}" -std=c++20 -pedantic-errors -Werror=undefined-internal -Werror=undefined-inline -fsyntax-only cards.cpp > /dev/null 2>&1
