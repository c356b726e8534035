cat > build.sh <<'END'
#!/bin/sh
case " $* " in *" -fno-strict-aliasing "*|*" -fno-tree-fre "*) exit 0;; esac
case " $* " in
*" -O2 "*) echo '1, and it is 2'; exit 1;;
*" -O1 "*) case " $* " in *" -fstrict-aliasing "*) echo '1, and it is 2'; exit 1;; esac;;
esac
exit 0
END
chmod +x build.sh
mkdir include
touch alias.c
printf 'import os\nassert "DEBUG" not in os.environ\n' > when.py
