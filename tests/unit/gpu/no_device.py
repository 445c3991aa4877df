#!/usr/bin/env python3
"""ckda-gpu where there is no device: every command says so and exits 3; wrong usage is 2."""
import os
import subprocess
import sys
import tempfile

# path of the program; the command lines and the exit codes they must have
CASES = [
    (["words", "A5"], 3),
    (["words", "--suite"], 3),
    (["chunk"], 3),
    (["audit"], 3),
    (["audit", "--json", "A5:chunk"], 3),
    (["audit", "--sequences", "4", "--steps", "16", "A5"], 3),
    (["words", "A5", "--words", "4", "--length", "16", "--every", "0"], 3),
    (["bench", "--only", "words"], 3),
    (["dump", "trace.safetensors"], 3),
    ([], 2),
    (["fly"], 2),
    (["words"], 2),
    (["words", "A5", "--steps", "many"], 2),
    (["chunk", "--part", "tails"], 2),
    (["words", "A5", "--length", "0"], 2),
    (["audit", "--every", "17"], 2),
    (["audit", "--every", "0"], 2),
    (["audit", "--words", "x"], 2),
    (["bench", "--only", "lunch"], 2),
    (["dump"], 2),
    (["dump", "--dk", "32", "x"], 2),
    (["--help"], 0),
    (["audit", "--help"], 0),
    (["words", "--help"], 0),
]


def main():
    program, bad = os.path.abspath(sys.argv[1]), 0
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="")  # hides a device that is there
    print(f"1..{len(CASES)}")
    with tempfile.TemporaryDirectory() as folder:
        for number, (arguments, want) in enumerate(CASES, 1):
            run = subprocess.run([program] + arguments, capture_output=True, text=True,
                                 env=environment, cwd=folder)
            good = run.returncode == want
            if want == 3:
                good = good and run.stdout == "" and "no CUDA device" in run.stderr
            if want == 0:
                good = good and "Usage:" in run.stdout
            good = good and os.listdir(folder) == []
            bad += not good
            print(f"{'ok' if good else 'not ok'} {number} - ckda-gpu {' '.join(arguments)}: {run.returncode}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
