#!/usr/bin/env python3
"""Every symbolic claim of the ledger as lemmas that Coq's kernel checks.

usage: run.py [--keep DIR] PROOFS [CLAIM...]

Exports the claims (export.py), compiles the language, the checkers and the lemmas with coqc, and
prints what is covered, what is not and why, and the axioms that the lemmas rest on.  Fails when
a lemma fails, when an axiom appears that is not one of the real numbers' own, or when something
is left out that the list below does not name.  Exit code 77 (skipped) without coqc.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
THEORY = ["Language", "Fractions", "Check", "Signs", "Points"]
# What Coq's real numbers themselves assume.
AXIOMS = {"ClassicalDedekindReals.sig_forall_dec", "ClassicalDedekindReals.sig_not_dec",
          "FunctionalExtensionality.functional_extensionality_dep"}


def compiled(folder, name):
    """(name, seconds, output) of one file; output is None when it compiled."""
    start = time.monotonic()
    run = subprocess.run(["coqc", "-q", "-w", "none", "-Q", ".", "Ckda", f"{name}.v"], cwd=folder,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return name, time.monotonic() - start, run.returncode, run.stdout


def summary(data, axioms):
    """Prints the figures; returns what is left out without being named in left_out.json."""
    claims = data["claims"]
    named = json.loads((HERE / "left_out.json").read_text(encoding="utf-8"))
    total = lambda key: sum(c[key] for c in claims)
    gaps = [f"{c['claim']}: {g}" for c in claims for g in c["left_out"]]
    print(f"lemmas: {total('lemmas')} for {total('proved')} of {total('statements')} statements "
          f"({total('scalars')} scalar ones) in {total('theories')} theories of {len(claims)} claims")
    print(f"mutants with a counterexample: {total('mutants')} of {total('all_mutants')}")
    print(f"hypotheses with a point that satisfies them: {total('witnesses')} theories")
    print(f"claims without a gap: {sum(not c['left_out'] for c in claims)} of {len(claims)}")
    for g in gaps:
        print(f"  left out: {g} ({named.get(g, 'not expected')})")
    for c in data["left_out"]:
        print(f"  not exported: {c['claim']} ({c['reason']})")
    print("axioms: " + (", ".join(sorted(axioms)) or "none"))
    return [g for g in gaps if g not in named]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("proofs", type=pathlib.Path)
    parser.add_argument("claims", nargs="*")
    options = parser.parse_args()
    if shutil.which("coqc") is None:
        print("skipped: coqc is not installed (Debian: apt-get install --no-install-recommends coq)")
        return 77
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ckda-coq") as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, HERE / "export.py", options.proofs, folder, *options.claims],
                       check=True, stderr=subprocess.DEVNULL)
        exported = time.monotonic() - start
        for name in THEORY:
            shutil.copy(HERE / f"{name}.v", folder)
            _, _, status, output = compiled(folder, name)
            if status:
                print(f"FAILED: {name}.v\n{output}")
                return 1
        files = sorted(p.stem for p in folder.glob("Claims_*.v"))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda f: compiled(folder, f), files))
        data = json.loads((folder / "export.json").read_text(encoding="utf-8"))
    axioms, failed = set(), []
    for name, seconds, status, output in results:
        if status:
            failed.append(f"{name}.v: {output.strip()}")
        axioms |= set(re.findall(r"^([\w.]+)\s*:", output.partition("Axioms:")[2], re.M))
    surprises = summary(data, axioms)
    print(f"time: export {exported:.0f} s, all {time.monotonic() - start:.0f} s")
    for f in failed:
        print(f"FAILED: {f}")
    for g in surprises:
        print(f"FAILED: left out and not expected: {g}")
    for a in sorted(axioms - AXIOMS):
        print(f"FAILED: axiom {a}")
    return 1 if failed or surprises or axioms - AXIOMS else 0


if __name__ == "__main__":
    sys.exit(main())
