#!/bin/bash
# interesting: clang++ 14 keeps the call of dead_marker_0, g++ 12 removes it, and neither warns of undefined behaviour
flags="-std=c++17 -O2 -S -o -"
timeout 20 "${CLANGXX14:-clang++-14}" $flags -Wall -Werror=uninitialized -Werror=return-type shapes.cpp < /dev/null | grep -q 'call.*dead_marker_0' || exit 1
assembly=$(timeout 20 "${GXX12:-g++-12}" $flags shapes.cpp < /dev/null) || exit 1
grep -q main: <<< "$assembly" && ! grep -q dead_marker_0 <<< "$assembly"
