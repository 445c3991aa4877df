#!/usr/bin/env python3
"""Run a program on the cases of a file and compare exit code, stdout and stderr.

usage: run.py PROGRAM [CASES.json] [--update]        (default: cases.json)

A case: {"name", "args": [...], "exit": N} and, if wanted,
    "out": FILE       stdout, times and versions replaced, equals out/FILE
    "empty": true     stdout is empty
    "json": SCHEMA    stdout is exactly one JSON document with this schema
    "values": {PATH: VALUE}   what stands in the JSON at "a.0.b"; [LOW, HIGH] for a number
                              between the two, null for null
    "says": [TEXT]    parts of stdout
    "err": [TEXT]     parts of stderr
    "unsaid": [TEXT]  parts of neither
    "quiet": true     stderr is empty
    "to": "full" | "closed"   stdout is a full disk or a pipe that nobody reads
    "wrote": {FILE: [TEXT]}   parts of the file OUT/FILE; null: there is no such file
Words of args that start with "in/" or "@in/" are files beside this script, those with "data/"
files of the project, those with "OUT/" files of a folder that is new for each case.  A case
that names a device which this system lacks is skipped.  Prints TAP.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def plain(text):
    """What differs from run to run or from machine to machine, replaced."""
    text = re.sub(r" +\d+\.\d\d s\b", " T s", text)
    text = re.sub(r'"seconds": [-+.e0-9]+', '"seconds": 0', text)
    return re.sub(r"ckda [\d.]+ \(FLINT [^)]*\)", "ckda VERSION", text)


def closed_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "wb")


def run(program, case, folder):
    where = {"in/": f"{HERE}/in/", "data/": f"{ROOT}/data/", "OUT/": f"{folder}/"}
    args = [re.sub(r"^(@?)(in/|data/|OUT/)", lambda m: m[1] + where[m[2]], word)
            for word in case["args"]]
    target = subprocess.PIPE
    if case.get("to") == "full":
        target = open("/dev/full", "wb")
    elif case.get("to") == "closed":
        target = closed_pipe()
    return subprocess.run([program, *args], stdout=target, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, timeout=60)


def at(document, path):
    for step in path.split("."):
        document = document[int(step) if isinstance(document, list) else step]
    return document


def differs(got, want):
    if isinstance(want, list) and len(want) == 2 and not isinstance(got, list):
        return not (isinstance(got, (int, float)) and want[0] <= got <= want[1])
    return got != want


def wrong_values(case, out):
    for path, want in case.get("values", {}).items():
        try:
            got = at(json.loads(out), path)
        except (ValueError, KeyError, IndexError, TypeError) as fault:
            yield f"nothing at {path}: {fault!r}"
            continue
        if differs(got, want):
            yield f"at {path}: {got!r}, expected {want!r}"


def wrong_files(case, folder):
    for name, parts in case.get("wrote", {}).items():
        file = folder / name
        if parts is None:
            if file.exists():
                yield f"wrote {name}"
        elif not file.exists():
            yield f"did not write {name}"
        else:
            text = file.read_text(errors="replace")
            yield from (f"{name} lacks {part!r}: {text!r}" for part in parts
                        if part not in text)


def lacks_device(case):
    devices = [word for word in case["args"] if word.startswith("/dev/")]
    if case.get("to") == "full":
        devices.append("/dev/full")
    return next((name for name in devices if not os.path.exists(name)), None)


def faults(case, done, folder, update):
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
    found += wrong_values(case, out)
    found += wrong_files(case, folder)
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
    files = [word for word in sys.argv[2:] if not word.startswith("--")] or ["cases.json"]
    cases = json.loads((HERE / files[0]).read_text())
    print(f"1..{len(cases)}")
    for number, case in enumerate(cases, 1):
        missing = lacks_device(case)
        if missing:
            print(f"ok {number} - {case['name']} # SKIP no {missing}")
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            found = faults(case, run(program, case, folder), folder, update)
        print(f"{'not ok' if found else 'ok'} {number} - {case['name']}")
        for fault in found:
            print("  # " + fault.replace("\n", "\n  # "))


if __name__ == "__main__":
    main()
