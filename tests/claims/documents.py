#!/usr/bin/env python3
"""Is the ledger that was built in the one in proofs/, and docs/CLAIMS.md its picture?

usage: documents.py CKDA DOCS/ledger.md     (the second names the folder of the docs)
"""
import json
import pathlib
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    ckda, docs = sys.argv[1], pathlib.Path(sys.argv[2]).resolve().parent
    faults = []
    claims = json.loads(output(ckda, "list", "--json"))["claims"]
    built = {claim["target"] for claim in claims}
    there = {path.stem for path in (docs.parent / "proofs").glob("*.json")}
    if there - built:
        faults.append(f"not built in: {sorted(there - built)}; run meson setup --reconfigure")
    if built - there:
        faults.append(f"built in, but gone from proofs/: {sorted(built - there)}")
    page = docs / "CLAIMS.md"
    if not page.exists() or page.read_text() != output(ckda, "list", "--markdown"):
        faults.append("docs/CLAIMS.md is out of date; run build/ckda list --markdown > docs/CLAIMS.md")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
