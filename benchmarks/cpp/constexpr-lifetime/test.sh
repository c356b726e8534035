#!/bin/bash
# interesting: the only error is that a constant is read from memory that was freed; g++ 12 agrees
out=$(timeout 20 "${CLANGXX14:-clang++-14}" -std=c++20 -fsyntax-only matrix.cpp 2>&1 < /dev/null)
echo "$out" >&2
[[ $(grep -c ' error: ' <<< "$out") == 1 && $out == *"note: read of heap allocated object that has been deleted"* ]] || exit 1
out=$(LC_ALL=C timeout 20 "${GXX12:-g++-12}" -std=c++20 -fsyntax-only matrix.cpp 2>&1 < /dev/null)
echo "$out" >&2
[[ $out == *" error: use of allocated storage after deallocation in a constant expression"* ]]
