#!/usr/bin/env python3
"""A file whose name is no UTF-8 is read like any other; one TAP line a command.

    names.py CKDA

JSON answers are UTF-8 all the same, and name the file once.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import taplines  # noqa: E402

GROUP = '{"group":{"generators":{"a":"(1,2)","b":"(1,2,3)"},"letters":"all"}}'
MATRIX = '{"matrix":[["0","-1"],["1","0"]]}'
# arguments, NAME for the file; what it holds; exit code
RUNS = [(["reach", "NAME"], GROUP, 0), (["run", "NAME", "a b"], GROUP, 0), (["run", "NAME", "a a"], MATRIX, 0),
        (["construct", "NAME"], GROUP, 0), (["reduce", "NAME"], GROUP, 0), (["spectrum", "NAME"], MATRIX, 0),
        (["factor", "NAME"], MATRIX, 0), (["decompose", "NAME"], GROUP, 4), (["range", "NAME"], MATRIX, 4),
        (["audit", "NAME"], GROUP, 4)]


def main():
    tap = taplines.Tap()
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(os.fsencode(folder), b"caf\xe9.json")
        for words, text, code in RUNS:
            try:
                pathlib.Path(os.fsdecode(name)).write_text(text)
            except OSError as e:
                tap.skip(words[0], f"no file can be called so here: {e}")
                continue
            args = [name if w == "NAME" else w.encode() for w in words]
            got = subprocess.run([sys.argv[1].encode(), *args, b"--json"], capture_output=True, check=False)
            try:
                document = json.loads(got.stdout)
                good = got.returncode == code and document["schema"].startswith("ckda.")
                if code != 0:
                    good = good and document["message"].count("caf?.json") == 1
            except (UnicodeDecodeError, ValueError, KeyError):
                good = False
            tap.line(good, " ".join(words), f"{got.returncode}\n{got.stdout[:300]}\n{got.stderr[:300]}")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
