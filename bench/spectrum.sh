#!/bin/sh
# Runs the certified counts of one transition and their peers side by side.
#   bench/spectrum.sh BUILD/bench/bench_spectrum
# A peer that is not installed is reported as skipped.
set -eu
ours=$1
peers=$(dirname "$0")/peers
poly=$(mktemp)
log=$(mktemp)
trap 'rm -f "$poly" "$log"' EXIT

"$ours" | tee -a "$log"
if command -v gp >/dev/null; then
    "$ours" --polynomial >"$poly"
    { printf 'POLY = "%s";\n' "$poly"; cat "$peers/spectrum.gp"; } | gp -q -s 1G | tee -a "$log"
else
    echo "count pari: skipped, not installed"
fi

awk '$1 == "count" && $4 == "ours" { ms[$2 " " $3] = $5; n[++k] = $2 " " $3 }
     $1 == "count" && $4 != "ours" { print "ratio count", $2, "beta", $3, $4, $5 / ms[$2 " " $3] }
     $1 == "charpoly" { poly[$3] = $4 }
     END {
         for (i = 2; i <= k; i++) {
             split(n[i - 1], a, " "); split(n[i], b, " ")
             if (a[2] == b[2])
                 print "growth", a[1], "to", b[1], "beta", b[2], ms[n[i]] / ms[n[i - 1]]
         }
         print "ratio charpoly 128 flint", poly["flint"] / poly["ours"]
     }' "$log"
