#!/bin/sh
# Runs the certified A5 closure and its peers side by side and prints ratios of CPU times.
#   bench/closure.sh BUILD/bench/bench_closure [ROUNDS]
# Ours is measured in two ways, edges by associativity and each edge computed.  In each of
# the rounds (default 3) every peer runs between two measurements of ours, the slower of
# which counts, so that a busy machine does not flatter us; the least, the middle and the
# largest ratio are shown.  A peer that is not installed is reported as skipped.
set -eu
ours=$1
rounds=${2:-3}
peers=$(dirname "$0")/peers
log=$(mktemp)
trap 'rm -f "$log"' EXIT

measure() { "$ours" 30 | tee -a "$log"; }

for _ in $(seq "$rounds"); do
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
done

awk 'function close_peers(i) { # between the last two measurements of ours
         for (i = 1; i <= waiting; i++) {
             name = peer[i]
             if (!(name in count)) order[++names] = name
             count[name]++
             times[name] = times[name] " " ms[i]
             ratio[name, count[name]] = ms[i] / (own > before ? own : before)
             edge[name, count[name]] = ms[i] / (each > each_before ? each : each_before)
             states[name] = found[i]
         }
         waiting = 0
     }
     function middle(table, name, which,    i, j, n, v, t) {
         n = count[name]
         for (i = 1; i <= n; i++) v[i] = table[name, i]
         for (i = 1; i < n; i++)
             for (j = i + 1; j <= n; j++)
                 if (v[j] < v[i]) { t = v[i]; v[i] = v[j]; v[j] = t }
         return v[which == 0 ? 1 : which == 1 ? int((n + 1) / 2) : n]
     }
     $2 == "ours" { before = own; own = $3; all = all " " $3; next }
     $2 == "each-edge" { each_before = each; each = $3; every = every " " $3; close_peers(); next }
     { peer[++waiting] = $2; ms[waiting] = $3; found[waiting] = $5 }
     END {
         print "\nours, certified, CPU ms:" all
         print "ours, each edge computed, CPU ms:" every "\n"
         printf "%-20s %8s  %-24s %s\n", "", "states", "ratio", "ratio, each edge; CPU ms"
         for (i = 1; i <= names; i++) {
             n = order[i]
             printf "%-20s %8s  %7.1f %7.1f %7.1f  %6.1f %6.1f %6.1f ;%s\n", n, states[n],
                 middle(ratio, n, 0), middle(ratio, n, 1), middle(ratio, n, 2),
                 middle(edge, n, 0), middle(edge, n, 1), middle(edge, n, 2), times[n]
         }
     }' "$log"
