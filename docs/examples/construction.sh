#!/bin/sh
# Check a construction of one's own: write it down exactly, ask what it reaches.
set -u

# Two reflections of the plane whose axes are 36 degrees apart: is the set of states finite?
ckda reach reflections.json
echo "exit code $?"

# A rotation by the angle of a 3-4-5 triangle is no rational part of a turn.
ckda reach turn.json --max-states 1000 --json |
    python3 -c 'import json, sys; print("turn.json:", json.load(sys.stdin)["verdict"])'

# Decimals are no exact numbers; the message says where and what to write instead.
ckda spectrum decimal.json
echo "exit code $?"
