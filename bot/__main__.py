"""`python -m bot` is `companion`."""

import sys

from bot.cli import main

sys.exit(main())
