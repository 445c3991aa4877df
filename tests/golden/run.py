#!/usr/bin/env python3
"""Run a program on the cases of cases.json and compare exit code, stdout and stderr.

usage: run.py PROGRAM [--update]

A case: {"name", "args": [...], "exit": N} and, if wanted,
    "out": FILE       stdout, times and versions replaced, equals out/FILE
    "empty": true     stdout is empty
    "json": SCHEMA    stdout is exactly one JSON document with this schema
    "says": [TEXT]    parts of stdout
    "err": [TEXT]     parts of stderr
    "unsaid": [TEXT]  parts of neither
    "quiet": true     stderr is empty
    "to": "full" | "closed"   stdout is a full disk or a pipe that nobody reads
Words of args that start with "in/" or "@in/" are files beside this script.  Prints TAP.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def plain(text):
    """What differs from run to run or from machine to machine, replaced."""
    text = re.sub(r" +\d+\.\d\d s\b", " T s", text)
    text = re.sub(r'"seconds": [-+.e0-9]+', '"seconds": 0', text)
    return re.sub(r"ckda [\d.]+ \(FLINT [^)]*\)", "ckda VERSION", text)


def closed_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "wb")


def run(program, case):
    args = [re.sub(r"^(@?)in/", lambda m: m[1] + str(HERE) + "/in/", word)
            for word in case["args"]]
    target = subprocess.PIPE
    if case.get("to") == "full":
        target = open("/dev/full", "wb")
    elif case.get("to") == "closed":
        target = closed_pipe()
    return subprocess.run([program, *args], stdout=target, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, timeout=60)


def faults(case, done, update):
    out = (done.stdout or b"").decode(errors="replace").replace(str(HERE) + "/", "")
    err = done.stderr.decode(errors="replace")
    found = []
    if done.returncode != case["exit"]:
        found.append(f"exit code {done.returncode}, expected {case['exit']}")
    if case.get("empty") and out:
        found.append(f"stdout is not empty: {out!r}")
    if "json" in case:
        try:
            if json.loads(out).get("schema") != case["json"]:
                found.append(f"not schema {case['json']}")
        except ValueError as fault:
            found.append(f"not one JSON document: {fault}")
    found += [f"stdout lacks {text!r}: {out!r}" for text in case.get("says", [])
              if text not in out]
    found += [f"stderr lacks {text!r}: {err!r}" for text in case.get("err", [])
              if text not in err]
    found += [f"said {text!r}: {out!r} {err!r}" for text in case.get("unsaid", [])
              if text in out + err]
    if case.get("quiet") and err:
        found.append(f"stderr is not empty: {err!r}")
    if "out" in case:
        golden = HERE / "out" / case["out"]
        if update:
            golden.write_text(plain(out))
        elif plain(out) != golden.read_text():
            found.append(f"stdout differs from out/{case['out']}:\n{plain(out)}")
    return found


def main():
    program, update = sys.argv[1], "--update" in sys.argv[2:]
    cases = json.loads((HERE / "cases.json").read_text())
    print(f"1..{len(cases)}")
    for number, case in enumerate(cases, 1):
        if case.get("to") == "full" and not os.path.exists("/dev/full"):
            print(f"ok {number} - {case['name']} # SKIP no /dev/full")
            continue
        found = faults(case, run(program, case), update)
        print(f"{'not ok' if found else 'ok'} {number} - {case['name']}")
        for fault in found:
            print("  # " + fault.replace("\n", "\n  # "))


if __name__ == "__main__":
    main()
