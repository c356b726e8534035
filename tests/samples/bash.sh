#!/usr/bin/env bash
# Counts what was sold.
set -euo pipefail

readonly LIMIT=16
declare -A seen=([apple]=1 [pear]=2)
names=("one" 'two' three)

usage() {
    cat <<EOF
usage: ${0##*/} [-v] FILE
limit: $LIMIT
EOF
    exit "${1:-1}"
}

total() {
    local sum=0 price
    while IFS=, read -r name price; do
        if [[ $price =~ ^[0-9]+$ && -n "$name" ]]; then
            ((sum += price * 2))
        elif [ "$price" = "free" ]; then
            continue
        else
            echo "bad price: $price" >&2
        fi
    done < "$1"
    echo "$sum"
}

case "${1-}" in
    -h | --help) usage 0 ;;
    -*) usage ;;
    *) file=$1 ;;
esac

for name in "${names[@]}"; do
    grep -c "$name" "$file" | sort -n > /dev/null || true
done
for ((i = 0; i < LIMIT; i++)); do :; done
result=$(total "$file")
test "$result" -gt 3 && { echo "many: ${result}"; } || echo `date`
