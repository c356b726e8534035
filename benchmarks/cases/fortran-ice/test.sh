#!/bin/bash
# interesting: f951 dies of a segmentation fault and has found no error in the program before
export LC_ALL=C
[ -s mesh.f90 ] || exit 1
m=$(mktemp -d)
out=$(timeout 20 "${GFORTRAN12:-gfortran-12}" -std=f2018 -fsyntax-only -J "$m" mesh.f90 2>&1 < /dev/null)
rm -rf "$m"
[[ $out == *"f951: internal compiler error: Segmentation fault"* && $out != *"Error: "* ]]
