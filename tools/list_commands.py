#!/usr/bin/env python3
"""The commands of a program, read from the table in its source (meson must know them before
anything is compiled): the rows `{"name", cli_name ..}`, or gpu_name.

    list_commands.py FILE        one name a line
"""
import pathlib
import re
import sys

print("\n".join(re.findall(r'\{"([a-z]+)", (?:cli|gpu)_\w+\b', pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))))
