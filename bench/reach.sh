#!/bin/sh
# Closures of large systems: states, memory a state, one thread against two.
#   bench/reach.sh BUILD/bench/bench_reach [DOCUMENT...]
# Prints the bytes a state that the search counts and that the process has resident, both
# against the state's own bytes, and the ratio of wall times, which means something on a quiet
# machine only.
set -eu
program=$1
shift
data=$(dirname "$0")/../data/reach
[ $# -gt 0 ] || set -- "$data/b7.json" "$data/we7.json"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for document; do
    for threads in 1 2; do "$program" "$document" "$threads" | tee -a "$log"; done
done
awk '$3 == "threads" {
         key = $2; wall[key, $4] = $12
         if ($4 == 1) {
             name[++n] = key; states[n] = $8; own[n] = $16; held[n] = $18; resident[n] = $20
         }
     }
     END {
         printf "\n%-12s %10s %6s %6s %9s %s\n", "", "states", "own", "held", "resident", "two threads"
         for (i = 1; i <= n; i++)
             printf "%-12s %10d %6d %+6.1f %+9.1f %.2fx\n", name[i], states[i], own[i], held[i] - own[i],
                    resident[i] - own[i], wall[name[i], 1] / wall[name[i], 2]
     }' "$log"
