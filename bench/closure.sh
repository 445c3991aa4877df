#!/bin/sh
# Runs the certified A5 closure and its peers side by side and prints ratios of CPU times.
#   bench/closure.sh BUILD/bench/bench_closure
# Ours is measured in two ways, edges by associativity and each edge computed, before and
# after each peer, and the slower figure is used, so that a busy
# machine does not flatter us.  A peer that is not installed is reported as skipped.
set -eu
ours=$1
peers=$(dirname "$0")/peers
log=$(mktemp)
trap 'rm -f "$log"' EXIT

measure() { "$ours" 30 | tee -a "$log"; }

measure
if command -v gap >/dev/null; then
    gap -q "$peers/closure.g" </dev/null | tee -a "$log"
    measure
else
    echo "closure gap: skipped, not installed"
fi
if command -v gp >/dev/null; then
    gp -q -s 1G "$peers/closure.gp" </dev/null | tee -a "$log"
    measure
else
    echo "closure pari: skipped, not installed"
fi

awk '$2 == "ours" { if ($3 > own) own = $3; found = $5; next }
     $2 == "each-edge" { if ($3 > each) each = $3; next }
     { name[++n] = $2; ms[n] = $3; states[n] = $5 }
     END {
         printf "\n%-24s %10s %8s %8s %10s\n", "", "CPU ms", "states", "ratio", "each edge"
         printf "%-24s %10.1f %8s %8.1f %10.1f\n", "ours, certified", own, found, 1, each / own
         printf "%-24s %10.1f %8s %8.1f %10.1f\n", "ours, each edge", each, found, each / own, 1
         for (i = 1; i <= n; i++)
             printf "%-24s %10.1f %8s %8.1f %10.1f\n", name[i], ms[i], states[i], ms[i] / own, ms[i] / each
     }' "$log"
