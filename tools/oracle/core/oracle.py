#!/usr/bin/env python3
"""Runs the cases of a driver through an independent program.

usage: oracle.py gp|gap DRIVER CHECKS

DRIVER prints one call of a function a line, CHECKS defines these functions and finish().  The
test passes when the oracle ends with "checked N, failed 0" for the N lines of the driver;
exit code 77 (skipped) when the oracle is not installed.
"""
import pathlib
import shutil
import subprocess
import sys

COMMANDS = {
    "gp": ["gp", "-q", "-f", "--default", "parisizemax=1000000000"],
    "gap": ["gap", "-A", "-b", "-q", "-r", "-x", "10000"],
}


def main():
    name, driver, checks = sys.argv[1:]
    if shutil.which(name) is None:
        print(f"skipped: {name} is not installed")
        return 77
    cases = subprocess.run([driver], check=True, stdout=subprocess.PIPE, text=True).stdout
    program = pathlib.Path(checks).read_text(encoding="utf-8") + cases + "finish();\n"
    run = subprocess.run(COMMANDS[name], input=program, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    lines = run.stdout.strip().splitlines()
    want = f"checked {len(cases.splitlines())}, failed 0"
    passed = run.returncode == 0 and lines[-1:] == [want] and len(lines) == 1
    print(run.stdout if not passed else want)
    return 0 if passed and cases else 1


if __name__ == "__main__":
    sys.exit(main())
