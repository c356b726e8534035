import sys

from black import patched_main

sys.argv = ["black", "--version"]
patched_main()
