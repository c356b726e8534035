printf 'int a;\nint b;\n' > prog.c
wynot reduce --quiet -c 'grep -q b prog.c' prog.c
