#!/bin/sh
# Range: does a chunk of 64 tokens fit fp32 when gates may fall to exp(-5) a token?
set -u

for file in chunk16.json chunk64.json; do
    echo "$file:"
    ckda range "$file"
    echo "exit code $?"
done
