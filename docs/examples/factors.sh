#!/bin/sh
# Factors: how many CKDA steps are a cycle, and a map that is no permutation?
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{"permutation": [1, 2, 3, 0]}' >cycle.json
echo '{"map": [0, 0, 1]}' >map.json
ckda factor cycle.json
ckda factor map.json --factoriser short --json |
    python3 -c 'import json, sys
f = json.load(sys.stdin)
print("map.json:", f["count"], "factors, bound", f["bound"], "verified" if f["verified"] else "WRONG")
for step in f["factors"]:
    print("  beta", step["beta"], " key", step["key"], " gate", step["gate"])'
