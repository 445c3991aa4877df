#!/bin/sh
# Verify a claim: the statement, its check, and whether the check could have failed.
set -eu

ckda list thm1.forward
ckda verify thm1.forward
ckda verify --mutants thm1.forward --json |
    python3 -c 'import json, sys
for m in json.load(sys.stdin)["mutants"]:
    print(m["id"], "refuted" if m["refuted"] else "NOT REFUTED")'
ckda explain thm8.count | sed -n 1,12p
