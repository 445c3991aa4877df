#!/bin/sh
# Compile: the automaton "an odd number of a since the last c" from AT&T text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

ckda compile odd.att -o "$folder/odd.net.json" >/dev/null
ckda run odd.att "a a a c a"
echo
# The joint states of all layers are a closed graph: right for words of every length.
ckda run odd.att --close
echo
# The same from the network document, as another program would get it.
ckda run "$folder/odd.net.json" "a a a c a" --json |
    python3 -c 'import json, sys
r = json.load(sys.stdin)
print("all prefixes equal:", r["all_equal"], " largest numbers:", r["max_bits"], "bits")'
