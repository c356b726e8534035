"""``python -m wynot``."""

import sys

from wynot.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
