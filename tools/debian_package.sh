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

# shellcheck source=tools/debian_folder.sh
. tools/debian_folder.sh

tarball() {
    rm -rf "$folder/dist" "$folder/build"
    mkdir -p "$folder/dist"
    /usr/bin/meson setup -Dcuda=disabled -Dtests=false -Dbench=false "$folder/build" >&2
    /usr/bin/meson dist -C "$folder/build" --no-tests --allow-dirty >&2
    cp "$folder/build/meson-dist/ckda-exact-$version.tar.xz" "$folder/dist/ckda-exact_$version.orig.tar.xz"
    git rev-parse HEAD >"$folder/dist/commit"
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
    debian_make "$suite" "$folder/root"
    cp "$folder"/dist/*.deb "$source_folder"/docs/examples/reach.[co]* "$source_folder/tests/install/examples.py" \
        "$folder/root/root/"
}

# shellcheck disable=SC2016  # for the shell in there
inside='set -e; cd /root; export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends ./*.deb gcc libc6-dev pkg-config >/dev/null
cc -Wall -Werror reach.c $(pkg-config --cflags --libs ckda) -o reach
./reach A5 | diff - reach.out
for link in $(dpkg -L ckda libckda0 libckda-dev | xargs -I{} find {} -maxdepth 0 -xtype l); do echo "dangling: $link"; exit 1; done
ckda reach S4 --certificate s4.cert
ckda-recheck s4.cert
ckda verify thm1 cor19
cd /usr/share/doc/ckda
apt-get install -y -qq --no-install-recommends python3 python3-numpy >/dev/null
python3 /root/examples.py docs/examples /usr/bin/ckda /usr/bin/ckda-recheck
ckda reach data/reach/b7.json
ckda range data/range/neumann_fp16_beta2.json || test $? = 1
ckda audit --trace data/traces/kda-reflect.safetensors || test $? = 1
ls /usr/share/man/man1/ckda* /usr/share/bash-completion/completions/ckda*'

debian_need debootstrap debhelper dpkg-dev lintian fakeroot git
debian_say "tarball of $version"
tarball
debian_say "Debian packages"
(packages)
debian_say "a bare Debian $suite"
bare_debian
debian_enter "$folder/root" "$inside"
debian_say "installed and used"
