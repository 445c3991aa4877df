#!/bin/sh
# A certificate: ckda searches, ckda-recheck checks with arithmetic of its own.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

ckda reach D4 --certificate d4.cert >/dev/null
ckda-recheck d4.cert
echo "exit code $?"

# The same with one state fewer is refused.
sed '$d' d4.cert >cut.cert
ckda-recheck cut.cert
echo "exit code $?"
