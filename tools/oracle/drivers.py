#!/usr/bin/env python3
"""Runs the cases of a driver (core/*.c) through an independent program.

usage: drivers.py gp|gap DRIVER FILE...

DRIVER prints one call of a function a line; the FILEs, in the language of the program, define these
functions and finish().  The test passes when the program ends with "checked N, failed 0" for the N
lines of the driver and prints nothing else; exit code 77 (skipped) when it is not installed.
"""
import pathlib
import subprocess
import sys

import system


def main():
    name, driver, *files = sys.argv[1:]
    if name in system.missing():
        print(f"skipped: {name} is not installed")
        return 77
    cases = subprocess.run([driver], check=True, stdout=subprocess.PIPE, text=True).stdout
    program = "".join(pathlib.Path(file).read_text(encoding="utf-8") for file in files) + cases + "finish();\n"
    run = subprocess.run(system.COMMANDS[name], input=program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False)
    want = f"checked {len(cases.splitlines())}, failed 0"
    passed = cases != "" and run.returncode == 0 and run.stdout.strip() == want
    print(want if passed else run.stdout)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
