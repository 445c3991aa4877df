#!/usr/bin/env bash
# What a new user does, in a bare Debian: install, verify, report, one example of each job.
#
#   tools/new_user.sh SUITE [source|package] [FOLDER]
#   tools/new_user.sh all
#
# SUITE is bookworm (Debian 12) or trixie (Debian 13).  `source` (default) builds the committed tree
# with ./setup.sh; `package` installs the .deb files that tools/debian_package.sh has left in
# /var/tmp/ckda-package/dist (or $CKDA_PACKAGES).  `all` is the three transcripts that docs/ has, one
# after the other: bookworm and trixie from the sources, bookworm from the packages, which are made
# first if they are not of this commit.  Each time a new FOLDER is made, so that nothing is there but
# what the commands install; a run that was stopped goes on where it was if commit and script are
# still the same and the installation was done (FOLDER.done has the steps until the end).  Commands and the ends of their
# outputs go to docs/transcript-debianN.md or docs/transcript-debianN-package.md.  Exit status: 0, 77
# (cannot be tried here), or 1 at the first step that does not end as it should.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/debian_folder.sh
. tools/debian_folder.sh
usage() { echo "usage: new_user.sh bookworm|trixie [source|package] [FOLDER], or new_user.sh all" >&2; exit 2; }
suite=${1:-}
way=${2:-source}
folder=${3:-/var/tmp/ckda-new-user-$suite-$way}
packages=${CKDA_PACKAGES:-/var/tmp/ckda-package/dist}
commit=$(git rev-parse HEAD)
if [ "$suite" = all ]; then
    [ $# -eq 1 ] || usage
    tools/new_user.sh bookworm source
    tools/new_user.sh trixie source
    if [ "$(cat "$packages/commit" 2>/dev/null)" != "$commit" ]; then CKDA_DEBIAN_SUITE=bookworm tools/debian_package.sh; fi
    exec tools/new_user.sh bookworm package
fi
case "$suite" in
    bookworm) number=12 ;;
    trixie) number=13 ;;
    *) usage ;;
esac
case "$way" in
    source) name=docs/transcript-debian$number.md start=/root/ckda-exact ckda=build/ckda with_path="PATH=\$PWD/build:\$PATH" ;;
    package) name=docs/transcript-debian$number-package.md start=/root ckda=ckda with_path='' ;;
    *) usage ;;
esac
if [ "$way" = source ]; then examples=docs/examples; else examples=/usr/share/doc/ckda/examples; fi
out=$(mktemp)
page=$(mktemp)
trap 'rm -f "$out" "$page"' EXIT

# What was done, in this order, by this script on this commit.
finished=$folder.done
number_of_step=0
begin_or_go_on() {
    local now
    now="$commit $(sha256sum tools/new_user.sh tools/debian_folder.sh | sha256sum)"
    if [ -d "$folder" ] && [ -f "$finished/2" ] && [ "$(cat "$finished/of" 2>/dev/null)" = "$now" ]; then
        debian_say "going on in $folder"
        debian_lend_network "$folder"
        return
    fi
    rm -rf "$finished"
    debian_make "$suite" "$folder"
    [ "$way" = package ] || debian_lay_sources "$folder"
    mkdir -p "$finished"
    printf '%s\n' "$now" >"$finished/of"
}

tell() { printf '%s\n' "$*" >>"$page"; }

# The first and last lines of an output; what names a server is left out.
cut_to() {
    local first=$1 last=$2 lines
    sed -i -E '/(https?|ftp):\/\//d; s/\r$//' "$out"
    lines=$(wc -l <"$out")
    if [ "$lines" -le $((first + last + 1)) ]; then cat "$out"; return; fi
    head -n "$first" "$out"
    printf '...\n'
    tail -n "$last" "$out"
}

# step EXIT FIRST LAST COMMAND: runs it in the folder, records it, and stops everything if it
# ends otherwise.
step() {
    local want=$1 first=$2 last=$3 command=$4 got=0
    number_of_step=$((number_of_step + 1))
    local record=$finished/$number_of_step
    if [ -f "$record" ]; then cat "$record" >>"$page"; return; fi
    debian_say "$command"
    debian_enter "$folder" "cd $start && $command" >"$out" 2>&1 </dev/null || got=$?
    if [ "$got" -ne "$want" ]; then
        tail -n 40 "$out" >&2
        debian_say "exit status $got, expected $want: $command"
        exit 1
    fi
    {
        printf '```\n$ %s\n' "$command"
        cut_to "$first" "$last"
        [ "$got" -eq 0 ] || printf 'exit status %d\n' "$got"
        printf '```\n\n'
    } >"$record.new"
    mv "$record.new" "$record"
    cat "$record" >>"$page"
}

install_by_source() {
    tell "## Install and verify"
    tell ""
    tell "The sources lie in \`~/ckda-exact\`. One command installs the packages, builds, and checks every claim:"
    tell ""
    step 0 1 9 './setup.sh verify'
}

