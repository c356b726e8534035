#!/bin/bash
# interesting: z3 4.8.7 stops at an assertion with "division by zero"; z3 4.13.0 reads the same script without an error
# (and SMT-LIB gives every division a meaning, so there is nothing to complain of)
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
export LC_ALL=C
[ -s strings.smt2 ] || exit 1
timeout 10 "$H/py-z3-487/bin/z3" -T:5 -memory:1000 strings.smt2 2>&1 < /dev/null | grep -q '^(error "line [0-9]* column [0-9]*: division by zero")' || exit 1
out=$(sed 's/(check-sat)//' strings.smt2 | timeout 10 "$H/py-z3-413/bin/z3" -T:5 -memory:1000 -in 2>&1) || exit 1
[[ $out != *error* ]]
