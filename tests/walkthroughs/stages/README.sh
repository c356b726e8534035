# A compiler that fails, a parser of JSON that goes too deep, one that hangs, and a test script.
mkdir -p bin
cat > bin/node <<'END'
#!/bin/sh
grep -q '\[\[\[' "$2" || exit 0
echo 'stack overflow' >&2
exit 1
END
cat > bin/gcc <<'END'
#!/bin/sh
for file; do :; done
grep -q boom "$file" || exit 0
echo "$file:1:1: internal compiler error: in boom, at loop.c:12" >&2
exit 1
END
cat > parser <<'END'
#!/bin/sh
grep -q loop "$1" || exit 0
sleep 1000
END
cat > test.sh <<'END'
#!/bin/sh
grep -q boom prog.c
END
chmod +x bin/* parser test.sh
printf 'int a;\nint boom(void) { return 1; }\nint c;\n' > prog.c
printf '{"a": [1, [2], [[[3]]]]}' > deep.json
printf 'a\nloop\n' > input.txt
touch parse.js