install_by_package() {
    mkdir -p "$folder/root/debs"
    rm -f "$folder"/root/debs/*
    cp "$packages"/*.deb "$folder/root/debs/"
    rm -f "$folder"/root/debs/*dbgsym*
    tell "## Install and verify"
    tell ""
    step 0 9 0 'ls debs'
    step 0 0 1 'apt-get update -qq'
    step 0 0 5 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq ./debs/*.deb'
    step 0 1 3 'ckda verify'
}

jobs_in_order() {
    tell "## Two things to try next"
    tell ""
    step 0 99 0 "$ckda verify thm1.forward thm1.steps cor19"
    step 0 99 0 "$ckda reach A5"
    tell "## The report"
    tell ""
    step 0 9 0 "$ckda report -o report --certificates"
    step 0 9 0 'ls report'
    tell "## Verify a claim"
    tell ""
    step 0 99 0 "$ckda verify --mutants thm1.forward"
    step 0 12 3 "$ckda explain thm1.forward"
    tell "## Check my own construction"
    tell ""
    step 0 9 0 "echo '{\"family\": \"ckda\", \"beta\": \"5/4\", \"key\": [\"1\", \"4\"], \"gate\": [\"-1/4\", \"1\"]}' >step.json"
    step 0 99 0 "$ckda spectrum step.json"
    step 0 9 0 "echo '{\"affine\": {\"initial\": [[\"1\", \"0\"], [\"0\", \"1\"]], \"letters\": {\"r\": {\"matrix\": [[\"0\", \"-1\"], [\"1\", \"0\"]]}}}}' >mine.json"
    step 0 99 0 "$ckda reach mine.json"
    tell "## Enumerate"
    tell ""
    step 0 99 0 "$ckda reach S4 --construction cube"
    tell "## Compile an automaton"
    tell ""
    step 0 9 0 "printf '0 1 a\n0 0 c\n1 0 a\n1 0 c\n1\n' >odd.att"
    step 0 99 0 "$ckda compile odd.att -o odd.json"
    step 0 99 0 "$ckda run odd.json 'a a a c a'"
    step 0 99 0 "$ckda run odd.att --close"
    tell "## Audit my kernel"
    tell ""
    tell "The arithmetic first, for words of every length; then the tensors that a NumPy kernel wrote."
    tell ""
    step 1 99 0 "$ckda audit Z5 --grid 5 --keys fp32 --all-words"
    step 0 0 2 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-numpy'
    step 0 99 0 "${with_path:+$with_path }python3 $examples/kernel.py"
    tell "## Read a verdict"
    tell ""
    step 3 99 0 "$ckda audit A5 --state fp32 --keys fp32 --all-words --max-states 20000"
    tell "Input that cannot be read is told with its place and a hint, and as a document for programs:"
    tell ""
    step 4 9 0 "$ckda spectrum $examples/decimal.json"
    step 4 9 0 "$ckda spectrum $examples/decimal.json --json 2>/dev/null"
    tell "What holds can be said shortly, or in full for programs:"
    tell ""
    step 0 9 0 "$ckda verify cor19 --quiet"
    step 0 9 3 "$ckda reach S4 --json"
    tell "## The other questions of README's table"
    tell ""
    step 0 99 0 "$ckda construct Z5 -o tracker.json"
    step 0 99 0 "$ckda reduce $examples/reflections.json"
    step 1 19 1 "$ckda range $examples/chunk64.json"
    step 0 9 0 "echo '{\"permutation\": [1, 2, 3, 0]}' >cycle.json"
    step 0 99 0 "$ckda factor cycle.json"
    step 0 99 0 "$ckda decompose $examples/plus_rank_one.json"
    step 0 99 0 "$ckda sweep --figure 2 --cells 6"
    tell "## A second opinion"
    tell ""
    step 0 99 0 "$ckda reach S4 --certificate s4.cert"
    step 0 99 0 "$ckda-recheck s4.cert"
}

use_the_library() {
    tell "## The library"
    tell ""
    # shellcheck disable=SC2016  # for the shell in there
    local build='cc reach.c $(pkg-config --cflags --libs ckda) -o reach && ./reach A5'
    step 0 0 1 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gcc libc6-dev pkg-config'
    step 0 9 0 'cp /usr/share/doc/libckda-dev/examples/reach.c .'
    step 0 9 0 "$build"
}

debian_need debootstrap
if [ "$way" = package ]; then ls "$packages"/*.deb >/dev/null 2>&1 || debian_skip "no packages in $packages"; fi
begin_or_go_on
tell "# A new user on Debian $number"
tell ""
tell "Written by \`tools/new_user.sh $suite $way\` from a folder with a bare Debian $number; each step had to end with the exit"
tell "status that is shown (0 where none is), and long outputs are cut at \`...\`. In the order of the [README](../README.md)."
tell ""
tell "## A bare system"
tell ""
step 0 9 0 'cat /etc/debian_version; dpkg -l | grep -c ^ii; command -v cc meson python3 || echo no compiler, no meson, no python'
"install_by_$way"
jobs_in_order
[ "$way" = source ] || use_the_library
if grep -qF "$(debian_mirror | sed -E 's|^[a-z]+://||; s|/.*||')" "$page"; then
    debian_say "the transcript names the package mirror"
    exit 1
fi
cp "$page" "$name"
chmod 644 "$name"
rm -rf "$finished"
debian_say "$name"
