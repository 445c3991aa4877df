# Bare Debian folders: what debian13.sh, debian_package.sh and new_user.sh share (sourced, not run).
# shellcheck shell=bash
#
# A script that sources this stands in the top folder of the tree.  Where a folder cannot be
# made here (no root, no debootstrap, no mirror), debian_skip ends it with 77: skipped.

debian_say() { printf '%s\n' "$(basename "$0" .sh): $*" >&2; }
debian_skip() { debian_say "skipped: $*"; exit 77; }

# The package mirror that this machine uses.
debian_mirror() {
    # shellcheck disable=SC2016  # apt's own names
    apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(SUITE) $(CODENAME)' \
        'Created-By: Packages' 2>/dev/null |
        awk '$2 == "Debian" && $NF !~ /-/ { print $1; exit }'
}

# debian_need PACKAGE...: on this machine, installed if they are not there.
debian_need() {
    [ "$(id -u)" -eq 0 ] || debian_skip "needs root"
    command -v apt-get >/dev/null || debian_skip "this system has no apt"
    local package missing=()
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >&2 ||
        debian_skip "${missing[*]} cannot be installed"
}

# debian_make SUITE FOLDER: a minimal Debian in a new folder; an old one goes when it is complete.
debian_make() {
    local suite=$1 folder=$2 from
    debian_need debootstrap
    from=$(debian_mirror)
    [ -n "$from" ] || debian_skip "no Debian mirror is configured"
    rm -rf "$folder.new"
    debian_say "making $folder (Debian $suite)"
    debootstrap --variant=minbase "$suite" "$folder.new" "$from" >"$folder.log" 2>&1 ||
        { tail -n 5 "$folder.log" >&2; debian_skip "debootstrap could not fetch Debian $suite"; }
    rm -rf "$folder"
    mv "$folder.new" "$folder"
    debian_lend_network "$folder"
}

# The package manager inside needs the name service and certificates of the machine outside.
debian_lend_network() {
    local folder=$1 f
    for f in /etc/resolv.conf /etc/hosts; do
        if [ -e "$f" ]; then cp -L "$f" "$folder$f"; fi
    done
    for f in /etc/apt/apt.conf.d/*proxy*; do
        if [ -e "$f" ]; then cp "$f" "$folder/etc/apt/apt.conf.d/"; fi
    done
}

# debian_lay_sources FOLDER: the committed tree, anew, as ~/ckda-exact in there.
debian_lay_sources() {
    rm -rf "$1/root/ckda-exact"
    mkdir -p "$1/root/ckda-exact"
    git archive HEAD | tar -x -C "$1/root/ckda-exact"
}

# debian_enter FOLDER COMMANDS: run by bash in there, with /proc and /dev/pts of its own, gone with
# the process, where the kernel lets us (/dev/stdout and tests of terminals need them).
debian_enter() {
    # shellcheck disable=SC2016  # expanded by the shell that it is given to
    local alone=() inside='mount -t proc proc "$1/proc" 2>/dev/null || true
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" 2>/dev/null || true
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$1" /bin/bash -c "$2"'
    if unshare -m true 2>/dev/null; then alone=(unshare -m); fi
    "${alone[@]}" /bin/sh -c "$inside" sh "$1" "$2"
}
