#!/usr/bin/env bash
# bundle.sh BUILD FOLDER -- copies BUILD/ckda-gpu and the libraries that a bare machine lacks
# into FOLDER, so that FOLDER/ckda-gpu runs on any Linux with a newer C library and a driver.
set -euo pipefail
build=$1 folder=$2
mkdir -p "$folder/lib"
strip -o "$folder/ckda-gpu" "$build/ckda-gpu"
ldd "$build/ckda-gpu" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
    grep -Ev '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*)\.so' |
    while read -r library; do cp -L "$library" "$folder/lib/"; done
du -sh "$folder" >&2
