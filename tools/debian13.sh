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
# shellcheck source=tools/debian_folder.sh
. tools/debian_folder.sh
command=${1:-test}
suite=${CKDA_DEBIAN_SUITE:-trixie} # bookworm: a bare Debian 12 in the same way
folder=${2:-${CKDA_DEBIAN_FOLDER:-/var/tmp/ckda-debian-$suite}}

[ -x "$folder/usr/bin/apt-get" ] || debian_make "$suite" "$folder"
[ "$(id -u)" -eq 0 ] || debian_skip "entering the folder needs root"
debian_lend_network "$folder"
debian_lay_sources "$folder"
debian_say "./setup.sh $command in Debian $(cat "$folder/etc/debian_version")"
debian_enter "$folder" "cd /root/ckda-exact && exec ./setup.sh $command"
