cat > load.py <<'END'
import sys, tomllib
tomllib.load(open(sys.argv[1], "rb"))
END
printf '[server]\nport = 80\nhost = "a"\nusers = 0250\n' > server.toml
printf '#!/bin/sh\ngrep -q loop "$1" || exit 0\nsleep 1000\n' > parser
chmod +x parser
printf 'a\nloop\n' > input.txt
printf '3\n10\n2\n' > numbers.txt
