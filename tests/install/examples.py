#!/usr/bin/env python3
"""Runs docs/examples and compares what each prints with its .out file; one TAP line each.

    examples.py FOLDER CKDA CKDA_RECHECK [--write]      the scripts
    examples.py FOLDER --program NAME=FILE...           programs that were compiled elsewhere

A Python example whose modules are not installed is skipped.  Times and versions are not
compared.  `--write` writes the .out files anew.
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def neutral(text):
    text = re.sub(r" +\d+\.\d\d s\b", " TIME", text)
    text = re.sub(r"(time  +).*", r"\1TIME", text)
    return re.sub(r"\((FLINT|GMP|MPFR)[^)]*\)", "(VERSIONS)", text)


def modules_missing(script):
    """Modules of a Python example that this interpreter lacks."""
    if script.suffix != ".py":
        return []
    wanted = re.findall(r"^import (\w+)", script.read_text(encoding="utf-8"), re.M)
    return [m for m in wanted if subprocess.run([sys.executable, "-c", f"import {m}"], stderr=subprocess.DEVNULL,
                                                check=False).returncode != 0]


def run(command, folder, path):
    env = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return done.stdout + (f"exit {done.returncode}\n" if done.returncode else "")


def judge(number, name, got, expected_file, write):
    """Prints one TAP line; is the output as written down?"""
    if write:
        expected_file.write_text(got, encoding="utf-8")
    want = expected_file.read_text(encoding="utf-8") if expected_file.exists() else ""
    diff = list(difflib.unified_diff(neutral(want).splitlines(), neutral(got).splitlines(), expected_file.name,
                                     "printed", lineterm=""))
    print(f"{'not ok' if diff or not want else 'ok'} {number} - {name}")
    print("".join(f"# {line}\n" for line in diff), end="")
    return not diff and want != ""


def scripts(folder, programs, write):
    found = sorted(p for p in folder.iterdir() if p.suffix in (".sh", ".py"))
    good = True
    print(f"1..{len(found)}", flush=True)
    with tempfile.TemporaryDirectory() as path:
        for program in programs:
            shutil.copy(program, pathlib.Path(path) / pathlib.Path(program).name)
        for number, script in enumerate(found, 1):
            missing = modules_missing(script)
            if missing:
                print(f"ok {number} - {script.name} # SKIP no module {missing[0]}")
                continue
            command = [sys.executable if script.suffix == ".py" else "/bin/sh", str(script)]
            good &= judge(number, script.name, run(command, folder, path), script.with_suffix(".out"), write)
    return good


def compiled(folder, pairs, write):
    good = True
    print(f"1..{len(pairs)}", flush=True)
    for number, pair in enumerate(pairs, 1):
        name, program = pair.split("=", 1)
        good &= judge(number, name, run([program], folder, "/"), folder / f"{name}.out", write)
    return good


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    folder, write = pathlib.Path(arguments[0]).resolve(), "--write" in sys.argv
    if arguments[1] == "--program":
        return 0 if compiled(folder, arguments[2:], write) else 1
    return 0 if scripts(folder, [str(pathlib.Path(a).resolve()) for a in arguments[1:]], write) else 1


if __name__ == "__main__":
    sys.exit(main())
