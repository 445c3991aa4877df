#!/usr/bin/env python3
"""The commands of cases.py under valgrind: no invalid access, no value that was never set, no
memory that nobody can reach any more.

usage: memcheck.py CKDA CKDA-RECHECK [--only REGEX]

Takes some minutes.  Prints TAP; exit code 77 without valgrind.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from cases import CASES
from run import words

BAD = 99
VALGRIND = ["valgrind", "-q", "--leak-check=full", "--errors-for-leak-kinds=definite",
            "--show-leak-kinds=definite", f"--error-exitcode={BAD}", "--child-silent-after-fork=yes"]
MORE = ["verify prop13 --mutants", "verify thm1 thm8", "audit A5 --all-words --grid 4",
        "reach A5 --threads 2"]


def main():
    programs = {"ckda": str(pathlib.Path(sys.argv[1]).resolve()),
                "ckda-recheck": str(pathlib.Path(sys.argv[2]).resolve())}
    only = sys.argv[4] if len(sys.argv) > 4 else ""
    if shutil.which("valgrind") is None:
        print("1..0 # SKIP valgrind is missing")
        return 77
    commands = [(c.name, c.program, c.args, c.before) for c in CASES]
    commands += [(args, "ckda", args, ()) for args in MORE]
    chosen = [c for c in commands if re.search(only, c[0])]
    failed = 0
    print(f"1..{len(chosen)}")
    for number, (name, program, args, before) in enumerate(chosen, 1):
        with tempfile.TemporaryDirectory() as folder:
            for first in before:
                subprocess.run([programs["ckda"], *words(first)], cwd=folder, check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            done = subprocess.run([*VALGRIND, programs[program], *words(args)], cwd=folder,
                                  check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        good = done.returncode in (0, 1, 3)
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - {name}, exit code {done.returncode}")
        for line in [] if good else done.stderr.decode(errors="replace").splitlines()[:40]:
            print("  # " + line)
        sys.stdout.flush()
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
