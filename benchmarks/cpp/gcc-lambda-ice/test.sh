#!/bin/bash
# interesting: an internal error of g++ 12 in dependent_type_p, and no error before it
out=$(LC_ALL=C timeout 20 "${GXX12:-g++-12}" -std=c++20 -fsyntax-only registry.cpp 2>&1 < /dev/null)
echo "$out" >&2
[[ $out == *"internal compiler error: in dependent_type_p"* && $out != *": error: "* ]]
