#!/usr/bin/env python3
"""Every symbolic claim of the ledger as lemmas that Coq's kernel checks.

usage: run.py [--keep DIR] PROOFS [CLAIM...]

Exports the claims (export.py), compiles the language, the checkers and the lemmas with coqc, and
prints what is covered, what is not and why, and the axioms that the lemmas rest on.  Fails when
a lemma fails, when there is none, when an axiom appears that is not one of the real numbers' own,
or when what is left out is not what left_out.json names.  Exit code 77 (skipped) without coqc.
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
THEORY = ["Language", "Fractions", "Check", "Signs", "Points", "Roots", "Determinants"]
# What Coq's real numbers themselves assume.
AXIOMS = {"ClassicalDedekindReals.sig_forall_dec", "ClassicalDedekindReals.sig_not_dec",
          "FunctionalExtensionality.functional_extensionality_dep"}


def compiled(folder, name):
    """(name, coqc's exit code, its output) of one file."""
    run = subprocess.run(["coqc", "-q", "-w", "none", "-Q", ".", "Ckda", f"{name}.v"], cwd=folder,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return name, run.returncode, run.stdout


def compile_theory(folder):
    """The language and the checkers; what failed."""
    for name in THEORY:
        shutil.copy(HERE / f"{name}.v", folder)
        _, status, output = compiled(folder, name)
        if status:
            return [f"{name}.v: {output.strip()}"]
    return []


def compile_claims(folder):
    """The lemmas; the axioms they rest on, and what failed."""
    files = sorted(p.stem for p in folder.glob("Claims_*.v"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda f: compiled(folder, f), files))
    axioms, failed = set(), []
    for name, status, output in results:
        if status:
            failed.append(f"{name}.v: {output.strip()}")
        elif "Axioms:" not in output and "Closed under the global context" not in output:
            failed.append(f"{name}.v: coqc does not say which axioms the lemmas rest on")
        axioms |= set(re.findall(r"^([\w.]+)\s*:", output.partition("Axioms:")[2], re.M))
    return axioms, failed


def summary(data, axioms):
    """Prints the figures and what is left out; returns the number of lemmas."""
    claims, named = data["claims"], expected_gaps()
    total = lambda key: sum(c[key] for c in claims)
    print(f"lemmas: {total('lemmas')} for {total('proved')} of {total('statements')} statements "
          f"({total('scalars')} scalar ones) in {total('theories')} theories of {len(claims)} claims")
    print(f"mutants with a counterexample: {total('mutants')} of {total('all_mutants')}")
    print(f"hypotheses with a point that satisfies them: {total('witnesses')} theories")
    print(f"claims without a gap: {sum(not c['left_out'] for c in claims)} of {len(claims)}")
    for gap in gaps_of(data):
        print(f"  left out: {gap} ({named.get(gap, 'not expected')})")
    print("axioms: " + (", ".join(sorted(axioms)) or "none"))
    return total("lemmas")


def expected_gaps():
    return json.loads((HERE / "left_out.json").read_text(encoding="utf-8"))


def gaps_of(data):
    return [f"{c['claim']}: {gap}" for c in [*data["claims"], *data["no_identities"]] for gap in c["left_out"]]


def unexpected(data, only):
    """Where the gaps are not the ones of left_out.json; of the claims `only`, if there are some."""
    gaps, named = gaps_of(data), expected_gaps()
    return [f"left out and not expected: {gap}" for gap in gaps if gap not in named] + \
           [f"expected to be left out, but is not: {gap}" for gap in named
            if gap not in gaps and (not only or gap.partition(": ")[0] in only)]


def check(options, folder):
    """Exports and compiles everything; returns what failed."""
    start = time.monotonic()
    export = subprocess.run([sys.executable, HERE / "export.py", options.proofs, folder, *options.claims], check=False)
    if export.returncode:
        return ["the export"]
    exported = time.monotonic() - start
    failed = compile_theory(folder)
    if failed:
        return failed
    axioms, failed = compile_claims(folder)
    data = json.loads((folder / "export.json").read_text(encoding="utf-8"))
    if not summary(data, axioms):
        failed.append("there is no lemma")
    print(f"time: export {exported:.0f} s, all {time.monotonic() - start:.0f} s")
    return failed + unexpected(data, options.claims) + [f"axiom {a}" for a in sorted(axioms - AXIOMS)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("proofs", type=pathlib.Path)
    parser.add_argument("claims", nargs="*")
    options = parser.parse_args()
    if shutil.which("coqc") is None:
        print("skipped: coqc is not installed (Debian: apt-get install --no-install-recommends coq)")
        return 77
    with tempfile.TemporaryDirectory(prefix="ckda-coq") as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        failed = check(options, folder)
    for what in failed:
        print(f"FAILED: {what}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
