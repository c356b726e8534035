#!/bin/bash
# interesting: g++ 11 cannot deduce a value whose type depends on a parameter, and has no other complaint; clang++ 14 has none
out=$(LC_ALL=C timeout 20 "${GXX11:-g++-11}" -std=c++20 -fsyntax-only units.cpp 2>&1 < /dev/null)
echo "$out" >&2
[ "$(grep -c ' error: ' <<< "$out")" -eq 1 ] || exit 1
[[ $out == *" error: no matching function for call to "* && $out == *"have incompatible cv-qualifiers"* ]] || exit 1
timeout 20 "${CLANGXX14:-clang++-14}" -std=c++20 -pedantic-errors -Werror=undefined-internal -fsyntax-only units.cpp
