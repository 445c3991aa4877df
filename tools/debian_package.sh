#!/usr/bin/env bash
# From the committed tree: tarball (meson dist), Debian packages, and their use in a bare Debian.
#
#   tools/debian_package.sh [FOLDER]
#
# FOLDER (default /var/tmp/ckda-package) gets the tarball, the .deb files, lintian's words, and a
# bare Debian in which the packages are installed, an example is compiled with pkg-config's flags
# and run, and ckda and ckda-recheck are used.  CKDA_DEBIAN_SUITE must be the release of this
# machine (default: read from /etc/os-release).  Exit status: 0, 77 (cannot be tried here), or
# that of the step that failed.
set -euo pipefail
cd "$(dirname "$0")/.."
source_folder=$PWD
folder=${1:-/var/tmp/ckda-package}
# shellcheck source=/dev/null
suite=${CKDA_DEBIAN_SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}
version=$(sed -n "s/^ *version: '\([0-9.]*\)',$/\1/p" meson.build | head -n 1)

say() { printf '%s\n' "debian_package: $*" >&2; }
skip() { say "skipped: $*"; exit 77; }

need() {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    command -v apt-get >/dev/null || skip "this system has no apt"
    apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        debootstrap debhelper dpkg-dev lintian fakeroot git >&2 || skip "packages cannot be installed"
}

tarball() {
    rm -rf "$folder/dist" "$folder/build"
    mkdir -p "$folder/dist"
    /usr/bin/meson setup -Dcuda=disabled -Dtests=false -Dbench=false "$folder/build" >&2
    /usr/bin/meson dist -C "$folder/build" --no-tests --allow-dirty >&2
    cp "$folder/build/meson-dist/ckda-exact-$version.tar.xz" "$folder/dist/ckda-exact_$version.orig.tar.xz"
}

packages() {
    cd "$folder/dist"
    tar xf "ckda-exact_$version.orig.tar.xz"
    cd "ckda-exact-$version"
    dpkg-buildpackage -us -uc >&2
    cd ..
    lintian --fail-on error ./*.changes | tee lintian.txt >&2
}

bare_debian() {
    rm -rf "$folder/root"
    local from
    from=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN)' 'Created-By: Packages' |
        awk '$2 == "Debian" { print $1; exit }')
    debootstrap --variant=minbase "$suite" "$folder/root" "$from" >"$folder/debootstrap.log" 2>&1 ||
        skip "debootstrap could not fetch Debian $suite"
    local f
    for f in /etc/resolv.conf /etc/hosts; do cp -L "$f" "$folder/root$f"; done
    for f in /etc/apt/apt.conf.d/*proxy*; do [ ! -e "$f" ] || cp "$f" "$folder/root/etc/apt/apt.conf.d/"; done
    cp "$folder"/dist/*.deb "$source_folder"/docs/examples/reach.[co]* "$folder/root/root/"
}

inside='set -e; cd /root; export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends ./*.deb gcc libc6-dev pkg-config >/dev/null
cc -Wall -Werror reach.c $(pkg-config --cflags --libs ckda) -o reach
./reach A5 | diff - reach.out
ckda reach S4 --certificate s4.cert
ckda-recheck s4.cert
ckda verify thm1 cor19
ls /usr/share/man/man1/ckda* /usr/share/bash-completion/completions/ckda*'

use() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$folder/root" /bin/sh -c "$inside"
}

need
say "tarball of $version"
tarball
say "Debian packages"
(packages)
say "a bare Debian $suite"
bare_debian
use
say "installed and used"
