#!/bin/sh
# Enumerate: every state that S4 by 3 x 3 signed permutation matrices can reach.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

ckda reach S4 --dot "$folder/s4.dot" --json >"$folder/s4.json"
python3 - "$folder/s4.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
print(f'{r["system"]} by {r["construction"]}: {r["verdict"]}, {r["states"]} states, {r["edges"]} edges')
for length, states in enumerate(r["levels"]):
    print(f"  {states} first reached by words of length {length}")
PY
echo "graph: $(grep -c -- '->' "$folder/s4.dot") arrows for Graphviz"
