#!/usr/bin/env python3
"""Do --max-memory and --max-time hold?

usage: limits.py CKDA [--markdown]

Runs searches that would go on for longer, asks for a limit, and measures what the process
reached: its largest resident set (ru_maxrss, what VmHWM says) and the wall time.  A limit
that is exceeded by more than a tenth, or a command that is not stopped by it at all, is a
fault.  Memory: the program itself (code, ledger) comes to the row --version.  Time: on a
machine that others use, seconds beyond the limit count only as far as the process had a core
for them (its CPU time over its wall time), which is shown where it decides.
"""
import os
import subprocess
import sys
import time

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
M = 1 << 20
ENDLESS = "--max-states 100000000"
MEMORY = [
    (f"reach data/reach/we7.json {ENDLESS}", (64, 100)),
    ("reach data/reach/b8.json --max-states 1000000000", (100, 250)),
    (f"reach data/reach/we7.json {ENDLESS} --threads 2", (100,)),
    (f"audit Z5 --all-words --state bf16 {ENDLESS}", (100, 300)),
    (f"audit A5 --all-words --state bf16 {ENDLESS}", (100,)),
    (f"audit Z5 --all-words --state bf16 --columns {ENDLESS}", (100,)),
    ("audit Z5 --words 100000000 --length 10", (100,)),
    ("audit A5 --snap", (64,)),
    (f"run S5 -c three-layer --close {ENDLESS}", (64, 100, 300)),
    (f"run in/weights2.json a --close --factoriser short {ENDLESS}", (64, 100)),
    (f"construct S7 --max-order 10000 {ENDLESS}", (100,)),
    (f"construct D60 {ENDLESS}", (64,)),
    (f"reduce S7 {ENDLESS}", (100,)),
]
TIME = [
    (f"reach data/reach/we7.json {ENDLESS} --max-memory 8G", (1, 5)),
    ("reach data/reach/b8.json --max-states 1000000000 --threads 2 --max-memory 8G", (1, 5)),
    (f"audit Z5 --all-words --state bf16 {ENDLESS} --max-memory 8G", (1, 5)),
    (f"audit A5 --all-words --state bf16 {ENDLESS} --max-memory 8G", (1, 5)),
    (f"audit A5 --all-words --state bf16 --columns {ENDLESS} --max-memory 8G", (1, 5)),
    ("audit A5 --words 2000 --length 5000", (1, 5)),
    ("audit A5 --chunk 16 --words 2000 --length 5000", (1, 5)),
    ("audit A5 --snap --chunk 4 --split FLA --exhaustive", (2,)),
    (f"run S5 -c three-layer --close {ENDLESS}", (1, 5)),
    (f"run in/weights2.json a --close --factoriser short {ENDLESS}", (1, 5)),
    ("construct Z29 --max-states 10", (1, 5)),
    (f"reduce S7 {ENDLESS}", (3, 5)),
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
    process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begin
    share = min(1, (usage.ru_utime + usage.ru_stime) / wall)
    return wall, usage.ru_maxrss * 1024, process.returncode, share


def row(command, asked, reached, code, note, unit, scale):
    print(f"| `ckda {command}` | {asked} {unit} | {reached / scale:.2f} {unit} | {code} | {note} |",
          flush=True)


def judged(wall, asked, share):
    """A note for the table, and whether the limit held."""
    if wall <= 1.1 * asked + 0.1:
        return "", True
    if (wall - asked) * share <= 0.1 * asked:
        return f"had a core for {share:.0%} of it", True
    return "exceeded", False


def main():
    program, *chosen = sys.argv[1:]
    only = chosen[0] if chosen else ""
    failed = False
    print("| command | asked | reached | exit code | |\n|---|---|---|---|---|")
    _, idle, code, _ = measured([program, "--version"])
    row("--version", 0, idle, code, "", "MiB", M)
    for command, sizes in MEMORY:
        for size in sizes if only in command else ():
            _, peak, code, _ = measured([program, *words(command), "--max-memory", f"{size}M"])
            good = peak <= 1.1 * size * M and code in (0, 1, 3)
            failed |= not good
            row(command, size, peak, code, "" if good else "exceeded", "MiB", M)
    for command, times in TIME:
        for seconds in times if only in command else ():
            argv = [program, *words(command), "--max-time", str(seconds)]
            wall, _, code, share = measured(argv)
            note, good = judged(wall, seconds, share)
            failed |= not good or code not in (0, 1, 3)
            row(command, seconds, wall, code, note, "s", 1)
    return failed


if __name__ == "__main__":
    sys.exit(main())
