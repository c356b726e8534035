#!/bin/bash
# interesting: jq compiles the program and then fails its own assertion in jv_string_implode
exec 2> /dev/null < /dev/null
ulimit -c 0
export LC_ALL=C
[ -s report.jq ] || exit 1
out=$(timeout 10 "${JQ:-jq}" -n -r -f report.jq 2>&1 > /dev/null)
[ $? -eq 134 ] || exit 1
[[ $out == *"jv_string_implode: Assertion "*"JV_KIND_NUMBER"* ]]
