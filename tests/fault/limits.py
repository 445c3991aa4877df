#!/usr/bin/env python3
"""Do --max-memory and --max-time hold?

usage: limits.py CKDA [--markdown]

Runs searches that would go on for longer, asks for a limit, and measures what the process
reached: its largest resident set (ru_maxrss, what VmHWM says) and the wall time.  A limit
that is exceeded by more than a tenth, or a command that is not stopped by it at all, is a
fault.  Memory: the program itself (code, ledger) comes to what the row "nothing" shows.
"""
import os
import subprocess
import sys
import time

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
M = 1 << 20
MEMORY = [
    ("reach data/reach/we7.json --max-states 100000000", (64, 100)),
    ("reach data/reach/b8.json --max-states 1000000000", (100, 250)),
    ("reach in/counter.json --max-states 100000000", (100,)),
    ("audit Z5 --all-words --state bf16 --max-states 100000000", (100, 300)),
    ("audit A5 --all-words --state bf16 --max-states 100000000", (100, 300)),
    ("audit S4 --construction quaternion --state fp16 --columns --all-words --max-states 100000000",
     (100,)),
    ("run A5 -c small --close --max-states 100000000", (100,)),
    ("run S5 -c small --close --max-states 100000000", (100, 300)),
    ("construct S7 --max-order 10000 --max-states 100000000", (100,)),
    ("reduce S7 --max-states 100000000", (100,)),
]
TIME = [
    ("reach data/reach/we7.json --max-states 100000000 --max-memory 8G", (1, 5)),
    ("audit Z5 --all-words --state bf16 --max-states 100000000 --max-memory 8G", (1, 5)),
    ("audit A5 --all-words --state bf16 --max-states 100000000 --max-memory 8G", (1, 5)),
    ("audit A5 --words 2000 --length 5000", (1, 5)),
    ("run S5 -c small --close --max-states 100000000", (1, 5)),
    ("construct S7 --max-order 10000 --max-states 100000000", (1, 5)),
    ("reduce S7 --max-states 100000000", (1, 5)),
]


def words(text):
    for word in text.split():
        if word.startswith("in/"):
            yield str(GOLDEN / word)
        elif word.startswith("data/"):
            yield str(ROOT / word)
        else:
            yield word


def measured(argv):
    begin = time.monotonic()
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = process.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - begin, usage.ru_maxrss * 1024, process.returncode, text


def row(command, asked, reached, code, good, unit, scale):
    print(f"| `ckda {command}` | {asked} {unit} | {reached / scale:.2f} {unit} | {code} | "
          f"{'' if good else 'exceeded'} |", flush=True)


def main():
    program, *chosen = sys.argv[1:]
    only = chosen[0] if chosen else ""
    failed = False
    print("| command | asked | reached | exit code | |\n|---|---|---|---|---|")
    _, idle, code, _ = measured([program, "--version"])
    row("--version", 0, idle, code, True, "MiB", M)
    for command, sizes in MEMORY:
        for size in sizes if only in command else ():
            _, peak, code, text = measured([program, *words(command), "--max-memory", f"{size}M"])
            good = peak <= 1.1 * size * M and code in (0, 1, 3)
            failed |= not good
            row(command, size, peak, code, good, "MiB", M)
    for command, times in TIME:
        for seconds in times if only in command else ():
            wall, _, code, text = measured([program, *words(command), "--max-time", str(seconds)])
            good = wall <= 1.1 * seconds + 0.1 and code in (0, 1, 3)
            failed |= not good
            row(command, seconds, wall, code, good, "s", 1)
    return failed


if __name__ == "__main__":
    sys.exit(main())
