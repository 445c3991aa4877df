#!/usr/bin/env bash
# Set-up of ckda-exact on a fresh machine: packages, build folder, compile, then one of
#   ./setup.sh verify   run build/ckda verify
#   ./setup.sh test     run the whole test suite; last line "N passed, N failed"
#   ./setup.sh build    stop after compiling
# Needs no network beyond the package manager.  Running it twice is harmless.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '%s\n' "setup: $*" >&2; }

common=(build-essential pkg-config meson ninja-build python3 libgmp-dev libmpfr-dev
        libflint-dev libjansson-dev libxxhash-dev libxml2-dev libcmocka-dev gnuplot-nox)
# FLINT 2 (Debian 12, Ubuntu 22.04) keeps these three apart; FLINT 3 holds them itself.
flint2_family=(libflint-arb-dev libantic-dev libcalcium-dev)

print_packages() {
    cat >&2 <<'EOF'
setup: install these packages with your package manager, then run this script again:
  Debian 12          build-essential pkg-config meson ninja-build python3 libgmp-dev libmpfr-dev
                     libflint-dev libflint-arb-dev libantic-dev libcalcium-dev
                     libjansson-dev libxxhash-dev libxml2-dev libcmocka-dev
  Debian 13, Ubuntu  the same without libflint-arb-dev libantic-dev libcalcium-dev
  Fedora 40 or later gcc meson ninja-build pkgconf-pkg-config python3 gmp-devel mpfr-devel
                     flint-devel jansson-devel xxhash-devel libxml2-devel libcmocka-devel
  Homebrew           meson ninja pkgconf gmp mpfr flint jansson xxhash libxml2 cmocka argp-standalone
EOF
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
        say "installing packages needs root, and sudo is not there"
        print_packages
        exit 4
    fi
}

installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q '^install ok installed$'; }

# Packages of this release: the FLINT 2 companions only where the release has them.
wanted_packages() {
    printf '%s\n' "${common[@]}"
    if apt-cache show libcalcium-dev >/dev/null 2>&1; then printf '%s\n' "${flint2_family[@]}"; fi
}

missing_packages() {
    local p
    for p in $(wanted_packages); do installed "$p" || echo "$p"; done
}

install_packages() {
    if ! command -v apt-get >/dev/null; then
        if ! command -v meson >/dev/null || ! command -v ninja >/dev/null; then
            print_packages
            exit 4
        fi
        return 0
    fi
    [ -n "$(missing_packages)" ] || return 0
    as_root apt-get update -qq >&2
    # Ask again: with empty package lists it was not known which companions exist.
    local missing
    missing=$(missing_packages)
    say "installing:" $missing
    # shellcheck disable=SC2086  # a list of package names
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        $missing >&2
}

# The distribution's own python runs meson even where another one comes first in PATH.
pick_meson() { if [ -x /usr/bin/meson ]; then echo /usr/bin/meson; else command -v meson; fi; }

compile() {
    export PATH=/usr/bin:$PATH
    local meson
    meson=$(pick_meson)
    if [ ! -f build/build.ninja ]; then "$meson" setup build >&2; fi
    ninja -C build >&2
}

run_tests() {
    local meson status=0
    meson=$(pick_meson)
    "$meson" test -C build --print-errorlogs >&2 || status=$?
    python3 tools/count_tests.py build/meson-logs/testlog.json || status=1
    return "$status"
}

case "${1:-}" in
    build) install_packages; compile ;;
    verify) install_packages; compile; exec build/ckda verify ;;
    test) install_packages; compile; run_tests ;;
    *)
        echo "usage: ./setup.sh verify|test|build" >&2
        exit 2
        ;;
esac
