#!/bin/bash
# interesting: a partial specialization is ambiguous for both compilers, and clang++ 14 has no other complaint
out=$(LC_ALL=C timeout 20 "${GXX12:-g++-12}" -std=c++17 -fsyntax-only serializer.cpp 2>&1 < /dev/null)
echo "$out" >&2
[[ $out == *" error: ambiguous template instantiation for "* ]] || exit 1
out=$(timeout 20 "${CLANGXX14:-clang++-14}" -std=c++17 -fsyntax-only serializer.cpp 2>&1 < /dev/null)
echo "$out" >&2
[[ $(grep -c ' error: ' <<< "$out") == 1 && $out == *" error: ambiguous partial specializations of "* ]]
