# A program with two bugs, and what a fuzzer has found.
mkdir -p out/default/crashes crashes
cat > prog <<'END'
#!/bin/sh
grep -q AA "$1" && { echo 'ERROR: AddressSanitizer: heap-buffer-overflow' >&2; exit 1; }
grep -q BB "$1" && { echo 'prog: assertion failed: b' >&2; exit 2; }
exit 0
END
cat > test.sh <<'END'
#!/bin/sh
grep -q AA "$1"
END
chmod +x prog test.sh
printf 'xAAy\n' > out/default/crashes/id:000000
printf 'zzBB\n' > out/default/crashes/id:000001
printf 'xAAy\nq\n' > crashes/one
printf 'q\nAA\n' > crashes/two
