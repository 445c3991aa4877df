#!/usr/bin/env bash
# Builds and tests the committed tree inside a bare Debian 13 (FLINT 3), in a folder.
#
#   tools/debian13.sh [test|verify] [FOLDER]
#
# The folder is made with debootstrap from the package mirror that this machine uses and is
# kept for the next run; the sources in it are laid anew each time.  Exit status:
#   0   ./setup.sh COMMAND passed in there
#   77  skipped: the folder could not be made here (no root, no debootstrap, no mirror)
#   else what ./setup.sh COMMAND returned: a build or test that fails there is a failure
set -euo pipefail
cd "$(dirname "$0")/.."
command=${1:-test}
suite=${CKDA_DEBIAN_SUITE:-trixie} # bookworm: a bare Debian 12 in the same way
folder=${2:-${CKDA_DEBIAN_FOLDER:-/var/tmp/ckda-debian-$suite}}

say() { printf '%s\n' "debian13: $*" >&2; }
skip() { say "skipped: $*"; exit 77; }

mirror() {
    apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(SUITE) $(CODENAME)' \
        'Created-By: Packages' 2>/dev/null |
        awk '$2 == "Debian" && $NF !~ /-/ { print $1; exit }'
}

make_folder() {
    [ "$(id -u)" -eq 0 ] || skip "making the folder needs root"
    command -v apt-get >/dev/null || skip "this system has no apt"
    if ! command -v debootstrap >/dev/null; then
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends debootstrap; } >&2 ||
            skip "debootstrap cannot be installed"
    fi
    local from
    from=$(mirror)
    [ -n "$from" ] || skip "no Debian mirror is configured"
    rm -rf "$folder.new"
    say "making $folder (Debian $suite)"
    debootstrap --variant=minbase "$suite" "$folder.new" "$from" >"$folder.log" 2>&1 ||
        { tail -n 5 "$folder.log" >&2; skip "debootstrap could not fetch Debian $suite"; }
    rm -rf "$folder"
    mv "$folder.new" "$folder"
}

# The package manager inside needs the name service and certificates of the machine outside.
lend_network() {
    local f
    for f in /etc/resolv.conf /etc/hosts; do
        if [ -e "$f" ]; then cp -L "$f" "$folder$f"; fi
    done
    for f in /etc/apt/apt.conf.d/*proxy*; do
        if [ -e "$f" ]; then cp "$f" "$folder/etc/apt/apt.conf.d/"; fi
    done
}

lay_sources() {
    rm -rf "$folder/root/ckda-exact"
    mkdir -p "$folder/root/ckda-exact"
    git archive HEAD | tar -x -C "$folder/root/ckda-exact"
}

[ -x "$folder/usr/bin/apt-get" ] || make_folder
[ "$(id -u)" -eq 0 ] || skip "entering the folder needs root"
lend_network
lay_sources
say "./setup.sh $command in Debian $(cat "$folder/etc/debian_version")"
# /proc and /dev/pts of its own, gone with the process, where the kernel lets us (/dev/stdout
# and tests of terminals need them).
inside='mount -t proc proc "$1/proc" 2>/dev/null || true
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" 2>/dev/null || true
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    chroot "$1" /bin/bash -c "cd /root/ckda-exact && exec ./setup.sh $2"'
if unshare -m true 2>/dev/null; then
    exec unshare -m /bin/sh -c "$inside" sh "$folder" "$command"
fi
exec /bin/sh -c "$inside" sh "$folder" "$command"
