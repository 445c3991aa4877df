#!/usr/bin/env python3
"""Damaged certificates must be refused, each for its own reason.  usage: damage.py CKDA-RECHECK [--keep DIR]

damage.json: {"name", "in": FILE of good/ (default d3.cert), "reason": part of the answer} and one
change, or "changes": [...]:
    "line": N, "from": TEXT, "to": TEXT   in that line
    "line": N, "with": TEXT               another line
    "line": N, "with_list": [A, B, N, C]  the line A, N times B, C
    "line": N, "nest": K                  K brackets
    "line": N, "delete": true             without it
    "line": N, "insert": TEXT             a line after it
    "cut": K, "cut_lines": K              the first K bytes, the first K lines
Prints TAP.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def change(lines, c):
    at = c["line"] - 1
    if "from" in c:
        assert c["from"] in lines[at], c
        lines[at] = lines[at].replace(c["from"], c["to"], 1)
    elif "with" in c:
        lines[at] = c["with"]
    elif "with_list" in c:
        first, middle, times, last = c["with_list"]
        lines[at] = first + middle * times + last
    elif "nest" in c:
        lines[at] = "[" * c["nest"]
    elif "delete" in c:
        del lines[at]
    else:
        lines.insert(at + 1, c["insert"])


def damaged(case):
    text = (HERE / "good" / case.get("in", "d3.cert")).read_text()
    if "cut" in case:
        return text[: case["cut"]]
    lines = text.split("\n")
    if "cut_lines" in case:
        return "\n".join(lines[: case["cut_lines"]]) + "\n"
    for c in case.get("changes", [case]):
        change(lines, c)
    return "\n".join(lines)


def recheck(program, *files):
    return subprocess.run([program, *files], capture_output=True, text=True, timeout=60)


def fault(done, code, said):
    if done.returncode != code:
        return f"exit {done.returncode}, expected {code}: {done.stdout}{done.stderr}"
    if said not in done.stdout + done.stderr:
        return f"expected '{said}' in: {done.stdout}{done.stderr}"
    return None


def cases(program, folder):
    for good in sorted((HERE / "good").glob("*.cert")):
        yield f"{good.name} is verified", fault(recheck(program, good), 0, "s VERIFIED\n")
    for number, case in enumerate(json.loads((HERE / "damage.json").read_text())):
        file = folder / f"{number:02}.cert"
        file.write_text(damaged(case))
        yield "refused: " + case["name"], fault(recheck(program, file), 1, "s REFUSED") or fault(
            recheck(program, file), 1, case["reason"])
    d3, turn = HERE / "good" / "d3.cert", HERE / "good" / "turn.cert"
    yield "two files, one answer each", fault(recheck(program, d3, turn), 0, "s VERIFIED\nc ")
    yield "one of two refused", fault(recheck(program, d3, folder / "00.cert"), 1, "s REFUSED")
    yield "a file that is not there", fault(recheck(program, folder / "none"), 4, "No such file")
    yield "a folder", fault(recheck(program, folder), 4, "cannot be read")
    yield "refused and unreadable", fault(recheck(program, folder / "none", folder / "00.cert"), 1, "s REFUSED")
    yield "no file", fault(recheck(program), 2, "Usage")
    yield "help", fault(recheck(program, "--help"), 0, "Usage: ckda-recheck CERT...")


def main():
    program = sys.argv[1]
    bad = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(sys.argv[3] if sys.argv[2:3] == ["--keep"] else temporary)
        results = list(cases(program, folder))
    print(f"1..{len(results)}")
    for number, (name, why) in enumerate(results, 1):
        print(f"{'not ok' if why else 'ok'} {number} - {name}")
        if why:
            print("# " + why.replace("\n", "\n# "))
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
